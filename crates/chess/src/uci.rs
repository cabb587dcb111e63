//! Moves as UCI programs write them: from-square, to-square, promotion.
//!
//! ```
//! use vezir_chess::{Notation, Position, uci};
//!
//! let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse()?;
//! let castling = uci::read(&position, "e1g1")?;
//! assert_eq!(castling, uci::read(&position, "e1h1")?);
//! assert_eq!(uci::write(&position, castling, Notation::Standard), "e1g1");
//! assert_eq!(uci::write(&position, castling, Notation::Chess960), "e1h1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: S. Meyer-Kahlen, "Description of the universal chess interface (UCI)", April 2006.

use crate::quote::{quoted, quoted_char};
use crate::{File, Move, Notation, Piece, Position, Square, Wing, san};

/// What engines send where they have no move.
const NULL_MOVES: [&str; 5] = ["0000", "(none)", "none", "null", "--"];

/// Why a text is not a legal move. Each displays as one sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UciError {
    /// No text at all.
    #[error("the move is empty: two squares, such as `e2e4`, would be right")]
    Empty,
    /// The sign of a program that has no move.
    #[error("{} says that there is no move: {}", quoted(.text), example_of(.example))]
    NoMove {
        /// The text.
        text: String,
        /// A move that would be legal, if there is one.
        example: Option<String>,
    },
    /// A move with upper-case letters.
    #[error("{} has upper-case letters: `{right}` would be right", quoted(.text))]
    UpperCase {
        /// The text.
        text: String,
        /// The same in lower case.
        right: String,
    },
    /// A move as people write it.
    #[error("{} is written in SAN: `{right}` would be right", quoted(.text))]
    San {
        /// The text.
        text: String,
        /// The same move in UCI.
        right: String,
    },
    /// Not two squares.
    #[error("{} is not a move: two squares and perhaps one of q, r, b, n, such as `e7e8q`, would be right", quoted(.text))]
    Malformed {
        /// The text.
        text: String,
    },
    /// A fifth letter that is no promotion.
    #[error("a pawn does not become {} in {}: q, r, b or n would be right", quoted_char(*.letter), quoted(.text))]
    BadPromotion {
        /// The text.
        text: String,
        /// The letter.
        letter: char,
    },
    /// From a square to itself.
    #[error("`{square}{square}` stays where it is: two different squares would be right")]
    SameSquare {
        /// The square.
        square: Square,
    },
    /// Nothing to move.
    #[error("`{text}` moves from {square}, which is empty: a square with a man of {side} would be right")]
    EmptySquare {
        /// The text.
        text: String,
        /// The square that is empty.
        square: Square,
        /// The side to move.
        side: crate::Color,
    },
    /// A man of the other side.
    #[error("`{text}` moves a man of {}: {side} is to move, so a man of {side} would be right", !*.side)]
    WrongColor {
        /// The text.
        text: String,
        /// The side to move.
        side: crate::Color,
    },
    /// A pawn reaches the last rank and stays a pawn.
    #[error("`{text}` does not say what the pawn becomes: `{text}q`, or r, b, n for q, would be right")]
    MissingPromotion {
        /// The text.
        text: String,
    },
    /// A promotion of what does not promote.
    #[error("`{text}` promotes what is no pawn on its last rank: `{right}` would be right")]
    UnwantedPromotion {
        /// The text.
        text: String,
        /// The move without it.
        right: String,
    },
    /// Castling that is not allowed now.
    #[error(
        "`{text}` castles, which is not legal here: {}",
        if *.has_right { "another move, until king and rook have a free and safe way, would be right" }
        else { "another move would be right, for the right to castle on that side is gone" }
    )]
    Castling {
        /// The text.
        text: String,
        /// Whether the right is still there.
        has_right: bool,
    },
    /// A move that the man cannot make, or that leaves the king in check.
    #[error("`{text}` is not legal for the {} on {from}: {}", .piece.name(), targets_of(.targets))]
    Illegal {
        /// The text.
        text: String,
        /// The man.
        piece: Piece,
        /// Where it stands.
        from: Square,
        /// Where it may go.
        targets: Vec<Square>,
    },
}

fn example_of(example: &Option<String>) -> String {
    match example {
        Some(example) => format!("a legal move, such as `{example}`, would be right"),
        None => "none is legal here, and so none can be read".to_owned(),
    }
}

fn targets_of(targets: &[Square]) -> String {
    let names: Vec<String> = targets.iter().map(Square::to_string).collect();
    if names.is_empty() {
        "it has no legal move, and another man would be right".to_owned()
    } else {
        format!("one of {} would be right", names.join(", "))
    }
}

/// Writes a legal move.
///
/// [`Notation::Standard`] writes castling as the king's step (`e1g1`); where the king does not come from the
/// e-file or the rook not from a corner, that would not always be told from a step of the king, and castling is
/// written as in [`Notation::Chess960`]: the king takes its rook.
pub fn write(position: &Position, chosen: Move, notation: Notation) -> String {
    let (from, rook) = (chosen.from(), chosen.to());
    let shown = match position.castles(chosen) {
        Some(wing)
            if notation == Notation::Standard && from.file() == File::E && rook.file() == wing.corner() =>
        {
            Move::new(from, Square::at(wing.king_file(), from.rank()))
        }
        _ => chosen,
    };
    format!("{shown:?}")
}

