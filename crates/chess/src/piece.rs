//! The six kinds of chessmen.

use crate::Color;

/// A kind of chessman, without its color. Pawns count as pieces here, as in most programs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Piece {
    /// Moves forward, captures diagonally, promotes.
    Pawn,
    /// Jumps two and one.
    Knight,
    /// Slides along diagonals.
    Bishop,
    /// Slides along ranks and files.
    Rook,
    /// Slides along all lines.
    Queen,
    /// Must never be left attacked.
    King,
}

impl Piece {
    /// All kinds, in the order of their discriminants.
    pub const ALL: [Piece; 6] =
        [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];

    /// What a pawn may become, strongest first.
    pub const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

    /// 0 (pawn) to 5 (king): the index of this kind in a six-element array.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The English name in lower case.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }

    /// The English letter in lower case, as UCI promotions and Black's men in FEN are written.
    pub const fn letter(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k'][self as usize]
    }

    /// The letter of a man in FEN: upper case for White, lower case for Black.
    pub const fn fen_letter(self, color: Color) -> char {
        match color {
            Color::White => self.letter().to_ascii_uppercase(),
            Color::Black => self.letter(),
        }
    }

    /// The kind that a letter names in either case, if it names one.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let lower = letter.to_ascii_lowercase();
        Piece::ALL.into_iter().find(|piece| piece.letter() == lower)
    }
}
