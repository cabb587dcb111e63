//! What the opponent could do if the side to move passed.

use vezir_chess::{Bitboard, Sliders, attacks};

use super::board::Board;
use super::court::Court;
use super::rays::Rays;
use crate::machine::Machine;

/// The opponent's replies to a null move.
pub(super) struct Null {
    /// How many there are.
    pub(super) replies: i32,
    /// What the opponent attacks.
    pub(super) danger: Bitboard,
    /// Where its king could go.
    pub(super) free: Bitboard,
    /// Where its pawns that are not pinned could step, one square or two.
    pub(super) single: Bitboard,
    pub(super) double: Bitboard,
    /// What they attack, on either side.
    pub(super) east: Bitboard,
    pub(super) west: Bitboard,
    /// Where its sliders that are not pinned could go.
    pub(super) rays: Rays,
    pub(super) swept: Bitboard,
}

impl Null {
    #[inline(always)]
    pub(super) fn of<M: Machine, const WHITE: bool>(
        board: &Board<'_, M, WHITE>,
        court: &Court,
        attacked: Bitboard,
    ) -> Null {
        let (their, targets, loose) = (board.their, !board.their.all, !court.pinned);
        let free = court.ring & targets & !attacked;
        let (mut replies, mut danger, mut rays) = (free.count(), court.ring, Rays::default());
        for from in their.knights {
            let reach = attacks::knight(from);
            danger |= reach;
            if loose.has(from) {
                replies += (reach & targets).count();
            }
        }
        for from in their.slanted {
            let reach = board.sliders.bishop(from, board.occupied);
            danger |= reach;
            let reach = reach & targets;
            if loose.has(from) && !reach.is_empty() {
                replies += reach.count();
                rays.add_slanted(from, reach);
            }
        }
        for from in their.straight {
            let reach = board.sliders.rook(from, board.occupied);
            danger |= reach;
            let reach = reach & targets;
            if loose.has(from) && !reach.is_empty() {
                replies += reach.count();
                rays.add_straight(from, reach);
            }
        }
        let swept = rays.all();
        let none = Bitboard::EMPTY;
        let (single, double, east, west) = (none, none, none, none);
        let mut null = Null { replies: 0, danger, free, single, double, east, west, rays, swept };
        replies += null.pawns(board, court);
        null.replies = replies as i32 + court.pinned.into_iter().map(|man| board.pinned(man)).sum::<i32>();
        null
    }

    /// Notes what pawns could do; how many moves those are.
    #[inline(always)]
    fn pawns<M: Machine, const WHITE: bool>(&mut self, board: &Board<'_, M, WHITE>, court: &Court) -> u32 {
        let (them, empty) = (Board::<'_, M, WHITE>::THEM, !board.occupied);
        let last = Board::<'_, M, WHITE>::THEIR_LAST;
        let ahead = (board.their.pawns & !court.pinned).ahead(them);
        self.single = ahead & empty;
        self.double = (self.single & Board::<'_, M, WHITE>::THEIR_THIRD).ahead(them) & empty;
        (self.east, self.west) = (ahead.east(), ahead.west());
        self.danger |= self.east | self.west;
        let (east, west) = (self.east & board.own.all, self.west & board.own.all);
        let mut replies = self.single.count() + self.double.count() + east.count() + west.count();
        if ahead.meets(last) {
            replies += 3 * ((self.single & last).count() + (east & last).count() + (west & last).count());
        }
        let pinned = board.their.pawns & court.pinned;
        if !pinned.is_empty() {
            self.danger |= attacks::pawns(them, pinned);
        }
        replies
    }
}
