//! Squares of the board, and the files and ranks that cross in them.

use std::fmt;
use std::str::FromStr;

use crate::Color;

/// One of the 64 squares, numbered a1 = 0, b1 = 1, … h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

/// A file of the board, a = 0 to h = 7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct File(u8);

/// A rank of the board, first = 0 to eighth = 7, always seen from White's side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Rank(u8);

impl Square {
    /// How many squares a board has.
    pub const COUNT: usize = 64;

    /// The square at `index`; only the six low bits count, so that every byte names a square.
    #[inline(always)]
    pub const fn wrapping(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square where `file` and `rank` cross.
    #[inline(always)]
    pub const fn at(file: File, rank: Rank) -> Square {
        Square(rank.0 * 8 + file.0)
    }

    /// 0 (a1) to 63 (h8).
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask tells the optimiser what the constructors guarantee.
        (self.0 & 63) as usize
    }

    /// The file that this square stands on.
    #[inline(always)]
    pub const fn file(self) -> File {
        File(self.0 & 7)
    }

    /// The rank that this square stands on.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank((self.0 & 63) >> 3)
    }

    /// The square `forward` ranks ahead as `color` sees it (negative: behind), on the same file.
    ///
    /// `None` beyond the edge.
    pub fn ahead(self, color: Color, forward: i8) -> Option<Square> {
        let step = if color == Color::White { forward } else { -forward };
        let rank = self.rank().0 as i8 + step;
        (0..8).contains(&rank).then(|| Square::at(self.file(), Rank(rank as u8)))
    }

    /// The square on the other side of the board's middle: a1 becomes a8.
    #[inline(always)]
    pub const fn flipped(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }
}

impl File {
    /// All files from a to h.
    pub const ALL: [File; 8] = [File(0), File(1), File(2), File(3), File(4), File(5), File(6), File(7)];
    /// The c-file, where the king lands when it castles towards the a-side.
    pub const C: File = File(2);
    /// The d-file, where the rook lands when its king castles towards the a-side.
    pub const D: File = File(3);
    /// The e-file, where the king starts in standard chess.
    pub const E: File = File(4);
    /// The f-file, where the rook lands when its king castles towards the h-side.
    pub const F: File = File(5);
    /// The g-file, where the king lands when it castles towards the h-side.
    pub const G: File = File(6);

    /// 0 (a) to 7 (h).
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self.0) as char
    }

    /// The file that a lower-case letter names.
    pub fn from_letter(letter: char) -> Option<File> {
        ('a'..='h').contains(&letter).then(|| File(letter as u8 - b'a'))
    }
}

impl Rank {
    /// All ranks from the first to the eighth.
    pub const ALL: [Rank; 8] = [Rank(0), Rank(1), Rank(2), Rank(3), Rank(4), Rank(5), Rank(6), Rank(7)];

    /// The rank that `color` counts as its `number`-th, 1 to 8; numbers outside wrap around.
    pub const fn nth(color: Color, number: u8) -> Rank {
        let rank = number.wrapping_sub(1) & 7;
        match color {
            Color::White => Rank(rank),
            Color::Black => Rank(7 - rank),
        }
    }

    /// 0 (first) to 7 (eighth).
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self.0) as char
    }

    /// The rank that a digit names.
    pub fn from_digit(digit: char) -> Option<Rank> {
        ('1'..='8').contains(&digit).then(|| Rank(digit as u8 - b'1'))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a square such as `e4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a square: a file letter a-h and a rank digit 1-8 would be right, such as e4")]
pub struct NotASquare;

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Square, NotASquare> {
        let mut chars = text.chars();
        let file = chars.next().and_then(File::from_letter);
        let rank = chars.next().and_then(Rank::from_digit);
        match (file, rank, chars.next()) {
            (Some(file), Some(rank), None) => Ok(Square::at(file, rank)),
            _ => Err(NotASquare),
        }
    }
}
