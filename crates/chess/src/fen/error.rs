//! What is wrong with a text that is not a FEN, and where.

use std::fmt;

use crate::quote::{quoted, quoted_char};
use crate::{Color, Defect, Rank, Square, Wing};

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

/// The kinds of faults. Their sentences say what is wrong and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// Nothing but blanks.
    #[error("the text is empty: six fields would be right, beginning with the men from rank 8 to rank 1")]
    Empty,
    /// More bytes than any FEN has.
    #[error("the text has {bytes} bytes: at most {} would be right", super::MAX_TEXT_BYTES)]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// Something follows the sixth field.
    #[error("{} is one field too many: nothing after the fullmove number would be right", quoted(.text))]
    ExtraField {
        /// The seventh field.
        text: String,
    },

    /// A character that is neither man, digit nor slash.
    #[error("{} is no man: KQRBNP, kqrbnp, a digit 1 to 8, or `/` between ranks would be right", quoted_char(*.found))]
    UnknownMan {
        /// The character.
        found: char,
    },
    /// The digit 0 or 9.
    #[error("`{digit}` counts empty squares on rank {}: 1 to 8 would be right", .rank.digit())]
    BadDigit {
        /// The digit.
        digit: char,
        /// The rank that it stands in.
        rank: Rank,
    },
    /// Two digits in a row.
    #[error(
        "`{first}{second}` on rank {}: one digit for all adjacent empty squares would be right",
        .rank.digit()
    )]
    AdjacentDigits {
        /// The digit before.
        first: char,
        /// The digit at the column.
        second: char,
        /// The rank that they stand in.
        rank: Rank,
    },
    /// Two slashes in a row, or one before the first rank.
    #[error("rank {} is empty of men and digits: `8` would be right for a rank without men", .rank.digit())]
    EmptyRank {
        /// The rank.
        rank: Rank,
    },
    /// A rank with fewer than eight squares.
    #[error("rank {} ends after {squares} squares: exactly 8 would be right", .rank.digit())]
    ShortRank {
        /// The rank.
        rank: Rank,
        /// How many squares it has.
        squares: usize,
    },
    /// A rank with more than eight squares.
    #[error("rank {} goes on to {squares} squares or more: exactly 8 would be right", .rank.digit())]
    LongRank {
        /// The rank.
        rank: Rank,
        /// How many squares it has up to this column.
        squares: usize,
    },
    /// Fewer than eight ranks.
    #[error("the board ends after rank {}: 8 ranks down to rank 1, divided by `/`, would be right", .last.digit())]
    FewRanks {
        /// The last that there is.
        last: Rank,
    },
    /// A ninth rank.
    #[error("a rank follows the eighth: exactly 8 ranks, divided by `/`, would be right")]
    ManyRanks,
    /// A slash after the eighth rank, and nothing after it.
    #[error("a `/` follows the last rank: a blank and the side to move would be right")]
    TrailingSlash,
    /// Men that no position has.
    #[error(transparent)]
    Defect(#[from] Defect),

    /// The right letter in the wrong case.
    #[error("`{found}` is in upper case: `{}` would be right", .found.to_ascii_lowercase())]
    UpperCaseSide {
        /// `W` or `B`.
        found: char,
    },
    /// Something else than `w` or `b`.
    #[error("{} is no side: `w` or `b` would be right", quoted(.text))]
    BadSide {
        /// What stands there.
        text: String,
    },

    /// A character that names no right.
    #[error("{} names no right to castle: KQkq, file letters A-H and a-h, or `-` alone would be right", quoted_char(*.found))]
    UnknownRight {
        /// The character.
        found: char,
    },
    /// A dash beside letters.
    #[error(
        "`-` means that nobody may castle and stands beside other signs: `-` alone, or letters alone, would be right"
    )]
    DashAmongRights,
    /// Two letters for one rook.
    #[error("`{letter}` grants the right of the rook on {rook} again: each right once would be right")]
    RepeatedRight {
        /// The letter.
        letter: char,
        /// The rook that it names.
        rook: Square,
    },
    /// Letters for two rooks on one side of a king.
    #[error(
        "`{letter}` grants a right to the rook on {rook} beside that on {other}: one rook on each side of the king would be right"
    )]
    RivalRight {
        /// The letter.
        letter: char,
        /// The rook that it names.
        rook: Square,
        /// The rook that was named before.
        other: Square,
    },
    /// The king has left its first rank.
    #[error(
        "`{letter}` needs {color}'s king on rank {}, and it stands on {king}: a king there, or no `{letter}`, would be right",
        Rank::nth(*.color, 1).digit()
    )]
    KingAwayFromHome {
        /// The letter.
        letter: char,
        /// Whose right it is.
        color: Color,
        /// Where the king stands.
        king: Square,
    },
    /// `K`, `Q`, `k` or `q` without a rook on that side of the king.
    #[error(
        "`{letter}` needs a {} rook on the {} of the king on {king}: a rook there, or no `{letter}`, would be right",
        .color.name(), side_of_king(*.wing)
    )]
    NoRookOnWing {
        /// The letter.
        letter: char,
        /// Whose right it is.
        color: Color,
        /// The side of the king.
        wing: Wing,
        /// Where the king stands.
        king: Square,
    },
    /// A file letter without a rook there.
    #[error("`{letter}` needs a {} rook on {square}: a rook there, or no `{letter}`, would be right", .color.name())]
    NoRookOnFile {
        /// The letter.
        letter: char,
        /// Whose right it is.
        color: Color,
        /// Where the rook would stand.
        square: Square,
    },
    /// A file letter that points at the king itself.
    #[error("`{letter}` names {king}, where the king itself stands: the file of the rook would be right")]
    RightNamesKing {
        /// The letter.
        letter: char,
        /// Where the king stands.
        king: Square,
    },

    /// The right square in the wrong case.
    #[error("{} is in upper case: `{square}` would be right", quoted(.text))]
    UpperCaseSquare {
        /// What stands there.
        text: String,
        /// The square that it names.
        square: Square,
    },
    /// Neither square nor dash.
    #[error("{} is no square: `-`, or the square that a pawn has just passed, such as `e3`, would be right", quoted(.text))]
    NotASquare {
        /// What stands there.
        text: String,
    },

    /// A number below zero.
    #[error("{} is below zero: a whole number from 0 to {} would be right", quoted(.text), u32::MAX)]
    NegativeNumber {
        /// What stands there.
        text: String,
    },
    /// A plus sign.
    #[error("{} has a sign: digits alone would be right", quoted(.text))]
    SignedNumber {
        /// What stands there.
        text: String,
    },
    /// A number beyond 32 bits.
    #[error("{} is too large: at most {} would be right", quoted(.text), u32::MAX)]
    LargeNumber {
        /// What stands there.
        text: String,
    },
    /// A dash where a number belongs.
    #[error("`-` is no number: `{default}` would be right where it is not known")]
    DashForNumber {
        /// What stands for an unknown number.
        default: u32,
    },
    /// Anything else that is not a number.
    #[error("{} is no whole number: digits alone, such as `{default}`, would be right", quoted(.text))]
    NotANumber {
        /// What stands there.
        text: String,
        /// What stands for an unknown number.
        default: u32,
    },
}

fn side_of_king(wing: Wing) -> &'static str {
    match wing {
        Wing::H => "h-side",
        Wing::A => "a-side",
    }
}
