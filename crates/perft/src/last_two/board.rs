//! The board as the side to move sees it: its own men and theirs.

use vezir_chess::{Bitboard, Color, Piece, Position, Rank, Sliders, Square, attacks};

use crate::army::Army;
use crate::castling::{Castling, Castlings};

/// A board on which White moves if `WHITE`.
pub(super) struct Board<'a, S, const WHITE: bool> {
    pub(super) sliders: S,
    pub(super) own: Army,
    pub(super) their: Army,
    pub(super) occupied: Bitboard,
    /// Their ways to castle.
    pub(super) castlings: &'a [Castling; 2],
    /// Their rooks that may still castle, of those that none of their own men is in the way of.
    pub(super) rooks: Bitboard,
}

impl<S, const WHITE: bool> Board<'_, S, WHITE> {
    pub(super) const US: Color = if WHITE { Color::White } else { Color::Black };
    pub(super) const THEM: Color = if WHITE { Color::Black } else { Color::White };
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

    /// Own men that are pinned; `None` in check.
    #[inline(always)]
    pub(super) fn pins(&self) -> Option<Bitboard> {
        let (king, their) = (self.own.king, &self.their);
        let near = attacks::knight(king) & their.knights | attacks::pawn(Self::US, king) & their.pawns;
        if !near.is_empty() {
            return None;
        }
        let mut pins = Bitboard::EMPTY;
        for sniper in attacks::diagonals(king) & their.slanted | attacks::cross(king) & their.straight {
            let men = attacks::between(king, sniper) & self.occupied;
            if men.is_empty() {
                return None;
            }
            if !men.is_many() {
                pins |= men & self.own.all;
            }
        }
        Some(pins)
    }
}

impl<'a, S: Sliders, const WHITE: bool> Board<'a, S, WHITE> {
    #[inline(always)]
    pub(super) fn of(position: &Position, sliders: S, castlings: &'a Castlings) -> Self {
        let (own, their) = (Army::of(position, Self::US), Army::of(position, Self::THEM));
        let castlings = castlings.of(Self::THEM);
        let rooks = Castling::open(castlings, position.castling().rooks_of(Self::THEM), their.all);
        Board { sliders, own, their, occupied: own.all | their.all, castlings, rooks }
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
