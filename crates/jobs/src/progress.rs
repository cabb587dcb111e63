//! How far a run is, and how it ended.

use vezir_perft::Figures;
use vezir_verify::Survey;

use crate::Tally;
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
    /// How far an engine was examined; only in a verification of which something is done.
    pub checks: Option<Checks>,
    /// How the run ended; `None` while it goes on.
    pub outcome: Option<Outcome>,
}

/// How far an engine was examined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// Places that it was asked about.
    pub places: u64,
    /// Questions that it was asked.
    pub queries: u64,
    /// Places about which it said something else than is right.
    pub differing: u64,
    /// Places about which it said nothing that could be read.
    pub unanswered: u64,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every unit was counted; this is their sum.
    Done(Box<Tally>),
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
    pub fn of(run: &Run<Tally>) -> Progress {
        Progress {
            units: run.outline.map(|_| run.units),
            done: run.done,
            aside: run.aside,
            doubted: run.doubts,
            nodes: run.tally.counted.answer.nodes,
            figures: run.tally.counted.figures,
            checks: run.tally.survey.as_deref().map(Checks::of),
            outcome: Outcome::of(run),
        }
    }
}

impl Checks {
    /// How far a survey has come.
    pub const fn of(survey: &Survey) -> Checks {
        let Survey { places, queries, differing, unanswered, .. } = *survey;
        Checks { places, queries, differing, unanswered }
    }
}

impl Outcome {
    fn of(run: &Run<Tally>) -> Option<Outcome> {
        match run.state {
            State::Planning | State::Running | State::Disputed => None,
            State::Done if run.aside > 0 => Some(Outcome::Incomplete { aside: run.aside }),
            State::Done => Some(Outcome::Done(Box::new(run.tally.clone()))),
            State::Cancelled => Some(Outcome::Cancelled),
            State::Overflowed => Some(Outcome::Failed("its count does not fit into 128 bits".to_owned())),
            State::Failed => Some(Outcome::Failed(run.failure.clone().unwrap_or_default())),
        }
    }
}
