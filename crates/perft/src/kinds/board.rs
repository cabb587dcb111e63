//! The board of the last ply: the men of the side that moves, and theirs.

use vezir_chess::{Bitboard, Color, Piece, Position, Square, Wing};

use crate::army::Army;

/// A board on which White makes the last move if `WHITE`.
#[derive(Clone, Copy)]
pub(super) struct Board<const WHITE: bool> {
    pub(super) own: Army,
    pub(super) their: Army,
}

impl<const WHITE: bool> Board<WHITE> {
    pub(super) const US: Color = if WHITE { Color::White } else { Color::Black };
    pub(super) const THEM: Color = if WHITE { Color::Black } else { Color::White };

    #[inline(always)]
    pub(super) fn of(position: &Position) -> Self {
        Board { own: Army::of(position, Self::US), their: Army::of(position, Self::THEM) }
    }

    /// Every square that is not empty.
    #[inline(always)]
    pub(super) fn occupied(&self) -> Bitboard {
        self.own.all | self.their.all
    }

    /// After the man on `from` has gone to `to`.
    #[inline(always)]
    pub(super) fn after(&self, piece: Piece, from: Square, to: Square) -> Self {
        Board { own: self.own.moved(piece, from, to), their: self.their.without(to.into()) }
    }

    /// After the pawn on `from` has become a `piece` on `to`.
    #[inline(always)]
    pub(super) fn after_promotion(&self, piece: Piece, from: Square, to: Square) -> Self {
        let mut own = self.own;
        own.flip(Piece::Pawn, from.into());
        own.flip(piece, to.into());
        Board { own, their: self.their.without(to.into()) }
    }

    /// After the pawn on `from` has captured en passant on `to`.
    #[inline(always)]
    pub(super) fn after_en_passant(&self, from: Square, to: Square) -> Self {
        let taken = Square::at(to.file(), from.rank());
        Board { own: self.own.moved(Piece::Pawn, from, to), their: self.their.without(taken.into()) }
    }

    /// After the king on `king` has castled with the rook on `rook`, and where this stands now.
    #[inline(always)]
    pub(super) fn after_castling(&self, king: Square, rook: Square) -> (Self, Square) {
        let wing = if rook > king { Wing::H } else { Wing::A };
        let rook_to = Square::at(wing.rook_file(), king.rank());
        let mut own = self.own;
        own.flip(Piece::Rook, rook.into());
        own.flip(Piece::King, king.into());
        own.king = Square::at(wing.king_file(), king.rank());
        own.flip(Piece::King, own.king.into());
        own.flip(Piece::Rook, rook_to.into());
        (Board { own, their: self.their }, rook_to)
    }
}
