//! Rays of sliders by direction, and what is cut off behind a square on one of them.

use vezir_chess::{Bitboard, Square};

use super::planes::Planes;

/// Sets of squares in four directions, each beside the opposite one: north, south, east, west for rooks;
/// north-east, south-west, north-west, south-east for bishops.
pub(super) type Four = [Bitboard; 4];

static STRAIGHT: [Four; 64] = empty_board([(0, 1), (0, -1), (1, 0), (-1, 0)]);
static SLANTED: [Four; 64] = empty_board([(1, 1), (-1, -1), (-1, 1), (1, -1)]);

const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// The whole rays of a rook, to the edges.
#[inline(always)]
pub(super) fn straight(square: Square) -> &'static Four {
    &STRAIGHT[square.index()]
}

/// The whole rays of a bishop, to the edges.
#[inline(always)]
pub(super) fn slanted(square: Square) -> &'static Four {
    &SLANTED[square.index()]
}

/// The rays of some sliders, as far as they can go; their own men are left out. Rays of one direction never
/// overlap, since a slider stops those of the others.
#[derive(Clone, Copy, Default)]
pub(super) struct Rays {
    pub(super) straight: Four,
    pub(super) slanted: Four,
}

impl Rays {
    /// Every square on a ray.
    #[inline(always)]
    pub(super) fn all(&self) -> Bitboard {
        let [a, b, c, d] = self.straight;
        let [e, f, g, h] = self.slanted;
        a | b | c | d | e | f | g | h
    }

    /// Adds what a rook can reach from a square.
    #[inline(always)]
    pub(super) fn add_straight(&mut self, from: Square, reach: Bitboard) {
        for (ray, whole) in self.straight.iter_mut().zip(straight(from)) {
            *ray |= reach & *whole;
        }
    }

    /// Adds what a bishop can reach from a square.
    #[inline(always)]
    pub(super) fn add_slanted(&mut self, from: Square, reach: Bitboard) {
        for (ray, whole) in self.slanted.iter_mut().zip(slanted(from)) {
            *ray |= reach & *whole;
        }
    }

    /// How many squares these sliders lose behind the targets of some moves, all of them to `empty` squares.
    #[inline(always)]
    pub(super) fn cut_off(&self, moves: &Planes, empty: Bitboard) -> i32 {
        let [north, south, east, west] = self.straight;
        let [north_east, south_west, north_west, south_east] = self.slanted;
        cut(north, moves, empty, |set| set >> 8)
            + cut(south, moves, empty, |set| set << 8)
            + cut(east, moves, empty, |set| set >> 1 & NOT_H)
            + cut(west, moves, empty, |set| set << 1 & NOT_A)
            + cut(north_east, moves, empty, |set| set >> 9 & NOT_H)
            + cut(south_west, moves, empty, |set| set << 9 & NOT_A)
            + cut(north_west, moves, empty, |set| set >> 7 & NOT_A)
            + cut(south_east, moves, empty, |set| set << 7 & NOT_H)
    }
}

/// The same for the rays of one direction; `back` is a step against it. A square behind which are three others of
/// its ray is met three times.
#[inline(always)]
fn cut(ray: Bitboard, moves: &Planes, empty: Bitboard, back: impl Fn(u64) -> u64) -> i32 {
    let mut sum = 0;
    if ray.meets(empty) {
        let mut reach = ray & Bitboard(back(ray.0));
        while reach.meets(empty) {
            sum += moves.weigh(reach & empty);
            reach = ray & Bitboard(back(reach.0));
        }
    }
    sum
}

const fn empty_board(steps: [(i8, i8); 4]) -> [Four; 64] {
    let mut table = [[Bitboard::EMPTY; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 4 {
            let (mut file, mut rank) = ((square % 8) as i8 + steps[d].0, (square / 8) as i8 + steps[d].1);
            while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                table[square][d].0 |= 1 << (rank * 8 + file);
                file += steps[d].0;
                rank += steps[d].1;
            }
            d += 1;
        }
        square += 1;
    }
    table
}
