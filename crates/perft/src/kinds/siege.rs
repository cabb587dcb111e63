//! A king in check: by whom, and whether anything saves him.

use vezir_chess::{Bitboard, Rank, Sliders, Square, attacks};

use super::board::Board;

/// Their king, attacked on a board on which they are to move.
pub(super) struct Siege<'a, S, const WHITE: bool> {
    sliders: S,
    board: &'a Board<WHITE>,
    occupied: Bitboard,
    /// The men that attack him.
    pub(super) checkers: Bitboard,
    /// His men that must stay on their lines.
    pinned: Bitboard,
}

impl<'a, S: Sliders, const WHITE: bool> Siege<'a, S, WHITE> {
    #[inline(always)]
    pub(super) fn of(board: &'a Board<WHITE>, sliders: S) -> Self {
        let (own, king, occupied) = (&board.own, board.their.king, board.occupied());
        let mut checkers =
            attacks::knight(king) & own.knights | attacks::pawn(Board::<WHITE>::THEM, king) & own.pawns;
        let mut pinned = Bitboard::EMPTY;
        for sniper in attacks::diagonals(king) & own.slanted | attacks::cross(king) & own.straight {
            let men = attacks::between(king, sniper) & occupied;
            if men.is_empty() {
                checkers |= sniper.into();
            } else if !men.is_many() {
                pinned |= men & board.their.all;
            }
        }
        Siege { sliders, board, occupied, checkers, pinned }
    }

    /// Whether the king is mated; `passed` is the square behind a pawn that has just made a double step.
    #[inline(always)]
    pub(super) fn is_mate(&self, passed: Option<Square>) -> bool {
        let helped = match self.checkers.first() {
            Some(checker) if !self.checkers.is_many() => self.takes(checker, passed) || self.bars(checker),
            _ => false,
        };
        !helped && !self.flees()
    }

    /// Whether the king has a square to go to.
    #[inline(always)]
    fn flees(&self) -> bool {
        let (own, king) = (&self.board.own, self.board.their.king);
        // He uncovers the lines that he flees along.
        let seen = self.occupied ^ king.into();
        let near = attacks::king(king) & !self.board.their.all & !attacks::king(own.king);
        let mut free = near & !attacks::pawns(Board::<WHITE>::US, own.pawns);
        for knight in own.knights {
            free &= !attacks::knight(knight);
        }
        for slider in own.slanted {
            free &= !self.sliders.bishop(slider, seen);
        }
        for slider in own.straight {
            free &= !self.sliders.rook(slider, seen);
        }
        !free.is_empty()
    }

    /// Whether one of his men can capture the checker.
    #[inline(always)]
    fn takes(&self, checker: Square, passed: Option<Square>) -> bool {
        let mut pawns = attacks::pawn(Board::<WHITE>::US, checker);
        // The square of a pawn that checks by its double step was empty before, so no line opens through it.
        if let Some(passed) = passed
            && self.board.own.pawns.has(checker)
        {
            pawns |= attacks::pawn(Board::<WHITE>::US, passed);
        }
        (pawns & self.board.their.pawns | self.officers(checker)).meets(!self.pinned)
    }

    /// Whether one of his men can step between.
    #[inline(always)]
    fn bars(&self, checker: Square) -> bool {
        let between = attacks::between(self.board.their.king, checker);
        if between.is_empty() {
            return false;
        }
        let them = Board::<WHITE>::THEM;
        let single = (self.board.their.pawns & !self.pinned).ahead(them) & !self.occupied;
        let double = (single & Bitboard::rank(Rank::nth(them, 3))).ahead(them);
        (single | double).meets(between)
            || between.into_iter().any(|square| self.officers(square).meets(!self.pinned))
    }

    /// His men, but pawns and himself, that attack a square.
    #[inline(always)]
    fn officers(&self, square: Square) -> Bitboard {
        let their = &self.board.their;
        attacks::knight(square) & their.knights
            | self.sliders.bishop(square, self.occupied) & their.slanted
            | self.sliders.rook(square, self.occupied) & their.straight
    }
}
