//! How a worker repeats its calls, and for how long.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tonic::{Response, Status};
use vezir_proto::{LAST_WAIT, is_passing, waits};

use crate::lease::Life;
use crate::metrics::{Method, Metrics};

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
