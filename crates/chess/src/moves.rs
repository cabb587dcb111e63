//! A move as two squares and a promotion, in sixteen bits.

use std::fmt;

use crate::{Piece, Square};

/// A move. Castling is the king taking its own rook, in every variant; [`crate::uci`] and
/// [`crate::san`] write what people and programs expect.
///
/// Bits 0–5 are the square that is left, 6–11 the square that is reached, 12–14 the promotion
/// (0 none, 1 knight, 2 bishop, 3 rook, 4 queen). This layout is stored and sent: it must not change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// A move that does not promote.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// A pawn move that ends as `promotion`, one of [`Piece::PROMOTIONS`].
    #[inline(always)]
    pub const fn promoting(from: Square, to: Square, promotion: Piece) -> Move {
        Move(Move::new(from, to).0 | (promotion as u16) << 12)
    }

    /// The square that is left.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0 as u8)
    }

    /// The square that is reached; the rook's square when castling.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0 >> 6) as u8)
    }

    /// What a pawn becomes.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Piece> {
        match self.0 >> 12 {
            1 => Some(Piece::Knight),
            2 => Some(Piece::Bishop),
            3 => Some(Piece::Rook),
            4 => Some(Piece::Queen),
            _ => None,
        }
    }

    /// The sixteen bits.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move of sixteen bits, if they are one: `None` for a promotion that does not exist.
    pub const fn from_bits(bits: u16) -> Option<Move> {
        if bits >> 12 <= 4 { Some(Move(bits)) } else { None }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion().map_or(Ok(()), |piece| write!(f, "{}", piece.letter()))
    }
}
