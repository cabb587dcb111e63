//! Waiting: always for a condition, never for longer than a limit.

use std::thread;
use std::time::{Duration, Instant};

/// How long to wait before a condition is looked at again.
const PAUSE: Duration = Duration::from_millis(25);

/// What `look` finds, once it finds anything. `what` says what is waited for.
///
/// # Panics
/// If it finds nothing within `limit`.
pub fn until<T>(what: &str, limit: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < limit, "waited {limit:?} in vain for {what}");
        thread::sleep(PAUSE);
    }
}
