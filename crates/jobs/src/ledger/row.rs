//! The rows that a store keeps. Each struct is one table; its documentation names the key.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Reply;
use crate::{Attempt, Kind, Outline, RunId, Verify, WorkerId};

/// An id that a client makes for one call and keeps when it repeats the call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallId(pub u128);

/// The number of a worker's life: larger each time that its process starts.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Incarnation(pub u64);

/// What a user asked for. Key: `id`. Changes at each grant and each result.
#[derive(Clone, Debug)]
pub struct Run<A> {
    /// Its number.
    pub id: RunId,
    /// Whether its units are known from the start.
    pub kind: Kind,
    /// How many of its results are counted again by others. Never changes.
    pub verify: Verify,
    /// What decides which ones are; workers are not told. Never changes.
    pub seed: u64,
    /// When it was submitted, by the store's clock. Never changes.
    pub submitted: Duration,
    /// When it ended, if it has.
    pub ended: Option<Duration>,
    /// How it was split; `None` until it is planned.
    pub outline: Option<Outline>,
    /// Why it cannot be answered; `None` unless it failed.
    pub failure: Option<String>,
    /// How many units have come into being: all of a bounded run.
    pub units: u32,
    /// Whether its last units may be leased a second time.
    pub again: bool,
    /// How it stands.
    pub state: State,
    /// The last attempt that was granted.
    pub attempt: Attempt,
    /// Units with a counted result.
    pub done: u32,
    /// Units set aside.
    pub aside: u32,
    /// Doubts that are not settled.
    pub doubts: u32,
    /// Those of them that are conflicts.
    pub conflicts: u32,
    /// Every unit below this one is done or set aside; kept for open-ended runs only.
    pub prefix: u32,
    /// The sum of the counted results.
    pub tally: A,
    /// The times that its leases are given.
    pub terms: Terms,
}

/// How a run stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum State {
    /// It is being split into units.
    Planning,
    /// Its units are being worked on.
    Running,
    /// It ended, or would have; but something counted is in doubt and is being worked on again.
    Disputed,
    /// It has its answer.
    Done,
    /// Somebody cancelled it.
    Cancelled,
    /// Its tally does not fit into its numbers.
    Overflowed,
    /// It could not be planned, or not as it was before.
    Failed,
}

impl State {
    /// Whether units may be leased and results may count.
    pub const fn is_open(self) -> bool {
        matches!(self, State::Running | State::Disputed)
    }

    /// Whether it has ended. A finished run may become disputed, and goes on then.
    pub const fn has_ended(self) -> bool {
        !matches!(self, State::Planning | State::Running | State::Disputed)
    }

    /// Whether late results are still worth comparing.
    pub const fn is_heard(self) -> bool {
        matches!(self, State::Running | State::Disputed | State::Done)
    }
}

/// The times that the leases of a run are given. All are zero until it is planned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// From one sign of life to the next.
    pub lease: Duration,
    /// From one movement of the work to the next.
    pub progress: Duration,
    /// The planned length of one unit; for a pair, the longest that its clocks allow, plus start-up.
    pub unit: Duration,
}

/// Who a worker is, in all its lives. Key: the worker's number; unique. Never changes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Enrolment {
    /// Who answers for it: the name in the token that it came with.
    pub owner: String,
    /// Its name, which no other worker of its owner has.
    pub name: String,
}

/// Who works. Key: `id`. Changes when it registers, is granted or gives back, and when it fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worker {
    /// Its number, the same in all its lives.
    pub id: WorkerId,
    /// Its present life.
    pub incarnation: Incarnation,
    /// The cores that it offers.
    pub cores: u32,
    /// Those that its live leases ask for: more than it offers where jobs wait for each other's end.
    pub busy: u32,
    /// Whether it is given work.
    pub state: WorkerState,
    /// Units that failed since one last succeeded.
    pub failed: u32,
    /// The unit after its last one, where its hash table is warm.
    pub near: Option<(RunId, u32)>,
}

impl Worker {
    /// How many of its cores have work.
    pub fn at_work(&self) -> u32 {
        self.busy.min(self.cores)
    }
}

/// Whether a worker is given work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkerState {
    /// It is.
    Active,
    /// It is not, until somebody lets it resume. What it holds it may finish.
    Paused,
    /// Never again, and none of its results stands.
    Quarantined,
}

/// The right to work on consecutive units. Key: `(run, attempt)`. Kept when it has ended: late results are
/// judged by it. Changes when it is cut and when it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lease {
    /// The run.
    pub run: RunId,
    /// Its number within the run.
    pub attempt: Attempt,
    /// Who holds it.
    pub worker: WorkerId,
    /// The first unit.
    pub first: u32,
    /// One past the last unit; lowered by a cut.
    pub end: u32,
    /// One past the last unit as it was granted.
    pub granted: u32,
    /// What it was granted for.
    pub purpose: Purpose,
    /// The cores that it asks for while it lives.
    pub cores: u32,
    /// How it ended; `None` while it lives.
    pub ended: Option<End>,
}

