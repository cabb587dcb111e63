//! The two customs in which castling is written.

/// How castling moves and rights are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// `e1g1` and `KQkq`: the king's own step, as standard chess is written.
    #[default]
    Standard,
    /// `e1h1` and `HAha`: the king takes its rook, and rights name the rook's file (Shredder-FEN).
    Chess960,
}
