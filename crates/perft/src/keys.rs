//! Keys of positions: 128 bits that differ, for all that a hash table can tell, where positions differ.

use vezir_chess::Bitboard;

use crate::armies::Armies;
use crate::army::{self, Army};

/// A key of a position. Unequal keys mean unequal positions; equal keys mean equal positions only as surely as
/// 128 random bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key(pub(crate) u128);

impl Key {
    /// Where keys are not wanted.
    pub(crate) const NONE: Key = Key(0);
}

/// The random numbers that keys of one seed are made of (Zobrist hashing), one for each square of each set that
/// makes up a position.
///
/// Source: A. Zobrist, "A New Hashing Method with Application for Game Playing", 1970.
pub(crate) struct Keys {
    armies: [ArmyKeys; 2],
    rooks: [u128; 64],
    passed: [u128; 8],
    black: u128,
}

/// The numbers of one color. A queen has that of a bishop and that of a rook.
struct ArmyKeys {
    pawns: [u128; 64],
    knights: [u128; 64],
    slanted: [u128; 64],
    straight: [u128; 64],
    king: [u128; 64],
}

impl Keys {
    /// The numbers that grow from `seed`; another seed gives keys that have nothing to do with these.
    pub(crate) fn new(seed: u64) -> Box<Keys> {
        let mut stream = Stream(seed);
        let armies = [(); 2].map(|()| ArmyKeys {
            pawns: stream.board(),
            knights: stream.board(),
            slanted: stream.board(),
            straight: stream.board(),
            king: stream.board(),
        });
        let rooks = stream.board();
        Box::new(Keys { armies, rooks, passed: [(); 8].map(|()| stream.next()), black: stream.next() })
    }

    /// The key of a position: its men, rights, side to move (White if `white`) and the square where a pawn may be
    /// captured en passant.
    pub(crate) fn key(&self, armies: &Armies, white: bool) -> Key {
        let (us, them) = self.sides(white);
        let side = if white { 0 } else { self.black };
        let men = us.of(&armies.own) ^ them.of(&armies.their);
        Key(men ^ sum(&self.rooks, armies.rooks) ^ self.passed(armies) ^ side)
    }

    /// The key of a position after one of `before`, whose key is `key` and in which White moves if `white`.
    #[inline(always)]
    pub(crate) fn after(&self, key: Key, white: bool, before: &Armies, after: &Armies) -> Key {
        let (us, them) = self.sides(white);
        let men = us.changed(&before.own, &after.their) ^ them.changed(&before.their, &after.own);
        let rights = sum(&self.rooks, before.rooks ^ after.rooks);
        Key(key.0 ^ men ^ rights ^ self.passed(before) ^ self.passed(after) ^ self.black)
    }

    #[inline(always)]
    fn sides(&self, white: bool) -> (&ArmyKeys, &ArmyKeys) {
        let (us, them) = army::colors(white);
        (&self.armies[us.index()], &self.armies[them.index()])
    }

    #[inline(always)]
    fn passed(&self, armies: &Armies) -> u128 {
        armies.passed.map_or(0, |square| self.passed[square.file().index()])
    }
}

impl ArmyKeys {
    fn of(&self, army: &Army) -> u128 {
        sum(&self.pawns, army.pawns)
            ^ sum(&self.knights, army.knights)
            ^ sum(&self.slanted, army.slanted)
            ^ sum(&self.straight, army.straight)
            ^ self.king[army.king.index()]
    }

    #[inline(always)]
    fn changed(&self, before: &Army, after: &Army) -> u128 {
        if before.all == after.all {
            return 0;
        }
        sum(&self.pawns, before.pawns ^ after.pawns)
            ^ sum(&self.knights, before.knights ^ after.knights)
            ^ sum(&self.slanted, before.slanted ^ after.slanted)
            ^ sum(&self.straight, before.straight ^ after.straight)
            ^ self.king[before.king.index()]
            ^ self.king[after.king.index()]
    }
}

/// The numbers of all squares of a set together.
#[inline(always)]
fn sum(numbers: &[u128; 64], squares: Bitboard) -> u128 {
    squares.into_iter().fold(0, |key, square| key ^ numbers[square.index()])
}

/// The SplitMix64 sequence of a seed, two numbers at a time.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
struct Stream(u64);

impl Stream {
    fn board(&mut self) -> [u128; 64] {
        [(); 64].map(|()| self.next())
    }

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
