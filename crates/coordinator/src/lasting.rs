//! How long leases have lasted, as far as this coordinator has seen them begin: for metrics alone.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use vezir_jobs::{Attempt, RunId};

/// Leases that were granted since this coordinator started, and have not ended.
#[derive(Default)]
pub(crate) struct Lasting(Mutex<HashMap<(RunId, Attempt), Times>>);

struct Times {
    granted: Instant,
    /// When its holder last brought something.
    reported: Instant,
}

impl Lasting {
    /// A lease was granted.
    pub(crate) fn begin(&self, run: RunId, attempt: Attempt) {
        let now = Instant::now();
        self.all().insert((run, attempt), Times { granted: now, reported: now });
    }

    /// A lease has brought something: how long after its beginning, or what it brought before.
    pub(crate) fn report(&self, run: RunId, attempt: Attempt) -> Option<Duration> {
        let mut all = self.all();
        let times = all.get_mut(&(run, attempt))?;
        let now = Instant::now();
        let took = now - times.reported;
        times.reported = now;
        Some(took)
    }

    /// A lease has ended: how long it lasted. `None` if that is known already, or its beginning is not.
    pub(crate) fn end(&self, run: RunId, attempt: Attempt) -> Option<Duration> {
        self.all().remove(&(run, attempt)).map(|times| times.granted.elapsed())
    }

    fn all(&self) -> MutexGuard<'_, HashMap<(RunId, Attempt), Times>> {
        // Each entry is whole at any moment.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
