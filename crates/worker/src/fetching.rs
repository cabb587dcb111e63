//! The first stage: leases jobs and fetches their positions, one job ahead of the count.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::sync::mpsc;
use tonic::transport::Channel;
use tonic::{Code, Status};
use vezir_jobs::{Job, Place, WorkerId};
use vezir_perft::Slot;
use vezir_proto::Malformed;
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::wire::workers::v1::workers_client::WorkersClient;

use crate::WorkerError;
use crate::stops::Stops;

/// Units of a job for each core: enough for all to be busy, few enough to be given back.
const UNITS_PER_CORE: u32 = 4;

/// A job with all its positions.
pub(crate) struct Fetched {
    pub(crate) job: Job,
    /// The positions of each unit.
    pub(crate) units: Vec<Vec<Slot>>,
    /// Raised when the job is not wanted any longer.
    pub(crate) stop: Arc<AtomicBool>,
}

/// The stage.
pub(crate) struct Fetcher {
    client: WorkersClient<Channel>,
    worker: WorkerId,
    most_units: u32,
    stops: Arc<Stops>,
    near: Option<Place>,
}

impl Fetcher {
    pub(crate) fn new(
        client: WorkersClient<Channel>,
        worker: WorkerId,
        cores: NonZero<usize>,
        stops: Arc<Stops>,
    ) -> Fetcher {
        let most_units = u32::try_from(cores.get()).unwrap_or(u32::MAX).saturating_mul(UNITS_PER_CORE);
        Fetcher { client, worker, most_units, stops, near: None }
    }

    /// Fetches jobs for as long as somebody counts them.
    pub(crate) async fn run(mut self, jobs: mpsc::Sender<Fetched>) -> Result<(), WorkerError> {
        // Room comes first: a job that waits here could be counted by somebody else.
        while let Ok(room) = jobs.reserve().await {
            if let Some(fetched) = self.fetch().await? {
                room.send(fetched);
            }
        }
        Ok(())
    }

    /// The next job, if there is one before the coordinator's patience ends.
    async fn fetch(&mut self) -> Result<Option<Fetched>, WorkerError> {
        let request = wire::LeaseRequest {
            worker: self.worker.0,
            near: self.near.map(Into::into),
            most_units: self.most_units,
        };
        let Some(granted) = self.client.lease(request).await?.into_inner().job else { return Ok(None) };
        let job = Job::try_from(&granted)?;
        let stop = self.stops.flag(job.run);
        tracing::debug!(run = %job.run, attempt = %job.attempt, units = ?job.units, "leased");
        self.near = Some(Place { run: job.run, unit: job.units.end });
        match self.positions(&granted).await {
            Ok(units) => Ok(Some(Fetched { job, units, stop })),
            Err(WorkerError::Call(status)) if is_over(&status) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The positions of each unit of a job, page by page.
    async fn positions(&mut self, job: &wire::Job) -> Result<Vec<Vec<Slot>>, WorkerError> {
        let total = job.lengths.iter().map(|length| *length as usize).sum();
        let mut slots: Vec<Slot> = Vec::new();
        while slots.len() < total {
            let request = wire::PageRequest {
                run: job.run,
                first_unit: job.first_unit,
                units: job.lengths.len() as u32,
                skip: u32::try_from(slots.len()).map_err(|_| Malformed::Range("lengths"))?,
            };
            let page = self.client.page(request).await?.into_inner().slots.unwrap_or_default();
            let page = Vec::<Slot>::try_from(page)?;
            let wanted = total - slots.len();
            if page.is_empty() || page.len() > wanted {
                return Err(WorkerError::Page { sent: page.len(), wanted });
            }
            slots.extend(page);
        }
        let mut slots = slots.into_iter();
        Ok(job.lengths.iter().map(|length| slots.by_ref().take(*length as usize).collect()).collect())
    }
}

/// Whether a page was refused because its run has ended.
fn is_over(status: &Status) -> bool {
    status.code() == Code::NotFound
}
