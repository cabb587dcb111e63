//! Which rule a legal move needs that a program does not know.

use vezir_chess::{Move, Piece, Position};

use super::{Reason, castling, man, named, pawn};
use crate::Tag;
use crate::attackers::behind;

/// The reason for a legal move that is missing: the most special rule first.
pub(super) fn of(position: &Position, chosen: Move) -> Reason {
    let (from, to) = (chosen.from(), chosen.to());
    if position.castles(chosen).is_some() {
        return castling::missing(position, from, to);
    }
    let piece = position.piece_on(from);
    if piece == Some(Piece::Pawn)
        && let Some(reason) = pawn::missing(position, from, to, chosen.promotion().is_some())
    {
        return reason;
    }
    let checkers = position.checkers();
    if checkers.is_many() {
        let why = format!("{} both give check, and the king may flee", named(position, checkers));
        return Reason::new(Tag::DoubleCheck, why);
    }
    if !checkers.is_empty() {
        let why = format!("it answers the check from {}", named(position, checkers));
        return Reason::new(Tag::CheckNotAnswered, why);
    }
    let open = if piece == Some(Piece::King) { None } else { behind(position, from).first() };
    match open {
        Some(slider) => Reason::new(
            Tag::Pinned,
            format!("{} may move along the line of {}", man(position, from), man(position, slider)),
        ),
        None => Reason::new(Tag::Rest, format!("{} may go to {to}", man(position, from))),
    }
}
