//! Why a move is illegal, or which rule a legal one needs: told from the position and the move's text alone.

mod castling;
mod en_passant;
mod extra;
mod geometry;
mod missing;
mod pawn;

use vezir_chess::{Bitboard, Position, Square};

use crate::{Difference, Tag, Tags};

/// What kind of fault a difference is, and one sentence on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The kinds; at least one.
    pub tags: Tags,
    /// One plain clause without a full stop.
    pub why: String,
}

impl Reason {
    /// The reason for one difference of the divide of `position`.
    ///
    /// `passed` is the square that a pawn has just passed in a double step. A position keeps it only where a
    /// capture there is legal; where one is said that is not legal, only the move before can tell of it.
    pub fn of(position: &Position, passed: Option<Square>, difference: &Difference) -> Reason {
        match difference {
            Difference::Missing { chosen } => missing::of(position, *chosen),
            Difference::Extra { text } => extra::of(position, position.en_passant().or(passed), text),
            Difference::Doubled { .. } => Reason::new(Tag::Doubled, "each move has one line"),
            Difference::Miscounted { .. } => Reason::new(Tag::Rest, "the count of a move is wrong"),
            Difference::Sum { .. } => Reason::new(Tag::Sum, "the total is the sum of the lines"),
            Difference::Total { .. } => Reason::new(
                Tag::TotalOnly,
                "the number of moves is wrong, and the program does not tell which",
            ),
            Difference::Nothing => Reason::new(Tag::Rest, "there is nothing to compare"),
        }
    }

    fn new(tag: Tag, why: impl Into<String>) -> Reason {
        Reason { tags: Tags::of(tag), why: why.into() }
    }

    /// Both reasons.
    fn and(self, other: Reason) -> Reason {
        let tags = self.tags.iter().chain(other.tags.iter()).collect();
        Reason { tags, why: format!("{}, and {}", self.why, other.why) }
    }
}

/// `the rook on e8 and the bishop on a4`, for men that are there.
fn named(position: &Position, squares: Bitboard) -> String {
    let names = squares.into_iter().map(|square| man(position, square));
    names.collect::<Vec<_>>().join(" and ")
}

/// `the rook on e8`.
fn man(position: &Position, square: Square) -> String {
    match position.piece_on(square) {
        Some(piece) => format!("the {} on {square}", piece.name()),
        None => format!("{square}"),
    }
}
