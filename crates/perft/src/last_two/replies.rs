//! The replies of one man of theirs, on the board as it is or after a move.

use vezir_chess::{Bitboard, Sliders, Square, attacks};

use super::board::Board;
use crate::machine::{Machine, Work};

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

/// How many replies a man of theirs gains whom the man on `from` pins, by all moves of that one.
pub(super) struct Pinner<'a, M: Machine, const WHITE: bool> {
    pub(super) board: &'a Board<'a, M, WHITE>,
    pub(super) from: Square,
    pub(super) to: Bitboard,
}

impl<M: Machine, const WHITE: bool> Work for Pinner<'_, M, WHITE> {
    type Done = i32;

    #[inline(always)]
    fn done(self) -> i32 {
        let Pinner { board, from, to } = self;
        let line = attacks::line(board.their.king, from);
        let mut gained = 0;
        for man in attacks::between(board.their.king, from) & board.their.all {
            for to in to {
                let kept = if line.has(to) { line } else { Bitboard::FULL };
                gained += board.number(man, board.free_after(man, from, to) & kept);
            }
            gained -= to.count() as i32 * board.pinned(man);
        }
        gained
    }
}

/// How many replies men of theirs lose who are pinned from the targets of an own man, by all his moves there.
pub(super) struct Pinned<'a, M: Machine, const WHITE: bool> {
    pub(super) board: &'a Board<'a, M, WHITE>,
    pub(super) from: Square,
    pub(super) to: Bitboard,
}

impl<M: Machine, const WHITE: bool> Work for Pinned<'_, M, WHITE> {
    type Done = i32;

    #[inline(always)]
    fn done(self) -> i32 {
        let Pinned { board, from, to } = self;
        let king = board.their.king;
        let mut lost = 0;
        for to in to {
            for man in attacks::between(king, to) & board.their.all {
                let free = board.free_after(man, from, to);
                lost += board.number(man, free & !attacks::line(king, man));
            }
        }
        lost
    }
}

/// How many captures en passant answer an own double step that gives no check.
pub(super) struct Answers<'a, M: Machine, const WHITE: bool> {
    pub(super) board: &'a Board<'a, M, WHITE>,
    pub(super) from: Square,
    pub(super) to: Square,
}

impl<M: Machine, const WHITE: bool> Work for Answers<'_, M, WHITE> {
    type Done = i32;

    #[inline(always)]
    fn done(self) -> i32 {
        let Answers { board, from, to } = self;
        let king = board.their.king;
        let beside = Bitboard::of(to).east() | Bitboard::of(to).west();
        let lines = attacks::diagonals(king) | attacks::cross(king);
        let mut answers = 0;
        for taker in beside & board.their.pawns {
            // Three squares change: where the taker stood, where the pawn stood, and the one behind that.
            let exposed = (Bitboard::of(taker) | to.into()).meets(lines) && {
                let left = board.occupied ^ from.into() ^ taker.into();
                let occupied = left | attacks::between(from, to);
                board.sliders.bishop(king, occupied).meets(board.own.slanted)
                    || board.sliders.rook(king, occupied).meets(board.own.straight)
            };
            answers += i32::from(!exposed);
        }
        answers
    }
}
