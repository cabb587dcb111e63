//! Where counts are asked for: a coordinator elsewhere, or a cluster in this process.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tokio::time::timeout;
use vezir_chess::Position;
use vezir_coordinator::Settings;
use vezir_jobs::ledger::State;
use vezir_jobs::{PerftRequest, RunId, Verify, VerifyRequest};
use vezir_perft::Answer;
use vezir_store::{Memory, Sqlite};
use vezir_verify::{Subject, Survey};
use vezir_worker::{EngineSettings, InPlace};

use crate::args::{DialArgs, MeansArgs, StoreArgs};
use crate::client::{CallError, Client};
use crate::cluster::Cluster;
use crate::dial::Dial;
use crate::exit::{Exit, Failure};
use crate::follow::{Ended, Part, follow};
use crate::home;
use crate::interrupt::Interrupt;
use crate::machine;
use crate::worker;

/// How long an interrupted command waits for its run to be cancelled.
const CANCEL_LIMIT: Duration = Duration::from_millis(500);

/// What should be counted.
pub(crate) struct Request {
    /// From where.
    pub(crate) position: Position,
    /// How deep.
    pub(crate) depth: u32,
    /// The split ply, where the user chose one.
    pub(crate) split: Option<u32>,
    /// The number of units, where the user chose one.
    pub(crate) units: Option<NonZero<u32>>,
    /// Whether the last moves are broken down.
    pub(crate) breakdown: bool,
    /// The largest table that workers may use, where the user chose one for workers elsewhere.
    pub(crate) hash_bytes: Option<u64>,
    /// How many results are counted again.
    pub(crate) verify: Verify,
}

impl Request {
    /// A bare count.
    pub(crate) fn plain(position: Position, depth: u32) -> Request {
        let (split, units, breakdown, hash_bytes) = (None, None, false, None);
        Request { position, depth, split, units, breakdown, hash_bytes, verify: Verify::Not }
    }

    fn perft(&self) -> PerftRequest {
        PerftRequest {
            split: self.split,
            units: self.units.map(NonZero::get),
            breakdown: self.breakdown,
            hash_bytes: self.hash_bytes,
            ..PerftRequest::new(self.position, self.depth)
        }
    }
}

/// What was counted.
pub(crate) struct Counted {
    /// The answer.
    pub(crate) answer: Answer,
    /// How long it took.
    pub(crate) time: Duration,
    /// How many wrong answers of the table are to be expected.
    pub(crate) expected_false_hits: f64,
}

/// A coordinator to ask, and an ear for Ctrl-C.
pub(crate) struct Desk {
    side: Side,
    interrupt: Interrupt,
}

/// Where the work is done.
enum Side {
    /// By a cluster in this process that forgets.
    Fleeting(Cluster),
    /// By a cluster in this process, whose store is a file.
    Lasting { cluster: Cluster, store: Sqlite, path: PathBuf },
    /// By a coordinator elsewhere.
    Elsewhere { client: Client, address: String },
}

impl Side {
    /// Ready when nobody in this process works any longer.
    async fn broken(&self) -> Failure {
        match self {
            Side::Fleeting(cluster) | Side::Lasting { cluster, .. } => cluster.broken().await,
            Side::Elsewhere { .. } => std::future::pending().await,
        }
    }
}

impl Desk {
    /// A desk in this process that forgets what it did.
    pub(crate) fn fleeting(means: &MeansArgs) -> Result<Desk, Failure> {
        let interrupt = Interrupt::catch_at_terminal()?;
        let hand = worker::embedded(means, ours());
        let settings =
            Settings { threads: Some(hand.threads), frontier: machine::frontier(), ..Settings::default() };
        let cluster = Cluster::start(Memory::new(), settings, Some(hand))?;
        Ok(Desk { side: Side::Fleeting(cluster), interrupt })
    }

    /// A desk in this process that keeps its runs in the usual store, or one beside it.
    pub(crate) async fn lasting(means: &MeansArgs, store: &StoreArgs) -> Result<Desk, Failure> {
        let opened = match home::path(store) {
            Ok(path) => home::open_free(&path).await,
            Err(why) => Err(why),
        };
        let (opened, path) = match opened {
            Ok(opened) => opened,
            // Nobody asked for a store: a count is worth more than its record.
            Err(why) if store.store.is_none() => {
                home::warn_forgetful(&why);
                return Desk::fleeting(means);
            }
            Err(why) => return Err(why),
        };
        Desk::on(opened, path, means)
    }

    /// A desk in this process on a store that is open.
    pub(crate) fn on(store: Sqlite, path: PathBuf, means: &MeansArgs) -> Result<Desk, Failure> {
        let interrupt = Interrupt::catch_at_terminal()?;
        let hand = worker::embedded(means, ours());
        let settings = Settings {
            takes_up: false,
            threads: Some(hand.threads),
            artifacts: Some(home::artifacts(&path)?),
            frontier: machine::frontier(),
            ..Settings::default()
        };
        let cluster = Cluster::start(store.clone(), settings, Some(hand))?;
        Ok(Desk { side: Side::Lasting { cluster, store, path }, interrupt })
    }

