//! How far a run is, and how it ended.

use vezir_perft::{Answer, Counted, Figures};

use crate::ledger::{Run, State};

/// A run as its watchers see it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// How many units the run has; `None` while it is being planned.
    pub units: Option<u32>,
    /// Units that are counted.
    pub done: u32,
    /// Units that are set aside.
    pub aside: u32,
    /// Units that are counted, but wait for another worker's opinion.
    pub doubted: u32,
    /// Leaves of the counted units.
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
    /// Some units were set aside, each after failing on several workers.
    Incomplete {
        /// How many they are.
        aside: u32,
    },
    /// Somebody cancelled it.
    Cancelled,
    /// It cannot be answered: a sentence that says why.
    Failed(String),
}

impl Progress {
    /// How far `run` is.
    pub fn of(run: &Run<Counted>) -> Progress {
        Progress {
            units: run.outline.map(|_| run.units),
            done: run.done,
            aside: run.aside,
            doubted: run.doubts,
            nodes: run.tally.answer.nodes,
            figures: run.tally.figures,
            outcome: Outcome::of(run),
        }
    }
}

impl Outcome {
    fn of(run: &Run<Counted>) -> Option<Outcome> {
        match run.state {
            State::Planning | State::Running | State::Disputed => None,
            State::Done if run.aside > 0 => Some(Outcome::Incomplete { aside: run.aside }),
            State::Done => Some(Outcome::Done(run.tally.answer.clone())),
            State::Cancelled => Some(Outcome::Cancelled),
            State::Overflowed => Some(Outcome::Failed("its count does not fit into 128 bits".to_owned())),
            State::Failed => Some(Outcome::Failed(run.failure.clone().unwrap_or_default())),
        }
    }
}
