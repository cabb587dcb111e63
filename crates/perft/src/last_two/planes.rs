//! How many moves go to each square, so that what a target costs is summed for all of them at once.

use vezir_chess::Bitboard;

/// A number from 0 to 15 for each square, as four planes of its bits.
#[derive(Clone, Copy, Default)]
pub(super) struct Planes {
    ones: Bitboard,
    twos: Bitboard,
    fours: Bitboard,
    eights: Bitboard,
}

impl Planes {
    /// The most moves that a square can have.
    pub(super) const MOST: u32 = 15;

    /// One more move to each square of a set.
    #[inline(always)]
    pub(super) fn add(&mut self, to: Bitboard) {
        let carry = self.ones & to;
        self.ones ^= to;
        let next = self.twos & carry;
        self.twos ^= carry;
        let last = self.fours & next;
        self.fours ^= next;
        self.eights ^= last;
    }

    /// The squares that any move goes to.
    #[inline(always)]
    pub(super) fn any(&self) -> Bitboard {
        self.ones | self.twos | self.fours | self.eights
    }

    /// How many moves go to squares of a set.
    #[inline(always)]
    pub(super) fn weigh(&self, set: Bitboard) -> i32 {
        let mut sum = (self.ones & set).count() + 2 * (self.twos & set).count();
        if (self.fours | self.eights).meets(set) {
            sum += 4 * (self.fours & set).count() + 8 * (self.eights & set).count();
        }
        sum as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_fifteen_moves_are_counted() {
        let mut planes = Planes::default();
        let (often, once) = (Bitboard(0b01), Bitboard(0b10));
        for times in 0..=Planes::MOST {
            assert_eq!(planes.weigh(often), times as i32);
            if times < Planes::MOST {
                planes.add(often);
            }
        }
        planes.add(once);
        assert_eq!((planes.any(), planes.weigh(often | once)), (often | once, Planes::MOST as i32 + 1));
    }
}
