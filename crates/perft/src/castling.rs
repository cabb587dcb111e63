//! Ways to castle, worked out once for all positions below one.

use vezir_chess::{Bitboard, Color, Position, Square, Wing, attacks};

/// A way to castle.
#[derive(Clone, Copy)]
pub(crate) struct Castling {
    /// The squares that must be empty.
    pub(crate) path: Bitboard,
    /// The squares that must not be attacked: those that the king crosses or reaches, its own left out.
    pub(crate) crossed: Bitboard,
    /// The rook's square; empty where there is no such castling.
    pub(crate) rook: Bitboard,
}

/// How castlings go, for each color and wing.
///
/// A king and a rook that may castle have not moved, so what holds in one position holds in all below it.
#[derive(Clone, Copy)]
pub(crate) struct Castlings([[Castling; 2]; 2]);

impl Castlings {
    /// Those of a position and all below it.
    pub(crate) fn below(position: &Position) -> Castlings {
        Castlings(Color::ALL.map(|color| Wing::ALL.map(|wing| Castling::new(position, color, wing))))
    }

    /// Those of one color, in the order of [`Wing::ALL`].
    #[inline(always)]
    pub(crate) fn of(&self, color: Color) -> &[Castling; 2] {
        &self.0[color.index()]
    }
}

impl Castling {
    fn new(position: &Position, color: Color, wing: Wing) -> Castling {
        let none = Bitboard::EMPTY;
        let Some(rook) = position.castling().rook(color, wing) else {
            return Castling { path: none, crossed: none, rook: none };
        };
        let king = position.king(color);
        let king_to = Square::at(wing.king_file(), king.rank());
        let rook_to = Square::at(wing.rook_file(), king.rank());
        let king_path = attacks::between(king, king_to) | king_to.into();
        let rook_path = attacks::between(king, rook) | attacks::between(rook, rook_to) | rook_to.into();
        let path = (king_path | rook_path) & !(Bitboard::of(king) | Bitboard::of(rook));
        Castling { path, crossed: king_path & !Bitboard::of(king), rook: rook.into() }
    }

    /// The rooks among `rights` that none of `men` stands in the way of.
    #[inline(always)]
    pub(crate) fn open(castlings: &[Castling; 2], rights: Bitboard, men: Bitboard) -> Bitboard {
        let mut rooks = Bitboard::EMPTY;
        if !rights.is_empty() {
            for castling in castlings {
                if !castling.path.meets(men) {
                    rooks |= castling.rook;
                }
            }
        }
        rooks & rights
    }
}
