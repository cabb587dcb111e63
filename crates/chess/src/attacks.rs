//! Where men that do not slide attack, and the lines between squares.

use crate::{Bitboard, Color, Square};

/// The squares that a knight on `square` attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares that a king on `square` attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares that a pawn of `color` on `square` attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that any of `pawns` of `color` attacks.
#[inline(always)]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.ahead(color);
    ahead.east() | ahead.west()
}

/// The squares strictly between two squares of one line; empty where they share none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line, edge to edge, through two squares; empty where they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// The diagonals through `square`, itself left out.
#[inline(always)]
pub fn diagonals(square: Square) -> Bitboard {
    DIAGONALS[square.index()]
}

/// The rank and the file through `square`, itself left out.
#[inline(always)]
pub fn cross(square: Square) -> Bitboard {
    CROSS[square.index()]
}

/// Steps (file, rank) along ranks and files.
pub(crate) const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// Steps (file, rank) along diagonals.
pub(crate) const SLANTED: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

static KNIGHT: [Bitboard; 64] =
    leaper(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] = leaper(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];
static DIAGONALS: [Bitboard; 64] = empty_board(&SLANTED);
static CROSS: [Bitboard; 64] = empty_board(&STRAIGHT);
static BETWEEN: [[Bitboard; 64]; 64] = lines(false);
static LINE: [[Bitboard; 64]; 64] = lines(true);

/// The index of the square one step away, or `None` beyond the edge.
const fn step(square: usize, (file, rank): (i8, i8)) -> Option<usize> {
    let file = (square % 8) as i8 + file;
    let rank = (square / 8) as i8 + rank;
    if 0 <= file && file < 8 && 0 <= rank && rank < 8 { Some((rank * 8 + file) as usize) } else { None }
}

/// The squares from `square` (left out) along one step up to the first of `occupied` (left in) or the edge.
pub(crate) const fn ray(square: usize, direction: (i8, i8), occupied: u64) -> u64 {
    let mut set = 0;
    let mut at = square;
    while let Some(next) = step(at, direction) {
        set |= 1 << next;
        if occupied >> next & 1 != 0 {
            break;
        }
        at = next;
    }
    set
}

const fn leaper(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(to) = step(square, steps[i]) {
                table[square].0 |= 1 << to;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

const fn empty_board(directions: &[(i8, i8); 4]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 4 {
            table[square].0 |= ray(square, directions[d], 0);
            d += 1;
        }
        square += 1;
    }
    table
}

/// For each pair on one line: the squares between them, or the whole line through both.
const fn lines(whole: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut d = 0;
        while d < 8 {
            let (file, rank) = if d < 4 { STRAIGHT[d] } else { SLANTED[d - 4] };
            let line = ray(a, (file, rank), 0) | ray(a, (-file, -rank), 0) | 1 << a;
            let mut passed = 0;
            let mut at = a;
            while let Some(b) = step(at, (file, rank)) {
                table[a][b] = Bitboard(if whole { line } else { passed });
                passed |= 1 << b;
                at = b;
            }
            d += 1;
        }
        a += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(name: &str) -> Square {
        name.parse().expect("a square")
    }

    #[test]
    fn leapers_stay_on_the_board() {
        assert_eq!(knight(at("a1")), [at("b3"), at("c2")].into_iter().collect());
        assert_eq!(king(at("h8")).count(), 3);
        assert_eq!(pawn(Color::White, at("h4")), at("g5").into());
        assert_eq!(pawn(Color::Black, at("a4")), at("b3").into());
    }

    #[test]
    fn lines_join_squares() {
        assert_eq!(between(at("a1"), at("d4")), [at("b2"), at("c3")].into_iter().collect());
        assert_eq!(between(at("a1"), at("b3")), Bitboard::EMPTY);
        assert_eq!(line(at("b2"), at("c3")).count(), 8);
        assert_eq!(line(at("b1"), at("b8")), Bitboard::file(at("b1").file()));
        assert_eq!(line(at("b1"), at("c3")), Bitboard::EMPTY);
    }
}
