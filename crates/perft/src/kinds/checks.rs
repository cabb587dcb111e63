//! Moves that give check, or may: what kind of check each is.

use vezir_chess::{Bitboard, Piece, Square};

use super::board::Board;
use super::siege::Siege;
use super::tally::Tally;
use crate::machine::{Machine, Task};

/// Checks by moves of one man, which is no pawn, to each square of `to`.
pub(super) struct Checks<'a, const WHITE: bool> {
    pub(super) board: &'a Board<WHITE>,
    pub(super) tally: &'a mut Tally,
    pub(super) piece: Piece,
    pub(super) from: Square,
    pub(super) to: Bitboard,
}

impl<const WHITE: bool> Task for Checks<'_, WHITE> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) {
        for to in self.to {
            let board = self.board.after(self.piece, self.from, to);
            Made { board: &board, mover: to.into(), passed: None, tally: self.tally }.run(machine);
        }
    }
}

/// A move that was made, and the check, if it is one, that it gave.
pub(super) struct Made<'a, const WHITE: bool> {
    /// After the move.
    pub(super) board: &'a Board<WHITE>,
    /// Where the man that moved, or castled, stands now.
    pub(super) mover: Bitboard,
    /// The square behind a pawn that made a double step.
    pub(super) passed: Option<Square>,
    pub(super) tally: &'a mut Tally,
}

impl<const WHITE: bool> Task for Made<'_, WHITE> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) {
        let siege = Siege::of(self.board, machine.sliders());
        if siege.checkers.is_empty() {
            return;
        }
        self.tally.checks += 1;
        if siege.is_mate(self.passed) {
            self.tally.mates += 1;
        } else if siege.checkers.is_many() {
            self.tally.double += 1;
        } else if !siege.checkers.meets(self.mover) {
            self.tally.discovered += 1;
        }
    }
}
