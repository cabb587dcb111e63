//! The second stage: counts jobs, one after another, on threads of its own.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use tokio::sync::{mpsc, oneshot};
use vezir_jobs::{Finding, Job, UnitReport};
use vezir_perft::{CountError, Counter};

use crate::fetching::Fetched;

/// What was found out about one unit of a job.
pub(crate) struct Found {
    pub(crate) job: Arc<Job>,
    pub(crate) report: UnitReport,
    /// Raised by whoever learns that the job is not wanted any longer.
    pub(crate) stop: Arc<AtomicBool>,
}

/// Starts the stage, which ends with its jobs. What is returned is ready when it has.
///
/// The runtime's threads never count: a renewal or a report must not wait for a unit.
pub(crate) fn start(
    counter: Counter,
    most_hash_bytes: u64,
    mut jobs: mpsc::Receiver<Fetched>,
    results: mpsc::Sender<Found>,
) -> io::Result<oneshot::Receiver<()>> {
    let (end, ended) = oneshot::channel();
    let mut stage = Stage { counter, most_hash_bytes, results };
    thread::Builder::new().name("counting".to_owned()).spawn(move || {
        while let Some(fetched) = jobs.blocking_recv() {
            stage.count(fetched);
        }
        drop(stage);
        let _ = end.send(());
    })?;
    Ok(ended)
}

struct Stage {
    counter: Counter,
    most_hash_bytes: u64,
    results: mpsc::Sender<Found>,
}

impl Stage {
    fn count(&mut self, fetched: Fetched) {
        let Fetched { job, units, stop } = fetched;
        let job = Arc::new(job);
        let tell = |unit: u32, finding: Finding| {
            let report = UnitReport { unit, finding };
            // Nobody listens once the worker is to stop.
            let _ = self.results.blocking_send(Found { job: job.clone(), report, stop: stop.clone() });
        };
        // A breakdown looks at every leaf, and has no use for a table.
        if !job.task.breakdown
            && let Err(error) = self.counter.reserve(job.task.hash_bytes.min(self.most_hash_bytes))
        {
            return tell(job.units.start, Finding::Failed(error.to_string()));
        }
        self.counter.count_units(&units, job.task.remaining, job.task.breakdown, &stop, |index, counted| {
            let unit = job.units.start + index as u32;
            match counted {
                Ok(counted) => tell(unit, Finding::Counted(counted)),
                Err(CountError::Stopped) => {}
                Err(error) => tell(unit, Finding::Failed(error.to_string())),
            }
        });
    }
}
