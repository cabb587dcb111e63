//! How far a run is, and how it ended.

use vezir_perft::{Answer, Figures};

/// A run as its watchers see it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// How many units the run has; `None` while it is being planned.
    pub units: Option<u32>,
    /// Units that are counted.
    pub done: u32,
    /// Leaves of those units.
    pub nodes: u128,
    /// What it took to count them.
    pub figures: Figures,
    /// How the run ended; `None` while it goes on.
    pub outcome: Option<Outcome>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every unit was counted; this is their sum.
    Done(Answer),
    /// Somebody cancelled it.
    Cancelled,
    /// It cannot be answered: a sentence that says why.
    Failed(String),
}
