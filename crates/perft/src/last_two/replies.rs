//! The replies of one man of theirs, on the board as it is or after a move.

use vezir_chess::{Bitboard, Sliders, Square, attacks};

use super::board::Board;
use crate::machine::Machine;

impl<M: Machine, const WHITE: bool> Board<'_, M, WHITE> {
    /// Where their man could go that is not the king, if nothing pinned him.
    #[inline(always)]
    pub(super) fn free(&self, man: Square) -> Bitboard {
        self.free_of(man, self.own.all, self.their.all)
    }

    /// The same after an own man has gone from one square to another.
    #[inline(always)]
    pub(super) fn free_after(&self, man: Square, from: Square, to: Square) -> Bitboard {
        let to = Bitboard::of(to);
        self.free_of(man, self.own.all ^ from.into() ^ to, self.their.all & !to)
    }

    #[inline(always)]
    fn free_of(&self, man: Square, own: Bitboard, their: Bitboard) -> Bitboard {
        let occupied = own | their;
        if self.their.pawns.has(man) {
            let single = Bitboard::of(man).ahead(Self::THEM) & !occupied;
            let double = (single & Self::THEIR_THIRD).ahead(Self::THEM) & !occupied;
            return single | double | attacks::pawn(Self::THEM, man) & own;
        }
        let mut reach = Bitboard::EMPTY;
        if self.their.knights.has(man) {
            reach |= attacks::knight(man);
        }
        if self.their.slanted.has(man) {
            reach |= self.sliders.bishop(man, occupied);
        }
        if self.their.straight.has(man) {
            reach |= self.sliders.rook(man, occupied);
        }
        reach & !their
    }

    /// How many moves these are: a pawn becomes any of four men on the last rank.
    #[inline(always)]
    pub(super) fn number(&self, man: Square, to: Bitboard) -> i32 {
        let promoting = to & Self::THEIR_LAST;
        let mut number = to.count();
        if !promoting.is_empty() && self.their.pawns.has(man) {
            number += 3 * promoting.count();
        }
        number as i32
    }

    /// The replies of a man who is pinned.
    #[inline(always)]
    pub(super) fn pinned(&self, man: Square) -> i32 {
        self.number(man, self.free(man) & attacks::line(self.their.king, man))
    }
}
