//! Why a move that was said is not legal: what no man can do first, then what it leaves its king in.

use vezir_chess::{Bitboard, Piece, Position, Square, Wing, attacks};

use super::{Reason, castling, en_passant, geometry, man, named, pawn};
use crate::Tag;
use crate::attackers::{attackers, exposed};
use crate::said::{squares, tidied};

/// The reason for a text that is no legal move of `position`, where `passed` was just passed by a pawn.
pub(super) fn of(position: &Position, passed: Option<Square>, text: &str) -> Reason {
    let tidy = tidied(text);
    let Some((from, to, letter)) = squares(&tidy) else {
        return Reason::new(Tag::Rest, "it is not a move: two squares, and q, r, b or n, would be right");
    };
    let side = position.side();
    let Some(piece) = position.piece_on(from).filter(|_| position.color(side).has(from)) else {
        let there = if position.occupied().has(from) { "a man of the other side" } else { "no man" };
        return Reason::new(Tag::NoSuchMan, format!("{there} stands on {from}"));
    };
    if from == to {
        return standstill(position, from);
    }
    if piece == Piece::King && castling::means(position, from, to) {
        return castling::extra(position, from, to);
    }
    if position.color(side).has(to) {
        return Reason::new(Tag::OwnManTaken, format!("{} is of the same side", man(position, to)));
    }
    if piece == Piece::Pawn && en_passant::resembles(position, from, to) {
        return en_passant::extra(position, passed, from, to);
    }
    pawn::promotion(position, from, to, letter)
        .or_else(|| impossible(position, piece, from, to))
        .unwrap_or_else(|| unsafe_king(position, piece, from, to))
}

/// A move from a square to itself: so a king's castling looks where the program takes the game for standard chess.
fn standstill(position: &Position, from: Square) -> Reason {
    let castles = Wing::ALL.into_iter().any(|wing| {
        let right = position.castling().rook(position.side(), wing).is_some();
        right && wing.king_file() == from.file()
    });
    if castles && position.king(position.side()) == from {
        return Reason::new(
            Tag::Castling,
            format!("castling keeps the king on {from}: Chess960 is not known here"),
        );
    }
    Reason::new(Tag::Rest, format!("it stays on {from}"))
}

/// Why the man on `from` cannot go to `to`, the king's safety left out; `None` if it can.
fn impossible(position: &Position, piece: Piece, from: Square, to: Square) -> Option<Reason> {
    if piece == Piece::Pawn {
        return pawn::step(position, from, to);
    }
    if geometry::wraps(piece, from, to) {
        let why = format!("from {from} to {to} the {} leaves the board", piece.name());
        return Some(Reason::new(Tag::WrapAround, why));
    }
    if !geometry::reaches(piece, from, to) {
        return Some(Reason::new(Tag::Rest, format!("a {} does not go from {from} to {to}", piece.name())));
    }
    let passed = attacks::between(from, to) & position.occupied();
    let blocker = passed.first().filter(|_| piece != Piece::Knight)?;
    Some(Reason::new(Tag::SlidingThrough, format!("{} is in the way", man(position, blocker))))
}

/// What a move that its man can make leaves the king in.
fn unsafe_king(position: &Position, piece: Piece, from: Square, to: Square) -> Reason {
    if piece == Piece::King {
        return king_move(position, from, to);
    }
    let king = position.king(position.side());
    let checkers = position.checkers();
    if checkers.is_many() {
        let why = format!("{} both give check, and only the king can answer", named(position, checkers));
        return Reason::new(Tag::DoubleCheck, why);
    }
    let open = exposed(position, from, to, Bitboard::EMPTY);
    let stays = open & checkers;
    let check = (!stays.is_empty()).then(|| {
        let why = format!("the king on {king} stays in check from {}", named(position, stays));
        Reason::new(Tag::CheckNotAnswered, why)
    });
    let pinners = open & !checkers;
    let pin = (!pinners.is_empty()).then(|| {
        let why = format!("{} is pinned by {}", man(position, from), named(position, pinners));
        Reason::new(Tag::Pinned, why)
    });
    let broken = check.into_iter().chain(pin).reduce(Reason::and);
    broken.unwrap_or_else(|| Reason::new(Tag::Rest, "the move is legal, and is written otherwise"))
}

fn king_move(position: &Position, from: Square, to: Square) -> Reason {
    let lifted = position.occupied() & !Bitboard::of(from) | to.into();
    let open = attackers(position, to, lifted, !Bitboard::of(to));
    let through = open & !attackers(position, to, position.occupied(), !Bitboard::of(to));
    let by = named(position, open);
    if open.meets(position.pieces(Piece::King)) {
        return Reason::new(Tag::KingsAdjacent, format!("the other king stands beside {to}"));
    }
    if open.is_empty() {
        return Reason::new(Tag::Rest, "the move is legal, and is written otherwise");
    }
    if through == open {
        return Reason::new(
            Tag::KingAlongLine,
            format!("through the square that the king leaves, {to} is attacked by {by}"),
        );
    }
    Reason::new(Tag::KingIntoAttack, format!("{to} is attacked by {by}"))
}
