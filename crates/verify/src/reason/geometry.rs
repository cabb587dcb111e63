//! How men go on an empty board, and how they go on one whose edges were forgotten.

use vezir_chess::{Bitboard, Piece, Square, attacks};

/// Steps in files and ranks.
type Steps = &'static [(i8, i8)];

const STRAIGHT: Steps = &[(0, 1), (0, -1), (1, 0), (-1, 0)];
const SLANTED: Steps = &[(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: Steps = &[(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)];
/// The most steps in one direction.
const MOST_STEPS: i8 = 7;

/// Whether a man, no pawn, could go from one square to another if nobody else stood on the board.
pub(super) fn reaches(piece: Piece, from: Square, to: Square) -> bool {
    let slides = match piece {
        Piece::Knight => attacks::knight(from),
        Piece::King => attacks::king(from),
        Piece::Bishop => attacks::diagonals(from),
        Piece::Rook => attacks::cross(from),
        Piece::Queen => attacks::diagonals(from) | attacks::cross(from),
        Piece::Pawn => Bitboard::EMPTY,
    };
    slides.has(to)
}

/// Whether a man that does not reach a square would do so across the edge between the h- and the a-file.
///
/// A program forgets it in two ways: its squares are numbered on from one rank to the next, or files alone wrap.
pub(super) fn wraps(piece: Piece, from: Square, to: Square) -> bool {
    let steps: &[Steps] = match piece {
        Piece::Knight => &[KNIGHT],
        Piece::Bishop | Piece::Pawn => &[SLANTED],
        Piece::Rook => &[STRAIGHT],
        Piece::Queen | Piece::King => &[STRAIGHT, SLANTED],
    };
    let leaps = matches!(piece, Piece::Knight | Piece::King | Piece::Pawn);
    let most = if leaps { 1 } else { MOST_STEPS };
    let numbers = to.index() as i8 - from.index() as i8;
    let files = to.file().index() as i8 - from.file().index() as i8;
    let ranks = to.rank().index() as i8 - from.rank().index() as i8;
    let walked = |(file, rank): &(i8, i8)| {
        (1..=most).any(|times| {
            let on = (file + 8 * rank) * times == numbers;
            on || rank * times == ranks && (file * times - files).rem_euclid(8) == 0
        })
    };
    !reaches(piece, from, to) && steps.iter().copied().flatten().any(walked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_crossed_only_by_those_that_forget_them() {
        let at = |name: &str| name.parse::<Square>().expect("a square");
        for (piece, from, to, wrapped) in [
            (Piece::Pawn, "h4", "a6", true),
            (Piece::Pawn, "h4", "a5", true),
            (Piece::Pawn, "h4", "e6", false),
            (Piece::Knight, "h4", "a6", true),
            (Piece::Knight, "h4", "b6", true),
            (Piece::Knight, "h4", "g6", false),
            (Piece::King, "h4", "a5", true),
            (Piece::King, "h4", "f4", false),
            (Piece::Rook, "h1", "a2", true),
            (Piece::Rook, "a1", "c2", false),
            (Piece::Bishop, "h3", "a5", true),
            (Piece::Bishop, "a1", "h8", false),
            (Piece::Queen, "h1", "b2", true),
        ] {
            assert_eq!(wraps(piece, at(from), at(to)), wrapped, "{piece:?} {from}{to}");
        }
    }
}
