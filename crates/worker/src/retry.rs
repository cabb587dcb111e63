//! The one way in which calls are repeated: after which failures, after which waits, and for how long.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tonic::{Code, Response, Status};
use vezir_proto::Refused;

use crate::lease::Life;
use crate::metrics::{Method, Metrics};

/// The wait after the first failure; chance lengthens each wait, at most to its double.
const FIRST_WAIT: Duration = Duration::from_millis(100);

/// What the waits grow to, by doubling; with what chance adds, 5 s at most.
const LAST_WAIT: Duration = Duration::from_millis(2500);

/// The waits between attempts, without an end.
pub(crate) fn waits() -> ExponentialBackoff {
    let growing = ExponentialBuilder::new().with_min_delay(FIRST_WAIT).with_max_delay(LAST_WAIT);
    growing.with_factor(2.0).without_max_times().with_jitter().build()
}

/// How long a call may take, and is repeated.
pub(crate) struct Patience {
    /// The time for one attempt.
    pub(crate) attempt: Duration,
    /// The time after which no other attempt is made; `None` for no limit.
    pub(crate) total: Option<Duration>,
    /// The lease that the call is about: the attempt made after its end is the last one.
    pub(crate) lease: Option<watch::Receiver<Life>>,
}

impl Patience {
    fn life(&self) -> Life {
        self.lease.as_ref().map_or(Life::Live, |life| *life.borrow())
    }

    /// Waits, but not beyond the end of the lease.
    async fn wait(&mut self, wait: Duration) {
        match &mut self.lease {
            Some(lease) if *lease.borrow() == Life::Live => {
                // The time may run out, and whoever could end the lease may be gone: both are fine.
                let _ = timeout(wait, lease.wait_for(|life| *life != Life::Live)).await;
            }
            _ => sleep(wait).await,
        }
    }
}

/// Makes a call again and again until it is answered, be it by a refusal, or patience ends.
///
/// # Errors
/// The status of the last attempt.
pub(crate) async fn repeated<T, F>(
    metrics: &Metrics,
    method: Method,
    mut patience: Patience,
    attempt: impl Fn() -> F,
) -> Result<T, Status>
where
    F: Future<Output = Result<Response<T>, Status>>,
{
    let begun = Instant::now();
    let mut waits = waits();
    loop {
        let last = patience.life() != Life::Live;
        let answer = timeout(patience.attempt, attempt()).await;
        let answer = answer.unwrap_or_else(|_| Err(Status::deadline_exceeded("there was no answer in time")));
        let status = match answer {
            Ok(answer) => {
                metrics.contacted();
                return Ok(answer.into_inner());
            }
            Err(status) => status,
        };
        if !is_passing(&status) {
            metrics.contacted();
            return Err(status);
        }
        if last || patience.total.is_some_and(|total| begun.elapsed() >= total) {
            return Err(status);
        }
        tracing::debug!(?method, %status, "to be asked again");
        patience.wait(waits.next().unwrap_or(LAST_WAIT)).await;
        if patience.life() == Life::Forgotten {
            return Err(status);
        }
        metrics.retried(method);
    }
}

/// Whether another attempt may be answered where this one was not.
pub(crate) fn is_passing(status: &Status) -> bool {
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
    use super::{FIRST_WAIT, LAST_WAIT, waits};

    #[test]
    fn waits_grow_to_their_limit_and_never_end() {
        let waits: Vec<_> = waits().take(100).collect();
        assert!(waits[0] >= FIRST_WAIT && waits[0] <= 2 * FIRST_WAIT, "{:?}", waits[0]);
        assert!(waits[50..].iter().all(|wait| (LAST_WAIT..=2 * LAST_WAIT).contains(wait)), "{waits:?}");
    }
}
