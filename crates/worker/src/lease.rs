//! A lease as its holder sees it: what is still wanted of it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tokio::sync::watch;
use vezir_jobs::Job;

/// How a lease stands, as far as its holder knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Life {
    /// It goes on.
    Live,
    /// It has ended; what was found under it may still be said, once.
    Ended,
    /// Its coordinator has lost it: its numbers mean nothing, or something else.
    Forgotten,
}

/// A job that was granted, shared by all stages.
pub(crate) struct Lease {
    pub(crate) job: Job,
    /// One past the last unit that is wanted; only ever lowered.
    end: AtomicU32,
    stop: AtomicBool,
    taken: AtomicBool,
    life: watch::Sender<Life>,
}

impl Lease {
    pub(crate) fn new(job: Job) -> Lease {
        Lease {
            end: AtomicU32::new(job.units.end),
            job,
            stop: AtomicBool::new(false),
            taken: AtomicBool::new(false),
            life: watch::Sender::new(Life::Live),
        }
    }

    /// Whether a unit that has not begun is to be counted.
    pub(crate) fn wants(&self, unit: u32) -> bool {
        unit < self.end.load(Ordering::Relaxed) && !self.is_stopped()
    }

    /// The units from `end` on are somebody else's; what has begun goes on.
    pub(crate) fn cut(&self, end: u32) {
        let before = self.end.fetch_min(end, Ordering::Relaxed);
        if end < before {
            tracing::debug!(run = %self.job.run, attempt = %self.job.attempt, end, "cut");
        }
    }

    /// The flag that ends a count under way.
    pub(crate) const fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Counts no further; the lease itself is still to be given back.
    pub(crate) fn abandon(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The lease has ended. `Held` calls this, and nobody else.
    pub(crate) fn end(&self, life: Life) {
        self.abandon();
        self.life.send_modify(|now| *now = life.max(*now));
    }

    /// How it stands, to be watched.
    pub(crate) fn life(&self) -> watch::Receiver<Life> {
        self.life.subscribe()
    }

    pub(crate) fn is_over(&self) -> bool {
        *self.life.borrow() != Life::Live
    }

    pub(crate) fn is_forgotten(&self) -> bool {
        *self.life.borrow() == Life::Forgotten
    }

    /// Takes it, to count it or to give it back uncounted: whoever is first has it, and the other hears `false`.
    pub(crate) fn take(&self) -> bool {
        !self.taken.swap(true, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use vezir_jobs::{Attempt, CountTask, Job, RunId, Task};

    use super::Lease;

    #[test]
    fn a_lease_only_shrinks() {
        let task = Task::Count(CountTask { remaining: 1, breakdown: false, hash_bytes: 0 });
        let term = Duration::from_secs(1);
        let lease = Lease::new(Job { run: RunId(1), attempt: Attempt(1), units: 0..9, task, term });
        assert!(lease.wants(8));
        lease.cut(5);
        lease.cut(7);
        assert!(lease.wants(4) && !lease.wants(5));
        assert!(lease.take() && !lease.take());
        lease.abandon();
        assert!(!lease.wants(0) && !lease.is_over());
    }
}
