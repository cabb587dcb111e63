//! Own pawns that nobody is touched by: all at once.

use vezir_chess::{Bitboard, Piece, Square};

use super::Node;
use super::board::Board;
use crate::machine::Machine;

impl<M: Machine, const WHITE: bool> Node<'_, M, WHITE> {
    /// How far back a pawn came from that made one step.
    const BACK: i8 = if WHITE { -8 } else { 8 };

    /// The moves of pawns whose squares matter to nobody.
    #[inline(always)]
    pub(super) fn march(&mut self, pawns: Bitboard) {
        let (their, empty, targets) = (self.board.their, !self.board.occupied, self.ties.targets);
        let ahead = pawns.ahead(Self::US);
        let single = ahead & empty;
        let double = (single & Board::<'_, M, WHITE>::OUR_THIRD).ahead(Self::US) & empty & targets;
        let (single, prey) = (single & targets, their.all & targets);
        let (east, west) = (ahead.east() & prey, ahead.west() & prey);
        let refused = self.lines.refused[Piece::Pawn.index()] | self.reach.barred;
        self.accept_pawns((single | double) & !refused);
        for to in double & !refused & self.watch.late {
            self.sum += self.answers(came_from(to, 2 * Self::BACK), to);
        }
        if !(east | west).is_empty() {
            self.accept_pawns(east & !refused);
            self.accept_pawns(west & !refused);
        }
        if (single | double | east | west).meets(refused) {
            self.make_pawns(single & refused, Self::BACK);
            self.make_pawns(double & refused, 2 * Self::BACK);
            self.make_pawns(east & refused, Self::BACK - 1);
            self.make_pawns(west & refused, Self::BACK + 1);
        }
    }

    #[inline(always)]
    fn accept_pawns(&mut self, to: Bitboard) {
        self.accepted += to.count() as i32;
        self.planes.add(to);
        self.sum -= self.lost(Piece::Pawn, to);
    }

    #[inline(always)]
    fn make_pawns(&mut self, to: Bitboard, back: i8) {
        for to in to {
            self.make(Piece::Pawn, came_from(to, back), to);
        }
    }
}

/// Where a pawn came from that now stands `back` squares on.
#[inline(always)]
fn came_from(to: Square, back: i8) -> Square {
    Square::wrapping((to.index() as u8).wrapping_add_signed(back))
}
