//! One question for perft: a position that was checked, legal moves from it, and a depth.

use vezir_chess::{Move, Notation, Position, UciError, fen, uci};

/// The deepest perft that is asked for.
pub const MAX_DEPTH: u8 = 64;

/// A question. It is made of positions and legal moves only, so that no text of a user's reaches a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    root: Position,
    moves: Vec<Move>,
    position: Position,
    depth: u8,
}

/// Why there is no such question.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum QueryError {
    /// A depth out of range.
    #[error("depth {0} cannot be asked for: 1 to {MAX_DEPTH} would be right")]
    Depth(u8),
    /// A move that is not legal where it is to be made.
    #[error("move {ply} of the path is not legal: {error}")]
    Illegal {
        /// Which move, counted from 1.
        ply: usize,
        /// What is wrong with it.
        error: Box<UciError>,
    },
}

impl Query {
    /// Asks about a position.
    ///
    /// # Errors
    /// For a depth that is not 1 to [`MAX_DEPTH`].
    pub fn at(position: Position, depth: u8) -> Result<Query, QueryError> {
        Query::along(position, &[], depth)
    }

    /// Asks about the position after `moves` from `root`, so that the program makes them itself.
    ///
    /// # Errors
    /// For a move that is not legal, and as [`Query::at`].
    pub fn along(root: Position, moves: &[Move], depth: u8) -> Result<Query, QueryError> {
        if !(1..=MAX_DEPTH).contains(&depth) {
            return Err(QueryError::Depth(depth));
        }
        let mut position = root;
        for (before, chosen) in moves.iter().enumerate() {
            if !position.is_legal(*chosen) {
                let text = uci::write(&position, *chosen, Notation::Chess960);
                let error = uci::read(&position, &text).err().unwrap_or(UciError::Malformed { text });
                return Err(QueryError::Illegal { ply: before + 1, error: Box::new(error) });
            }
            position = position.after(*chosen);
        }
        Ok(Query { root, moves: moves.to_vec(), position, depth })
    }

    /// How deep is to be counted, in plies.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// The position that is asked about.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether castling can only be written as in Chess960, there or before it.
    pub fn needs_chess960(&self) -> bool {
        self.root.needs_chess960()
    }

    /// The FEN of the position that is asked about.
    pub fn fen(&self) -> String {
        fen::write(&self.position, self.notation())
    }

    /// The FEN of the position where the moves begin.
    pub fn root_fen(&self) -> String {
        fen::write(&self.root, self.notation())
    }

    /// The moves in UCI, with blanks between them; empty if there are none.
    pub fn moves(&self) -> String {
        let mut position = self.root;
        let mut written = Vec::with_capacity(self.moves.len());
        for chosen in &self.moves {
            written.push(uci::write(&position, *chosen, self.notation()));
            position = position.after(*chosen);
        }
        written.join(" ")
    }

    /// How castling is written here.
    pub fn notation(&self) -> Notation {
        if self.needs_chess960() { Notation::Chess960 } else { Notation::Standard }
    }

    /// A move of an answer in our notation; what is not legal stays as it was written.
    pub(crate) fn in_our_notation(&self, text: &str) -> String {
        match uci::read(&self.position, text) {
            Ok(legal) => uci::write(&self.position, legal, self.notation()),
            Err(_) => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().expect("a FEN")
    }

    #[test]
    fn moves_must_be_legal_and_depths_in_range() {
        let start = Position::startpos();
        let first = uci::read(&start, "e2e4").expect("a move");
        let query = Query::along(start, &[first], 3).expect("a question");
        assert_eq!(query.moves(), "e2e4");
        assert_eq!(query.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        let wrong = Query::along(start, &[first, first], 3).expect_err("e2 is empty");
        assert!(wrong.to_string().starts_with("move 2 of the path is not legal: `e2e4`"), "{wrong}");
        assert_eq!(Query::at(start, 0), Err(QueryError::Depth(0)));
        assert_eq!(Query::at(start, 65), Err(QueryError::Depth(65)));
    }

    #[test]
    fn castling_is_written_for_the_variant_and_read_either_way() {
        let standard = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let query = Query::at(standard, 1).expect("a question");
        assert_eq!(query.in_our_notation("e1h1"), "e1g1");
        assert_eq!(query.in_our_notation("e1g1"), "e1g1");
        let shuffled = position("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1");
        let query = Query::at(shuffled, 1).expect("a question");
        assert_eq!(query.fen(), "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1");
        assert_eq!(query.in_our_notation("f1b1"), "f1b1");
        assert_eq!(query.in_our_notation("f1c1"), "f1b1", "the king's step to the c-file is castling");
        assert_eq!(query.in_our_notation("c1c1"), "c1c1", "an impossible move is left as it is");
        let castles = uci::read(&shuffled, "f1h1").expect("castling");
        assert_eq!(Query::along(shuffled, &[castles], 1).expect("a question").moves(), "f1h1");
    }
}
