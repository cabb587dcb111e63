//! Runs and workers as lists show them.

use std::time::Duration;

use crate::ledger::{Enrolment, Run, State, WorkerState};
use crate::{Hash, Outline, PerftRequest, Progress, Request, RunId, Submission, Tally, Verify, WorkerId};

/// A run: what was asked, and how far it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunSummary {
    /// Its number.
    pub id: RunId,
    /// What was asked.
    pub asked: Brief,
    /// Who asked.
    pub owner: String,
    /// How many of its results are counted again.
    pub verify: Verify,
    /// When it was submitted, since 1970.
    pub submitted: Duration,
    /// When it ended, if it has.
    pub ended: Option<Duration>,
    /// How it stands.
    pub state: State,
    /// How far it is.
    pub progress: Progress,
    /// Units that wait for a worker.
    pub queued: u32,
    /// Units that are leased.
    pub leased: u32,
    /// How it was split; `None` until it is planned.
    pub outline: Option<Outline>,
}

impl RunSummary {
    /// The summary of a run of which `queued` units wait.
    pub fn new(submission: &Submission, run: &Run<Tally>, queued: u32) -> RunSummary {
        let elsewhere = run.done.saturating_add(run.aside).saturating_add(queued);
        let leased = if run.state.is_open() { run.units.saturating_sub(elsewhere) } else { 0 };
        RunSummary {
            id: run.id,
            asked: Brief::of(&submission.request),
            owner: submission.owner.clone(),
            verify: run.verify,
            submitted: run.submitted,
            ended: run.ended,
            state: run.state,
            progress: Progress::of(run),
            queued,
            leased,
            outline: run.outline,
        }
    }
}

/// What was asked, as far as lists show it: a verification may name thousands of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Brief {
    /// A count.
    Perft(PerftRequest),
    /// The examination of an engine.
    Verify {
        /// The engine's name.
        engine: String,
        /// The hash of its file.
        hash: Hash,
        /// What it is asked about, in a few words.
        subject: String,
    },
}

impl Brief {
    fn of(request: &Request) -> Brief {
        match request {
            Request::Perft(perft) => Brief::Perft(perft.clone()),
            Request::Verify(verify) => Brief::Verify {
                engine: verify.engine.name.clone(),
                hash: verify.engine.hash,
                subject: verify.subject.to_string(),
            },
        }
    }
}

/// A worker: who it is, and what it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerSummary {
    /// Its number.
    pub id: WorkerId,
    /// Who it is.
    pub enrolment: Enrolment,
    /// Whether it is given work.
    pub state: WorkerState,
    /// The cores that it offers.
    pub cores: u32,
    /// Those of them that its jobs take.
    pub busy: u32,
    /// How many jobs it holds.
    pub jobs: u32,
    /// Units that failed since one last succeeded.
    pub failed: u32,
    /// How long ago it was last heard of; `None` if it was not since the coordinator started.
    pub heard: Option<Duration>,
    /// The version of its program, if it was heard of since.
    pub version: String,
    /// Whether it listens to orders now, as one does that is there.
    pub listens: bool,
}
