//! Men that go where they cannot, or do not go where they can.

use vezir_chess::{Color, Piece, Square, attacks};

use super::{add, own};
use crate::program::State;

pub(crate) fn sliding_through(state: &State, texts: &mut Vec<String>) {
    let position = &state.position;
    if position.in_check() {
        return;
    }
    for from in own(state, Piece::Bishop) | own(state, Piece::Rook) | own(state, Piece::Queen) {
        let lines = match position.piece_on(from) {
            Some(Piece::Bishop) => attacks::diagonals(from),
            Some(Piece::Rook) => attacks::cross(from),
            _ => attacks::diagonals(from) | attacks::cross(from),
        };
        for to in lines & !position.occupied() {
            if (attacks::between(from, to) & position.occupied()).count() == 1 {
                add(texts, from, to);
            }
        }
    }
}

pub(crate) fn knight_wraps(state: &State, texts: &mut Vec<String>) {
    for from in own(state, Piece::Knight) {
        let to = from.index() + 10;
        if to < 64 && from.file().index() >= 6 && !state.position.occupied().has(Square::wrapping(to as u8)) {
            add(texts, from, Square::wrapping(to as u8));
        }
    }
}

pub(crate) fn knight_takes_own(state: &State, texts: &mut Vec<String>) {
    for from in own(state, Piece::Knight) {
        let prey = attacks::knight(from) & state.position.color(state.position.side());
        (prey & !own(state, Piece::King)).into_iter().for_each(|to| add(texts, from, to));
    }
}

pub(crate) fn ghost_knight(state: &State, texts: &mut Vec<String>) {
    let white = state.position.side() == Color::White;
    let [home, to] = ["g1", "f3"].map(|name| name.parse().expect("a square"));
    if white && !state.position.occupied().has(home) {
        add(texts, home, to);
    }
}

pub(crate) fn knight_shy(state: &State, texts: &mut Vec<String>) {
    if !state.position.in_check() {
        let knights: Vec<String> =
            own(state, Piece::Knight).into_iter().map(|from| from.to_string()).collect();
        let rim = |found: &String| matches!(&found[2..3], "a" | "h");
        texts.retain(|found| !(knights.contains(&found[..2].to_owned()) && rim(found)));
    }
}

pub(crate) fn short_list(_: &State, texts: &mut Vec<String>) {
    texts.truncate(128);
}

pub(crate) fn only_at_ply_one(state: &State, texts: &mut Vec<String>) {
    if state.position.fullmoves() == 1 && state.position.side() == Color::Black {
        texts.retain(|found| found != "h7h5");
    }
}

pub(crate) fn only_at_ply_two(state: &State, texts: &mut Vec<String>) {
    if state.position.fullmoves() == 2 && state.position.side() == Color::White {
        texts.retain(|found| found != "b1c3");
    }
}
