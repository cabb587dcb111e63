//! A job as its worker sees it: consecutive units of one run, and what is to be done with them.

use std::ops::Range;
use std::time::Duration;

use crate::{Attempt, RunId, Task};

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
    /// How long the lease lasts from one sign of life to the next.
    pub term: Duration,
}
