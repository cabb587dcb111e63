//! Who may ask the store next: limits that keep what must be quick from waiting behind what may wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// Leases that are looked for at the same time. Reports and renewals need no turn: so few leases are all that
/// they ever wait behind.
pub(crate) const LEASES: usize = 16;

/// Pages that are put together at the same time: each takes a core and up to a megabyte.
pub(crate) const PAGES: usize = 8;

/// Calls of the store for users, at the same time.
pub(crate) const USERS: usize = 8;

/// Workers that are looked for in the store, at the same time, after the coordinator has started.
const RECALLS: usize = 1;

/// Users that may watch or export at the same time.
const WATCHERS: usize = 4_096;

/// How long each worker that waits in vain makes the others wait, so that a thousand of them do not all ask
/// again whenever anything changes.
const PAUSE_PER_IDLE: Duration = Duration::from_millis(1);

/// The longest that one waits.
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// The turns of each kind of call.
pub(crate) struct Turns {
    leases: Arc<Semaphore>,
    pages: Arc<Semaphore>,
    users: Arc<Semaphore>,
    recalls: Arc<Semaphore>,
    watchers: Arc<Semaphore>,
    idle: AtomicU32,
}

/// A turn, until it is dropped.
pub(crate) type Turn = OwnedSemaphorePermit;

impl Default for Turns {
    fn default() -> Turns {
        let turns = |number| Arc::new(Semaphore::new(number));
        Turns {
            leases: turns(LEASES),
            pages: turns(PAGES),
            users: turns(USERS),
            recalls: turns(RECALLS),
            watchers: turns(WATCHERS),
            idle: AtomicU32::new(0),
        }
    }
}

impl Turns {
    pub(crate) async fn lease(&self) -> Result<Turn, AcquireError> {
        self.leases.clone().acquire_owned().await
    }

    pub(crate) async fn page(&self) -> Result<Turn, AcquireError> {
        self.pages.clone().acquire_owned().await
    }

    pub(crate) async fn user(&self) -> Result<Turn, AcquireError> {
        self.users.clone().acquire_owned().await
    }

    pub(crate) async fn recall(&self) -> Result<Turn, AcquireError> {
        self.recalls.clone().acquire_owned().await
    }

    /// A place among the watchers, if there is one.
    pub(crate) fn watch(&self) -> Option<Turn> {
        self.watchers.clone().try_acquire_owned().ok()
    }

    /// One more waits for work, until what is returned is dropped.
    pub(crate) fn idle(&self) -> Idle<'_> {
        self.idle.fetch_add(1, Ordering::Relaxed);
        Idle(self)
    }
}

/// Somebody who waits for work.
pub(crate) struct Idle<'turns>(&'turns Turns);

impl Idle<'_> {
    /// Waits a little, longer where many wait.
    pub(crate) async fn pause(&self) {
        let others = self.0.idle.load(Ordering::Relaxed).saturating_sub(1);
        let longest = PAUSE_PER_IDLE.saturating_mul(others).min(LONGEST_PAUSE);
        tokio::time::sleep(longest.mul_f64(fastrand::f64())).await;
    }
}

impl Drop for Idle<'_> {
    fn drop(&mut self) {
        self.0.idle.fetch_sub(1, Ordering::Relaxed);
    }
}
