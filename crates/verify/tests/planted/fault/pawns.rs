//! Pawns' steps and promotions that are wrong.

use vezir_chess::{Bitboard, Color, Piece, Rank, Square, attacks};

use super::{add, own, text};
use crate::program::State;

pub(crate) fn promotion_no_knight(_: &State, texts: &mut Vec<String>) {
    texts.retain(|found| !found.ends_with('n'));
}

pub(crate) fn promotion_to_king(_: &State, texts: &mut Vec<String>) {
    let kings = texts.iter().filter(|found| found.ends_with('q')).map(|found| found.replace('q', "k"));
    let kings: Vec<String> = kings.collect();
    texts.extend(kings);
}

pub(crate) fn promotion_early(state: &State, texts: &mut Vec<String>) {
    let seventh = Rank::nth(state.position.side(), 7).digit();
    for from in own(state, Piece::Pawn) {
        let steps: Vec<String> = texts
            .iter()
            .filter(|found| found.starts_with(&from.to_string()) && found.ends_with(seventh))
            .map(|found| format!("{found}q"))
            .collect();
        texts.extend(steps);
    }
}

fn double_where(state: &State, texts: &mut Vec<String>, rank: u8, blocked: bool) {
    let (position, side) = (&state.position, state.position.side());
    for from in own(state, Piece::Pawn) & Bitboard::rank(Rank::nth(side, rank)) {
        let (Some(passed), Some(to)) = (from.ahead(side, 1), from.ahead(side, 2)) else { continue };
        if position.occupied().has(passed) == blocked && !position.occupied().has(to) && !position.in_check()
        {
            add(texts, from, to);
        }
    }
}

pub(crate) fn double_from_third(state: &State, texts: &mut Vec<String>) {
    double_where(state, texts, 3, false);
}

pub(crate) fn double_through(state: &State, texts: &mut Vec<String>) {
    double_where(state, texts, 2, true);
}

fn doubles(state: &State) -> Vec<String> {
    let side = state.position.side();
    let pawns = own(state, Piece::Pawn) & Bitboard::rank(Rank::nth(side, 2));
    pawns.into_iter().filter_map(|from| Some(text(from, from.ahead(side, 2)?))).collect()
}

pub(crate) fn double_never(state: &State, texts: &mut Vec<String>) {
    let doubles = doubles(state);
    texts.retain(|found| !doubles.contains(found));
}

pub(crate) fn pawn_takes_ahead(state: &State, texts: &mut Vec<String>) {
    let (position, side) = (&state.position, state.position.side());
    for from in own(state, Piece::Pawn) {
        if let Some(to) = from.ahead(side, 1).filter(|to| position.color(!side).has(*to))
            && to.ahead(side, 1).is_some()
        {
            add(texts, from, to);
        }
    }
}

pub(crate) fn pawn_goes_aside(state: &State, texts: &mut Vec<String>) {
    let side = state.position.side();
    for from in own(state, Piece::Pawn) & !Bitboard::rank(Rank::nth(side, 5)) {
        let aside = attacks::pawn(side, from) & !state.position.occupied() & !Bitboard::BACK_RANKS;
        aside.into_iter().for_each(|to| add(texts, from, to));
    }
}

pub(crate) fn pawn_wraps(state: &State, texts: &mut Vec<String>) {
    let (position, side) = (&state.position, state.position.side());
    for from in own(state, Piece::Pawn) {
        let (last, step): (usize, i8) = if side == Color::White { (7, 9) } else { (0, -9) };
        let to = from.index() as i8 + step;
        if from.file().index() == last && (8..56).contains(&to) {
            let to = Square::wrapping(to as u8);
            if position.color(!side).has(to) && !position.men(!side, Piece::King).has(to) {
                add(texts, from, to);
            }
        }
    }
}
