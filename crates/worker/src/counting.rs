//! The second stage: counts jobs, one after another, on threads of its own or inside a simulated runtime.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use tokio::sync::{mpsc, oneshot};
use vezir_jobs::ledger::Found;
use vezir_perft::{CountError, Counted, Counter};

use crate::fetching::Fetched;
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
            let words = self.words.clone();
            // Counting waits where too many wait to be reported; nobody listens once the worker is to stop.
            let tell = |word| drop(words.blocking_send(word));
            while let Some(fetched) = jobs.blocking_recv() {
                // One that was given back while it waited is nobody's any longer.
                if fetched.lease.take() {
                    self.count(&fetched, 0..fetched.units.len(), &tell);
                    self.metrics.table(self.counter.hash_bytes(), self.counter.hash_fill());
                    tell(Word { lease: fetched.lease, found: None });
                }
            }
            drop(self);
            let _ = end.send(());
        })?;
        Ok(ended)
    }

    /// The same as a task of the caller's runtime, which counts one unit after another, each as soon as `pace`
    /// lets it. The runtime stands still while one is counted, and so does its clock.
    pub(crate) fn start_inside<P>(
        mut self,
        mut jobs: mpsc::Receiver<Fetched>,
        pace: impl Fn() -> P + Send + Sync + 'static,
    ) -> oneshot::Receiver<()>
    where
        P: Future<Output = ()> + Send,
    {
        let (end, ended) = oneshot::channel();
        tokio::spawn(async move {
            while let Some(fetched) = jobs.recv().await {
                if !fetched.lease.take() {
                    continue;
                }
                for unit in 0..fetched.units.len() {
                    pace().await;
                    let found = Mutex::new(Vec::new());
                    let tell = |word| found.lock().unwrap_or_else(PoisonError::into_inner).push(word);
                    self.count(&fetched, unit..unit + 1, &tell);
                    for word in found.into_inner().unwrap_or_else(PoisonError::into_inner) {
                        let _ = self.words.send(word).await;
                    }
                }
                let _ = self.words.send(Word { lease: fetched.lease, found: None }).await;
            }
            drop(self);
            let _ = end.send(());
        });
        ended
    }

    /// Counts some units of a job, by their places in it, and passes on what is found out.
    fn count(&mut self, fetched: &Fetched, which: Range<usize>, tell: &(impl Fn(Word) + Sync)) {
        let Fetched { lease, units } = fetched;
        let (first, task) = (lease.job.units.start + which.start as u32, lease.job.task);
        // A breakdown looks at every leaf, and has no use for a table.
        if !task.breakdown
            && lease.wants(first)
            && let Err(error) = self.counter.reserve(task.hash_bytes.min(self.most_hash_bytes))
        {
            tracing::error!(%error, "a job cannot be counted");
            let found = Some((first, Found::Failed(error.to_string())));
            return tell(Word { lease: lease.clone(), found });
        }
        let busy = AtomicUsize::new(0);
        let begin = |index: usize| {
            let begun = lease.wants(first + index as u32).then(Instant::now)?;
            self.metrics.threads(busy.fetch_add(1, Ordering::Relaxed) + 1, self.counter.threads());
            Some(begun)
        };
        let done = |index: usize, begun: Instant, counted: Result<Counted, CountError>| {
            let counted = counted.and_then(|counted| self.pretence.wait(begun, lease).map(|()| counted));
            if let Some(found) = self.end(begun, counted) {
                tell(Word { lease: lease.clone(), found: Some((first + index as u32, found)) });
            }
            let others = busy.fetch_sub(1, Ordering::Relaxed) - 1;
            self.metrics.threads(others, self.counter.threads());
        };
        let units = &units[which];
        self.counter.count_units(units, task.remaining, task.breakdown, lease.stop(), begin, done);
    }

    /// Takes note of a unit's end: what was found out about it, unless it was stopped.
    fn end(&self, begun: Instant, counted: Result<Counted, CountError>) -> Option<Found<Counted>> {
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
        self.movement.step();
        found
    }
}
