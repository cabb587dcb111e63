//! Flags that end the counting of a run that nobody wants any longer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use vezir_jobs::RunId;

/// The flags of jobs in hand.
#[derive(Default)]
pub(crate) struct Stops(Mutex<Vec<(RunId, Weak<AtomicBool>)>>);

impl Stops {
    /// The flag of a new job; it is forgotten with the job.
    pub(crate) fn flag(&self, run: RunId) -> Arc<AtomicBool> {
        let flag = Arc::new(AtomicBool::new(false));
        let mut flags = self.flags();
        flags.retain(|(_, flag)| flag.strong_count() > 0);
        flags.push((run, Arc::downgrade(&flag)));
        flag
    }

    /// Stops all jobs of one run.
    pub(crate) fn raise(&self, run: RunId) {
        self.raise_where(|other| other == run);
    }

    /// Stops all jobs.
    pub(crate) fn raise_all(&self) {
        self.raise_where(|_| true);
    }

    fn raise_where(&self, chosen: impl Fn(RunId) -> bool) {
        let flags = self.flags();
        for flag in flags.iter().filter(|(run, _)| chosen(*run)).filter_map(|(_, flag)| flag.upgrade()) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    fn flags(&self) -> MutexGuard<'_, Vec<(RunId, Weak<AtomicBool>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use vezir_jobs::RunId;

    use super::Stops;

    #[test]
    fn a_stop_reaches_the_jobs_of_its_run_alone() {
        let stops = Stops::default();
        let [first, second, other] = [1, 1, 2].map(|run| stops.flag(RunId(run)));
        stops.raise(RunId(1));
        assert_eq!([&first, &second, &other].map(|flag| flag.load(Ordering::Relaxed)), [true, true, false]);
        stops.raise_all();
        assert!(other.load(Ordering::Relaxed));
    }
}
