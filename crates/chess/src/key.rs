//! Keys of positions: 128 bits that differ, for all that a hash table can tell, where positions differ.

use crate::{Color, Piece, Position, Square, Wing};

/// A key of a position. Unequal keys mean unequal positions; equal keys mean equal positions only as
/// surely as 128 random bits: where a wrong answer matters, compare [`crate::Packed`] positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key(pub u128);

/// The random numbers that keys of one seed are made of (Zobrist hashing).
///
/// Source: A. Zobrist, "A New Hashing Method with Application for Game Playing", 1970.
pub struct Keys {
    men: [[[u128; 64]; 6]; 2],
    castling: [[[u128; 8]; 2]; 2],
    en_passant: [u128; 8],
    black: u128,
}

impl Keys {
    /// The numbers that grow from `seed`; another seed gives keys that have nothing to do with these.
    pub fn new(seed: u64) -> Box<Keys> {
        let mut stream = Stream(seed);
        Box::new(Keys {
            men: [(); 2].map(|()| [(); 6].map(|()| [(); 64].map(|()| stream.next()))),
            castling: [(); 2].map(|()| [(); 2].map(|()| [(); 8].map(|()| stream.next()))),
            en_passant: [(); 8].map(|()| stream.next()),
            black: stream.next(),
        })
    }

    /// The key of a position: its men, rights, en passant square and side, never its counters.
    pub fn key(&self, position: &Position) -> Key {
        let mut key = if position.side() == Color::Black { self.black } else { 0 };
        for color in Color::ALL {
            for piece in Piece::ALL {
                let table = &self.men[color.index()][piece.index()];
                for square in position.men(color, piece) {
                    key ^= table[square.index()];
                }
            }
        }
        if !position.castling().rooks().is_empty() {
            key ^= self.rights(position);
        }
        Key(position.en_passant().map_or(key, |square: Square| key ^ self.en_passant[square.file().index()]))
    }

    fn rights(&self, position: &Position) -> u128 {
        let mut key = 0;
        for color in Color::ALL {
            for wing in Wing::ALL {
                if let Some(file) = position.castling().file(color, wing) {
                    key ^= self.castling[color.index()][wing as usize][file.index()];
                }
            }
        }
        key
    }
}

/// The SplitMix64 sequence of a seed, two numbers at a time.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u128 {
        u128::from(self.half()) << 64 | u128::from(self.half())
    }

    fn half(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }
}
