//! Castling that is wrong, and rights that are kept too long.

use vezir_chess::{Bitboard, File, Piece, Rank, Square, Wing, attacks};

use super::{add, attackers, king, own, text};
use crate::program::{Loss, State};

/// What castling on a wing would break.
#[derive(PartialEq, Eq)]
struct Broken {
    blocked: bool,
    check: bool,
    through: bool,
    into: bool,
    pinned: bool,
}

const SOUND: Broken = Broken { blocked: false, check: false, through: false, into: false, pinned: false };

fn broken(state: &State, wing: Wing, rook: Square) -> Broken {
    let (position, king) = (&state.position, king(state));
    let king_to = Square::at(wing.king_file(), king.rank());
    let rook_to = Square::at(wing.rook_file(), king.rank());
    let others = position.occupied() & !(Bitboard::of(king) | Bitboard::of(rook));
    let passed = attacks::between(king, king_to);
    let way = passed | king_to.into() | attacks::between(king, rook) | attacks::between(rook, rook_to);
    let lifted = position.occupied() & !Bitboard::of(king);
    let hit = |square| !attackers(position, square, lifted).is_empty();
    let castled = others | king_to.into() | rook_to.into();
    Broken {
        blocked: others.meets(way | rook_to.into()),
        check: position.in_check(),
        through: passed.into_iter().any(hit),
        into: king != king_to && hit(king_to),
        pinned: !hit(king_to) && !attackers(position, king_to, castled).is_empty(),
    }
}

fn castling_where(state: &State, texts: &mut Vec<String>, wanted: impl Fn(&Broken) -> bool) {
    for wing in Wing::ALL {
        let Some(rook) = state.position.castling().rook(state.position.side(), wing) else { continue };
        if wanted(&broken(state, wing, rook)) {
            add(texts, king(state), rook);
        }
    }
}

pub(crate) fn castling_through(state: &State, texts: &mut Vec<String>) {
    castling_where(state, texts, |broken| *broken == Broken { through: true, ..SOUND });
}

pub(crate) fn castling_out_of(state: &State, texts: &mut Vec<String>) {
    castling_where(state, texts, |broken| *broken == Broken { check: true, ..SOUND });
}

pub(crate) fn castling_into(state: &State, texts: &mut Vec<String>) {
    castling_where(state, texts, |broken| *broken == Broken { into: true, ..SOUND });
}

pub(crate) fn castling_blocked(state: &State, texts: &mut Vec<String>) {
    castling_where(state, texts, |broken| *broken == Broken { blocked: true, ..SOUND });
}

pub(crate) fn castling_pinned_rook(state: &State, texts: &mut Vec<String>) {
    castling_where(state, texts, |broken| *broken == Broken { pinned: true, ..SOUND });
}

fn castlings(state: &State) -> Vec<String> {
    let moves = state.position.legal_moves().into_iter();
    moves
        .filter(|chosen| state.position.castles(*chosen).is_some())
        .map(|chosen| format!("{chosen:?}"))
        .collect()
}

pub(crate) fn castling_never(state: &State, texts: &mut Vec<String>) {
    let castlings = castlings(state);
    texts.retain(|found| !castlings.contains(found));
}

pub(crate) fn castling_rook_safe(state: &State, texts: &mut Vec<String>) {
    let position = &state.position;
    for wing in Wing::ALL {
        let Some(rook) = position.castling().rook(position.side(), wing) else { continue };
        let way = attacks::between(rook, king(state)) | rook.into();
        if way.into_iter().any(|square| !attackers(position, square, position.occupied()).is_empty()) {
            texts.retain(|found| *found != text(king(state), rook));
        }
    }
}

pub(crate) fn castling_without_right(state: &State, texts: &mut Vec<String>) {
    let (position, king) = (&state.position, king(state));
    for wing in Wing::ALL {
        let rook = Square::at(wing.corner(), king.rank());
        let home = king.rank() == Rank::nth(position.side(), 1) && king.file() == File::E;
        let right = position.castling().rook(position.side(), wing).is_some();
        if home && !right && own(state, Piece::Rook).has(rook) && broken(state, wing, rook) == SOUND {
            add(texts, king, rook);
        }
    }
}

pub(crate) fn castling_other_rook(state: &State, texts: &mut Vec<String>) {
    let position = &state.position;
    for wing in Wing::ALL {
        let Some(right) = position.castling().rook(position.side(), wing) else { continue };
        for rook in own(state, Piece::Rook) & Bitboard::rank(right.rank()) {
            let same_wing = (rook > king(state)) == (wing == Wing::H);
            if rook != right && same_wing && broken(state, wing, rook) == SOUND {
                add(texts, king(state), rook);
            }
        }
    }
}

fn right_stays(state: &State, texts: &mut Vec<String>, loss: Loss) {
    let position = &state.position;
    for (how, color, wing) in &state.lost {
        let rook = Square::at(wing.corner(), Rank::nth(*color, 1));
        let home = *color == position.side() && king(state) == Square::at(File::E, rook.rank());
        let free = !position.occupied().meets(attacks::between(king(state), rook));
        let sound = Broken { pinned: false, blocked: false, ..broken(state, *wing, rook) } == SOUND;
        if *how == loss && home && free && sound {
            add(texts, king(state), Square::at(wing.king_file(), rook.rank()));
        }
    }
}

pub(crate) fn right_after_promotion(state: &State, texts: &mut Vec<String>) {
    right_stays(state, texts, Loss::ToPromotion);
}

pub(crate) fn right_after_capture(state: &State, texts: &mut Vec<String>) {
    right_stays(state, texts, Loss::ToCapture);
}

pub(crate) fn right_after_rook_move(state: &State, texts: &mut Vec<String>) {
    right_stays(state, texts, Loss::RookMoved);
}
