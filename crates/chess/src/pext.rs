//! Slider attacks by one table load, the index made by the BMI2 instruction that gathers bits.

use std::arch::x86_64::_pext_u64;

use crate::attacks::{SLANTED, STRAIGHT, ray};
use crate::{Bitboard, Sliders, Square};

/// Looks attacks up in a table indexed by the blockers that matter (PEXT bitboards).
///
/// A value exists only on processors that have the instruction: [`Pext::detect`] is its one source.
#[derive(Clone, Copy, Debug)]
pub struct Pext(());

impl Pext {
    /// A proof that this processor has BMI2, if it has.
    pub fn detect() -> Option<Pext> {
        std::arch::is_x86_feature_detected!("bmi2").then_some(Pext(()))
    }
}

impl Sliders for Pext {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        look_up(self, &BISHOP, &ATTACKS.bishop, square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        look_up(self, &ROOK, &ATTACKS.rook, square, occupied)
    }
}

#[inline(always)]
fn look_up(_: Pext, rows: &[Row; 64], attacks: &[Bitboard], square: Square, occupied: Bitboard) -> Bitboard {
    let row = &rows[square.index()];
    // SAFETY: a `Pext` exists only where BMI2 was detected.
    let index = unsafe { _pext_u64(occupied.0, row.mask) } as usize;
    debug_assert!(row.start as usize + index < attacks.len());
    // SAFETY: `pext` gathers at most as many bits as `mask` has, and `rows` gave every square
    // 2^(bits of its mask) entries from `start` on; `every_row_fits` checks the last of them.
    unsafe { *attacks.get_unchecked(row.start as usize + index) }
}

/// Where the attacks from one square begin, and which blockers tell them apart.
#[derive(Clone, Copy)]
struct Row {
    mask: u64,
    start: u32,
}

const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

struct Attacks {
    rook: [Bitboard; ROOK_ENTRIES],
    bishop: [Bitboard; BISHOP_ENTRIES],
}

static ROOK: [Row; 64] = rows(&STRAIGHT);
static BISHOP: [Row; 64] = rows(&SLANTED);
// The table is worth its compile time: it sits in read-only memory and needs no start-up.
#[allow(long_running_const_eval)]
static ATTACKS: Attacks = Attacks { rook: fill(&STRAIGHT), bishop: fill(&SLANTED) };

/// The squares of a ray whose occupation changes the attacks: all but the last one.
const fn relevant(square: usize, direction: (i8, i8)) -> u64 {
    let whole = ray(square, direction, 0);
    let mut kept = whole;
    let mut blocker = whole;
    while blocker != 0 {
        let bit = blocker & blocker.wrapping_neg();
        // Only the last square of a ray, when blocked, leaves the attacks as they were.
        if ray(square, direction, bit) == whole {
            kept &= !bit;
        }
        blocker &= blocker - 1;
    }
    kept
}

const fn rows(directions: &[(i8, i8); 4]) -> [Row; 64] {
    let mut table = [Row { mask: 0, start: 0 }; 64];
    let mut start = 0;
    let mut square = 0;
    while square < 64 {
        let mut mask = 0;
        let mut d = 0;
        while d < 4 {
            mask |= relevant(square, directions[d]);
            d += 1;
        }
        table[square] = Row { mask, start };
        start += 1 << mask.count_ones();
        square += 1;
    }
    table
}

const fn fill<const N: usize>(directions: &[(i8, i8); 4]) -> [Bitboard; N] {
    let rows = rows(directions);
    let mut table = [Bitboard::EMPTY; N];
    let mut square = 0;
    while square < 64 {
        let Row { mask, start } = rows[square];
        let mut index = start as usize;
        let mut blockers = 0_u64;
        loop {
            let mut d = 0;
            while d < 4 {
                table[index].0 |= ray(square, directions[d], blockers);
                d += 1;
            }
            // Counts through the subsets of the mask in the very order that `pext` numbers them.
            blockers = blockers.wrapping_sub(mask) & mask;
            index += 1;
            if blockers == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Portable;

    #[test]
    fn every_row_fits() {
        for (rows, entries) in [(&ROOK, ROOK_ENTRIES), (&BISHOP, BISHOP_ENTRIES)] {
            let last = rows.iter().map(|row| row.start as usize + (1 << row.mask.count_ones())).max();
            assert_eq!(last, Some(entries));
        }
    }

    #[test]
    fn agrees_with_the_portable_way() {
        let Some(pext) = Pext::detect() else { return };
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..2_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let occupied = Bitboard(state & state.rotate_left(23));
            for square in Square::all() {
                assert_eq!(pext.bishop(square, occupied), Portable.bishop(square, occupied));
                assert_eq!(pext.rook(square, occupied), Portable.rook(square, occupied));
            }
        }
    }
}
