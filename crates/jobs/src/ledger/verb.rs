//! What may be asked of the ledger, and what it answers.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{CallId, Enrolment, Found, Incarnation, Purpose, Standing, Terms};
use crate::{Attempt, Kind, Outline, RunId, Submission, WorkerId};

/// What a client asks. `README.md` says what each locks and may answer.
#[derive(Clone, Debug)]
pub enum Verb<A> {
    /// Begins a run, which is still to be planned.
    Submit {
        /// What is asked.
        submission: Submission,
        /// Whether its units are known from the start.
        kind: Kind,
    },
    /// Opens a run to workers. One that was planned before, or has ended, stays as it is.
    Plan {
        /// The run.
        run: RunId,
        /// How it is split; an open-ended run begins without a unit, whatever is said.
        outline: Outline,
        /// Whether the last units may be leased a second time.
        again: bool,
        /// The times that its leases are given.
        terms: Terms,
    },
    /// Ends a run that cannot be worked on. One that has ended stays as it is.
    Fail {
        /// The run.
        run: RunId,
        /// Whether it is ended even if it was planned.
        planned: bool,
        /// Why, as a sentence.
        reason: String,
    },
    /// Ends a run without an answer.
    Cancel {
        /// The run.
        run: RunId,
    },
    /// Ends an open-ended run: its verdict is known.
    Conclude {
        /// The run.
        run: RunId,
    },
    /// Makes a worker known, or begins its next life.
    Register {
        /// Who it is.
        enrolment: Enrolment,
        /// Its life.
        incarnation: Incarnation,
        /// The cores that it offers.
        cores: u32,
    },
    /// Asks for work.
    Lease {
        /// Who asks.
        worker: WorkerId,
        /// In which life.
        incarnation: Incarnation,
        /// The cores that the job will take; 0 for one that waits for the end of another.
        cores: u32,
        /// The most units that it wants.
        most: u32,
        /// The runs of which it wants them; `None` for any.
        among: Option<Vec<RunId>>,
    },
    /// Brings what was found under a lease.
    Report {
        /// Who holds the lease, or held it.
        worker: WorkerId,
        /// The run.
        run: RunId,
        /// The lease.
        attempt: Attempt,
        /// Each unit and what was found.
        units: Vec<(u32, Found<A>)>,
    },
    /// Says that a lease is still worked on.
    Renew {
        /// Who holds the lease.
        worker: WorkerId,
        /// The run.
        run: RunId,
        /// The lease.
        attempt: Attempt,
        /// Anything that grows as the work moves: plies played, leaves walked.
        movement: u64,
    },
    /// Gives a lease back.
    Release {
        /// Who holds the lease.
        worker: WorkerId,
        /// The run.
        run: RunId,
        /// The lease.
        attempt: Attempt,
    },
    /// Gives a worker nothing new.
    Pause {
        /// The worker.
        worker: WorkerId,
    },
    /// Gives a paused worker work again.
    Resume {
        /// The worker.
        worker: WorkerId,
    },
    /// Trusts a worker no longer, in nothing that it ever reported.
    Quarantine {
        /// The worker.
        worker: WorkerId,
    },
}

impl<A> Verb<A> {
    /// Its name, as it is stored with its reply.
    pub const fn name(&self) -> &'static str {
        match self {
            Verb::Submit { .. } => "submit",
            Verb::Plan { .. } => "plan",
            Verb::Fail { .. } => "fail",
            Verb::Cancel { .. } => "cancel",
            Verb::Conclude { .. } => "conclude",
            Verb::Register { .. } => "register",
            Verb::Lease { .. } => "lease",
            Verb::Report { .. } => "report",
            Verb::Renew { .. } => "renew",
            Verb::Release { .. } => "release",
            Verb::Pause { .. } => "pause",
            Verb::Resume { .. } => "resume",
            Verb::Quarantine { .. } => "quarantine",
        }
    }
}

/// What the ledger answers.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// It is so.
    Accepted,
    /// The number of the run that was begun.
    Submitted(RunId),
    /// The number of the worker, the same in all its lives.
    Registered(WorkerId),
    /// The work; `None` if there is none for this worker.
    Granted(Option<Grant>),
    /// What became of each unit.
    Reported(Reported),
    /// Whether the lease goes on.
    Renewed(Renewed),
}

