//! How a worker asks for jobs: for how many cores, and when again.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use vezir_proto::wire::workers::v1 as wire;

use crate::failure::{Failure, WorkerError};
use crate::link::Link;

/// Units of a job for each core: enough for all to be busy, few enough to be given back.
const UNITS_PER_CORE: u32 = 4;

/// How long a worker that is given nothing, or is not understood, waits before it asks again.
pub(crate) const PAUSE: Duration = Duration::from_secs(5);

/// Who asks.
pub(crate) struct Asker {
    link: Arc<Link>,
    cores: u32,
    paused: bool,
}

impl Asker {
    pub(crate) fn new(link: Arc<Link>, cores: u32) -> Asker {
        Asker { link, cores, paused: false }
    }

    /// A job, if there is one before the coordinator's patience ends.
    pub(crate) async fn ask(&mut self) -> Result<Option<wire::Job>, WorkerError> {
        let answer = self.link.lease(self.cores, self.cores.saturating_mul(UNITS_PER_CORE)).await;
        let failure = match answer {
            Ok(answer) => {
                self.paused = false;
                return Ok(answer.job);
            }
            Err(failure) => failure.survived()?,
        };
        match failure {
            // The same question at once: under another id, or by another number.
            Failure::Unanswered(_) | Failure::Stranger => {}
            Failure::Paused if self.paused => sleep(PAUSE).await,
            failure => {
                self.paused = matches!(failure, Failure::Paused);
                tracing::warn!(%failure, "no job is given; asking again now and then");
                sleep(PAUSE).await;
            }
        }
        Ok(None)
    }
}
