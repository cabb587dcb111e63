//! What is strange about a text that is a position all the same.

use std::fmt;

use super::{Field, retro};
use crate::{Color, Position, Square};

/// How many men a side starts with.
const MEN_AT_START: u32 = 16;
/// The most men that one move can make give check.
const MAX_CHECKERS: u32 = 2;

/// What the fields said, as far as warnings need it.
pub(super) struct Said {
    /// The first field that is missing.
    pub(super) missing: Option<Field>,
    /// The en passant square, whether or not anything can capture there.
    pub(super) en_passant: Option<Square>,
    pub(super) halfmoves: Option<u32>,
    pub(super) fullmoves: Option<u32>,
}

/// Something that was accepted and is still worth telling. Each displays as one sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenWarning {
    /// Fields at the end are missing and were read as those of `w - - 0 1`.
    MissingFields {
        /// The first that is missing.
        first: Field,
    },
    /// A side has more men than it starts with.
    ManyMen {
        /// The side.
        color: Color,
        /// How many men it has.
        count: u32,
    },
    /// More men give check than one move can make.
    ManyCheckers {
        /// How many give check.
        count: u32,
    },
    /// Two men give check that no single move can have made give check together.
    ImpossibleDoubleCheck {
        /// One of them.
        first: Square,
        /// The other.
        second: Square,
    },
    /// The king was attacked already before the double step that the en passant square tells of.
    CheckBeforeDoubleStep {
        /// The en passant square.
        square: Square,
    },
    /// No capture on the en passant square is legal: it was dropped.
    UselessEnPassant {
        /// The square.
        square: Square,
    },
    /// The number of the move is 0 and was read as 1.
    FullmoveZero,
    /// The halfmove clock is not 0, though a pawn has just moved.
    HalfmovesAfterDoubleStep {
        /// The clock.
        halfmoves: u32,
    },
    /// The halfmove clock counts more plies than were played by the number of the move.
    HalfmovesBeyondGame {
        /// The clock.
        halfmoves: u32,
        /// The plies that were played.
        plies: u64,
    },
}

/// What is read where the fields from `first` on are missing.
const fn default_from(first: Field) -> &'static str {
    match first {
        Field::Placement | Field::Side | Field::Whole => "w - - 0 1",
        Field::Castling => "- - 0 1",
        Field::EnPassant => "- 0 1",
        Field::Halfmoves => "0 1",
        Field::Fullmoves => "1",
    }
}

impl fmt::Display for FenWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenWarning::MissingFields { first } => {
                write!(
                    f,
                    "the fields from the {first} on are missing and were read as `{}`",
                    default_from(*first)
                )
            }
            FenWarning::ManyMen { color, count } => {
                write!(f, "{color} has {count} men, and a game begins with {MEN_AT_START}")
            }
            FenWarning::ManyCheckers { count } => {
                write!(
                    f,
                    "{count} men give check at once, and one move can make at most {MAX_CHECKERS} do so"
                )
            }
            FenWarning::ImpossibleDoubleCheck { first, second } => {
                write!(
                    f,
                    "the men on {first} and {second} give check at once, and no move can have led to that"
                )
            }
            FenWarning::CheckBeforeDoubleStep { square } => write!(
                f,
                "the king was attacked before a pawn passed {square}, so the side to move cannot have left it there"
            ),
            FenWarning::UselessEnPassant { square } => {
                write!(f, "no capture on the en passant square {square} is legal, and it was dropped")
            }
            FenWarning::FullmoveZero => f.write_str("the fullmove number 0 was read as 1"),
            FenWarning::HalfmovesAfterDoubleStep { halfmoves } => {
                write!(
                    f,
                    "the halfmove clock is {halfmoves} just after a pawn's double step, which sets it to 0"
                )
            }
            FenWarning::HalfmovesBeyondGame { halfmoves, plies } => {
                write!(
                    f,
                    "the halfmove clock is {halfmoves}, and only {plies} plies were played by that move"
                )
            }
        }
    }
}

/// All warnings, in the order of the fields that they speak of.
pub(super) fn list(position: &Position, said: &Said) -> Vec<FenWarning> {
    let mut warnings = Vec::new();
    warnings.extend(said.missing.map(|first| FenWarning::MissingFields { first }));
    warnings.extend(Color::ALL.into_iter().filter_map(|color| many_men(position, color)));
    warnings.extend(impossible_check(position, said.en_passant));
    warnings.extend(
        said.en_passant
            .filter(|square| position.en_passant() != Some(*square))
            .map(|square| FenWarning::UselessEnPassant { square }),
    );
    warnings.extend(said.fullmoves.filter(|number| *number == 0).map(|_| FenWarning::FullmoveZero));
    warnings.extend(halfmoves_that_do_not_fit(position, said));
    warnings
}

fn many_men(position: &Position, color: Color) -> Option<FenWarning> {
    let count = position.color(color).count();
    (count > MEN_AT_START).then_some(FenWarning::ManyMen { color, count })
}

fn impossible_check(position: &Position, passed: Option<Square>) -> Option<FenWarning> {
    let checkers = position.checkers();
    let count = checkers.count();
    if count > MAX_CHECKERS {
        return Some(FenWarning::ManyCheckers { count });
    }
    if let Some(square) = passed {
        let before = retro::checked_before_double_step(position, square);
        return before.then_some(FenWarning::CheckBeforeDoubleStep { square });
    }
    let (first, second) = (checkers.first()?, checkers.last()?);
    (first != second && !retro::one_move_explains(position, checkers))
        .then_some(FenWarning::ImpossibleDoubleCheck { first, second })
}

fn halfmoves_that_do_not_fit(position: &Position, said: &Said) -> Option<FenWarning> {
    let halfmoves = said.halfmoves?;
    if said.en_passant.is_some() && halfmoves > 0 {
        return Some(FenWarning::HalfmovesAfterDoubleStep { halfmoves });
    }
    let moves = said.fullmoves?.checked_sub(1)?;
    let plies = 2 * u64::from(moves) + position.side().index() as u64;
    (u64::from(halfmoves) > plies).then_some(FenWarning::HalfmovesBeyondGame { halfmoves, plies })
}
