//! What a call brought: the reply, and what else has happened by it.

use super::{End, Reply};
use crate::{Attempt, RunId, WorkerId};

/// The answer to a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// What the caller is told.
    pub reply: Reply,
    /// Whether it was told before: nothing has happened this time.
    pub repeated: bool,
    /// What has happened besides what the reply says.
    pub effects: Effects,
}

/// What has happened to leases and workers. It is told once, and not remembered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Leases that have ended, whoever held them.
    pub ended: Vec<Ended>,
    /// Workers that are given no work from now on.
    pub paused: Vec<WorkerId>,
    /// Workers that are trusted no longer.
    pub quarantined: Vec<WorkerId>,
}

/// A lease that has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// The run.
    pub run: RunId,
    /// The lease.
    pub attempt: Attempt,
    /// How.
    pub end: End,
}

impl Effects {
    /// None.
    pub(super) const fn new() -> Effects {
        Effects { ended: Vec::new(), paused: Vec::new(), quarantined: Vec::new() }
    }
}
