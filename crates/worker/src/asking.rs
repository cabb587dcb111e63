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
    /// The coordinator knows of a job that has ended here.
    no_cores: bool,
}

impl Asker {
    pub(crate) fn new(link: Arc<Link>, cores: u32) -> Asker {
        Asker { link, cores, paused: false, no_cores: false }
    }

    /// A job, if there is one before the coordinator's patience ends.
    pub(crate) async fn ask(&mut self) -> Result<Option<wire::Job>, WorkerError> {
        // A job that waits for the end of another takes no cores besides that one's.
        let cores = if self.no_cores || !self.link.held.is_empty() { 0 } else { self.cores };
        let answer = self.link.lease(cores, self.cores.saturating_mul(UNITS_PER_CORE)).await;
        let failure = match answer {
            Ok(answer) => {
                (self.paused, self.no_cores) = (false, false);
                return Ok(answer.job);
            }
            Err(failure) => failure.survived()?,
        };
        match failure {
            // The same question at once: under another id, by another number, or for no cores.
            Failure::Unanswered(_) | Failure::Stranger => {}
            Failure::NoCores if !self.no_cores => self.no_cores = true,
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
