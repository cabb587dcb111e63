//! Which rule a legal move needs that a program does not know.

use vezir_chess::{Move, Piece, Position, Square};

use super::{Reason, castling, en_passant, man, named, pawn};
use crate::Tag;
use crate::attackers::behind;

/// The reason for a legal move that is missing: its special rule, and what it does for its king.
pub(super) fn of(position: &Position, chosen: Move) -> Reason {
    let (from, to) = (chosen.from(), chosen.to());
    if position.castles(chosen).is_some() {
        return castling::missing(position, from, to);
    }
    let piece = position.piece_on(from);
    if piece == Some(Piece::Pawn) && position.en_passant() == Some(to) && from.file() != to.file() {
        return en_passant::missing(position, from, to);
    }
    let special = match piece {
        Some(Piece::Pawn) => pawn::missing(position, from, to, chosen.promotion().is_some()),
        _ => None,
    };
    match (special, for_king(position, piece, from)) {
        (Some(special), Some(king)) => special.and(king),
        (Some(reason), None) | (None, Some(reason)) => reason,
        (None, None) => Reason::new(Tag::Rest, format!("{} may go to {to}", man(position, from))),
    }
}

/// What a legal move of the man on `from` does for its king, if the king is in any danger.
fn for_king(position: &Position, piece: Option<Piece>, from: Square) -> Option<Reason> {
    let checkers = position.checkers();
    if checkers.is_many() {
        let why = format!("{} both give check, and the king may flee", named(position, checkers));
        return Some(Reason::new(Tag::DoubleCheck, why));
    }
    if !checkers.is_empty() {
        let why = format!("it answers the check from {}", named(position, checkers));
        return Some(Reason::new(Tag::CheckNotAnswered, why));
    }
    let slider = behind(position, from).first().filter(|_| piece != Some(Piece::King))?;
    let why = format!("{} may move along the line of {}", man(position, from), man(position, slider));
    Some(Reason::new(Tag::Pinned, why))
}