impl Lease {
    /// The units that it still covers.
    pub const fn units(&self) -> Range<u32> {
        self.first..self.end
    }

    /// Whether it has not ended.
    pub const fn is_live(&self) -> bool {
        self.ended.is_none()
    }
}

/// What a lease was granted for.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To have the units counted.
    Count,
    /// The same, while another lease holds them too: the first answer counts, the other is a vote.
    Again,
    /// To decide between answers to a unit that is counted already.
    Opinion,
}

/// How a lease ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Nothing is left to do under it.
    Finished,
    /// Its holder gave it back.
    Released,
    /// Its holder was not heard of for the lease term.
    Expired,
    /// Its work did not move for the progress term.
    Stuck,
    /// It took many times its planned length.
    Overdue,
    /// Its holder began a new life.
    Replaced,
    /// Its holder was quarantined.
    Quarantined,
    /// The run ended.
    RunEnded,
}

impl End {
    /// Its name, as people and metrics read it.
    pub const fn name(self) -> &'static str {
        match self {
            End::Finished => "finished",
            End::Released => "released",
            End::Expired => "expired",
            End::Stuck => "stuck",
            End::Overdue => "overdue",
            End::Replaced => "replaced",
            End::Quarantined => "quarantined",
            End::RunEnded => "run_ended",
        }
    }
}

/// Until when a live lease lasts, by the store's clock. Key: `(run, attempt)`. Volatile: a missing row means
/// a full new term. Changes at each sign of life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadline {
    /// The run.
    pub run: RunId,
    /// The lease.
    pub attempt: Attempt,
    /// Without a sign of life, it ends here.
    pub silent: Duration,
    /// Without movement of the work, it ends here.
    pub stuck: Duration,
    /// It ends here in any case.
    pub overdue: Duration,
    /// The movement that its holder last told: a number that grows.
    pub movement: u64,
}

impl Deadline {
    /// Why it has passed at `now`; `None` if it has not.
    pub fn passed(&self, now: Duration) -> Option<End> {
        let ends = [(self.overdue, End::Overdue), (self.stuck, End::Stuck), (self.silent, End::Expired)];
        ends.into_iter().find(|(at, _)| *at <= now).map(|(_, end)| end)
    }
}

/// What an attempt found out about a unit. Key: `(run, unit, attempt)`; at most one row of a (run, unit)
/// is `Counted` or `Aside`: a partial unique index. Only its standing ever changes.
#[derive(Clone, Debug)]
pub struct Finding<A> {
    /// The run.
    pub run: RunId,
    /// The unit.
    pub unit: u32,
    /// The lease under which it was found.
    pub attempt: Attempt,
    /// Who held that lease.
    pub worker: WorkerId,
    /// What was found.
    pub found: Found<A>,
    /// What it is worth.
    pub standing: Standing,
}

/// The end of a unit's work.
#[derive(Clone, Debug)]
pub enum Found<A> {
    /// A result.
    Answer(A),
    /// No result: the evidence.
    Failed(String),
}

/// What a finding is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is part of the tally.
    Counted,
    /// It is compared with the others of its unit.
    Vote,
    /// It is one of the failures of its unit.
    Failed,
    /// It is the failure that set its unit aside.
    Aside,
    /// Nothing: it is kept as evidence only.
    Void,
}

impl Standing {
    /// Whether the unit needs no more work.
    pub const fn closes(self) -> bool {
        matches!(self, Standing::Counted | Standing::Aside)
    }
}

/// A counted unit about which another worker is to be asked. Key: `(run, unit)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// The run.
    pub run: RunId,
    /// The unit.
    pub unit: u32,
    /// Why.
    pub cause: Cause,
    /// Whether it is over: a majority has decided, or others agreed.
    pub settled: bool,
}

/// Why another worker is to be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The run has its results counted again, and this one was chosen.
    Check,
    /// Its answers differ.
    Conflict,
}

/// A call that was answered. Key: `id`. Never changes; to be kept for at least
/// [`Call::KEPT`] after `at`.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// The client's id.
    pub id: CallId,
    /// The name of the verb.
    pub verb: String,
    /// What was answered.
    pub reply: Reply,
    /// When, by the store's clock.
    pub at: Duration,
}

impl Call {
    /// How long a client may go on repeating a call.
    pub const KEPT: Duration = Duration::from_secs(600);
}
