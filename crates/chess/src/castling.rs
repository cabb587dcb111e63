//! Castling rights: which rooks a king may still castle with.

use crate::{Bitboard, Color, File, Rank, Square};

/// The two ways to castle, named by where the rook stands as seen from its king.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Wing {
    /// Towards the h-file: the king lands on g, the rook on f (O-O).
    H,
    /// Towards the a-file: the king lands on c, the rook on d (O-O-O).
    A,
}

impl Wing {
    /// Both wings, the h-side first, as FEN writes them.
    pub const ALL: [Wing; 2] = [Wing::H, Wing::A];

    /// The file where the castled king lands, in standard chess and Chess960 alike.
    #[inline(always)]
    pub const fn king_file(self) -> File {
        match self {
            Wing::H => File::G,
            Wing::A => File::C,
        }
    }

    /// The file of the corner on this wing, where the rook starts in standard chess.
    #[inline(always)]
    pub const fn corner(self) -> File {
        match self {
            Wing::H => File::ALL[7],
            Wing::A => File::ALL[0],
        }
    }

    /// The file where the castled rook lands.
    #[inline(always)]
    pub const fn rook_file(self) -> File {
        match self {
            Wing::H => File::F,
            Wing::A => File::D,
        }
    }
}

/// The files of the rooks that the kings may castle with, at most one for each color and wing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Castling {
    files: [[Option<File>; 2]; 2],
    rooks: Bitboard,
}

impl Castling {
    /// No right at all.
    pub const NONE: Castling = Castling { files: [[None; 2]; 2], rooks: Bitboard::EMPTY };

    /// The file of the rook that `color` may castle with on `wing`.
    #[inline(always)]
    pub fn file(&self, color: Color, wing: Wing) -> Option<File> {
        self.files[color.index()][wing as usize]
    }

    /// The square of the rook that `color` may castle with on `wing`.
    #[inline(always)]
    pub fn rook(&self, color: Color, wing: Wing) -> Option<Square> {
        self.file(color, wing).map(|file| Square::at(file, Rank::nth(color, 1)))
    }

    /// All rooks that may still castle, of both colors.
    #[inline(always)]
    pub const fn rooks(&self) -> Bitboard {
        self.rooks
    }

    /// The rooks of `color` that may still castle.
    #[inline(always)]
    pub fn rooks_of(&self, color: Color) -> Bitboard {
        self.rooks & Bitboard::rank(Rank::nth(color, 1))
    }

    /// Gives `color` the right to castle on `wing` with the rook on `file` of its first rank.
    pub fn grant(&mut self, color: Color, wing: Wing, file: File) {
        self.files[color.index()][wing as usize] = Some(file);
        self.rooks = self.squares();
    }

    /// Takes both rights of `color` away.
    #[inline(always)]
    pub fn revoke_all(&mut self, color: Color) {
        self.files[color.index()] = [None; 2];
        self.rooks &= !Bitboard::rank(Rank::nth(color, 1));
    }

    /// Takes away the right that needs a rook on `square`, if there is one.
    #[inline(always)]
    pub fn revoke(&mut self, square: Square) {
        if !self.rooks.has(square) {
            return;
        }
        self.rooks &= !Bitboard::of(square);
        for color in Color::ALL {
            for wing in Wing::ALL {
                if self.rook(color, wing) == Some(square) {
                    self.files[color.index()][wing as usize] = None;
                }
            }
        }
    }

    fn squares(&self) -> Bitboard {
        let rights = Color::ALL.into_iter().flat_map(|color| Wing::ALL.map(|wing| self.rook(color, wing)));
        rights.flatten().collect()
    }
}
