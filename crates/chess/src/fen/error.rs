//! Why a text is not a FEN: which field, which column, which fault.

use std::fmt;

use super::Fault;

/// Why a text was refused: one fault, the first met from left to right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field}, column {column}: {fault}")]
pub struct FenError {
    /// The field that holds the fault.
    pub field: Field,
    /// The character to point at, counted from 1 in the text as it was given.
    pub column: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// The parts of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Field {
    /// Who stands where.
    Placement,
    /// Whose turn it is.
    Side,
    /// Who may still castle.
    Castling,
    /// The square that a pawn has just passed.
    EnPassant,
    /// Plies since the last capture or pawn move.
    Halfmoves,
    /// The number of the move.
    Fullmoves,
    /// The text as a whole.
    Whole,
}

impl Field {
    /// The six fields as they follow one another.
    pub const ALL: [Field; 6] = [
        Field::Placement,
        Field::Side,
        Field::Castling,
        Field::EnPassant,
        Field::Halfmoves,
        Field::Fullmoves,
    ];
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Placement => "placement of the men",
            Field::Side => "side to move",
            Field::Castling => "castling rights",
            Field::EnPassant => "en passant square",
            Field::Halfmoves => "halfmove clock",
            Field::Fullmoves => "fullmove number",
            Field::Whole => "FEN",
        })
    }
}
