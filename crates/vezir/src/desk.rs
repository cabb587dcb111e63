//! Asks the cluster for one count after another, and can be interrupted: where the commands meet the cluster.

use std::num::NonZero;
use std::time::{Duration, Instant};

use futures::{Stream, StreamExt};
use tokio::time::{interval, timeout};
use vezir_chess::Position;
use vezir_jobs::{Outcome, PerftRequest, Progress};
use vezir_perft::{Answer, Table};
use vezir_worker::Settings;

use crate::args::MeansArgs;
use crate::client::CallError;
use crate::embedded::Cluster;
use crate::exit::{Exit, Failure};
use crate::interrupt::{Interrupt, interrupted};
use crate::machine;

/// How long an interrupted command waits for its run to be cancelled.
const CANCEL_LIMIT: Duration = Duration::from_millis(500);

/// How often is shown how far a count is where nothing new is told of it.
const SHOW_EVERY: Duration = Duration::from_millis(500);

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
}

impl Request {
    /// A bare count.
    pub(crate) fn plain(position: Position, depth: u32) -> Request {
        Request { position, depth, split: None, units: None, breakdown: false }
    }
}

impl From<&Request> for PerftRequest {
    fn from(request: &Request) -> PerftRequest {
        PerftRequest {
            split: request.split,
            units: request.units.map(NonZero::get),
            breakdown: request.breakdown,
            ..PerftRequest::new(request.position, request.depth)
        }
    }
}

/// How far a count is.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// Which part of the units is done; none is known while the run is being planned.
    pub(crate) fraction: Option<f64>,
    /// What they counted.
    pub(crate) nodes: u128,
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

/// Where counts are asked for: a cluster in this process, and an ear for Ctrl-C.
pub(crate) struct Desk {
    cluster: Cluster,
    interrupt: Interrupt,
}

impl Desk {
    /// Starts a cluster on what the command line, or else the machine, allows.
    pub(crate) fn open(means: &MeansArgs) -> Result<Desk, Failure> {
        let interrupt = Interrupt::catch()?;
        let settings = Settings {
            threads: means.threads.unwrap_or_else(machine::cores),
            hash_bytes: means.hash.unwrap_or_else(machine::default_hash),
        };
        let cluster = Cluster::start(settings);
        let cluster = cluster.map_err(|error| Failure::new(Exit::Unserved, error.to_string()))?;
        Ok(Desk { cluster, interrupt })
    }

    /// Counts; `show` learns now and then how far it is.
    pub(crate) async fn count(
        &mut self,
        request: &Request,
        show: impl FnMut(Part),
    ) -> Result<Counted, Failure> {
        let begun = Instant::now();
        let client = self.cluster.client();
        let run = client.submit(request.into()).await?;
        let told = client.watch(run).await?;
        let (answer, expected_false_hits) = tokio::select! {
            counted = follow(told, show) => counted?,
            () = self.interrupt.wait() => {
                // Whether or not it is cancelled in time, this process is about to end.
                let _ = timeout(CANCEL_LIMIT, client.cancel(run)).await;
                return Err(interrupted());
            }
        };
        Ok(Counted { answer, time: begun.elapsed(), expected_false_hits })
    }

    /// Gives threads and memory back.
    pub(crate) async fn close(self) {
        self.cluster.stop().await;
    }
}

/// Waits for a run's outcome: its answer, and how many false hits are expected in it.
async fn follow(
    mut told: impl Stream<Item = Result<Progress, CallError>> + Unpin,
    mut show: impl FnMut(Part),
) -> Result<(Answer, f64), Failure> {
    let mut tick = interval(SHOW_EVERY);
    let mut part = Part { fraction: None, nodes: 0 };
    loop {
        let progress = tokio::select! {
            progress = told.next() => progress,
            // Nothing new, but rate and time left have changed.
            _ = tick.tick() => {
                show(part);
                continue;
            }
        };
        let gone = || Failure::new(Exit::Unserved, "the cluster went away before the count was done");
        let progress = progress.ok_or_else(gone)??;
        match progress.outcome {
            Some(Outcome::Done(answer)) => {
                return Ok((answer, Table::expected_false_hits(progress.figures.probes)));
            }
            Some(Outcome::Cancelled) => return Err(Failure::new(Exit::NoAnswer, "the run was cancelled")),
            Some(Outcome::Failed(reason)) => return Err(Failure::new(Exit::NoAnswer, reason)),
            None => {
                let fraction = progress.units.map(|units| f64::from(progress.done) / f64::from(units.max(1)));
                part = Part { fraction, nodes: progress.nodes };
                show(part);
            }
        }
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Failure {
        let exit = match error {
            // A position was read before it is sent, so what is refused is a split or a number of units.
            CallError::Refused(_) => Exit::Usage,
            CallError::Unreachable(_) | CallError::Malformed(_) => Exit::Unserved,
        };
        Failure::new(exit, error.to_string())
    }
}
