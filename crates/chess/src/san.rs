//! Moves as people write them: standard algebraic notation.
//!
//! ```
//! use vezir_chess::{Position, san};
//!
//! let position: Position = "7k/8/8/2N3N1/8/2N5/8/1K6 w - - 0 1".parse()?;
//! let knight_move = san::read(&position, "Nc5e4")?;
//! assert_eq!(san::write(&position, knight_move), "Nc5e4");
//! assert_eq!(
//!     san::read(&position, "Ne4").unwrap_err().to_string(),
//!     "`Ne4` is ambiguous: one of `N3e4`, `Nc5e4`, `Nge4` would be right"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: PGN standard (1994), section 8.2.3.

use crate::quote::{quoted, quoted_char};
use crate::{Color, File, Move, Piece, Position, Rank, Square, Wing};

/// How many moves an error offers at most.
const MAX_OFFERED: usize = 8;

/// What stands for a move that was not made.
const NULL_MOVES: [&str; 4] = ["--", "Z0", "null", "0000"];
/// How games end in PGN.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
/// What may follow a move and says nothing about which one it is.
const SUFFIXES: [&str; 8] = ["+", "#", "!", "?", "e.p.", "e.p", "ep", " "];

/// Why a text is not one legal move. Each displays as one sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// No text at all.
    #[error("the move is empty: a move such as `Nf3` would be right")]
    Empty,
    /// The sign for a move that was not made.
    #[error("{} passes the turn, which is no move of chess: a legal move would be right", quoted(.text))]
    NullMove {
        /// The text.
        text: String,
    },
    /// A result in place of a move.
    #[error("{} is the result of a game: a move such as `Nf3` would be right", quoted(.text))]
    Result {
        /// The text.
        text: String,
    },
    /// Not written as a move.
    #[error("{} is not written as a move: one such as `e4`, `Nbxd2`, `e8=Q` or `O-O` would be right", quoted(.text))]
    Unreadable {
        /// The text.
        text: String,
    },
    /// A piece in lower case.
    #[error("{} begins with a lower-case letter: `{right}` would be right", quoted(.text))]
    LowerCase {
        /// The text.
        text: String,
        /// The legal move that was meant.
        right: String,
    },
    /// A promotion to what a pawn cannot become.
    #[error("a pawn does not become {} in {}: Q, R, B or N would be right", quoted_char(*.letter), quoted(.text))]
    BadPromotion {
        /// The text.
        text: String,
        /// The letter.
        letter: char,
    },
    /// A pawn reaches the last rank and stays a pawn.
    #[error("{} does not say what the pawn becomes: {} would be right", quoted(.text), one_of(.candidates))]
    MissingPromotion {
        /// The text.
        text: String,
        /// The moves that may be meant.
        candidates: Vec<String>,
    },
    /// A promotion of what does not promote.
    #[error("{} promotes what is no pawn on its last rank: {} would be right", quoted(.text), one_of(.candidates))]
    UnwantedPromotion {
        /// The text.
        text: String,
        /// The moves without it.
        candidates: Vec<String>,
    },
    /// Castling that is not allowed now.
    #[error(
        "{side} cannot castle with {} here: {}", quoted(.text),
        if *.has_right { "another move, until king and rook have a free and safe way, would be right" }
        else { "another move would be right, for the right to castle on that side is gone" }
    )]
    Castling {
        /// The text.
        text: String,
        /// The side to move.
        side: Color,
        /// Whether the right is still there.
        has_right: bool,
    },
    /// No legal move fits.
    #[error("no {} can legally make the move {}: {}", .piece.name(), quoted(.text), instead(.candidates))]
    NoSuchMove {
        /// The text.
        text: String,
        /// The kind of man that was to move.
        piece: Piece,
        /// Some legal moves of such men.
        candidates: Vec<String>,
    },
    /// More than one legal move fits.
    #[error("{} is ambiguous: {} would be right", quoted(.text), one_of(.candidates))]
    Ambiguous {
        /// The text.
        text: String,
        /// All moves that fit.
        candidates: Vec<String>,
    },
}

fn one_of(candidates: &[String]) -> String {
    let shown: Vec<String> = candidates.iter().take(MAX_OFFERED).map(|text| format!("`{text}`")).collect();
    let more = if candidates.len() > MAX_OFFERED { ", …" } else { "" };
    let prefix = if candidates.len() == 1 { "" } else { "one of " };
    format!("{prefix}{}{more}", shown.join(", "))
}

fn instead(candidates: &[String]) -> String {
    if candidates.is_empty() {
        "it has no legal move, and another man would be right".to_owned()
    } else {
        format!("{} would be right for it", one_of(candidates))
    }
}

