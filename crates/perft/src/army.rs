//! One side's men, as sets by the way they move.

use vezir_chess::{Bitboard, Color, Piece, Position, Square, Wing};

/// The men of one color. Queens are among those that move along diagonals and among those that move along ranks
/// and files.
#[derive(Clone, Copy)]
pub(crate) struct Army {
    pub(crate) all: Bitboard,
    pub(crate) pawns: Bitboard,
    pub(crate) knights: Bitboard,
    pub(crate) slanted: Bitboard,
    pub(crate) straight: Bitboard,
    pub(crate) king: Square,
}

impl Army {
    /// The men of `color`.
    #[inline(always)]
    pub(crate) fn of(position: &Position, color: Color) -> Army {
        let all = position.color(color);
        let queens = position.pieces(Piece::Queen);
        Army {
            all,
            pawns: position.pieces(Piece::Pawn) & all,
            knights: position.pieces(Piece::Knight) & all,
            slanted: (position.pieces(Piece::Bishop) | queens) & all,
            straight: (position.pieces(Piece::Rook) | queens) & all,
            king: position.king(color),
        }
    }

    /// Puts men of one kind on empty squares, and takes them off others. A king's square is changed by the caller.
    #[inline(always)]
    pub(crate) fn flip(&mut self, piece: Piece, squares: Bitboard) {
        self.all ^= squares;
        match piece {
            Piece::Pawn => self.pawns ^= squares,
            Piece::Knight => self.knights ^= squares,
            Piece::Bishop => self.slanted ^= squares,
            Piece::Rook => self.straight ^= squares,
            Piece::Queen => {
                self.slanted ^= squares;
                self.straight ^= squares;
            }
            Piece::King => {}
        }
    }

    /// After the man on `from` has gone to `to`.
    #[inline(always)]
    pub(crate) fn moved(mut self, piece: Piece, from: Square, to: Square) -> Army {
        self.flip(piece, Bitboard::of(from) | Bitboard::of(to));
        if piece == Piece::King {
            self.king = to;
        }
        self
    }

    /// After the king has castled with the rook on `rook`, which stands on that wing.
    #[inline(always)]
    pub(crate) fn castled(mut self, wing: Wing, rook: Square) -> Army {
        let rank = self.king.rank();
        self.flip(Piece::King, self.king.into());
        self.flip(Piece::Rook, rook.into());
        self.king = Square::at(wing.king_file(), rank);
        self.flip(Piece::King, self.king.into());
        self.flip(Piece::Rook, Square::at(wing.rook_file(), rank).into());
        self
    }

    /// Without the man on a square, if there is one.
    #[inline(always)]
    pub(crate) fn without(mut self, square: Bitboard) -> Army {
        let kept = !square;
        for set in [&mut self.all, &mut self.pawns, &mut self.knights, &mut self.slanted, &mut self.straight]
        {
            *set &= kept;
        }
        self
    }
}

/// The side to move and the other, where `white` is whether White moves.
#[inline(always)]
pub(crate) const fn colors(white: bool) -> (Color, Color) {
    if white { (Color::White, Color::Black) } else { (Color::Black, Color::White) }
}
