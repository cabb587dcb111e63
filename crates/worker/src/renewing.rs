//! Beside the stages: renews every lease from its receipt to its end, whatever else goes on.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::failure::{Failure, WorkerError};
use crate::lease::{Lease, Life};
use crate::link::Link;
use crate::metrics::Renewal;
use crate::movement::Movement;

/// How often a lease is renewed in its term.
const TIMES_PER_TERM: u32 = 3;

/// The least time between two renewals, whatever the term.
const LEAST_BETWEEN: Duration = Duration::from_millis(20);

/// Renews leases, each in a task of its own, until the worker must end.
///
/// Dropping it ends all renewals.
pub(crate) async fn renew(
    link: Arc<Link>,
    mut leases: UnboundedReceiver<Arc<Lease>>,
    movement: Movement,
) -> WorkerError {
    let mut renewals = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            Some(lease) = leases.recv() => {
                renewals.spawn(keep(link.clone(), lease, movement.clone()));
            }
            Some(ended) = renewals.join_next() => {
                if let Ok(Err(error)) = ended {
                    return error;
                }
            }
            // Neither leases nor whoever could send one: there is nothing to do, which is no end.
            else => std::future::pending().await,
        }
    }
}

/// Renews one lease until it has ended.
async fn keep(link: Arc<Link>, lease: Arc<Lease>, movement: Movement) -> Result<(), WorkerError> {
    let between = (lease.job.term / TIMES_PER_TERM).max(LEAST_BETWEEN);
    let mut times = interval_at(Instant::now() + between, between);
    times.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut life = lease.life();
    loop {
        tokio::select! {
            biased;
            _ = life.wait_for(|life| *life != Life::Live) => return Ok(()),
            _ = times.tick() => {}
        }
        let answer = link.renew(&lease, movement.now(), between).await;
        let renewed = answer.and_then(|answer| Ok(link.held.hear(&lease, answer.lease)?));
        match renewed {
            Ok(renewed) => link.metrics.renewed(renewed),
            Err(failure) => {
                link.metrics.renewed(Renewal::Failed);
                let failure = failure.survived()?;
                tracing::warn!(run = %lease.job.run, attempt = %lease.job.attempt, %failure, "not renewed");
                match failure {
                    // It may be there again before the term ends, and if not, a later answer will say so.
                    Failure::Unanswered(_) => {}
                    Failure::Malformed(_) => lease.abandon(),
                    _ => link.held.end(&lease),
                }
            }
        }
    }
}