/// Writes a legal move as short as the standard asks: the from-file, else the from-rank, else both are added
/// only where another man of the kind can legally go to the same square; `+` or `#` follows a check or mate.
pub fn write(position: &Position, chosen: Move) -> String {
    let mut text = body(position, chosen, &position.legal_moves());
    let after = position.after(chosen);
    if after.in_check() {
        text.push(if after.count_moves() == 0 { '#' } else { '+' });
    }
    text
}

/// The move without `+` or `#`.
fn body(position: &Position, chosen: Move, legal: &[Move]) -> String {
    match position.castles(chosen) {
        Some(Wing::H) => return "O-O".to_owned(),
        Some(Wing::A) => return "O-O-O".to_owned(),
        None => {}
    }
    let (from, to) = (chosen.from(), chosen.to());
    let piece = position.piece_on(from).unwrap_or(Piece::Pawn);
    let mut text = String::with_capacity(8);
    if piece == Piece::Pawn {
        if from.file() != to.file() {
            text.push(from.file().letter());
            text.push('x');
        }
    } else {
        text.push(piece.letter().to_ascii_uppercase());
        text.push_str(&origin(position, piece, chosen, legal));
        if position.occupied().has(to) {
            text.push('x');
        }
    }
    text.push_str(&to.to_string());
    if let Some(promotion) = chosen.promotion() {
        text.push('=');
        text.push(promotion.letter().to_ascii_uppercase());
    }
    text
}

/// As much of the from-square as tells `chosen` from the moves of its rivals.
fn origin(position: &Position, piece: Piece, chosen: Move, legal: &[Move]) -> String {
    let from = chosen.from();
    let rivals = legal.iter().filter(|rival| {
        rival.to() == chosen.to() && rival.from() != from && position.pieces(piece).has(rival.from())
    });
    let rivals: Vec<Square> = rivals.map(|rival| rival.from()).collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != from.file()) {
        from.file().letter().to_string()
    } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
        from.rank().digit().to_string()
    } else {
        from.to_string()
    }
}

/// Reads a legal move. Nothing is guessed: a text that fits more than one is refused.
///
/// Liberal where only one move can be meant: zeros for castling, missing, wrong or doubled check marks, `!` and
/// `?`, `e.p.`, `x`, `:` or `-` before the to-square or not, a promotion with `=`, in parentheses or bare,
/// `P` for pawns, more of the from-square than is needed (`Ng1f3`), the whole of it without a letter (`g1f3`).
///
/// # Errors
/// Anything that does not fit exactly one legal move.
pub fn read(position: &Position, text: &str) -> Result<Move, SanError> {
    let legal = position.legal_moves();
    let found = find(position, text, &legal);
    // A lower-case b is a file before it is a bishop, so the other reading is offered, never taken.
    match (&found, text.chars().next()) {
        (
            Err(SanError::Unreadable { .. } | SanError::NoSuchMove { .. }),
            Some('n' | 'b' | 'r' | 'q' | 'k'),
        ) => {
            let upper = text[..1].to_ascii_uppercase() + &text[1..];
            match find(position, &upper, &legal) {
                Ok(meant) => {
                    Err(SanError::LowerCase { text: text.to_owned(), right: write(position, meant) })
                }
                Err(_) => found,
            }
        }
        _ => found,
    }
}

fn find(position: &Position, text: &str, legal: &[Move]) -> Result<Move, SanError> {
    match Said::parse(text)? {
        Said::Castling(wing) => castle(position, text, wing, legal),
        Said::Move(said) => said.choose(position, text, legal),
    }
}

fn castle(position: &Position, text: &str, wing: Wing, legal: &[Move]) -> Result<Move, SanError> {
    let found = legal.iter().find(|candidate| position.castles(**candidate) == Some(wing));
    let side = position.side();
    let has_right = position.castling().rook(side, wing).is_some();
    found.copied().ok_or_else(|| SanError::Castling { text: text.to_owned(), side, has_right })
}

/// What a text says.
enum Said {
    Castling(Wing),
    Move(Step),
}

