//! The service that workers call.

use std::pin::Pin;
use std::sync::Arc;

use futures::{Stream, StreamExt, stream};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};
use vezir_jobs::ledger::{Enrolment, Found, Incarnation, Refusal, Reply, Reported, Told, Verb};
use vezir_jobs::{Attempt, RunId, Tally, WorkerId};
use vezir_proto::wire::workers::v1::workers_server::Workers;
use vezir_proto::wire::workers::v1::{
    LeaseRequest, LeaseResponse, LeaseState, OrdersRequest, OrdersResponse, PageRequest, PageResponse,
    RegisterRequest, RegisterResponse, ReleaseRequest, ReleaseResponse, RenewRequest, RenewResponse,
    ReportRequest, ReportResponse, Told as WireTold,
};
use vezir_proto::{
    IntoStatus, Malformed, NotYours, Unavailable, Unexpected, check_worker_name, read_call, read_unit_report,
};
use vezir_store::Store;

use crate::access::Caller;
use crate::coordinator::Coordinator;
use crate::granting::Wish;
use crate::hall::Known;
use crate::plans::Part;
use crate::spans::{about, by, under};

/// Workers, as they see their coordinator.
pub(crate) struct WorkersService<S>(pub(crate) Arc<Coordinator<S>>);

#[tonic::async_trait]
impl<S: Store> Workers for WorkersService<S> {
    type OrdersStream = Pin<Box<dyn Stream<Item = Result<OrdersResponse, Status>> + Send>>;

    async fn register(
        &self,
        request: Request<RegisterRequest>,
    ) -> Result<Response<RegisterResponse>, Status> {
        let owner = caller(&request).owner;
        let RegisterRequest { call, name, incarnation, cores, version } = request.into_inner();
        let id = read_call(call).map_err(IntoStatus::into_status)?;
        check_worker_name(&name).map_err(IntoStatus::into_status)?;
        let enrolment = Enrolment { owner: owner.to_string(), name: name.clone() };
        let verb = Verb::Register { enrolment, incarnation: Incarnation(incarnation), cores };
        let Reply::Registered(worker) = self.0.ask(id, verb).await?.reply else {
            return Err(Malformed::Missing("worker").into_status());
        };
        by(worker);
        self.0.hall.enter(worker, &owner, &version, incarnation);
        tracing::info!(%worker, name, %owner, cores, version, "worker registered");
        Ok(Response::new(RegisterResponse { worker: worker.0 }))
    }

    async fn orders(&self, request: Request<OrdersRequest>) -> Result<Response<Self::OrdersStream>, Status> {
        let owner = caller(&request).owner;
        let OrdersRequest { worker, incarnation, version } = request.into_inner();
        let worker = WorkerId(worker);
        by(worker);
        self.0.admit(worker, &owner, incarnation).await?;
        let orders =
            self.0.hall.listen(worker, version).ok_or_else(|| Unavailable::Stopping.into_status())?;
        let orders = ReceiverStream::new(orders).map(|order| Ok(OrdersResponse { order: Some(order) }));
        let coordinator = self.0.clone();
        let age = coordinator.settings.limits.orders_age();
        // It ends with an error, so that the worker opens another one elsewhere; the connection that it was
        // on may be old.
        let end = stream::once(async move {
            let _ = timeout(age, coordinator.closing()).await;
            Err(Unavailable::Stopping.into_status())
        });
        Ok(Response::new(Box::pin(stream::select(orders, end))))
    }

    async fn lease(&self, request: Request<LeaseRequest>) -> Result<Response<LeaseResponse>, Status> {
        let owner = caller(&request).owner;
        let LeaseRequest { call, worker, incarnation, cores, most_units } = request.into_inner();
        let id = read_call(call).map_err(IntoStatus::into_status)?;
        let worker = WorkerId(worker);
        by(worker);
        self.0.admit(worker, &owner, incarnation).await?;
        let incarnation = Incarnation(incarnation);
        let job = self.0.grant(&Wish { id, worker, incarnation, cores, most: most_units }).await?;
        Ok(Response::new(LeaseResponse { job }))
    }

    async fn page(&self, request: Request<PageRequest>) -> Result<Response<PageResponse>, Status> {
        let PageRequest { run, first_unit, units, skip, most_bytes } = request.into_inner();
        let run = RunId(run);
        about(run);
        let turn = self.0.turns.page().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let view = self.0.store.run(run).await.map_err(|error| self.0.refused(error))?;
        drop(turn);
        let last = first_unit.saturating_add(units.saturating_sub(1));
        if last >= view.run.units || view.run.state.has_ended() {
            return Err(Malformed::Range("first_unit").into_status());
        }
        // Others need not wait for it: it has its own limits.
        let plan = self.0.plan(run).await?;
        let _turn = self.0.turns.page().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let part = Part { first: first_unit, last, skip: skip as usize, most_bytes };
        Ok(Response::new(plan.page(&part)))
    }

