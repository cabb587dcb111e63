//! Pins, checks and kings that are not looked after.

use vezir_chess::{Bitboard, Piece, Portable, Sliders, Square, attacks};

use super::{add, attackers, king};
use crate::program::State;

pub(crate) fn is_pinned(state: &State, from: Square) -> bool {
    let position = &state.position;
    let lifted = position.occupied() & !Bitboard::of(from);
    let open = attackers(position, king(state), lifted) & !position.checkers();
    from != king(state) && !open.is_empty()
}

/// Where a man goes that does not care for its king.
fn reach(state: &State, from: Square) -> Bitboard {
    let position = &state.position;
    let (side, occupied) = (position.side(), position.occupied());
    let to = match position.piece_on(from) {
        Some(Piece::Knight) => attacks::knight(from),
        Some(Piece::Bishop) => Portable.bishop(from, occupied),
        Some(Piece::Rook) => Portable.rook(from, occupied),
        Some(Piece::Queen) => Portable.queen(from, occupied),
        Some(Piece::Pawn) if from.ahead(side, 2).is_some() => {
            let ahead = from.ahead(side, 1).map_or(Bitboard::EMPTY, Bitboard::of) & !occupied;
            ahead | (attacks::pawn(side, from) & position.color(!side))
        }
        _ => Bitboard::EMPTY,
    };
    to & !position.color(side)
}

fn careless(state: &State, texts: &mut Vec<String>, wanted: impl Fn(Square, Square) -> bool) {
    for from in state.position.color(state.position.side()) {
        for to in reach(state, from) {
            if wanted(from, to) {
                add(texts, from, to);
            }
        }
    }
}

pub(crate) fn pinned_move(state: &State, texts: &mut Vec<String>) {
    let calm = !state.position.in_check();
    careless(state, texts, |from, _| calm && is_pinned(state, from));
}

pub(crate) fn pinned_never(state: &State, texts: &mut Vec<String>) {
    let passed = state.position.en_passant().map(|square| square.to_string());
    texts.retain(|found| {
        let from = found[..2].parse().expect("a square");
        let special = found.len() > 4 || passed.as_deref() == Some(&found[2..4]);
        special || state.position.in_check() || !is_pinned(state, from)
    });
}

pub(crate) fn double_check_capture(state: &State, texts: &mut Vec<String>) {
    let checkers = state.position.checkers();
    careless(state, texts, |_, to| checkers.is_many() && checkers.has(to));
}

pub(crate) fn double_check_no_flight(state: &State, texts: &mut Vec<String>) {
    if state.position.checkers().is_many() {
        texts.clear();
    }
}

pub(crate) fn check_overlooked(state: &State, texts: &mut Vec<String>) {
    let checkers = state.position.checkers();
    let one = checkers.count() == 1;
    careless(state, texts, |from, _| one && !is_pinned(state, from));
}

pub(crate) fn check_never_blocked(state: &State, texts: &mut Vec<String>) {
    if state.position.checkers().count() == 1 && state.position.en_passant().is_none() {
        let king = king(state).to_string();
        texts.retain(|found| found.starts_with(&king) || found.len() > 4);
    }
}

fn king_where(state: &State, texts: &mut Vec<String>, wanted: impl Fn(Bitboard, Bitboard) -> bool) {
    let (position, from) = (&state.position, king(state));
    for to in attacks::king(from) & !position.color(position.side()) {
        let now = attackers(position, to, position.occupied());
        let then = attackers(position, to, position.occupied() & !Bitboard::of(from));
        if wanted(now, then) {
            add(texts, from, to);
        }
    }
}

pub(crate) fn king_along_line(state: &State, texts: &mut Vec<String>) {
    king_where(state, texts, |now, then| now.is_empty() && !then.is_empty());
}

pub(crate) fn kings_touch(state: &State, texts: &mut Vec<String>) {
    let kings = state.position.pieces(Piece::King);
    king_where(state, texts, |_, then| !then.is_empty() && then.within(kings));
}

pub(crate) fn king_careless(state: &State, texts: &mut Vec<String>) {
    let kings = state.position.pieces(Piece::King);
    king_where(state, texts, |now, _| !now.is_empty() && !now.meets(kings));
}