/// A move as far as it is told.
struct Step {
    /// `None` where a whole from-square stands without a letter: whatever stands there.
    piece: Option<Piece>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

impl Said {
    fn parse(text: &str) -> Result<Said, SanError> {
        let owned = || text.to_owned();
        if text.is_empty() {
            return Err(SanError::Empty);
        }
        if NULL_MOVES.contains(&text) {
            return Err(SanError::NullMove { text: owned() });
        }
        if RESULTS.contains(&text) {
            return Err(SanError::Result { text: owned() });
        }
        let bare = without_suffixes(text);
        match bare {
            "O-O" | "0-0" | "o-o" => return Ok(Said::Castling(Wing::H)),
            "O-O-O" | "0-0-0" | "o-o-o" => return Ok(Said::Castling(Wing::A)),
            _ => {}
        }
        let (rest, promotion) = split_promotion(bare);
        let promotion = match promotion {
            Some(letter) => Some(
                Piece::from_letter(letter)
                    .filter(|piece| Piece::PROMOTIONS.contains(piece))
                    .ok_or_else(|| SanError::BadPromotion { text: owned(), letter })?,
            ),
            None => None,
        };
        Step::parse(rest, promotion).map(Said::Move).ok_or_else(|| SanError::Unreadable { text: owned() })
    }
}

fn without_suffixes(text: &str) -> &str {
    let mut bare = text;
    while let Some(shorter) = SUFFIXES.iter().find_map(|suffix| bare.strip_suffix(suffix)) {
        bare = shorter;
    }
    bare
}

/// Splits `e8=Q`, `e8(Q)`, `e8Q` and `e7e8q` into the move and the letter of the promotion.
fn split_promotion(text: &str) -> (&str, Option<char>) {
    let inner = text.strip_suffix(')');
    let told = inner.unwrap_or(text);
    let Some(letter) = told.chars().last().filter(char::is_ascii_alphabetic) else { return (text, None) };
    let before = &told[..told.len() - 1];
    let before = before.strip_suffix(if inner.is_some() { '(' } else { '=' }).unwrap_or(before);
    if before.ends_with(|last: char| last.is_ascii_digit()) { (before, Some(letter)) } else { (text, None) }
}

impl Step {
    fn parse(text: &str, promotion: Option<Piece>) -> Option<Step> {
        if !text.is_ascii() {
            return None;
        }
        let letter = text.chars().next().filter(char::is_ascii_uppercase);
        let named = match letter {
            Some(letter) => Some(Piece::from_letter(letter)?),
            None => None,
        };
        let rest = &text[usize::from(letter.is_some())..];
        let split = rest.len().checked_sub(2)?;
        let to = rest[split..].parse().ok()?;
        let origin = &rest[..split];
        let origin = origin.strip_suffix(['x', ':', '-']).unwrap_or(origin);
        let mut signs = origin.chars().peekable();
        let file = signs.peek().copied().and_then(File::from_letter);
        if file.is_some() {
            signs.next();
        }
        let rank = signs.peek().copied().and_then(Rank::from_digit);
        if rank.is_some() {
            signs.next();
        }
        let whole = file.is_some() && rank.is_some();
        let piece = named.or((!whole).then_some(Piece::Pawn));
        signs.next().is_none().then_some(Step { piece, file, rank, to, promotion })
    }

    fn choose(&self, position: &Position, text: &str, legal: &[Move]) -> Result<Move, SanError> {
        let owned = || text.to_owned();
        let fitting: Vec<Move> =
            legal.iter().copied().filter(|candidate| self.fits(position, *candidate)).collect();
        let meant: Vec<Move> =
            fitting.iter().copied().filter(|candidate| candidate.promotion() == self.promotion).collect();
        match (meant.as_slice(), fitting.as_slice()) {
            ([only], _) => Ok(*only),
            ([], []) => Err(self.no_such_move(position, text, legal)),
            ([], fitting) if self.promotion.is_none() => {
                Err(SanError::MissingPromotion { text: owned(), candidates: list(position, fitting) })
            }
            ([], fitting) => {
                Err(SanError::UnwantedPromotion { text: owned(), candidates: list(position, fitting) })
            }
            (rivals, _) => Err(SanError::Ambiguous { text: owned(), candidates: list(position, rivals) }),
        }
    }

    /// Whether `candidate` is a move that the text may mean, promotions left out.
    fn fits(&self, position: &Position, candidate: Move) -> bool {
        let from = candidate.from();
        candidate.to() == self.to
            && position.castles(candidate).is_none()
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
            && self.piece.is_none_or(|piece| position.pieces(piece).has(from))
    }

    fn no_such_move(&self, position: &Position, text: &str, legal: &[Move]) -> SanError {
        let there =
            self.file.zip(self.rank).and_then(|(file, rank)| position.piece_on(Square::at(file, rank)));
        let piece = self.piece.or(there).unwrap_or(Piece::Pawn);
        let same: Vec<Move> =
            legal.iter().copied().filter(|candidate| position.pieces(piece).has(candidate.from())).collect();
        let near: Vec<Move> = same.iter().copied().filter(|candidate| candidate.to() == self.to).collect();
        let candidates = list(position, if near.is_empty() { &same } else { &near });
        SanError::NoSuchMove { text: text.to_owned(), piece, candidates }
    }
}

fn list(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut written: Vec<String> = moves.iter().map(|candidate| write(position, *candidate)).collect();
    written.sort_unstable();
    written
}
