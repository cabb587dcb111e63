//! The service that users call.

use std::pin::Pin;
use std::sync::Arc;

use futures::Stream;
use tonic::{Request, Response, Status};
use vezir_jobs::ledger::{Reply, Verb};
use vezir_jobs::{Request as Asked, RunId, Submission};
use vezir_proto::wire::runs::v1::runs_server::Runs;
use vezir_proto::wire::runs::v1::{
    CancelRequest, CancelResponse, ExportRequest, ExportResponse, ListRequest, ListResponse, ResumeRequest,
    ResumeResponse, ShowRequest, ShowResponse, SubmitRequest, SubmitResponse, WatchRequest, WatchResponse,
};
use vezir_proto::{IntoStatus, Unavailable, Unexpected, read_call, read_request};
use vezir_store::Store;

use crate::coordinator::Coordinator;
use crate::exporting::exporting;
use crate::spans::about;
use crate::watching::watching;
use crate::workers::caller;

/// The most runs of one list.
const MAX_LISTED: u32 = 100;

/// Runs, as users see them.
pub(crate) struct RunsService<S>(pub(crate) Arc<Coordinator<S>>);

/// What a user is told bit by bit.
type Told<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl<S: Store> Runs for RunsService<S> {
    type WatchStream = Told<WatchResponse>;
    type ExportStream = Told<ExportResponse>;

    async fn submit(&self, request: Request<SubmitRequest>) -> Result<Response<SubmitResponse>, Status> {
        let owner = caller(&request).owner.to_string();
        let verify = request.get_ref().verify().into();
        let SubmitRequest { kind, call, .. } = request.into_inner();
        let id = read_call(call).map_err(IntoStatus::into_status)?;
        let asked = read_request(kind).map_err(IntoStatus::into_status)?;
        if let Asked::Perft(perft) = &asked {
            perft.wish().check().map_err(IntoStatus::into_status)?;
        }
        let kind = asked.kind();
        let _turn = self.0.turns.user().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let submission = Submission { request: asked, owner, verify, seed: fastrand::u64(..) };
        let reply = self.0.ask(id, Verb::Submit { submission, kind }).await?.reply;
        let Reply::Submitted(run) = reply else { return Err(Unexpected::reply(&reply).into_status()) };
        let view = self.0.store.run(run).await.map_err(|error| self.0.refused(error))?;
        tracing::info!(%run, owner = view.submission.owner, "run submitted");
        tokio::spawn(self.0.clone().see_through(view));
        Ok(Response::new(SubmitResponse { run: run.0 }))
    }

    async fn watch(&self, request: Request<WatchRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let run = RunId(request.into_inner().run);
        about(run);
        let place = self.0.turns.watch().ok_or_else(|| Unavailable::Busy.into_status())?;
        let _turn = self.0.turns.user().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let ended = self.0.store.follow(run).await.map_err(|error| self.0.refused(error))?;
        Ok(Response::new(Box::pin(watching(self.0.clone(), run, ended, place))))
    }

    async fn show(&self, request: Request<ShowRequest>) -> Result<Response<ShowResponse>, Status> {
        let run = RunId(request.into_inner().run);
        about(run);
        let _turn = self.0.turns.user().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let view = self.0.store.run(run).await.map_err(|error| self.0.refused(error))?;
        Ok(Response::new(ShowResponse { run: Some(view.summary().into()) }))
    }

    async fn list(&self, request: Request<ListRequest>) -> Result<Response<ListResponse>, Status> {
        let _turn = self.0.turns.user().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let ListRequest { before, most } = request.into_inner();
        let most = if most == 0 { MAX_LISTED } else { most.min(MAX_LISTED) };
        let runs = self.0.store.runs(before.map(RunId), most).await.map_err(|error| self.0.refused(error))?;
        Ok(Response::new(ListResponse { runs: runs.iter().map(|view| view.summary().into()).collect() }))
    }

    async fn cancel(&self, request: Request<CancelRequest>) -> Result<Response<CancelResponse>, Status> {
        let CancelRequest { run, call } = request.into_inner();
        about(RunId(run));
        let id = read_call(call).map_err(IntoStatus::into_status)?;
        let _turn = self.0.turns.user().await.map_err(|_| Unavailable::Stopping.into_status())?;
        self.0.tell(id, Verb::Cancel { run: RunId(run) }).await?;
        Ok(Response::new(CancelResponse {}))
    }

    async fn resume(&self, request: Request<ResumeRequest>) -> Result<Response<ResumeResponse>, Status> {
        let run = RunId(request.into_inner().run);
        about(run);
        let _turn = self.0.turns.user().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let view = self.0.store.run(run).await.map_err(|error| self.0.refused(error))?;
        if self.0.taken_up().is_some_and(|taken| !taken.contains(&run)) {
            tracing::info!(%run, "run resumed");
            tokio::spawn(self.0.clone().see_through(view));
        }
        Ok(Response::new(ResumeResponse {}))
    }

    async fn export(&self, request: Request<ExportRequest>) -> Result<Response<Self::ExportStream>, Status> {
        let run = RunId(request.into_inner().run);
        about(run);
        let place = self.0.turns.watch().ok_or_else(|| Unavailable::Busy.into_status())?;
        let _turn = self.0.turns.user().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let view = self.0.store.run(run).await.map_err(|error| self.0.refused(error))?;
        Ok(Response::new(Box::pin(exporting(self.0.clone(), view, place))))
    }
}
