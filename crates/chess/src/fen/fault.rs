//! The kinds of faults that a FEN can have, each with its sentence.

use super::Sign;
use crate::quote::{quoted, quoted_char};
use crate::{Color, Defect, Rank, Square, Wing};

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
    /// Moves follow the sixth field.
    #[error("{} begins moves, which no FEN has: nothing after the fullmove number would be right", quoted(.text))]
    ExtraMoves {
        /// The seventh field.
        text: String,
    },
    /// A further number follows the sixth field.
    #[error("{} is a third number: the halfmove clock and the fullmove number alone would be right", quoted(.text))]
    ExtraNumber {
        /// The seventh field.
        text: String,
    },
    /// An operation of EPD follows the sixth field.
    #[error("{} begins an operation of EPD: a FEN alone would be right here", quoted(.text))]
    ExtraOperation {
        /// The seventh field.
        text: String,
    },
    /// Something else follows the sixth field.
    #[error("{} is one field too many: nothing after the fullmove number would be right", quoted(.text))]
    ExtraField {
        /// The seventh field.
        text: String,
    },

    /// A sign that no FEN has, in any of its fields.
    #[error("{} is {}: {} would be right", quoted_char(*.found), .sign.name(), .sign.right())]
    ForeignSign {
        /// The character.
        found: char,
        /// Its class.
        sign: Sign,
    },

    /// The name of a position.
    #[error("`startpos` is a name that only some commands know: the FEN of that position would be right")]
    Startpos,
    /// The word before a FEN in a command.
    #[error("{} belongs to a command and not to the FEN: the men from rank 8 to rank 1 would be right", quoted(.text))]
    Command {
        /// The word.
        text: String,
    },
    /// A number where the men belong.
    #[error("{} is a number: the men from rank 8 to rank 1 would be right as the first field", quoted(.text))]
    NumberForMen {
        /// The number.
        text: String,
    },
    /// A dash where the men belong.
    #[error("`-` stands among the men: a digit 1 to 8 for empty squares would be right")]
    DashAmongMen,
    /// The board goes on after a blank.
    #[error("a blank divides the board after rank {}: 8 ranks without a blank would be right", .last.digit())]
    BlankInBoard {
        /// The last rank before it.
        last: Rank,
    },
    /// A letter that is neither man, digit nor slash.
    #[error("{} is no man: KQRBNP, kqrbnp, a digit 1 to 8, or `/` between ranks would be right", quoted_char(*.found))]
    UnknownMan {
        /// The character.
        found: char,
    },
    /// The digit 0.
    #[error("`0` counts no square on rank {}: 1 to 8, or no digit, would be right", .rank.digit())]
    ZeroSquares {
        /// The rank that it stands in.
        rank: Rank,
    },
    /// The digit 9.
    #[error("`9` counts more squares than rank {} has: 1 to 8 would be right", .rank.digit())]
    NineSquares {
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
    /// The name of a side.
    #[error("{} is spelled out: its first letter `{right}` would be right", quoted(.text))]
    SideSpelledOut {
        /// What stands there.
        text: String,
        /// The letter.
        right: char,
    },
    /// Castling rights where the side belongs.
    #[error("{} tells castling rights: `w` or `b`, the side to move, would be right before them", quoted(.text))]
    RightsForSide {
        /// What stands there.
        text: String,
    },
    /// Both sides, or one twice.
    #[error("{} names more than one side to move: one of `w` and `b` would be right", quoted(.text))]
    ManySides {
        /// What stands there.
        text: String,
    },
    /// A dash where the side belongs.
    #[error("`-` names no side, and somebody is always to move: `w` or `b` would be right")]
    DashForSide,
    /// A number where the side belongs.
    #[error("{} is a number: `w` or `b` for the side to move would be right", quoted(.text))]
    NumberForSide {
        /// What stands there.
        text: String,
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
    /// A digit where rights belong.
    #[error("`{found}` is a digit: KQkq, file letters, or `-` where nobody may castle would be right")]
    DigitAmongRights {
        /// The digit.
        found: char,
    },
    /// A slash between the rights of the sides.
    #[error("`/` divides ranks and not rights: the letters of both sides without it would be right")]
    SlashAmongRights,
    /// A castling move where rights belong.
    #[error("{} is a move: the rights to castle, such as `KQkq`, would be right", quoted(.text))]
    MoveForRights {
        /// What stands there.
        text: String,
    },
    /// A dash beside letters.
    #[error(
        "`-` means that nobody may castle and stands beside other signs: `-` alone, or letters alone, would be right"
    )]
    DashAmongRights,
    /// A letter twice.
    #[error("`{letter}` stands there twice: each right once would be right")]
    RepeatedRight {
        /// The letter.
        letter: char,
    },
    /// Two letters for one rook.
    #[error("`{letter}` grants the right of the rook on {rook} again: one letter for it would be right")]
    SameRight {
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
    /// A file or a rank that a board does not have.
    #[error("{} lies off the board: a square from a1 to h8, or `-`, would be right", quoted(.text))]
    SquareOffBoard {
        /// What stands there.
        text: String,
    },
    /// A file without a rank.
    #[error("{} is a file without its rank: a whole square, such as `e3`, would be right", quoted(.text))]
    FileAlone {
        /// What stands there.
        text: String,
    },
    /// Rank before file.
    #[error("{} has the rank before the file: `{square}` would be right", quoted(.text))]
    SquareReversed {
        /// What stands there.
        text: String,
        /// The square that is meant.
        square: Square,
    },
    /// A square, and more.
    #[error("{} goes on after a square: one square, or `-`, would be right", quoted(.text))]
    MoreThanSquare {
        /// What stands there.
        text: String,
    },
    /// A number where the square belongs.
    #[error("{} is a number: an en passant square, or `-`, would be right before the halfmove clock", quoted(.text))]
    NumberForSquare {
        /// What stands there.
        text: String,
    },
    /// More than one dash.
    #[error("{} is more than one dash: `-` would be right where no pawn can be captured en passant", quoted(.text))]
    ManyDashes {
        /// What stands there.
        text: String,
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
    /// A number to the base 16.
    #[error("{} is written to the base 16: a number to the base 10 would be right", quoted(.text))]
    Hexadecimal {
        /// What stands there.
        text: String,
    },
    /// Digits, and then letters.
    #[error("{} goes on after its digits: digits alone would be right", quoted(.text))]
    LettersAfterDigits {
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
