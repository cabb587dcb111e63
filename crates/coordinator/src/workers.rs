//! The service that workers call.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio::time::{Instant, sleep_until};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};
use vezir_jobs::{Attempt, Place, Refusal, RunId, UnitReport, WorkerId};
use vezir_proto::wire::workers::v1::register_response::Order;
use vezir_proto::wire::workers::v1::workers_server::Workers;
use vezir_proto::wire::workers::v1::{
    Job, LeaseRequest, LeaseResponse, PageRequest, PageResponse, RegisterRequest, RegisterResponse,
    ReportRequest, ReportResponse, Standing, Welcome,
};
use vezir_proto::{IntoStatus, Unavailable, page};
use vezir_store::Store;

use crate::coordinator::{Coordinator, refused};

/// How long a worker waits for a job before it is answered that there is none.
const LEASE_WAIT: Duration = Duration::from_secs(20);

/// The most units of one job, whatever a worker asks for.
const MAX_JOB_UNITS: u32 = 256;

/// Orders that one worker's stream holds before it waits for the worker.
const STREAM_ORDERS: usize = 16;

/// Workers, as they see their coordinator.
pub(crate) struct WorkersService<S>(pub(crate) Arc<Coordinator<S>>);

#[tonic::async_trait]
impl<S: Store> Workers for WorkersService<S> {
    type RegisterStream = ReceiverStream<Result<RegisterResponse, Status>>;

    async fn register(
        &self,
        request: Request<RegisterRequest>,
    ) -> Result<Response<Self::RegisterStream>, Status> {
        let dropped = self.0.dropped();
        let worker = self.0.store.register().await.map_err(refused)?;
        tracing::info!(%worker, cores = request.into_inner().cores, "worker registered");
        let (orders, stream) = mpsc::channel(STREAM_ORDERS);
        tokio::spawn(self.0.clone().attend(worker, orders, dropped));
        Ok(Response::new(ReceiverStream::new(stream)))
    }

    async fn lease(&self, request: Request<LeaseRequest>) -> Result<Response<LeaseResponse>, Status> {
        let request = request.into_inner();
        let worker = WorkerId(request.worker);
        let near = request.near.map(Place::from);
        let most = request.most_units.clamp(1, MAX_JOB_UNITS);
        let deadline = Instant::now() + LEASE_WAIT;
        let mut work = self.0.store.work();
        loop {
            work.mark_unchanged();
            if let Some(job) = self.lease_now(worker, near, most).await? {
                return Ok(Response::new(LeaseResponse { job: Some(job) }));
            }
            tokio::select! {
                changed = work.changed() => changed.map_err(|_| Unavailable.into_status())?,
                () = sleep_until(deadline) => return Ok(Response::new(LeaseResponse { job: None })),
                () = self.0.closing() => return Err(Unavailable.into_status()),
            }
        }
    }

    async fn page(&self, request: Request<PageRequest>) -> Result<Response<PageResponse>, Status> {
        let PageRequest { run, first_unit, units, skip } = request.into_inner();
        let run = RunId(run);
        let plan = self.0.plan(run).ok_or_else(|| Refusal::UnknownRun(run).into_status())?;
        let last = first_unit.saturating_add(units.saturating_sub(1));
        if last >= plan.units {
            return Err(Refusal::NoSuchUnit { run, unit: last, units: plan.units }.into_status());
        }
        let first = plan.slice(first_unit).start.saturating_add(skip as usize);
        let slots = plan.frontier.slots(first..plan.slice(last).end);
        Ok(Response::new(PageResponse { slots: Some(page(slots)) }))
    }

    async fn report(&self, request: Request<ReportRequest>) -> Result<Response<ReportResponse>, Status> {
        let ReportRequest { run, attempt, units } = request.into_inner();
        let reports = units.into_iter().map(UnitReport::try_from).collect::<Result<Vec<_>, _>>();
        let reports = reports.map_err(IntoStatus::into_status)?;
        let standings = self.0.store.report(RunId(run), Attempt(attempt), reports).await.map_err(refused)?;
        let standings = standings.into_iter().map(|standing| Standing::from(standing).into()).collect();
        Ok(Response::new(ReportResponse { standings }))
    }
}

impl<S: Store> WorkersService<S> {
    /// A job that waits now, if any does.
    async fn lease_now(
        &self,
        worker: WorkerId,
        near: Option<Place>,
        most: u32,
    ) -> Result<Option<Job>, Status> {
        while let Some(job) = self.0.store.lease(worker, near, most).await.map_err(refused)? {
            // A run that ended since it was leased has no plan, and its units count no longer.
            if let Some(plan) = self.0.plan(job.run) {
                let lengths = job.units.clone().map(|unit| plan.slice(unit).len() as u32).collect();
                return Ok(Some(Job::new(job, lengths)));
            }
        }
        Ok(None)
    }
}

impl<S: Store> Coordinator<S> {
    /// Sends a worker its welcome and its orders, and dismisses it when it has gone.
    async fn attend(
        self: Arc<Self>,
        worker: WorkerId,
        orders: mpsc::Sender<Result<RegisterResponse, Status>>,
        dropped: broadcast::Receiver<RunId>,
    ) {
        tokio::select! {
            () = give_orders(worker, &orders, dropped) => {}
            () = orders.closed() => {}
            () = self.closing() => {}
        }
        match self.store.dismiss(worker).await {
            Ok(()) => tracing::info!(%worker, "worker gone"),
            Err(error) => tracing::error!(%worker, %error, "worker gone, its leases not given back"),
        }
    }
}

async fn give_orders(
    worker: WorkerId,
    orders: &mpsc::Sender<Result<RegisterResponse, Status>>,
    mut dropped: broadcast::Receiver<RunId>,
) {
    let mut next = Order::Welcome(Welcome { worker: worker.0 });
    while orders.send(Ok(RegisterResponse { order: Some(next) })).await.is_ok() {
        next = loop {
            match dropped.recv().await {
                Ok(run) => break Order::DropRun(run.0),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
        };
    }
}
