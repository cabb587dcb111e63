//! The second stage: works on jobs, one after another, on threads of its own or inside a simulated runtime.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use vezir_jobs::ledger::Found;
use vezir_jobs::{CountTask, Examination, Tally};
use vezir_perft::{CountError, Counted, Counter, Slot};
use vezir_verify::Place;

use crate::engines::Engines;
use crate::examining::Examining;
use crate::fetching::{Fetched, Units};
use crate::lease::Lease;
use crate::metrics::{Metrics, UnitEnd};
use crate::movement::Movement;
use crate::pretending::Pretence;
use crate::reporting::Word;

/// How long engines are kept that have nothing to answer: the next job may ask them again.
const ENGINES_IDLE: Duration = Duration::from_secs(2);

/// What the stage works with.
pub(crate) struct Counting {
    pub(crate) counter: Counter,
    pub(crate) engines: Engines,
    pub(crate) examining: Examining,
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
        let waiting = Builder::new_current_thread().enable_time().build()?;
        thread::Builder::new().name("counting".to_owned()).spawn(move || {
            let words = self.words.clone();
            // Counting waits where too many wait to be reported; nobody listens once the worker is to stop.
            let tell = |word| drop(words.blocking_send(word));
            while let Some(fetched) = self.next(&mut jobs, &waiting) {
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

    /// The next job; engines that are idle for long are told to quit.
    fn next(&self, jobs: &mut mpsc::Receiver<Fetched>, waiting: &Runtime) -> Option<Fetched> {
        match waiting.block_on(async { timeout(ENGINES_IDLE, jobs.recv()).await }) {
            Ok(fetched) => fetched,
            Err(_) => {
                self.examining.dismiss();
                jobs.blocking_recv()
            }
        }
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

    /// Works on some units of a job, by their places in it, and passes on what is found out.
    fn count(&mut self, fetched: &Fetched, which: Range<usize>, tell: &(impl Fn(Word) + Sync)) {
        let lease = &fetched.lease;
        let first = lease.job.units.start + which.start as u32;
        match &fetched.units {
            Units::Count(task, units) => self.count_units((lease, first), *task, &units[which], tell),
            Units::Examine(task, units) => self.examine_units((lease, first), task, &units[which], tell),
        }
    }

    fn count_units(
        &mut self,
        (lease, first): (&Arc<Lease>, u32),
        task: CountTask,
        units: &[Vec<Slot>],
        tell: &(impl Fn(Word) + Sync),
    ) {
        // A breakdown looks at every leaf, and has no use for a table.
        if !task.breakdown
            && lease.wants(first)
            && let Err(error) = self.counter.reserve(task.hash_bytes.min(self.most_hash_bytes))
        {
            tracing::error!(%error, "a job cannot be counted");
            let found = Some((first, Found::Failed(error.to_string())));
            return tell(Word { lease: lease.clone(), found });
        }
        let shift = Shift { stage: self, lease, first, tell, busy: AtomicUsize::new(0) };
        let done = |index, begun, counted: Result<Counted, CountError>| {
            shift.done(index, begun, counted.map(Tally::from));
        };
        let begin = |index| shift.begin(index);
        self.counter.count_units(units, task.remaining, task.breakdown, lease.stop(), begin, done);
    }

    fn examine_units(
        &self,
        (lease, first): (&Arc<Lease>, u32),
        task: &Examination,
        units: &[Vec<Place>],
        tell: &(impl Fn(Word) + Sync),
    ) {
        let ready = self.engines.ready(&task.engine);
        let shift = Shift { stage: self, lease, first, tell, busy: AtomicUsize::new(0) };
        let begin = |index| shift.begin(index);
        let done = |index, begun, found| shift.done(index, begun, found);
        self.examining.examine_units(units, (task, &ready), lease.stop(), begin, done);
    }

    /// Takes note of a unit's end: what was found out about it, unless it was stopped.
    fn end(&self, begun: Instant, found: Result<Tally, CountError>) -> Option<Found<Tally>> {
        let (end, found) = match found {
            Ok(mut tally) => {
                let counted = &mut tally.counted;
                self.metrics.probed(counted.figures.probes, counted.figures.hits);
                self.pretence.lie(counted);
                (UnitEnd::Counted, Some(Found::Answer(tally)))
            }
            Err(CountError::Stopped) => (UnitEnd::Stopped, None),
            Err(error) => (UnitEnd::Failed, Some(Found::Failed(error.to_string()))),
        };
        self.metrics.unit_finished(end, begun.elapsed());
        self.movement.step();
        found
    }
}

/// The units of one job while they are worked on.
struct Shift<'a, T> {
    stage: &'a Counting,
    lease: &'a Arc<Lease>,
    /// The first of them.
    first: u32,
    tell: &'a T,
    /// Threads that have work.
    busy: AtomicUsize,
}

impl<T: Fn(Word) + Sync> Shift<'_, T> {
    /// The time at which a unit is begun, if it is wanted.
    fn begin(&self, index: usize) -> Option<Instant> {
        let begun = self.lease.wants(self.first + index as u32).then(Instant::now)?;
        self.show(self.busy.fetch_add(1, Ordering::Relaxed) + 1);
        Some(begun)
    }

    fn done(&self, index: usize, begun: Instant, found: Result<Tally, CountError>) {
        let Shift { stage, lease, first, .. } = *self;
        let found = found.and_then(|tally| stage.pretence.wait(begun, lease).map(|()| tally));
        if let Some(found) = stage.end(begun, found) {
            (self.tell)(Word { lease: lease.clone(), found: Some((first + index as u32, found)) });
        }
        self.show(self.busy.fetch_sub(1, Ordering::Relaxed) - 1);
    }

    fn show(&self, busy: usize) {
        self.stage.metrics.threads(busy, self.stage.counter.threads());
    }
}
