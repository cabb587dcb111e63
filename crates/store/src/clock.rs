//! The one clock by which a store judges deadlines.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// A clock that shows the time of day when it is made, and never jumps afterwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    epoch: Duration,
    started: Instant,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        // A machine whose clock is before 1970 knows nothing of the time of day: any epoch will do.
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Clock { epoch, started: Instant::now() }
    }

    /// The time since 1970, as far as the machine's clock was right at the start.
    pub(crate) fn now(&self) -> Duration {
        self.epoch + self.started.elapsed()
    }
}
