//! The one policy by which calls are repeated: after which failures, and after which waits.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tonic::{Code, Status};

use crate::Refused;

/// The wait after the first failure; chance lengthens each wait, at most to its double.
const FIRST_WAIT: Duration = Duration::from_millis(100);

/// What the waits grow to, by doubling; with what chance adds, 5 s at most.
pub const LAST_WAIT: Duration = Duration::from_millis(2500);

/// The waits between attempts, without an end.
pub fn waits() -> ExponentialBackoff {
    let growing = ExponentialBuilder::new().with_min_delay(FIRST_WAIT).with_max_delay(LAST_WAIT);
    growing.with_factor(2.0).without_max_times().with_jitter().build()
}

/// Whether another attempt may be answered where this one was not.
pub fn is_passing(status: &Status) -> bool {
    let passing = matches!(
        status.code(),
        Code::Unavailable
            | Code::DeadlineExceeded
            | Code::Cancelled
            | Code::Aborted
            | Code::ResourceExhausted
            | Code::Unknown
            | Code::Internal
    );
    passing && Refused::read(status).is_none()
}

#[cfg(test)]
mod tests {
    use tonic::{Code, Status};

    use super::{FIRST_WAIT, LAST_WAIT, is_passing, waits};

    #[test]
    fn waits_grow_to_their_limit_and_never_end() {
        let waits: Vec<_> = waits().take(100).collect();
        assert!(waits[0] >= FIRST_WAIT && waits[0] <= 2 * FIRST_WAIT, "{:?}", waits[0]);
        assert!(waits[50..].iter().all(|wait| (LAST_WAIT..=2 * LAST_WAIT).contains(wait)), "{waits:?}");
    }

    #[test]
    fn refusals_do_not_pass() {
        let passes = |code| is_passing(&Status::new(code, ""));
        assert!([Code::Unavailable, Code::DeadlineExceeded, Code::Unknown].into_iter().all(passes));
        let stays = [Code::InvalidArgument, Code::NotFound, Code::PermissionDenied, Code::Unimplemented];
        assert!(!stays.into_iter().any(passes));
    }
}
