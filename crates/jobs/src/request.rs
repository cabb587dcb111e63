//! What a user asks for, and what planning made of it.

use std::ops::Range;
use std::sync::Arc;

use vezir_chess::Position;
use vezir_perft::{Plan, Wish, slice};

use crate::{Examination, Hash};

/// A perft run as it is submitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerftRequest {
    /// The root.
    pub position: Position,
    /// Plies to count below it.
    pub depth: u32,
    /// The split ply; `None` leaves it to the planner.
    pub split: Option<u32>,
    /// The number of units; `None` leaves it to the planner.
    pub units: Option<u32>,
    /// Whether the moves of the last ply are to be told apart by kind.
    pub breakdown: bool,
    /// The largest hash table a worker may use for this run, in bytes, 0 for none; `None` leaves it to the
    /// worker.
    pub hash_bytes: Option<u64>,
}

impl PerftRequest {
    /// A plain count of `depth` plies below `position`, everything else left to planner and worker.
    pub const fn new(position: Position, depth: u32) -> PerftRequest {
        PerftRequest { position, depth, split: None, units: None, breakdown: false, hash_bytes: None }
    }

    /// The part of the request that decides how it is split.
    pub const fn wish(&self) -> Wish {
        Wish { depth: self.depth, split: self.split, units: self.units }
    }

    /// What a worker is to do with each position of a run so outlined.
    pub fn task(&self, outline: &Outline) -> CountTask {
        CountTask {
            remaining: outline.remaining,
            breakdown: self.breakdown,
            hash_bytes: self.hash_bytes.unwrap_or(u64::MAX).min(outline.hash_bytes),
        }
    }
}

/// What is to be done with the units of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Task {
    /// Counting below each position.
    Count(CountTask),
    /// Asking an engine about each place.
    Examine(Arc<Examination>),
}

/// How is counted below each position of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountTask {
    /// Plies to count below it.
    pub remaining: u32,
    /// Whether the moves of the last ply are to be told apart by kind.
    pub breakdown: bool,
    /// The most that a hash table may take, in bytes; 0 for none.
    pub hash_bytes: u64,
}

/// The numbers of a plan, without its frontier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outline {
    /// How many units there are.
    pub units: u32,
    /// The ply of the frontier that the units are slices of.
    pub split: u32,
    /// Plies to count below each position of the frontier.
    pub remaining: u32,
    /// How many positions the frontier has.
    pub positions: u64,
    /// The size of a hash table beyond which the run gains nothing, in bytes.
    pub hash_bytes: u64,
    /// The name of the frontier's bytes, by which it is found again or compared with one that was grown again;
    /// `None` where it is quicker to grow, or its coordinator keeps no artifacts.
    pub frontier: Option<Hash>,
}

impl Outline {
    /// The positions of one unit, as indices of the frontier.
    pub fn slice(&self, unit: u32) -> Range<usize> {
        slice(self.positions as usize, self.units, unit)
    }
}

impl From<&Plan> for Outline {
    /// The numbers of the plan, its frontier without a name.
    fn from(plan: &Plan) -> Outline {
        Outline {
            units: plan.units,
            split: plan.frontier.ply(),
            remaining: plan.remaining,
            positions: plan.frontier.len() as u64,
            hash_bytes: plan.hash_bytes,
            frontier: None,
        }
    }
}
