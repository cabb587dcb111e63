//! What is wished of a descent, and what it reports, however it ended.

use vezir_perft::CountError;

use crate::{Finding, Query};

/// How far a descent goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wish {
    /// Whether every kind of fault is looked for, one example each; else the first fault ends the descent.
    pub all: bool,
    /// The most questions that the program is asked.
    pub queries: u32,
}

impl Wish {
    /// The most questions where nobody asks for another number.
    pub const QUERIES: u32 = 20_000;
}

impl Default for Wish {
    fn default() -> Wish {
        Wish { all: false, queries: Wish::QUERIES }
    }
}

/// Why there was no answer to compare.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure<E> {
    /// The program gave none.
    #[error("{0}")]
    Oracle(E),
    /// Our own count did not come to its end.
    #[error(transparent)]
    Count(#[from] CountError),
}

/// How a descent ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended<E> {
    /// There was no more to look for.
    Done,
    /// The questions ran out.
    Limit,
    /// There was no answer to this question.
    Failed(Box<Query>, Failure<E>),
}

/// What came of the first question of a descent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct First {
    /// The leaves; `None` where nothing was asked, or our own count did not come to its end.
    pub ours: Option<u128>,
    /// The leaves as the program said: its total or, where it printed none, the sum of its lines, at most
    /// `u128::MAX`; `None` where it printed neither, or did not answer.
    pub said: Option<u128>,
    /// Whether the program answered.
    pub is_answered: bool,
    /// Whether its answer differs from ours, in whatever.
    pub differs: bool,
}

/// What a descent found, however it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<E> {
    /// The findings, each of another kind; none where everything agreed.
    pub findings: Vec<Finding>,
    /// The questions that were asked.
    pub queries: u32,
    /// What came of the first of them.
    pub first: First,
    /// How it ended.
    pub ended: Ended<E>,
}
