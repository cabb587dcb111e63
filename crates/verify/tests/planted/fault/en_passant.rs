//! Captures en passant that are wrong.

use vezir_chess::{Bitboard, Piece, Rank, Square, attacks};

use super::safety::is_pinned;
use super::{add, king, own, text};
use crate::program::State;

/// Captures en passant that look right, legal or not.
fn ep_captures(state: &State) -> Vec<(Square, Square)> {
    let Some(to) = state.passed() else { return Vec::new() };
    let near = attacks::pawn(!state.position.side(), to) & own(state, Piece::Pawn);
    near.into_iter().map(|from| (from, to)).collect()
}

fn ep_where(state: &State, texts: &mut Vec<String>, wanted: impl Fn(Square) -> bool) {
    for (from, to) in ep_captures(state) {
        if wanted(from) {
            add(texts, from, to);
        }
    }
}

pub(crate) fn ep_along_rank(state: &State, texts: &mut Vec<String>) {
    let calm = !state.position.in_check();
    ep_where(state, texts, |from| calm && from.rank() == king(state).rank());
}

pub(crate) fn ep_along_file(state: &State, texts: &mut Vec<String>) {
    let calm = !state.position.in_check();
    ep_where(state, texts, |from| calm && from.file() == king(state).file());
}

pub(crate) fn ep_along_diagonal(state: &State, texts: &mut Vec<String>) {
    let calm = !state.position.in_check();
    ep_where(state, texts, |from| calm && attacks::diagonals(from).has(king(state)));
}

pub(crate) fn ep_in_check(state: &State, texts: &mut Vec<String>) {
    ep_where(state, texts, |_| state.position.in_check());
}

fn ep_never_where(state: &State, texts: &mut Vec<String>, wanted: impl Fn(Square) -> bool) {
    let captures = ep_captures(state);
    let gone = |found: &String| captures.iter().any(|(from, to)| wanted(*from) && *found == text(*from, *to));
    texts.retain(|found| !gone(found));
}

pub(crate) fn ep_never_pinned(state: &State, texts: &mut Vec<String>) {
    let calm = !state.position.in_check();
    ep_never_where(state, texts, |from| calm && is_pinned(state, from));
}

pub(crate) fn ep_never_in_check(state: &State, texts: &mut Vec<String>) {
    ep_never_where(state, texts, |_| state.position.in_check());
}

pub(crate) fn ep_never(state: &State, texts: &mut Vec<String>) {
    ep_never_where(state, texts, |_| true);
}

pub(crate) fn ep_always(state: &State, texts: &mut Vec<String>) {
    let side = state.position.side();
    for from in own(state, Piece::Pawn) & Bitboard::rank(Rank::nth(side, 5)) {
        for to in attacks::pawn(side, from) & !state.position.occupied() {
            let prey = Square::at(to.file(), from.rank());
            if state.position.men(!side, Piece::Pawn).has(prey) && !state.position.in_check() {
                add(texts, from, to);
            }
        }
    }
}

pub(crate) fn ep_not_after_own_push(state: &State, texts: &mut Vec<String>) {
    if state.last.is_some() {
        ep_never(state, texts);
    }
}

pub(crate) fn ep_leaves_pawn(state: &State, texts: &mut Vec<String>) {
    let Some((before, chosen)) = state.last else { return };
    let pawn = before.pieces(Piece::Pawn).has(chosen.from());
    if pawn && before.en_passant() == Some(chosen.to()) && !state.position.in_check() {
        let ghost = Square::at(chosen.to().file(), chosen.from().rank());
        texts.extend(ghost.ahead(state.position.side(), 1).map(|to| text(ghost, to)));
    }
}
