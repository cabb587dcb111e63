//! The first stage: leases jobs and fetches their positions or places, one job ahead of the work.

use std::sync::Arc;

use tokio::sync::mpsc::{Sender, UnboundedSender};
use vezir_jobs::{CountTask, Examination, Job, Task};
use vezir_perft::Slot;
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::{Malformed, read_places};
use vezir_verify::Place;

use crate::asking::{Asker, PAUSE};
use crate::failure::{Failure, WorkerError};
use crate::lease::Lease;
use crate::link::Link;
use crate::movement::Movement;

/// A job with all that it is about.
pub(crate) struct Fetched {
    pub(crate) lease: Arc<Lease>,
    pub(crate) units: Units,
}

/// The units of a job.
pub(crate) enum Units {
    /// The positions of each, to be counted.
    Count(CountTask, Vec<Vec<Slot>>),
    /// The places of each, to be asked about.
    Examine(Arc<Examination>, Vec<Vec<Place>>),
}

impl Units {
    /// How many they are.
    pub(crate) const fn len(&self) -> usize {
        match self {
            Units::Count(_, units) => units.len(),
            Units::Examine(_, units) => units.len(),
        }
    }
}

/// The stage.
pub(crate) struct Fetcher {
    link: Arc<Link>,
    /// Where leases are renewed from their receipt on.
    renewals: UnboundedSender<Arc<Lease>>,
    movement: Movement,
}

impl Fetcher {
    pub(crate) fn new(link: Arc<Link>, renewals: UnboundedSender<Arc<Lease>>, movement: Movement) -> Fetcher {
        Fetcher { link, renewals, movement }
    }

    /// Fetches jobs until the worker is to take none any longer, and gives back those that nobody counts yet.
    pub(crate) async fn run(self, mut asker: Asker, mut jobs: Sender<Fetched>) -> Result<(), WorkerError> {
        let held = &self.link.held;
        loop {
            // Room comes first: a job that waits here could be counted by somebody else.
            let room = tokio::select! {
                biased;
                () = held.drained() => break,
                (room, ()) = async { tokio::join!(jobs.reserve_owned(), held.room()) } => room,
            };
            let Ok(room) = room else { return Ok(()) };
            let asking = asker.ask();
            tokio::pin!(asking);
            let asked = tokio::select! {
                biased;
                asked = &mut asking => asked?,
                () = held.drained() => {
                    // What waits is given back first. A job may be on its way here all the same, and is as well.
                    drop(room);
                    self.give_back_waiting().await?;
                    return tokio::select! {
                        biased;
                        late = asking => self.give_back_late(late?).await,
                        () = held.emptied() => Ok(()),
                    };
                }
            };
            let fetched = match asked {
                None => None,
                Some(job) => tokio::select! {
                    biased;
                    fetched = self.fetch(job) => fetched?,
                    () = held.drained() => break,
                },
            };
            jobs = match fetched {
                Some(fetched) => room.send(fetched),
                None => room.release(),
            };
        }
        self.give_back_waiting().await
    }

    /// Holds the lease of a job, and gets its positions; a job without them is given back.
    async fn fetch(&self, job: wire::Job) -> Result<Option<Fetched>, WorkerError> {
        let held = match Job::try_from(&job) {
            Ok(held) => held,
            Err(error) => {
                tracing::warn!(run = job.run, attempt = job.attempt, %error, "not a job");
                self.link.release_numbered(job.run, job.attempt, PAUSE).await?;
                return Ok(None);
            }
        };
        tracing::debug!(run = %held.run, attempt = %held.attempt, units = ?held.units, "leased");
        let lease = self.link.held.begin(held);
        // Whoever renews is there as long as this stage is.
        let _ = self.renewals.send(lease.clone());
        let failure = match self.units(&lease, &job).await {
            Ok(units) => return Ok(Some(Fetched { lease, units })),
            Err(failure) => failure.survived()?,
        };
        tracing::warn!(run = %lease.job.run, attempt = %lease.job.attempt, %failure, "no positions");
        if !lease.is_over() {
            self.link.release(&lease).await?;
        }
        Ok(None)
    }

    /// What the units of a job are about, page by page.
    async fn units(&self, lease: &Lease, job: &wire::Job) -> Result<Units, Failure> {
        Ok(match &lease.job.task {
            Task::Count(task) => {
                let read = |page: wire::PageResponse| Vec::<Slot>::try_from(page.slots.unwrap_or_default());
                Units::Count(*task, self.items(lease, job, read).await?)
            }
            Task::Examine(examination) => {
                let read = |page: wire::PageResponse| {
                    read_places(page.places.unwrap_or_default()).map(|places| places.to_vec())
                };
                Units::Examine(examination.clone(), self.items(lease, job, read).await?)
            }
        })
    }

    async fn items<T>(
        &self,
        lease: &Lease,
        job: &wire::Job,
        read: impl Fn(wire::PageResponse) -> Result<Vec<T>, Malformed>,
    ) -> Result<Vec<Vec<T>>, Failure> {
        let total = job.lengths.iter().map(|length| *length as usize).sum();
        let mut items: Vec<T> = Vec::new();
        while items.len() < total {
            let request = wire::PageRequest {
                run: job.run,
                first_unit: job.first_unit,
                units: job.lengths.len() as u32,
                skip: u32::try_from(items.len()).map_err(|_| Malformed::Range("lengths"))?,
                most_bytes: 0,
            };
            let page = read(self.link.page(lease, request).await?)?;
            let wanted = total - items.len();
            if page.is_empty() || page.len() > wanted {
                return Err(Failure::Page { sent: page.len(), wanted });
            }
            items.extend(page);
            // A job whose positions come slowly is not stuck.
            self.movement.step();
        }
        let mut items = items.into_iter();
        Ok(job.lengths.iter().map(|length| items.by_ref().take(*length as usize).collect()).collect())
    }

    /// Gives back the jobs that nobody has begun to count.
    async fn give_back_waiting(&self) -> Result<(), WorkerError> {
        for lease in self.link.held.take_waiting() {
            self.link.release(&lease).await?;
        }
        Ok(())
    }

    /// Gives back a job that came after the worker was to take none.
    async fn give_back_late(&self, job: Option<wire::Job>) -> Result<(), WorkerError> {
        match job {
            Some(job) => self.link.release_numbered(job.run, job.attempt, PAUSE).await,
            None => Ok(()),
        }
    }
}
