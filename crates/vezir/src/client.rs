//! A coordinator as users and operators see it: calls as typed values.

use std::time::{Duration, Instant};

use futures::{Stream, StreamExt, TryStreamExt, stream};
use tokio::time::{sleep, timeout};
use tonic::{Code, Response, Status};
use vezir_jobs::ledger::{CallId, Finding};
use vezir_jobs::{Progress, Request, RunId, RunSummary, Tally, Verify, WorkerId, WorkerSummary};
use vezir_proto::wire::runs::v1 as runs;
use vezir_proto::wire::runs::v1::export_response::Piece as WirePiece;
use vezir_proto::wire::runs::v1::runs_client::RunsClient;
use vezir_proto::wire::types::v1::CallId as WireCallId;
use vezir_proto::wire::workers::v1 as workers;
use vezir_proto::wire::workers::v1::fleet_client::FleetClient;
use vezir_proto::{LAST_WAIT, Line, MAX_MESSAGE_BYTES, Malformed, is_passing, read_finding, waits};

use crate::talk::say;

/// How long one call may take that answers at once, or until one begins to answer that does so bit by bit.
const CALL_LIMIT: Duration = Duration::from_secs(20);

/// How long a call is repeated before anything is said of that.
const SILENCE: Duration = Duration::from_secs(2);

/// How long a call is repeated that is not answered: a coordinator that was killed may be started again, and two
/// answers in a row may be lost without a word.
const PATIENCE: Duration = CALL_LIMIT.saturating_mul(3);

/// A user of some coordinator, in this process or elsewhere.
#[derive(Clone)]
pub(crate) struct Client {
    runs: RunsClient<Line>,
    fleet: FleetClient<Line>,
}

/// One piece of what a run can be recomputed from.
#[derive(Debug)]
pub(crate) enum Piece {
    /// The run itself.
    Run(Box<RunSummary>),
    /// What was found out about a unit.
    Finding(Box<Finding<Tally>>),
    /// A lease.
    Lease(runs::Lease),
    /// A unit about which another worker was asked.
    Doubt(runs::Doubt),
}

/// What one who watches a run is told.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Watched {
    /// How far it is.
    pub(crate) progress: Progress,
    /// What keeps the coordinator from going on.
    pub(crate) trouble: Option<String>,
}

/// What an operator may do to a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Give it nothing new.
    Pause,
    /// Give it work again.
    Resume,
    /// Trust it no longer, in nothing that it ever reported.
    Quarantine,
    /// Have it finish what it holds, and end.
    Drain,
}

impl Client {
    /// A user of the coordinator at the other end of `line`.
    pub(crate) fn new(line: Line) -> Client {
        let runs = RunsClient::new(line.clone())
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        let fleet = FleetClient::new(line)
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        Client { runs, fleet }
    }

    /// Begins a run, once, however often the call has to be repeated.
    pub(crate) async fn submit(&self, request: Request, verify: Verify) -> Result<RunId, CallError> {
        let request = runs::SubmitRequest {
            kind: Some(request.into()),
            call: call_id(),
            verify: runs::Verify::from(verify).into(),
        };
        let submitted =
            repeated(|| self.runs.clone(), &request, async |mut runs, it| runs.submit(it).await).await?;
        Ok(RunId(submitted.run))
    }

    /// How far a run is, now and whenever that has changed, and what is in its way. The last item, and no other, has an outcome,
    /// unless an error ends the stream before.
    pub(crate) async fn watch(
        &self,
        run: RunId,
    ) -> Result<impl Stream<Item = Result<Watched, CallError>> + Send + Unpin + use<>, CallError> {
        let mut watcher = self.runs.clone();
        let told = begun(watcher.watch(runs::WatchRequest { run: run.0 })).await?;
        Ok(Box::pin(stream::try_unfold(Some(told), |told| async move {
            let Some(mut told) = told else { return Ok(None) };
            let Some(said) = told.message().await? else { return Ok(None) };
            let progress = Progress::try_from(said.progress.ok_or(Malformed::Missing("progress"))?)?;
            let goes_on = progress.outcome.is_none();
            let watched = Watched { progress, trouble: Some(said.trouble).filter(|why| !why.is_empty()) };
            if goes_on {
                return Ok(Some((watched, Some(told))));
            }
            // A call that is dropped before its end is a reset, and a connection bears only so many.
            while told.message().await?.is_some() {}
            Ok(Some((watched, None)))
        })))
    }

    /// What was asked of one run, and how far it is.
    pub(crate) async fn show(&self, run: RunId) -> Result<RunSummary, CallError> {
        let request = runs::ShowRequest { run: run.0 };
        let shown =
            repeated(|| self.runs.clone(), &request, async |mut runs, it| runs.show(it).await).await?;
        Ok(shown.run.ok_or(Malformed::Missing("run"))?.try_into()?)
    }

    /// Runs, the newest first, of those below `before`, if it is given; `most` at most, or fewer.
    pub(crate) async fn list(&self, before: Option<RunId>, most: u32) -> Result<Vec<RunSummary>, CallError> {
        let request = runs::ListRequest { before: before.map(|run| run.0), most };
        let listed =
            repeated(|| self.runs.clone(), &request, async |mut runs, it| runs.list(it).await).await?;
        Ok(listed.runs.into_iter().map(TryInto::try_into).collect::<Result<_, Malformed>>()?)
    }

