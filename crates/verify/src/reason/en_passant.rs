//! Captures en passant: what makes one illegal, and what a legal one needs.

use vezir_chess::{Bitboard, Piece, Position, Square, attacks};

use super::{Reason, man, named};
use crate::Tag;
use crate::attackers::{behind, exposed};

/// The pawn that stands where `to` was passed, and is captured by the one on `from`.
pub(super) fn captured(from: Square, to: Square) -> Square {
    Square::at(to.file(), from.rank())
}

/// Whether a pawn's move looks like a capture en passant: aside, onto an empty square, past an enemy pawn.
pub(super) fn resembles(position: &Position, from: Square, to: Square) -> bool {
    let side = position.side();
    from.ahead(side, 4).is_none()
        && from.ahead(side, 3).is_some()
        && attacks::pawn(side, from).has(to)
        && !position.occupied().has(to)
        && position.men(!side, Piece::Pawn).has(captured(from, to))
}

/// Why a capture that resembles one en passant is illegal.
pub(super) fn extra(position: &Position, passed: Option<Square>, from: Square, to: Square) -> Reason {
    let taken = captured(from, to);
    if passed != Some(to) {
        let why = format!("the pawn on {taken} has not just made its double step");
        return Reason::new(Tag::EnPassant, why);
    }
    let open = exposed(position, from, to, taken.into());
    let king = position.king(position.side());
    if position.in_check() {
        let why = format!("it leaves the king on {king} in check from {}", named(position, open));
        return Reason::new(Tag::EnPassantCheck, why);
    }
    let why = format!(
        "with the pawns on {from} and {taken} gone, the king on {king} is attacked by {}",
        named(position, open)
    );
    Reason::new(along(king, open), why)
}

/// Which rule a legal capture needs.
pub(super) fn missing(position: &Position, from: Square, to: Square) -> Reason {
    let taken = captured(from, to);
    let king = position.king(position.side());
    if position.in_check() {
        let checkers = named(position, position.checkers());
        return Reason::new(Tag::EnPassantCheck, format!("it answers the check from {checkers}"));
    }
    for shield in [from, taken] {
        let open = behind(position, shield);
        if let Some(slider) = open.first() {
            let why = format!(
                "{} shields the king on {king} from {}, and the capture keeps the line closed",
                man(position, shield),
                man(position, slider)
            );
            return Reason::new(along(king, open), why);
        }
    }
    Reason::new(Tag::EnPassant, format!("the pawn on {taken} has just made its double step past {to}"))
}

/// The tag of the line on which the king and its attackers stand.
fn along(king: Square, attackers: Bitboard) -> Tag {
    match attackers.first() {
        Some(slider) if slider.rank() == king.rank() => Tag::EnPassantRank,
        Some(slider) if slider.file() == king.file() => Tag::EnPassantFile,
        Some(_) => Tag::EnPassantDiagonal,
        None => Tag::EnPassant,
    }
}