/// Reads a legal move; blanks around it are not taken.
///
/// Castling may be written as the king taking its rook, and as the king's step to the c- or g-file where that
/// is two squares or more, so that no step of the king can be meant.
///
/// # Errors
/// Anything that is not exactly one legal move.
pub fn read(position: &Position, text: &str) -> Result<Move, UciError> {
    let wanted = parse(position, text)?;
    let (from, to) = (wanted.from(), wanted.to());
    if from == to {
        return Err(UciError::SameSquare { square: from });
    }
    let text = || text.to_owned();
    let side = position.side();
    let Some(piece) = position.piece_on(from) else {
        return Err(UciError::EmptySquare { text: text(), square: from, side });
    };
    if !position.color(side).has(from) {
        return Err(UciError::WrongColor { text: text(), side });
    }
    let legal = position.legal_moves();
    if piece == Piece::King && wanted.promotion().is_none() {
        match as_castling(position, from, to) {
            Some((castling, _)) if legal.contains(&castling) => return Ok(castling),
            Some((_, has_right)) => return Err(UciError::Castling { text: text(), has_right }),
            None => {}
        }
    }
    if legal.contains(&wanted) && position.castles(wanted).is_none() {
        return Ok(wanted);
    }
    Err(explain(position, &legal, piece, wanted))
}

/// The castling move that a king's move from `from` to `to` means, and whether its right is there.
fn as_castling(position: &Position, from: Square, to: Square) -> Option<(Move, bool)> {
    let wing = if to > from { Wing::H } else { Wing::A };
    let rook = position.castling().rook(position.side(), wing);
    if rook == Some(to) {
        return Some((Move::new(from, to), true));
    }
    let far = to.file().index().abs_diff(from.file().index()) >= 2;
    let castles = far && from.rank() == to.rank() && to.file() == wing.king_file();
    castles.then(|| (Move::new(from, rook.unwrap_or(to)), rook.is_some()))
}

fn explain(position: &Position, legal: &[Move], piece: Piece, wanted: Move) -> UciError {
    let text = format!("{wanted:?}");
    let (from, to) = (wanted.from(), wanted.to());
    let plain = Move::new(from, to);
    let promotes = legal.contains(&Move::promoting(from, to, Piece::Queen));
    if promotes && wanted.promotion().is_none() {
        return UciError::MissingPromotion { text };
    }
    if wanted.promotion().is_some() && legal.contains(&plain) {
        return UciError::UnwantedPromotion { text, right: format!("{plain:?}") };
    }
    let own =
        legal.iter().filter(|candidate| candidate.from() == from && position.castles(**candidate).is_none());
    let mut targets: Vec<Square> = own.map(|candidate| candidate.to()).collect();
    targets.sort_unstable();
    targets.dedup();
    UciError::Illegal { text, piece, from, targets }
}

/// Two squares and perhaps a promotion, legal or not.
fn parse(position: &Position, text: &str) -> Result<Move, UciError> {
    if text.is_empty() {
        return Err(UciError::Empty);
    }
    let lower = text.to_ascii_lowercase();
    if NULL_MOVES.contains(&lower.as_str()) {
        let example = position.legal_moves().first().map(|first| write(position, *first, Notation::Standard));
        return Err(UciError::NoMove { text: text.to_owned(), example });
    }
    match squares(text) {
        Some(parsed) => promoted(text, parsed),
        None if squares(&lower).is_some() => Err(UciError::UpperCase { text: text.to_owned(), right: lower }),
        None => Err(match san::read(position, text) {
            Ok(meant) => {
                UciError::San { text: text.to_owned(), right: write(position, meant, Notation::Standard) }
            }
            Err(_) => UciError::Malformed { text: text.to_owned() },
        }),
    }
}

fn promoted(text: &str, (from, to, letter): (Square, Square, Option<char>)) -> Result<Move, UciError> {
    let Some(letter) = letter else { return Ok(Move::new(from, to)) };
    if letter.is_ascii_uppercase() {
        return Err(UciError::UpperCase { text: text.to_owned(), right: text.to_ascii_lowercase() });
    }
    match Piece::from_letter(letter).filter(|piece| Piece::PROMOTIONS.contains(piece)) {
        Some(piece) => Ok(Move::promoting(from, to, piece)),
        None => Err(UciError::BadPromotion { text: text.to_owned(), letter }),
    }
}

/// The two squares that a text begins with, and the one letter after them.
fn squares(text: &str) -> Option<(Square, Square, Option<char>)> {
    let from = text.get(0..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let mut rest = text.get(4..)?.chars();
    let letter = rest.next();
    (rest.next().is_none() && letter.is_none_or(|letter| letter.is_alphabetic()))
        .then_some((from, to, letter))
}
