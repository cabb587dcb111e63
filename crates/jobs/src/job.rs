//! A job: consecutive units leased to one worker, what is to be done with them, and what comes back.

use std::ops::Range;

use vezir_perft::Counted;

use crate::{Attempt, RunId};

/// A lease on consecutive units of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// The run.
    pub run: RunId,
    /// The number of the lease, to be named in every report.
    pub attempt: Attempt,
    /// The units, first to one past the last.
    pub units: Range<u32>,
    /// What is to be done with them.
    pub task: Task,
}

/// What is to be done with each position of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// Plies to count below it.
    pub remaining: u32,
    /// Whether the moves of the last ply are to be told apart by kind.
    pub breakdown: bool,
    /// The most that a hash table may take, in bytes; 0 for none.
    pub hash_bytes: u64,
}

/// Where a worker's hash table is warm: it would best go on at this unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The run of its last job.
    pub run: RunId,
    /// The unit after its last.
    pub unit: u32,
}

/// What a worker found out about one unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitReport {
    /// The unit.
    pub unit: u32,
    /// Its count, or the reason why there is none.
    pub finding: Finding,
}

/// The end of a unit's work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// It was counted.
    Counted(Counted),
    /// It cannot be counted: a sentence that says why.
    Failed(String),
}

/// What became of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The result stands, now or since the same lease reported it before.
    Counted,
    /// The lease does not hold this unit any longer, or the run has ended: nothing was counted.
    Stale,
}
