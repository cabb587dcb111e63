//! Moves of pawns that no pawn can make.

use vezir_chess::{Piece, Position, Rank, Square, attacks};

use super::{Reason, geometry, man};
use crate::Tag;

/// The fault of a promotion's letter, whoever moves.
pub(super) fn promotion(
    position: &Position,
    from: Square,
    to: Square,
    letter: Option<char>,
) -> Option<Reason> {
    let side = position.side();
    let last = position.men(side, Piece::Pawn).has(from) && to.rank() == Rank::nth(side, 8);
    let piece = letter.and_then(Piece::from_letter);
    match (last, letter, piece) {
        (true, Some(_), Some(piece)) if Piece::PROMOTIONS.contains(&piece) => None,
        (false, None, _) => None,
        (true, None, _) => {
            Some(Reason::new(Tag::PromotionExtra, format!("the pawn that reaches {to} must become a piece")))
        }
        (true, Some(letter), _) => Some(Reason::new(
            Tag::PromotionExtra,
            format!("a pawn becomes q, r, b or n, and not `{}`", letter.escape_debug()),
        )),
        (false, Some(_), _) => Some(Reason::new(
            Tag::PromotionExtra,
            format!("{} does not reach its last rank as a pawn", man(position, from)),
        )),
    }
}

/// Why the pawn on `from` cannot go to `to`, the king's safety left out; `None` if it can.
///
/// Captures en passant are looked at before.
pub(super) fn step(position: &Position, from: Square, to: Square) -> Option<Reason> {
    let side = position.side();
    let enemy = position.color(!side).has(to);
    if attacks::pawn(side, from).has(to) {
        let why = format!("there is nothing to capture on {to}");
        return (!enemy).then(|| Reason::new(Tag::PawnStep, why));
    }
    if from.ahead(side, 1) == Some(to) {
        let why = || format!("{} stands before the pawn on {from}", man(position, to));
        return enemy.then(|| Reason::new(Tag::PawnStep, why()));
    }
    if from.ahead(side, 2) == Some(to) {
        return double_push(position, from, to);
    }
    Some(if geometry::wraps(Piece::Pawn, from, to) {
        Reason::new(Tag::WrapAround, format!("from {from} to {to} the pawn leaves the board"))
    } else {
        Reason::new(Tag::PawnStep, format!("a pawn does not go from {from} to {to}"))
    })
}

fn double_push(position: &Position, from: Square, to: Square) -> Option<Reason> {
    let side = position.side();
    let passed = from.ahead(side, 1)?;
    let blocker = [passed, to].into_iter().find(|square| position.occupied().has(*square));
    let why = if from.rank() != Rank::nth(side, 2) {
        format!("a pawn steps twice from rank {} only", Rank::nth(side, 2).digit())
    } else {
        format!("{} is in the way of the pawn on {from}", man(position, blocker?))
    };
    Some(Reason::new(Tag::PawnDoublePush, why))
}

/// Which rule of pawns a legal move of one needs, if it is a special one.
pub(super) fn missing(position: &Position, from: Square, to: Square, promotes: bool) -> Option<Reason> {
    if promotes {
        let why = format!("a pawn that reaches {to} may become a queen, a rook, a bishop or a knight");
        return Some(Reason::new(Tag::PromotionMissing, why));
    }
    let double = from.ahead(position.side(), 2) == Some(to);
    double.then(|| {
        Reason::new(Tag::PawnDoublePush, format!("from {from} a pawn may step twice over an empty square"))
    })
}
