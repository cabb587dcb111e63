//! A number that grows as the work moves: what renewals say.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The movement of a whole worker. Cheap to clone.
///
/// A job that waits moves with the one that is counted: it is not stuck.
#[derive(Clone)]
pub(crate) struct Movement {
    walked: Arc<AtomicU64>,
    steps: Arc<AtomicU64>,
}

impl Movement {
    /// The movement of a count whose leaves are in `walked`.
    pub(crate) fn new(walked: Arc<AtomicU64>) -> Movement {
        Movement { walked, steps: Arc::default() }
    }

    /// One more unit was ended, or a page of positions has come.
    pub(crate) fn step(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// Leaves walked so far.
    pub(crate) fn walked(&self) -> u64 {
        self.walked.load(Ordering::Relaxed)
    }

    /// Leaves walked and steps made so far.
    pub(crate) fn now(&self) -> u64 {
        self.walked().wrapping_add(self.steps.load(Ordering::Relaxed))
    }
}
