//! Where bishops, rooks and queens attack: one trait, and the way that runs on every machine.

use crate::{Bitboard, Square};

/// A way to look up the attacks of sliding pieces.
///
/// Counting code is written once over this trait and compiled once for each way; which one is used is
/// decided where a count begins, never at each look-up. A value of an implementing type proves that this
/// machine can use that way.
pub trait Sliders: Copy + Send + Sync + 'static {
    /// The squares that a bishop on `square` attacks when `occupied` squares block.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares that a rook on `square` attacks when `occupied` squares block.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares that a queen on `square` attacks when `occupied` squares block.
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.bishop(square, occupied) | self.rook(square, occupied)
    }
}

/// Works everywhere without tables of its own: subtracting a slider from its blockers flips exactly the
/// squares up to the first one, once as the board stands and once with its bits reversed.
///
/// Source: Chess Programming Wiki, "Hyperbola Quintessence" (the o^(o-2r) identity).
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Sliders for Portable {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let [rising, falling] = masks(square, &DIAGONAL_LINES);
        Bitboard(along(square, occupied.0, rising) | along(square, occupied.0, falling))
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let [file, rank] = masks(square, &STRAIGHT_LINES);
        Bitboard(along(square, occupied.0, file) | along(square, occupied.0, rank))
    }
}

/// Attacks in both directions of one line, which `mask` holds without the slider's own square.
#[inline(always)]
fn along(square: Square, occupied: u64, mask: u64) -> u64 {
    let slider = 1_u64 << square.index();
    let blockers = occupied & mask;
    let forward = blockers.wrapping_sub(slider << 1);
    let backward = blockers.reverse_bits().wrapping_sub(slider.reverse_bits().wrapping_shl(1)).reverse_bits();
    (forward ^ backward) & mask
}

#[inline(always)]
fn masks(square: Square, table: &[[u64; 2]; 64]) -> [u64; 2] {
    table[square.index()]
}

static STRAIGHT_LINES: [[u64; 2]; 64] = two_lines([(0, 1), (1, 0)]);
static DIAGONAL_LINES: [[u64; 2]; 64] = two_lines([(1, 1), (1, -1)]);

const fn two_lines(directions: [(i8, i8); 2]) -> [[u64; 2]; 64] {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 2 {
            let (file, rank) = directions[d];
            table[square][d] =
                crate::attacks::ray(square, (file, rank), 0) | crate::attacks::ray(square, (-file, -rank), 0);
            d += 1;
        }
        square += 1;
    }
    table
}
