//! Runs submitted, watched and cancelled: the user's side of the wire, as typed values.

use futures::{Stream, stream};
use tonic::transport::Channel;
use tonic::{Code, Status};
use vezir_jobs::{PerftRequest, Progress, RunId};
use vezir_proto::wire::runs::v1::runs_client::RunsClient;
use vezir_proto::wire::runs::v1::{CancelRequest, SubmitRequest, WatchRequest};
use vezir_proto::{MAX_MESSAGE_BYTES, Malformed};

/// A user of some coordinator, in this process or elsewhere.
#[derive(Clone)]
pub(crate) struct Client {
    runs: RunsClient<Channel>,
}

impl Client {
    /// A user of the coordinator at the other end of `channel`.
    pub(crate) fn new(channel: Channel) -> Client {
        let runs = RunsClient::new(channel)
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        Client { runs }
    }

    /// Begins a run.
    pub(crate) async fn submit(&self, request: PerftRequest) -> Result<RunId, CallError> {
        let submitted = self.runs.clone().submit(SubmitRequest::from(request)).await?.into_inner();
        Ok(RunId(submitted.run))
    }

    /// How far a run is, now and whenever that has changed. The last item, and no other, has an outcome,
    /// unless an error ends the stream before.
    pub(crate) async fn watch(
        &self,
        run: RunId,
    ) -> Result<impl Stream<Item = Result<Progress, CallError>> + Send + Unpin + use<>, CallError> {
        let told = self.runs.clone().watch(WatchRequest { run: run.0 }).await?.into_inner();
        Ok(Box::pin(stream::try_unfold(Some(told), |told| async move {
            let Some(mut told) = told else { return Ok(None) };
            let Some(progress) = told.message().await? else { return Ok(None) };
            let progress = Progress::try_from(progress)?;
            if progress.outcome.is_none() {
                return Ok(Some((progress, Some(told))));
            }
            // A call that is dropped before its end is a reset, and a connection bears only so many.
            while told.message().await?.is_some() {}
            Ok(Some((progress, None)))
        })))
    }

    /// Ends a run without an answer. One that has ended stays as it is.
    pub(crate) async fn cancel(&self, run: RunId) -> Result<(), CallError> {
        self.runs.clone().cancel(CancelRequest { run: run.0 }).await?;
        Ok(())
    }
}

/// Why a call to a coordinator brought nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// The coordinator will not do this: the caller has to ask for something else.
    #[error("{0}")]
    Refused(String),
    /// The coordinator is not there, or not able to serve.
    #[error("the coordinator cannot be reached or does not serve: {0}")]
    Unreachable(String),
    /// The coordinator says what means nothing.
    #[error("the coordinator cannot be understood: {0}")]
    Malformed(#[from] Malformed),
}

impl From<Status> for CallError {
    fn from(status: Status) -> CallError {
        match status.code() {
            Code::InvalidArgument | Code::NotFound | Code::OutOfRange | Code::FailedPrecondition => {
                CallError::Refused(status.message().to_owned())
            }
            _ => CallError::Unreachable(status.message().to_owned()),
        }
    }
}
