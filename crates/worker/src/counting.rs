//! The second stage: counts jobs, one after another, on threads of its own.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use tokio::sync::{mpsc, oneshot};
use vezir_jobs::ledger::Found;
use vezir_perft::{CountError, Counted, Counter};

use crate::fetching::Fetched;
use crate::lease::Lease;
use crate::metrics::{Metrics, UnitEnd};
use crate::movement::Movement;
use crate::pretending::Pretence;
use crate::reporting::Word;

/// What the stage works with.
pub(crate) struct Counting {
    pub(crate) counter: Counter,
    /// The largest table, in bytes.
    pub(crate) most_hash_bytes: u64,
    pub(crate) pretence: Pretence,
    pub(crate) movement: Movement,
    pub(crate) metrics: Metrics,
    pub(crate) words: mpsc::Sender<Word>,
}

impl Counting {
    /// Starts the stage, which ends with its jobs. What is returned is ready when it has, with an error where
    /// it broke down.
    ///
    /// The runtime's threads never count: a renewal or a report must not wait for a unit.
    pub(crate) fn start(mut self, mut jobs: mpsc::Receiver<Fetched>) -> io::Result<oneshot::Receiver<()>> {
        let (end, ended) = oneshot::channel();
        self.metrics.threads(0, self.counter.threads());
        thread::Builder::new().name("counting".to_owned()).spawn(move || {
            while let Some(fetched) = jobs.blocking_recv() {
                // One that was given back while it waited is nobody's any longer.
                if fetched.lease.take() {
                    self.count(&fetched);
                    self.metrics.table(self.counter.hash_bytes(), self.counter.hash_fill());
                    self.tell(&fetched.lease, None);
                }
            }
            drop(self);
            let _ = end.send(());
        })?;
        Ok(ended)
    }

    fn count(&mut self, fetched: &Fetched) {
        let Fetched { lease, units } = fetched;
        let (first, task) = (lease.job.units.start, lease.job.task);
        // A breakdown looks at every leaf, and has no use for a table.
        if !task.breakdown
            && lease.wants(first)
            && let Err(error) = self.counter.reserve(task.hash_bytes.min(self.most_hash_bytes))
        {
            tracing::error!(%error, "a job cannot be counted");
            return self.tell(lease, Some((first, Found::Failed(error.to_string()))));
        }
        let busy = AtomicUsize::new(0);
        let begin = |index: usize| {
            let begun = lease.wants(first + index as u32).then(Instant::now)?;
            self.metrics.threads(busy.fetch_add(1, Ordering::Relaxed) + 1, self.counter.threads());
            Some(begun)
        };
        let done = |index: usize, begun: Instant, counted: Result<Counted, CountError>| {
            let counted = counted.and_then(|counted| self.pretence.wait(begun, lease).map(|()| counted));
            self.end(lease, first + index as u32, begun, counted);
            let others = busy.fetch_sub(1, Ordering::Relaxed) - 1;
            self.metrics.threads(others, self.counter.threads());
        };
        self.counter.count_units(units, task.remaining, task.breakdown, lease.stop(), begin, done);
    }

    /// Takes note of a unit's end, and passes its result on.
    fn end(&self, lease: &Arc<Lease>, unit: u32, begun: Instant, counted: Result<Counted, CountError>) {
        let (end, found) = match counted {
            Ok(mut counted) => {
                self.metrics.probed(counted.figures.probes, counted.figures.hits);
                self.pretence.lie(&mut counted);
                (UnitEnd::Counted, Some(Found::Answer(counted)))
            }
            Err(CountError::Stopped) => (UnitEnd::Stopped, None),
            Err(error) => (UnitEnd::Failed, Some(Found::Failed(error.to_string()))),
        };
        self.metrics.unit_finished(end, begun.elapsed());
        self.movement.unit();
        if let Some(found) = found {
            self.tell(lease, Some((unit, found)));
        }
    }

    /// Passes a word on; counting waits where too many wait to be reported.
    fn tell(&self, lease: &Arc<Lease>, found: Option<(u32, Found<Counted>)>) {
        // Nobody listens once the worker is to stop.
        let _ = self.words.blocking_send(Word { lease: lease.clone(), found });
    }
}