    /// Ends a run without an answer. One that has ended stays as it is.
    pub(crate) async fn cancel(&self, run: RunId) -> Result<(), CallError> {
        let request = runs::CancelRequest { run: run.0, call: call_id() };
        repeated(|| self.runs.clone(), &request, async |mut runs, it| runs.cancel(it).await).await?;
        Ok(())
    }

    /// Has a run worked on, where the coordinator does not do so by itself.
    pub(crate) async fn resume(&self, run: RunId) -> Result<(), CallError> {
        let request = runs::ResumeRequest { run: run.0 };
        repeated(|| self.runs.clone(), &request, async |mut runs, it| runs.resume(it).await).await?;
        Ok(())
    }

    /// Everything from which the answer of a run can be recomputed.
    pub(crate) async fn export(
        &self,
        run: RunId,
    ) -> Result<impl Stream<Item = Result<Piece, CallError>> + Send + use<>, CallError> {
        let mut reader = self.runs.clone();
        let told = begun(reader.export(runs::ExportRequest { run: run.0 })).await?;
        let pieces = told.map_err(CallError::from).map(move |said| {
            let said = said?;
            Ok(match said.piece.ok_or(Malformed::Missing("piece"))? {
                WirePiece::Run(run) => Piece::Run(Box::new(run.try_into()?)),
                WirePiece::Finding(finding) => Piece::Finding(Box::new(read_finding(run, finding)?)),
                WirePiece::Lease(lease) => Piece::Lease(lease),
                WirePiece::Doubt(doubt) => Piece::Doubt(doubt),
            })
        });
        Ok(pieces.boxed())
    }

    /// All workers that ever registered.
    pub(crate) async fn workers(&self) -> Result<Vec<WorkerSummary>, CallError> {
        let request = workers::ListRequest {};
        let listed =
            repeated(|| self.fleet.clone(), &request, async |mut fleet, it| fleet.list(it).await).await?;
        Ok(listed.workers.into_iter().map(TryInto::try_into).collect::<Result<_, Malformed>>()?)
    }

    /// Does something to a worker.
    pub(crate) async fn order(&self, worker: WorkerId, order: Order) -> Result<(), CallError> {
        let (call, worker, fleet) = (call_id(), worker.0, || self.fleet.clone());
        match order {
            Order::Pause => {
                let request = workers::PauseRequest { call, worker };
                repeated(fleet, &request, async |mut fleet, it| fleet.pause(it).await).await.map(drop)
            }
            Order::Resume => {
                let request = workers::ResumeRequest { call, worker };
                repeated(fleet, &request, async |mut fleet, it| fleet.resume(it).await).await.map(drop)
            }
            Order::Quarantine => {
                let request = workers::QuarantineRequest { call, worker };
                repeated(fleet, &request, async |mut fleet, it| fleet.quarantine(it).await).await.map(drop)
            }
            Order::Drain => {
                let request = workers::DrainRequest { call, worker };
                repeated(fleet, &request, async |mut fleet, it| fleet.drain(it).await).await.map(drop)
            }
        }
    }
}

/// An id for a new call.
fn call_id() -> Option<WireCallId> {
    Some(CallId(fastrand::u128(1..)).into())
}

/// Makes a call again and again until it is answered, be it by a refusal, or patience ends.
async fn repeated<C, Q: Clone, A>(
    client: impl Fn() -> C,
    message: &Q,
    call: impl AsyncFn(C, tonic::Request<Q>) -> Result<Response<A>, Status>,
) -> Result<A, CallError> {
    let begun = Instant::now();
    let mut waits = waits();
    let mut told = false;
    loop {
        let error = match call(client(), limited(message.clone())).await {
            Ok(answer) => return Ok(answer.into_inner()),
            Err(error) => error,
        };
        if !is_passing(&error) || begun.elapsed() >= PATIENCE {
            return Err(error.into());
        }
        if begun.elapsed() >= SILENCE && !std::mem::replace(&mut told, true) {
            say(&format!("{}; trying again", CallError::from(error)));
        }
        sleep(waits.next().unwrap_or(LAST_WAIT)).await;
    }
}

/// What a call brings bit by bit, once that has begun. A deadline of the call's own would end it, too.
async fn begun<A>(call: impl Future<Output = Result<Response<A>, Status>>) -> Result<A, CallError> {
    let answer = timeout(CALL_LIMIT, call).await;
    let answer = answer.unwrap_or_else(|_| Err(Status::deadline_exceeded("there was no answer in time")));
    Ok(answer?.into_inner())
}

fn limited<T>(message: T) -> tonic::Request<T> {
    let mut request = tonic::Request::new(message);
    request.set_timeout(CALL_LIMIT);
    request
}

/// Why a call to a coordinator brought nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// The coordinator will not do this: the caller has to ask for something else.
    #[error("{0}")]
    Refused(String),
    /// The coordinator does not let the caller in, or has no such method: another token, or another version,
    /// may do.
    #[error("the coordinator refuses: {0}")]
    Denied(String),
    /// The coordinator is not there, or not able to serve.
    #[error("the coordinator cannot be reached or does not serve: {}", .0.message())]
    Unreachable(Status),
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
            Code::Unauthenticated | Code::PermissionDenied | Code::Unimplemented => {
                CallError::Denied(status.message().to_owned())
            }
            _ => CallError::Unreachable(status),
        }
    }
}
