//! The leases that a worker holds, and what it is told about them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use vezir_jobs::ledger::{HELD, Renewed};
use vezir_jobs::{Attempt, Job, RunId};
use vezir_proto::Malformed;
use vezir_proto::wire::workers::v1 as wire;

use crate::lease::{Lease, Life};
use crate::metrics::Metrics;

/// All leases that have not ended, and whether there may be others.
pub(crate) struct Held {
    leases: Mutex<Vec<Arc<Lease>>>,
    count: watch::Sender<usize>,
    draining: watch::Sender<bool>,
    metrics: Metrics,
}

impl Held {
    pub(crate) fn new(metrics: Metrics) -> Held {
        let (count, draining) = (watch::Sender::new(0), watch::Sender::new(false));
        Held { leases: Mutex::default(), count, draining, metrics }
    }

    /// Holds one more.
    pub(crate) fn begin(&self, job: Job) -> Arc<Lease> {
        let lease = Arc::new(Lease::new(job));
        self.change(|leases| leases.push(lease.clone()));
        lease
    }

    /// Holds a lease no longer: it has ended, or is given back.
    pub(crate) fn end(&self, lease: &Lease) {
        lease.end(Life::Ended);
        self.change(|leases| leases.retain(|other| !other.is_over()));
    }

    /// Holds none any longer: the coordinator has lost them.
    pub(crate) fn forget_all(&self) {
        self.change(|leases| leases.drain(..).for_each(|lease| lease.end(Life::Forgotten)));
    }

    /// Takes in what the coordinator says of a lease.
    ///
    /// # Errors
    /// [`Malformed`] where it says nothing.
    pub(crate) fn hear(&self, lease: &Lease, state: Option<wire::LeaseState>) -> Result<Renewed, Malformed> {
        let state = state.ok_or(Malformed::Missing("lease"))?;
        if state.drain {
            self.drain();
        }
        let renewed = Renewed::try_from(state)?;
        match renewed {
            Renewed::Live { end } => lease.cut(end),
            Renewed::Ended => self.end(lease),
        }
        Ok(renewed)
    }

    /// Shortens a lease, if it is held.
    pub(crate) fn cut(&self, run: RunId, attempt: Attempt, end: u32) {
        let same = |lease: &&Arc<Lease>| (lease.job.run, lease.job.attempt) == (run, attempt);
        if let Some(lease) = self.leases().iter().find(same) {
            lease.cut(end);
        }
    }

    /// Works no further for a run. Its leases are still to be given back: the coordinator waits to hear of them.
    pub(crate) fn drop_run(&self, run: RunId) {
        self.leases().iter().filter(|lease| lease.job.run == run).for_each(|lease| lease.abandon());
    }

    /// Works on nothing any further.
    pub(crate) fn abandon_all(&self) {
        self.leases().iter().for_each(|lease| lease.abandon());
    }

    /// The leases that nobody has begun to count, taken so that nobody will.
    pub(crate) fn take_waiting(&self) -> Vec<Arc<Lease>> {
        self.leases().iter().filter(|lease| lease.take()).cloned().collect()
    }

    /// All leases.
    pub(crate) fn all(&self) -> Vec<Arc<Lease>> {
        self.leases().clone()
    }

    /// Ready when another job may be asked for: each takes all cores.
    pub(crate) async fn room(&self) {
        // As below.
        let _ = self.count.subscribe().wait_for(|count| *count < HELD as usize).await;
    }

    /// Ready when no lease is held.
    pub(crate) async fn emptied(&self) {
        // The sender is in `self`, and cannot be gone.
        let _ = self.count.subscribe().wait_for(|count| *count == 0).await;
    }

    /// There will be no other lease.
    pub(crate) fn drain(&self) {
        if !self.draining.send_replace(true) {
            tracing::info!("draining: no other job is taken");
        }
    }

    /// Ready when there will be no other lease.
    pub(crate) async fn drained(&self) {
        // As above.
        let _ = self.draining.subscribe().wait_for(|draining| *draining).await;
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Arc<Lease>>)) {
        let mut leases = self.leases();
        change(&mut leases);
        self.metrics.holds(leases.len());
        self.count.send_replace(leases.len());
    }

    fn leases(&self) -> MutexGuard<'_, Vec<Arc<Lease>>> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
