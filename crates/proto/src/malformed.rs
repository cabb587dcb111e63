//! What is wrong with a message that cannot be read.

use vezir_chess::{FenError, Move};
use vezir_verify::SurveyError;

/// A message that does not mean anything.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Malformed {
    /// A field that must be there is not.
    #[error("the field `{0}` is missing")]
    Missing(&'static str),
    /// Bits that are no move.
    #[error("{0} is not a move; 16 bits with a promotion of 0 to 4 in the upper four would be right")]
    Move(u32),
    /// A move that cannot be made where it should be.
    #[error("the move {chosen:?} is not legal in {fen}; a legal one would be right")]
    Illegal {
        /// The move.
        chosen: Move,
        /// The position.
        fen: String,
    },
    /// A word that names nothing.
    #[error("the field `{field}` says `{word}`, which names nothing that is known")]
    Word {
        /// The field.
        field: &'static str,
        /// The word.
        word: String,
    },
    /// A survey that cannot be one.
    #[error(transparent)]
    Survey(#[from] SurveyError),
    /// Text that is no position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// Columns that do not fit together.
    #[error("the columns of a page do not fit together: {0}")]
    Slots(&'static str),
    /// An id that was not drawn.
    #[error("the field `call` is missing or 0; an id drawn at random for this call would be right")]
    NoCall,
    /// A worker's name that is none.
    #[error(
        "a worker's name cannot be this; 1 to 64 letters, digits, dots, dashes or underscores would be right"
    )]
    Name,
    /// A number beyond what it counts.
    #[error("the field `{0}` is beyond what it can count")]
    Range(&'static str),
}

/// What is in a field that must be there.
pub(crate) fn required<T>(field: Option<T>, name: &'static str) -> Result<T, Malformed> {
    field.ok_or(Malformed::Missing(name))
}

/// The move of a field.
pub(crate) fn read_move(bits: u32) -> Result<Move, Malformed> {
    u16::try_from(bits).ok().and_then(Move::from_bits).ok_or(Malformed::Move(bits))
}