    async fn report(&self, request: Request<ReportRequest>) -> Result<Response<ReportResponse>, Status> {
        let owner = caller(&request).owner;
        let ReportRequest { call, worker, run, attempt, units, incarnation } = request.into_inner();
        let id = read_call(call).map_err(IntoStatus::into_status)?;
        let (worker, run, attempt) = (WorkerId(worker), RunId(run), Attempt(attempt));
        under(worker, run, attempt);
        self.0.admit(worker, &owner, incarnation).await?;
        let units = units.into_iter().map(read_unit_report).collect::<Result<Vec<_>, _>>();
        let units = units.map_err(IntoStatus::into_status)?;
        let leaves: Vec<u128> = units.iter().map(|(_, found)| leaves(found)).collect();
        let answered = self.0.ask(id, Verb::Report { worker, run, attempt, units }).await?;
        let Reply::Reported(reported) = answered.reply else {
            return Err(Unexpected::reply(&answered.reply).into_status());
        };
        if !answered.repeated {
            self.0.note_report(run, attempt, &reported, &leaves);
        }
        if !reported.suspects.is_empty() {
            self.0.distrust(&reported.suspects).await?;
        }
        let told = reported.told.iter().map(|told| WireTold::from(*told).into()).collect();
        let lease = Some(LeaseState::new(reported.lease, self.0.hall.drains(worker)));
        Ok(Response::new(ReportResponse { told, lease }))
    }

    async fn renew(&self, request: Request<RenewRequest>) -> Result<Response<RenewResponse>, Status> {
        let owner = caller(&request).owner;
        let RenewRequest { call, worker, run, attempt, movement, incarnation } = request.into_inner();
        let id = read_call(call).map_err(IntoStatus::into_status)?;
        let (worker, run, attempt) = (WorkerId(worker), RunId(run), Attempt(attempt));
        under(worker, run, attempt);
        self.0.admit(worker, &owner, incarnation).await?;
        let reply = self.0.ask(id, Verb::Renew { worker, run, attempt, movement }).await?.reply;
        let Reply::Renewed(renewed) = reply else { return Err(Unexpected::reply(&reply).into_status()) };
        let lease = Some(LeaseState::new(renewed, self.0.hall.drains(worker)));
        Ok(Response::new(RenewResponse { lease }))
    }

    async fn release(&self, request: Request<ReleaseRequest>) -> Result<Response<ReleaseResponse>, Status> {
        let owner = caller(&request).owner;
        let ReleaseRequest { call, worker, run, attempt, incarnation } = request.into_inner();
        let id = read_call(call).map_err(IntoStatus::into_status)?;
        let (worker, run, attempt) = (WorkerId(worker), RunId(run), Attempt(attempt));
        under(worker, run, attempt);
        self.0.admit(worker, &owner, incarnation).await?;
        self.0.tell(id, Verb::Release { worker, run, attempt }).await?;
        Ok(Response::new(ReleaseResponse {}))
    }
}

impl<S: Store> Coordinator<S> {
    /// Notes a sign of life of a worker, which must be the caller's and in the life that it says. A worker that
    /// outlived its coordinator's store would else speak in another's name.
    async fn admit(&self, worker: WorkerId, owner: &str, incarnation: u64) -> Result<(), Status> {
        let known = match self.hall.hear(worker) {
            Some(known) => known,
            None => self.recall(worker).await?,
        };
        if known.owner != owner {
            return Err(NotYours(worker).into_status());
        }
        if known.incarnation != incarnation {
            return Err(Refusal::OldIncarnation { worker, now: known.incarnation }.into_status());
        }
        Ok(())
    }

    /// Whose a worker is that has not been heard of since this coordinator started, and its life. One is looked
    /// for at a time: after a start they all come at once.
    async fn recall(&self, worker: WorkerId) -> Result<Known, Status> {
        let _turn = self.turns.recall().await.map_err(|_| Unavailable::Stopping.into_status())?;
        if let Some(known) = self.hall.hear(worker) {
            return Ok(known);
        }
        let all = self.store.workers().await.map_err(|error| self.refused(error))?;
        let view = all.into_iter().find(|view| view.worker.id == worker);
        let view = view.ok_or_else(|| Refusal::UnknownWorker(worker).into_status())?;
        let known = Known { owner: view.enrolment.owner, incarnation: view.worker.incarnation.0 };
        self.hall.enter(worker, &known.owner, "", known.incarnation);
        Ok(known)
    }

    /// Tells metrics of a report.
    fn note_report(&self, run: RunId, attempt: Attempt, reported: &Reported, leaves: &[u128]) {
        self.metrics.reported(reported);
        if let Some(took) = self.jobs.report(run, attempt) {
            self.metrics.unit_took(took / reported.told.len().max(1) as u32);
        }
        let counted = reported.told.iter().zip(leaves).filter(|(told, _)| **told == Told::Counted);
        self.metrics.counted(counted.map(|(_, leaves)| *leaves).fold(0, u128::saturating_add));
        for unit in &reported.conflicts {
            tracing::warn!(%run, unit, "answers differ: another worker is asked");
        }
    }
}

fn leaves(found: &Found<Tally>) -> u128 {
    match found {
        Found::Answer(tally) => tally.counted.answer.nodes,
        Found::Failed(_) => 0,
    }
}

/// Who calls. Without a gate before the services only this machine can.
pub(crate) fn caller<T>(request: &Request<T>) -> Caller {
    request.extensions().get().cloned().unwrap_or_else(Caller::local)
}
