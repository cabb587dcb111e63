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
        if self.checkers.is_many() {
            return !self.flees();
        }
        let helped = self.checkers.first().is_some_and(|checker| self.takes(checker) || self.bars(checker));
        !helped && !self.flees() && !passed.is_some_and(|passed| self.takes_en_passant(passed))
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
    fn takes(&self, checker: Square) -> bool {
        let pawns = attacks::pawn(Board::<WHITE>::US, checker) & self.board.their.pawns;
        ((pawns | self.officers(checker)) & !self.pinned).0 != 0
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
            || between.into_iter().any(|square| self.officers(square).0 & !self.pinned.0 != 0)
    }

    /// His men, but pawns and himself, that attack a square.
    #[inline(always)]
    fn officers(&self, square: Square) -> Bitboard {
        let their = &self.board.their;
        attacks::knight(square) & their.knights
            | self.sliders.bishop(square, self.occupied) & their.slanted
            | self.sliders.rook(square, self.occupied) & their.straight
    }

    /// Whether a capture en passant saves him: it empties two squares and fills one, so each is tried.
    #[inline(always)]
    fn takes_en_passant(&self, passed: Square) -> bool {
        let (own, their) = (&self.board.own, &self.board.their);
        let takers = attacks::pawn(Board::<WHITE>::US, passed) & their.pawns;
        takers.into_iter().any(|from| {
            let taken = Bitboard::of(Square::at(passed.file(), from.rank()));
            let after = (self.occupied ^ from.into() ^ taken) | passed.into();
            let attackers = attacks::knight(their.king) & own.knights
                | attacks::pawn(Board::<WHITE>::THEM, their.king) & own.pawns & !taken
                | self.sliders.bishop(their.king, after) & own.slanted
                | self.sliders.rook(their.king, after) & own.straight;
            attackers.is_empty()
        })
    }
}
