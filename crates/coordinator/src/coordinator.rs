//! What all services share: the store, the plans of runs that go on, who is there, and how waiting ends.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tonic::Status;
use vezir_jobs::ledger::{Answered, CallId, Effects, Reply, Verb};
use vezir_jobs::{RunId, Tally};
use vezir_proto::{IntoStatus, Unavailable, Unexpected};
use vezir_store::{Fault, Store, StoreError};

use crate::Settings;
use crate::frontiers::Frontiers;
use crate::hall::Hall;
use crate::health::Health;
use crate::lasting::Lasting;
use crate::metrics::{Failure, Metrics, Verb as VerbLabel};
use crate::outlines::Outlines;
use crate::plans::Plans;
use crate::turns::Turns;

/// One coordinator.
pub(crate) struct Coordinator<S> {
    pub(crate) store: S,
    pub(crate) settings: Settings,
    pub(crate) metrics: Metrics,
    pub(crate) plans: Plans,
    pub(crate) hall: Hall,
    pub(crate) health: Health,
    pub(crate) turns: Turns,
    pub(crate) outlines: Outlines,
    pub(crate) jobs: Lasting,
    /// The runs that were submitted or resumed here, where no others are worked on.
    taken_up: Mutex<BTreeSet<RunId>>,
    /// The runs that some task sees through.
    seen_to: Mutex<BTreeSet<RunId>>,
    /// True from the moment when the coordinator is to stop.
    closing: watch::Receiver<bool>,
}

impl<S: Store> Coordinator<S> {
    pub(crate) fn new(
        store: S,
        settings: Settings,
        metrics: Metrics,
        closing: watch::Receiver<bool>,
    ) -> Coordinator<S> {
        let plans = Plans::new(Frontiers::new(&settings, metrics.clone()));
        Coordinator {
            store,
            settings,
            metrics,
            plans,
            hall: Hall::default(),
            health: Health::default(),
            turns: Turns::default(),
            outlines: Outlines::default(),
            jobs: Lasting::default(),
            taken_up: Mutex::default(),
            seen_to: Mutex::default(),
            closing,
        }
    }

    /// Waits until the coordinator is to stop.
    pub(crate) async fn closing(&self) {
        // Its sender is gone only when the server is, which is as good a reason to stop.
        let _ = self.closing.clone().wait_for(|closing| *closing).await;
    }

    /// A run is worked on from now on.
    pub(crate) fn take_up(&self, run: RunId) {
        set(&self.taken_up).insert(run);
    }

    /// Somebody is to see a run through; `false` where somebody does already.
    pub(crate) fn see_to(&self, run: RunId) -> bool {
        set(&self.seen_to).insert(run)
    }

    /// Whether somebody sees a run through.
    pub(crate) fn is_seen_to(&self, run: RunId) -> bool {
        set(&self.seen_to).contains(&run)
    }

    /// A run was seen through.
    pub(crate) fn leave(&self, run: RunId) {
        set(&self.seen_to).remove(&run);
    }

    /// The runs that are worked on; `None` for all.
    pub(crate) fn taken_up(&self) -> Option<Vec<RunId>> {
        let some = || set(&self.taken_up).iter().copied().collect();
        (!self.settings.takes_up).then(some)
    }

    /// Asks the store, and tells metrics how long it took and what has happened by it.
    pub(crate) async fn ask(&self, id: CallId, verb: Verb<Tally>) -> Result<Answered, Status> {
        let name = VerbLabel::named(verb.name()).unwrap_or(VerbLabel::Other);
        let begun = tokio::time::Instant::now();
        let answered = self.store.call(id, verb).await;
        self.metrics.transaction(name, begun.elapsed());
        let answered = answered.map_err(|error| self.refused(error))?;
        self.health.wrote();
        if answered.repeated {
            self.metrics.repeated();
        }
        self.note(&answered.effects);
        Ok(answered)
    }

    /// Tells metrics and the log what has happened to leases and workers.
    pub(crate) fn note(&self, effects: &Effects) {
        for ended in &effects.ended {
            let lasted = self.jobs.end(ended.run, ended.attempt);
            self.metrics.lease_ended(ended.end, lasted);
        }
        for worker in &effects.paused {
            self.metrics.paused();
            tracing::warn!(%worker, "worker paused: nothing is given to it until an operator resumes it");
        }
        for worker in &effects.quarantined {
            self.metrics.quarantined();
            tracing::error!(%worker, "worker quarantined: what it counted is counted again");
        }
    }

    /// The same for a verb that is simply accepted.
    pub(crate) async fn tell(&self, id: CallId, verb: Verb<Tally>) -> Result<(), Status> {
        match self.ask(id, verb).await?.reply {
            Reply::Accepted => Ok(()),
            other => Err(Unexpected::reply(&other).into_status()),
        }
    }

    /// What a caller is told where the store refuses or fails.
    pub(crate) fn refused(&self, error: StoreError) -> Status {
        match error {
            StoreError::Refused(refusal) => refusal.into_status(),
            StoreError::Unusable(unusable) => {
                self.metrics.store_failed(failure(unusable.fault));
                self.health.failed(&unusable.why);
                Unavailable::Store(unusable.why).into_status()
            }
        }
    }
}

const fn failure(fault: Fault) -> Failure {
    match fault {
        Fault::Full => Failure::Full,
        Fault::ReadOnly => Failure::ReadOnly,
        Fault::Busy => Failure::Busy,
        Fault::Unreachable => Failure::Unreachable,
        Fault::Damaged => Failure::Damaged,
        Fault::Other => Failure::Other,
    }
}

/// An id for a call that the coordinator makes itself.
pub(crate) fn own_call() -> CallId {
    CallId(fastrand::u128(1..))
}

/// The runs of a set: whole at any moment.
fn set(runs: &Mutex<BTreeSet<RunId>>) -> MutexGuard<'_, BTreeSet<RunId>> {
    runs.lock().unwrap_or_else(PoisonError::into_inner)
}
