//! What own men attack, and which of their lines reach the zone of the opponent's king.

use vezir_chess::{Bitboard, Sliders, Square, attacks};

use super::board::Board;
use super::court::Court;
use super::scratch::{Bar, Scratch};
use crate::machine::Machine;

/// Own attacks.
pub(super) struct Reach {
    /// What is attacked at all.
    pub(super) once: Bitboard,
    /// What is attacked by two men or more.
    pub(super) twice: Bitboard,
    /// Squares between own sliders and the zone: who stops there may free a square for their king.
    pub(super) barred: Bitboard,
    /// How many pairs of a slider and a square there are, in [`Scratch::bars`].
    pub(super) bars: usize,
    /// How many sliders reach the zone through an own man, in [`Scratch::hidden`].
    pub(super) hidden: usize,
}

impl Reach {
    #[inline(always)]
    pub(super) fn of<M: Machine, const WHITE: bool>(
        board: &Board<'_, M, WHITE>,
        court: &Court,
        scratch: &mut Scratch,
    ) -> Reach {
        let (zone, open) = (court.zone, court.open);
        let own = board.own;
        let ahead = own.pawns.ahead(Board::<'_, M, WHITE>::US);
        let (east, west) = (ahead.east(), ahead.west());
        let none = Bitboard::EMPTY;
        let (once, twice) = (east | west, east & west);
        let mut reach = Reach { once, twice, barred: none, bars: 0, hidden: 0 };
        reach.note(attacks::king(own.king));
        for from in own.knights {
            reach.note(attacks::knight(from));
        }
        for from in own.slanted {
            let attacked = board.sliders.bishop(from, board.occupied);
            scratch.slanted[from.index()] = attacked;
            reach.note(attacked);
            let seen = attacks::diagonals(from) & zone;
            if !seen.is_empty() {
                reach.bar(from, attacked & open, scratch);
                if !seen.within(attacked) {
                    let behind = board.sliders.bishop(from, board.occupied ^ (attacked & own.all));
                    reach.hide(from, behind & zone & !attacked, scratch);
                }
            }
        }
        for from in own.straight {
            let attacked = board.sliders.rook(from, board.occupied);
            scratch.straight[from.index()] = attacked;
            reach.note(attacked);
            let seen = attacks::cross(from) & zone;
            if !seen.is_empty() {
                reach.bar(from, attacked & open, scratch);
                if !seen.within(attacked) {
                    let behind = board.sliders.rook(from, board.occupied ^ (attacked & own.all));
                    reach.hide(from, behind & zone & !attacked, scratch);
                }
            }
        }
        reach
    }

    #[inline(always)]
    fn note(&mut self, attacked: Bitboard) {
        self.twice |= self.once & attacked;
        self.once |= attacked;
    }

    /// A slider attacks these squares of the zone.
    #[inline(always)]
    fn bar(&mut self, slider: Square, seen: Bitboard, scratch: &mut Scratch) {
        for square in seen {
            let between = attacks::between(slider, square);
            if let Some(place) = scratch.bars.get_mut(self.bars).filter(|_| !between.is_empty()) {
                *place = Bar { slider, square, between };
                self.bars += 1;
                self.barred |= between;
            }
        }
    }

    /// A slider would attack these squares of the zone if an own man before it left.
    #[inline(always)]
    fn hide(&mut self, from: Square, hidden: Bitboard, scratch: &mut Scratch) {
        if let Some(place) = scratch.hidden.get_mut(self.hidden).filter(|_| !hidden.is_empty()) {
            *place = (from, hidden);
            self.hidden += 1;
        }
    }
}

/// The squares between one square and others.
#[inline(always)]
pub(super) fn on_the_way(from: Square, to: Bitboard) -> Bitboard {
    let mut between = Bitboard::EMPTY;
    for to in to {
        between |= attacks::between(from, to);
    }
    between
}
