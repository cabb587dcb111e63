//! The board as the side to move sees it: its own men and theirs.

use vezir_chess::{Bitboard, Color, Piece, Rank, Sliders, Square, attacks};

use crate::armies::Armies;
use crate::army::{self, Army};
use crate::castling::{Castling, Castlings};
use crate::machine::Machine;

/// A board on which White moves if `WHITE`.
pub(super) struct Board<'a, M: Machine, const WHITE: bool> {
    pub(super) machine: M,
    pub(super) sliders: M::Sliders,
    pub(super) own: &'a Army,
    pub(super) their: &'a Army,
    pub(super) occupied: Bitboard,
    /// Their ways to castle.
    pub(super) castlings: &'a [Castling; 2],
    /// Their rooks that may still castle, of those that none of their own men is in the way of.
    pub(super) rooks: Bitboard,
}

impl<M: Machine, const WHITE: bool> Board<'_, M, WHITE> {
    pub(super) const US: Color = army::colors(WHITE).0;
    pub(super) const THEM: Color = army::colors(WHITE).1;
    pub(super) const OUR_THIRD: Bitboard = Bitboard::rank(Rank::nth(Self::US, 3));
    pub(super) const OUR_SEVENTH: Bitboard = Bitboard::rank(Rank::nth(Self::US, 7));
    pub(super) const THEIR_SECOND: Bitboard = Bitboard::rank(Rank::nth(Self::THEM, 2));
    pub(super) const THEIR_THIRD: Bitboard = Bitboard::rank(Rank::nth(Self::THEM, 3));
    pub(super) const THEIR_LAST: Bitboard = Bitboard::rank(Rank::nth(Self::THEM, 8));

    /// The squares that their king would cross in castlings that none of their own men is in the way of.
    #[inline(always)]
    pub(super) fn crossed(&self) -> Bitboard {
        let mut crossed = Bitboard::EMPTY;
        if !self.rooks.is_empty() {
            for castling in self.castlings {
                if castling.rook.meets(self.rooks) {
                    crossed |= castling.crossed;
                }
            }
        }
        crossed
    }
}

impl<'a, M: Machine, const WHITE: bool> Board<'a, M, WHITE> {
    #[inline(always)]
    pub(super) fn of(armies: &'a Armies, machine: M, castlings: &'a Castlings) -> Self {
        let Armies { own, their, rooks, .. } = armies;
        let castlings = castlings.of(Self::THEM);
        let rooks = Castling::open(castlings, *rooks, their.all);
        Board {
            machine,
            sliders: machine.sliders(),
            own,
            their,
            occupied: own.all | their.all,
            castlings,
            rooks,
        }
    }

    /// From where an own man attacks a square, when `occupied` squares block.
    #[inline(always)]
    pub(super) fn origins(&self, piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
        match piece {
            Piece::Pawn => attacks::pawn(Self::THEM, square),
            Piece::Knight => attacks::knight(square),
            Piece::Bishop => self.sliders.bishop(square, occupied),
            Piece::Rook => self.sliders.rook(square, occupied),
            Piece::Queen => self.sliders.queen(square, occupied),
            Piece::King => attacks::king(square),
        }
    }

    /// Own men that attack any of some squares.
    #[inline(always)]
    pub(super) fn attackers(&self, squares: Bitboard) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        for square in squares {
            found |= attacks::pawn(Self::THEM, square) & self.own.pawns
                | attacks::knight(square) & self.own.knights
                | attacks::king(square) & self.own.king.into()
                | self.sliders.bishop(square, self.occupied) & self.own.slanted
                | self.sliders.rook(square, self.occupied) & self.own.straight;
        }
        found
    }
}
