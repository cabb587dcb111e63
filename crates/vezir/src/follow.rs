//! Waits for a run to end, through breaks of the connection, and shows how far it is.

use std::time::{Duration, Instant};

use futures::StreamExt;
use tokio::time::{interval, sleep};
use tonic::Status;
use vezir_jobs::{Checks, Outcome, Progress, RunId, Tally};
use vezir_perft::Table;

use crate::client::{CallError, Client};
use crate::exit::{Exit, Failure};
use crate::talk::say;

/// How often is shown how far a run is where nothing new is told of it.
const SHOW_EVERY: Duration = Duration::from_millis(500);

/// How long a coordinator that was there may be away: it may have been stopped, and be started again.
const PATIENCE: Duration = Duration::from_secs(300);

/// How long it may be away before anything is said: it ends old connections now and then, which is no absence.
const SILENCE: Duration = Duration::from_secs(2);

/// How long nothing may be told of a run before it is asked for anew: what is told may be lost on its way, and
/// whoever lost it may keep the call open.
const TRUSTED: Duration = Duration::from_secs(30);

/// How long to wait before it is asked again.
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// How far a count is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Part {
    /// Which part of the units is done; none is known while the run is being planned.
    pub(crate) fraction: Option<f64>,
    /// What they counted.
    pub(crate) nodes: u128,
    /// Counted units that wait for another worker's opinion.
    pub(crate) doubted: u32,
    /// How far an engine was examined, where one is.
    pub(crate) checks: Option<Checks>,
}

/// What came of a run.
pub(crate) struct Ended {
    /// All that its units brought.
    pub(crate) tally: Tally,
    /// How many wrong answers of the table are to be expected in it.
    pub(crate) expected_false_hits: f64,
}

/// Waits for a run's answer. `show` learns now and then how far it is.
///
/// # Errors
/// Where it ends without one, or its coordinator is away for long.
pub(crate) async fn follow(
    client: &Client,
    run: RunId,
    mut show: impl FnMut(Part),
) -> Result<Ended, Failure> {
    let mut part = Part { fraction: None, nodes: 0, doubted: 0, checks: None };
    let (mut absence, mut trouble) = (Absence::default(), Trouble::default());
    loop {
        let error = match follow_once(client, run, &mut part, (&mut absence, &mut trouble), &mut show).await {
            Ok(ended) => return ended,
            Err(error) => error,
        };
        if matches!(error, CallError::Refused(_)) && part.fraction.is_some() {
            let sentence =
                format!("the coordinator does not know run {run} any longer; was its store replaced?");
            return Err(Failure::new(Exit::Unserved, sentence));
        }
        if !is_passing(&error) || absence.begin_or_go_on() > PATIENCE {
            return Err(error.into());
        }
        sleep(RETRY_AFTER).await;
    }
}

/// A coordinator that cannot be reached, and what was said of it.
#[derive(Default)]
struct Absence {
    since: Option<Instant>,
    told: bool,
}

impl Absence {
    /// It is not there: since when, and is that worth a word?
    fn begin_or_go_on(&mut self) -> Duration {
        let lasted = self.since.get_or_insert_with(Instant::now).elapsed();
        if lasted > SILENCE && !self.told {
            self.told = true;
            say("the coordinator is away; trying again");
        }
        lasted
    }

    /// It is there.
    fn end(&mut self) {
        if self.told {
            say("the coordinator is back");
        }
        *self = Absence::default();
    }
}

/// What keeps a coordinator that is there from going on, as it was told.
#[derive(Default)]
struct Trouble(Option<String>);

impl Trouble {
    fn hear(&mut self, now: Option<String>) {
        match (&self.0, &now) {
            (before, Some(why)) if before.as_ref() != Some(why) => {
                say(&format!("the coordinator cannot write down what is counted ({why}); trying again"));
            }
            (Some(_), None) => say("the coordinator writes again"),
            _ => {}
        }
        self.0 = now;
    }
}

async fn follow_once(
    client: &Client,
    run: RunId,
    part: &mut Part,
    (absence, trouble): (&mut Absence, &mut Trouble),
    show: &mut impl FnMut(Part),
) -> Result<Result<Ended, Failure>, CallError> {
    let mut told = client.watch(run).await?;
    let mut tick = interval(SHOW_EVERY);
    let mut heard = Instant::now();
    loop {
        let progress = tokio::select! {
            progress = told.next() => progress,
            // Nothing new, but rate and time left have changed.
            _ = tick.tick() => {
                show(*part);
                if heard.elapsed() > TRUSTED {
                    return Err(Status::unavailable("nothing was told for long").into());
                }
                continue;
            }
        };
        heard = Instant::now();
        let watched = progress.ok_or_else(|| Status::unavailable("the stream ended early"))??;
        absence.end();
        trouble.hear(watched.trouble);
        let progress = watched.progress;
        if progress.outcome.is_some() {
            return Ok(ended(&progress));
        }
        let fraction = progress.units.map(|units| f64::from(progress.done) / f64::from(units.max(1)));
        let Progress { nodes, doubted, checks, .. } = progress;
        *part = Part { fraction, nodes, doubted, checks };
        show(*part);
    }
}

/// What came of a run that has ended.
///
/// # Errors
/// Where it ended without an answer.
pub(crate) fn ended(progress: &Progress) -> Result<Ended, Failure> {
    match progress.outcome.clone() {
        Some(Outcome::Done(tally)) => Ok(Ended {
            tally: *tally,
            expected_false_hits: Table::expected_false_hits(progress.figures.probes),
        }),
        Some(Outcome::Incomplete { aside }) => Err(Failure::new(
            Exit::NoAnswer,
            format!("{aside} of its units failed on several workers and were set aside"),
        )),
        Some(Outcome::Cancelled) => {
            Err(Failure::new(Exit::NoAnswer, "the run was cancelled; a new one would be right"))
        }
        Some(Outcome::Failed(reason)) => Err(Failure::new(Exit::NoAnswer, reason)),
        None => Err(Failure::new(Exit::NoAnswer, "the run has not ended")),
    }
}

/// Whether a coordinator may answer another time.
const fn is_passing(error: &CallError) -> bool {
    matches!(error, CallError::Unreachable(_))
}
