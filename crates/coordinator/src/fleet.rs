//! The service that operators call about workers.

use std::sync::Arc;

use tonic::{Request, Response, Status};
use vezir_jobs::ledger::Verb;
use vezir_jobs::{WorkerId, WorkerSummary};
use vezir_proto::wire::types::v1::CallId;
use vezir_proto::wire::workers::v1::fleet_server::Fleet;
use vezir_proto::wire::workers::v1::{
    DrainRequest, DrainResponse, ListRequest, ListResponse, PauseRequest, PauseResponse, QuarantineRequest,
    QuarantineResponse, ResumeRequest, ResumeResponse,
};
use vezir_proto::{IntoStatus, Unavailable, read_call};
use vezir_store::{Store, WorkerView};

use crate::coordinator::Coordinator;

/// Workers, as operators see them.
pub(crate) struct FleetService<S>(pub(crate) Arc<Coordinator<S>>);

#[tonic::async_trait]
impl<S: Store> Fleet for FleetService<S> {
    async fn list(&self, _: Request<ListRequest>) -> Result<Response<ListResponse>, Status> {
        let _turn = self.0.turns.user().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let workers = self.0.store.workers().await.map_err(|error| self.0.refused(error))?;
        let workers = workers.into_iter().map(|view| self.0.summary(view).into()).collect();
        Ok(Response::new(ListResponse { workers }))
    }

    async fn pause(&self, request: Request<PauseRequest>) -> Result<Response<PauseResponse>, Status> {
        let PauseRequest { call, worker } = request.into_inner();
        self.order(call, Verb::Pause { worker: WorkerId(worker) }).await?;
        Ok(Response::new(PauseResponse {}))
    }

    async fn resume(&self, request: Request<ResumeRequest>) -> Result<Response<ResumeResponse>, Status> {
        let ResumeRequest { call, worker } = request.into_inner();
        self.order(call, Verb::Resume { worker: WorkerId(worker) }).await?;
        Ok(Response::new(ResumeResponse {}))
    }

    async fn quarantine(
        &self,
        request: Request<QuarantineRequest>,
    ) -> Result<Response<QuarantineResponse>, Status> {
        let QuarantineRequest { call, worker } = request.into_inner();
        self.order(call, Verb::Quarantine { worker: WorkerId(worker) }).await?;
        // Runs that had ended may be disputed now.
        self.0.take_all_up().await.map_err(|error| self.0.refused(error))?;
        Ok(Response::new(QuarantineResponse {}))
    }

    async fn drain(&self, request: Request<DrainRequest>) -> Result<Response<DrainResponse>, Status> {
        let DrainRequest { call, worker } = request.into_inner();
        read_call(call).map_err(IntoStatus::into_status)?;
        // Nothing of it lasts: the worker's next life is given work again.
        self.0.hall.drain(WorkerId(worker));
        Ok(Response::new(DrainResponse {}))
    }
}

impl<S: Store> FleetService<S> {
    async fn order(&self, call: Option<CallId>, verb: Verb<vezir_jobs::Tally>) -> Result<(), Status> {
        let id = read_call(call).map_err(IntoStatus::into_status)?;
        tracing::info!(?verb, "an operator orders");
        let _turn = self.0.turns.user().await.map_err(|_| Unavailable::Stopping.into_status())?;
        self.0.tell(id, verb).await
    }
}

impl<S: Store> Coordinator<S> {
    fn summary(&self, view: WorkerView) -> WorkerSummary {
        let seen = self.hall.seen(view.worker.id);
        WorkerSummary {
            id: view.worker.id,
            enrolment: view.enrolment,
            state: view.worker.state,
            cores: view.worker.cores,
            busy: view.worker.at_work(),
            jobs: view.leases.len() as u32,
            failed: view.worker.failed,
            heard: seen.heard,
            version: seen.version,
            listens: seen.listens,
        }
    }
}