    /// A desk elsewhere, if the command line names one.
    pub(crate) async fn elsewhere(dial: &DialArgs) -> Result<Option<Desk>, Failure> {
        let Some(dial) = Dial::from_args(dial)? else { return Ok(None) };
        let interrupt = Interrupt::catch_at_terminal()?;
        let client = Client::new(dial.connect().await?);
        Ok(Some(Desk { side: Side::Elsewhere { client, address: dial.address().to_owned() }, interrupt }))
    }

    /// Counts; `show` learns now and then how far it is.
    pub(crate) async fn count(
        &mut self,
        request: &Request,
        show: impl FnMut(Part),
    ) -> Result<Counted, Failure> {
        let begun = Instant::now();
        let asked = vezir_jobs::Request::Perft(request.perft());
        let run = self.submit(asked, request.verify).await?;
        let Ended { tally, expected_false_hits } = match self.await_end(run, show).await {
            Ok(ended) => ended,
            Err(failure) => return Err(self.blame(run, request.split, failure).await),
        };
        Ok(Counted { answer: tally.counted.answer, time: begun.elapsed(), expected_false_hits })
    }

    /// Examines an engine; `show` learns now and then how far that is. Besides what was found there is how long
    /// it took.
    pub(crate) async fn examine(
        &mut self,
        request: VerifyRequest,
        show: impl FnMut(Part),
    ) -> Result<(Survey, Duration), Failure> {
        let begun = Instant::now();
        let split = if let Subject::Tree { split, .. } = request.subject { split } else { None };
        let run = self.submit(vezir_jobs::Request::Verify(Box::new(request)), Verify::Not).await?;
        match self.await_end(run, show).await {
            Ok(ended) => Ok((ended.tally.survey.map(|survey| *survey).unwrap_or_default(), begun.elapsed())),
            Err(failure) => Err(self.blame(run, split, failure).await),
        }
    }

    async fn submit(&mut self, asked: vezir_jobs::Request, verify: Verify) -> Result<RunId, Failure> {
        let client = self.client().clone();
        tokio::select! {
            submitted = client.submit(asked, verify) => Ok(submitted?),
            () = self.interrupt.wait() => {
                Err(Failure::new(Exit::Interrupted, "interrupted before the run was submitted"))
            }
        }
    }

    /// The failure of a run, blamed on the split that the user chose where the run could not be planned.
    async fn blame(&self, run: RunId, split: Option<u32>, failure: Failure) -> Failure {
        if failure.exit != Exit::NoAnswer || split.is_none() {
            return failure;
        }
        match self.client().show(run).await {
            Ok(shown) if shown.state == State::Failed && shown.outline.is_none() => {
                Failure::new(Exit::Usage, failure.to_string())
            }
            _ => failure,
        }
    }

    /// Waits for a run to end; `show` learns now and then how far it is.
    pub(crate) async fn await_end(&mut self, run: RunId, show: impl FnMut(Part)) -> Result<Ended, Failure> {
        let client = self.client().clone();
        tokio::select! {
            ended = follow(&client, run, show) => ended,
            why = self.side.broken() => Err(why),
            () = self.interrupt.wait() => Err(self.interrupted(run).await),
        }
    }

    /// Who to ask.
    pub(crate) const fn client(&self) -> &Client {
        match &self.side {
            Side::Fleeting(cluster) | Side::Lasting { cluster, .. } => cluster.client(),
            Side::Elsewhere { client, .. } => client,
        }
    }

    /// What an interrupted user is told.
    async fn interrupted(&self, run: RunId) -> Failure {
        let sentence = match &self.side {
            Side::Fleeting(cluster) => {
                // Whether or not it is cancelled in time, this process is about to end.
                let _ = timeout(CANCEL_LIMIT, cluster.client().cancel(run)).await;
                "interrupted; nothing was saved, so the same command starts from the beginning".to_owned()
            }
            Side::Lasting { path, .. } => {
                format!("interrupted; `vezir runs resume {run}{}` goes on", home::hint(path))
            }
            Side::Elsewhere { address, .. } => {
                format!(
                    "interrupted; run {run} goes on: `vezir runs watch {run} --coordinator {address}` shows it, \
                     `vezir runs cancel {run} --coordinator {address}` ends it"
                )
            }
        };
        Failure::new(Exit::Interrupted, sentence)
    }

    /// Gives threads, memory and the store back.
    pub(crate) async fn close(self) {
        match self.side {
            Side::Fleeting(cluster) => cluster.stop().await,
            Side::Lasting { cluster, store, .. } => {
                cluster.stop().await;
                store.close().await;
            }
            Side::Elsewhere { .. } => {}
        }
    }
}

/// Whoever names an engine to a worker in this process could start it himself.
fn ours() -> EngineSettings {
    EngineSettings { in_place: InPlace::Any, unsandboxed: true }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Failure {
        let exit = match error {
            // A position was read before it is sent, so what is refused is a split, a number, a name.
            CallError::Refused(_) => Exit::Usage,
            CallError::Denied(_) | CallError::Unreachable(_) | CallError::Malformed(_) => Exit::Unserved,
        };
        Failure::new(exit, error.to_string())
    }
}
