//! Castling: every rule that an illegal one breaks, and what a legal one needs.

use vezir_chess::{Bitboard, Piece, Position, Rank, Square, Wing, attacks};

use super::{Reason, named};
use crate::Tag;
use crate::attackers::attackers;

/// Whether a king's move can only mean castling: onto an own rook, or two squares and more along its first rank.
pub(super) fn means(position: &Position, from: Square, to: Square) -> bool {
    let side = position.side();
    let far = from.file().index().abs_diff(to.file().index()) >= 2;
    let landing = Wing::ALL.into_iter().any(|wing| wing.king_file() == to.file());
    let home = from.rank() == Rank::nth(side, 1) && to.rank() == from.rank();
    home && from != to && (position.men(side, Piece::Rook).has(to) || (far && landing))
}

/// All rules that castling from `from` towards `to` breaks.
pub(super) fn extra(position: &Position, from: Square, to: Square) -> Reason {
    let wing = if to > from { Wing::H } else { Wing::A };
    let rook = position.castling().rook(position.side(), wing);
    let other = position.men(position.side(), Piece::Rook).has(to).then_some(to);
    let Some(rook) = rook else {
        let why = format!("there is no right to castle on the {}-side", wing.corner().letter());
        return Reason::new(Tag::CastlingRight, why);
    };
    if let Some(other) = other.filter(|other| *other != rook) {
        let why = format!("the right is that of the rook on {rook}, not of the one on {other}");
        return Reason::new(Tag::CastlingWrongRook, why);
    }
    let broken = broken(position, from, rook, wing).into_iter().reduce(Reason::and);
    broken.unwrap_or_else(|| Reason::new(Tag::Rest, "castling is legal here, and is written otherwise"))
}

fn broken(position: &Position, king: Square, rook: Square, wing: Wing) -> Vec<Reason> {
    let king_to = Square::at(wing.king_file(), king.rank());
    let rook_to = Square::at(wing.rook_file(), king.rank());
    let others = position.occupied() & !(Bitboard::of(king) | Bitboard::of(rook));
    let passed = attacks::between(king, king_to);
    let king_way = passed | king_to.into();
    let rook_way = attacks::between(king, rook) | attacks::between(rook, rook_to) | rook_to.into();
    let without_king = position.occupied() & !Bitboard::of(king);
    let attacked = |square, occupied| attackers(position, square, occupied, Bitboard::FULL);

    let mut broken = Vec::new();
    if let Some(blocker) = (others & (king_way | rook_way)).first() {
        let name = position.piece_on(blocker).map_or("man", Piece::name);
        broken.push(Reason::new(Tag::CastlingBlocked, format!("the {name} on {blocker} stands in the way")));
    }
    if position.in_check() {
        let checkers = named(position, position.checkers());
        broken.push(Reason::new(Tag::CastlingOutOfCheck, format!("the king is in check from {checkers}")));
    }
    if let Some(square) = passed.into_iter().find(|square| !attacked(*square, without_king).is_empty()) {
        let by = named(position, attacked(square, without_king));
        broken.push(Reason::new(
            Tag::CastlingThroughCheck,
            format!("the king passes {square}, attacked by {by}"),
        ));
    }
    let landing = attacked(king_to, without_king);
    if !landing.is_empty() && king_to != king {
        let by = named(position, landing);
        broken.push(Reason::new(
            Tag::CastlingIntoCheck,
            format!("the king lands on {king_to}, attacked by {by}"),
        ));
    }
    let castled = others | king_to.into() | rook_to.into();
    let open = attacked(king_to, castled);
    if landing.is_empty() && !open.is_empty() {
        let by = named(position, open);
        broken.push(Reason::new(Tag::CastlingPinnedRook, format!("the rook leaves the line of {by}")));
    }
    broken
}

/// Which rule legal castling needs.
pub(super) fn missing(position: &Position, king: Square, rook: Square) -> Reason {
    let wing = if rook > king { Wing::H } else { Wing::A };
    let rook_to = Square::at(wing.rook_file(), king.rank());
    let way = attacks::between(rook, rook_to) | rook.into();
    let king_way = attacks::between(king, Square::at(wing.king_file(), king.rank()));
    let attacked =
        |square: &Square| !attackers(position, *square, position.occupied(), Bitboard::FULL).is_empty();
    match (way & !king_way).into_iter().find(attacked) {
        Some(square) => Reason::new(
            Tag::CastlingThroughCheck,
            format!("only the rook stands on or passes {square}, which is attacked: that is allowed"),
        ),
        None => Reason::new(Tag::Castling, "the right is there, the way is free and safe"),
    }
}
