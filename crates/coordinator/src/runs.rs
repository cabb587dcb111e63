//! The service that users call.

use std::pin::Pin;
use std::sync::Arc;

use futures::Stream;
use tonic::{Request, Response, Status};
use vezir_jobs::{PerftRequest, RunId};
use vezir_proto::IntoStatus;
use vezir_proto::wire::runs::v1::runs_server::Runs;
use vezir_proto::wire::runs::v1::{
    CancelRequest, CancelResponse, SubmitRequest, SubmitResponse, WatchRequest, WatchResponse,
};
use vezir_store::Store;

use crate::coordinator::{Coordinator, refused};
use crate::watching::watching;

/// Runs, as users see them.
pub(crate) struct RunsService<S>(pub(crate) Arc<Coordinator<S>>);

#[tonic::async_trait]
impl<S: Store> Runs for RunsService<S> {
    type WatchStream = Pin<Box<dyn Stream<Item = Result<WatchResponse, Status>> + Send>>;

    async fn submit(&self, request: Request<SubmitRequest>) -> Result<Response<SubmitResponse>, Status> {
        let request = PerftRequest::try_from(request.into_inner()).map_err(IntoStatus::into_status)?;
        request.wish().check().map_err(IntoStatus::into_status)?;
        let run = self.0.store.submit(request.clone()).await.map_err(refused)?;
        tracing::debug!(%run, depth = request.depth, "run submitted");
        tokio::spawn(self.0.clone().see_through(run, request));
        Ok(Response::new(SubmitResponse { run: run.0 }))
    }

    async fn watch(&self, request: Request<WatchRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let run = RunId(request.into_inner().run);
        let ended = self.0.store.follow(run).await.map_err(refused)?;
        Ok(Response::new(Box::pin(watching(self.0.clone(), run, ended))))
    }

    async fn cancel(&self, request: Request<CancelRequest>) -> Result<Response<CancelResponse>, Status> {
        self.0.store.cancel(RunId(request.into_inner().run)).await.map_err(refused)?;
        Ok(Response::new(CancelResponse {}))
    }
}