impl Reply {
    /// Whether a repeat must be answered with it. A renewal may be done twice or be lost.
    pub(super) const fn is_kept(&self) -> bool {
        !matches!(self, Reply::Granted(None) | Reply::Renewed(_))
    }
}

/// A lease, as its holder hears of it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    /// The run.
    pub run: RunId,
    /// The number to report under.
    pub attempt: Attempt,
    /// The units.
    pub units: Range<u32>,
    /// From one sign of life to the next.
    pub term: Duration,
    /// What it is granted for.
    pub purpose: Purpose,
    /// The job that was cut for it.
    pub cut: Option<Cut>,
}

/// A job of the same run whose end was lowered: its holder should hear of it.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Who holds it.
    pub worker: WorkerId,
    /// Its lease.
    pub attempt: Attempt,
    /// One past its last unit from now on.
    pub end: u32,
}

/// What became of a report.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Reported {
    /// For each unit, in the order of the report.
    pub told: Vec<Told>,
    /// Whether the lease goes on.
    pub lease: Renewed,
    /// Units whose answers have come to differ.
    pub conflicts: Vec<u32>,
    /// Workers that a majority has outvoted: to be looked at, or quarantined.
    pub suspects: Vec<WorkerId>,
}

/// Whether a lease goes on.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Renewed {
    /// It does, with the units below `end`.
    Live {
        /// One past the last unit.
        end: u32,
    },
    /// It has ended: nothing of it needs to be worked on.
    Ended,
}

/// What became of one unit's finding.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// It is part of the tally.
    Counted,
    /// It is compared with what counts.
    Vote,
    /// The failure is noted, and the unit will be tried again.
    Failed,
    /// The failure is noted, and the unit is set aside.
    Aside,
    /// It came too late, or its worker is not trusted: it is noted, and counts for nothing.
    Stale,
}

impl From<Standing> for Told {
    fn from(standing: Standing) -> Told {
        match standing {
            Standing::Counted => Told::Counted,
            Standing::Vote => Told::Vote,
            Standing::Failed => Told::Failed,
            Standing::Aside => Told::Aside,
            Standing::Void => Told::Stale,
        }
    }
}

/// Why the ledger refuses a call. Nothing has changed then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no such run.
    #[error("there is no run {0}; a number that a submission gave would be right")]
    UnknownRun(RunId),
    /// The run ends when its units do.
    #[error("run {0} ends by its last unit; cancelling it would be right")]
    EndsItself(RunId),
    /// The run has no such lease.
    #[error("run {0} has no lease {1}; a number that a grant gave would be right")]
    UnknownLease(RunId, Attempt),
    /// The lease was given to another worker.
    #[error(
        "lease {attempt} of run {run} is not worker {worker}'s; one that was granted to it would be right"
    )]
    NotTheHolder {
        /// The run.
        run: RunId,
        /// The lease.
        attempt: Attempt,
        /// Who named it.
        worker: WorkerId,
    },
    /// The worker has not registered.
    #[error("there is no worker {0}; the number of one that has registered would be right")]
    UnknownWorker(WorkerId),
    /// The worker has begun another life.
    #[error("worker {worker} has registered again since; incarnation {now} would be right")]
    OldIncarnation {
        /// The worker.
        worker: WorkerId,
        /// Its present life.
        now: u64,
    },
    /// The worker is given no work.
    #[error("worker {0} is paused; resuming it would be right")]
    Paused(WorkerId),
    /// The worker is trusted no longer.
    #[error("worker {0} is quarantined; another worker would be right")]
    Quarantined(WorkerId),
    /// The worker asks for more cores than it has, or holds jobs enough.
    #[error("worker {worker} may be given work for {free} more cores; at most as many would be right")]
    NoCores {
        /// The worker.
        worker: WorkerId,
        /// How many it may ask for.
        free: u32,
    },
    /// The lease was never given this unit.
    #[error("lease {attempt} of run {run} has no unit {unit}; one that was granted would be right")]
    NoSuchUnit {
        /// The run.
        run: RunId,
        /// The lease.
        attempt: Attempt,
        /// The unit.
        unit: u32,
    },
    /// The id belongs to a call of another kind.
    #[error("call {:032x} was another call; a new id would be right", .0.0)]
    CallReused(CallId),
}
