//! What a foreign program can be asked, and by which way the position reaches it.

use vezir_chess::{Move, Position};

use crate::Said;

/// How a position is told to the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Way {
    /// The position after the moves, as one FEN.
    Position,
    /// The root as a FEN and the moves after it, which the program has to make itself.
    Moves,
}

/// One question: the divide, or at least the total, some plies below a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Where the moves begin.
    pub root: Position,
    /// Legal moves from the root, in their order; there may be none.
    pub moves: Vec<Move>,
    /// Plies below the position after the moves, at least 1.
    pub depth: u32,
    /// How the position is told.
    pub way: Way,
}

impl Query {
    /// The question about a position itself.
    pub const fn at(position: Position, depth: u32) -> Query {
        Query { root: position, moves: Vec::new(), depth, way: Way::Position }
    }

    /// The position that is asked about.
    pub fn position(&self) -> Position {
        self.moves.iter().fold(self.root, |position, chosen| position.after(*chosen))
    }

    /// The position before the last move, and that move; `None` where there are no moves.
    pub fn last(&self) -> Option<(Position, Move)> {
        let (last, before) = self.moves.split_last()?;
        Some((before.iter().fold(self.root, |position, chosen| position.after(*chosen)), *last))
    }
}

/// A foreign program, whatever it takes to talk to it.
pub trait Oracle {
    /// Why it did not answer: it crashed, hung, or said what cannot be read.
    type Error;

    /// Asks it once.
    ///
    /// # Errors
    /// Where there is no answer. An answer that is wrong is none: comparing is not the oracle's.
    fn ask(&mut self, query: &Query) -> Result<Said, Self::Error>;
}
