//! Reading a FEN field by field, left to right, up to the first fault.

use super::fields::{Word, Words};
use super::warning::Said;
use super::{Fault, FenError, FenWarning, Field, castling, men, warning};
use crate::{Color, Defect, Position, Square, defect};

/// The most bytes that a text may have, blanks included.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;

/// The halfmove clock where the text has none.
const DEFAULT_HALFMOVES: u32 = 0;
/// The number of the move where the text has none.
const DEFAULT_FULLMOVES: u32 = 1;

/// A position that was read, and what was strange about its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The position.
    pub position: Position,
    /// What was accepted and is still worth telling.
    pub warnings: Vec<FenWarning>,
}

/// Reads a FEN.
///
/// # Errors
/// The first fault from left to right; see [`Fault`] for all kinds.
pub fn read(text: &str) -> Result<Reading, FenError> {
    if text.len() > MAX_TEXT_BYTES {
        let column = text.char_indices().take_while(|(at, _)| *at < MAX_TEXT_BYTES).count() + 1;
        let fault = Fault::TooLong { bytes: text.len() };
        return Err(FenError { field: Field::Whole, column, fault });
    }
    let words = Words::split(text);
    let [first, side, rights, en_passant, halfmoves, fullmoves] = words.fields;
    let first = first.ok_or(FenError { field: Field::Whole, column: 1, fault: Fault::Empty })?;
    let board = men::read(first).map_err(|error| match (&error.fault, side) {
        (Fault::FewRanks { last }, Some(next)) if next.text.contains('/') => {
            FenError { fault: Fault::BlankInBoard { last: *last }, ..error }
        }
        _ => error,
    })?;
    let at_defect = |defect: &Defect| defect.square().map_or(first.column, |square| board.column(square));
    if let Some(defect) = defect::of_men(&board.position) {
        return Err(first.fault_at(at_defect(&defect), defect.into()));
    }
    let mut position = board.position;
    position.set_side(side.map_or(Ok(Color::White), read_side)?);
    if let Some(defect) = defect::of_turn(&position) {
        return Err(match side {
            Some(word) => word.fault(defect.into()),
            None => first.fault_at(at_defect(&defect), defect.into()),
        });
    }
    if let Some(word) = rights {
        position.set_castling(castling::read(word, &position)?);
    }
    let said = Said {
        missing: [side, rights, en_passant, halfmoves, fullmoves]
            .iter()
            .zip(&Field::ALL[1..])
            .find_map(|(word, field)| word.is_none().then_some(*field)),
        en_passant: en_passant.map_or(Ok(None), |word| read_en_passant(word, &position))?,
        halfmoves: halfmoves.map(|word| read_number(word, DEFAULT_HALFMOVES)).transpose()?,
        fullmoves: fullmoves.map(|word| read_number(word, DEFAULT_FULLMOVES)).transpose()?,
    };
    words.finish()?;
    if let Some(square) = said.en_passant {
        position.offer_en_passant(square);
    }
    position.set_counters(
        said.halfmoves.unwrap_or(DEFAULT_HALFMOVES),
        said.fullmoves.unwrap_or(DEFAULT_FULLMOVES).max(DEFAULT_FULLMOVES),
    );
    Ok(Reading { position, warnings: warning::list(&position, &said) })
}

fn read_side(word: Word<'_>) -> Result<Color, FenError> {
    let text = word.text.to_owned();
    Err(word.foreign_or(match word.text {
        "w" => return Ok(Color::White),
        "b" => return Ok(Color::Black),
        "W" | "B" => Fault::UpperCaseSide { found: if text == "W" { 'W' } else { 'B' } },
        "-" => Fault::DashForSide,
        _ if text.eq_ignore_ascii_case("white") => Fault::SideSpelledOut { text, right: 'w' },
        _ if text.eq_ignore_ascii_case("black") => Fault::SideSpelledOut { text, right: 'b' },
        _ if consists_of(&text, "KQkq") => Fault::RightsForSide { text },
        _ if consists_of(&text, "wb") => Fault::ManySides { text },
        _ if is_digits(&text) => Fault::NumberForSide { text },
        _ => Fault::BadSide { text },
    }))
}

fn read_en_passant(word: Word<'_>, position: &Position) -> Result<Option<Square>, FenError> {
    if word.text == "-" {
        return Ok(None);
    }
    let square = word.text.parse().map_err(|_| word.foreign_or(no_square(word.text)))?;
    match defect::of_en_passant(position, square) {
        Some(defect) => Err(word.fault(defect.into())),
        None => Ok(Some(square)),
    }
}

/// What a text is that should be a square.
fn no_square(said: &str) -> Fault {
    let text = said.to_owned();
    let reversed: String = said.chars().rev().collect();
    let bytes = said.as_bytes();
    if let Ok(square) = said.to_ascii_lowercase().parse() {
        Fault::UpperCaseSquare { text, square }
    } else if let Ok(square) = reversed.parse() {
        Fault::SquareReversed { text, square }
    } else if is_digits(said) {
        Fault::NumberForSquare { text }
    } else if consists_of(said, "-") {
        Fault::ManyDashes { text }
    } else if said.get(..2).is_some_and(|start| start.parse::<Square>().is_ok()) {
        Fault::MoreThanSquare { text }
    } else if said.len() == 1 && matches!(bytes[0], b'a'..=b'h') {
        Fault::FileAlone { text }
    } else if said.len() == 2 && bytes[0].is_ascii_lowercase() && bytes[1].is_ascii_digit() {
        Fault::SquareOffBoard { text }
    } else {
        Fault::NotASquare { text }
    }
}

fn read_number(word: Word<'_>, default: u32) -> Result<u32, FenError> {
    let text = word.text.to_owned();
    if is_digits(&text) {
        return text.parse().map_err(|_| word.fault(Fault::LargeNumber { text }));
    }
    if text.strip_prefix('+').is_some_and(is_digits) {
        return Err(word.fault(Fault::SignedNumber { text }));
    }
    let hexadecimal = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    Err(word.foreign_or(if text == "-" {
        Fault::DashForNumber { default }
    } else if text.strip_prefix('-').is_some_and(is_digits) {
        Fault::NegativeNumber { text }
    } else if hexadecimal.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) {
        Fault::Hexadecimal { text }
    } else if text.starts_with(|first: char| first.is_ascii_digit()) {
        Fault::LettersAfterDigits { text }
    } else {
        Fault::NotANumber { text, default }
    }))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn consists_of(text: &str, letters: &str) -> bool {
    text.chars().all(|letter| letters.contains(letter))
}
