//! One position of a frontier, with the ways that lead to it.

use vezir_chess::{Move, Packed};

/// One position of a frontier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The position itself.
    pub position: Packed,
    /// Through which root moves it is reached. Empty only for the root itself, at ply 0.
    pub shares: Vec<Share>,
}

/// How many paths lead to a position through one root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The first move of those paths.
    pub root: Move,
    /// How many they are.
    pub paths: u64,
}
