//! Own moves that are made, and their replies counted one position after another.
//!
//! This is done apart from the node, whose values would be pushed out of the registers.

use vezir_chess::{Piece, Square, Wing};

use super::Node;
use super::board::Board;
use crate::armies::captors;
use crate::army::Army;
use crate::castling::Castling;
use crate::leaf::Leaf;
use crate::machine::{Machine, Work};

impl<M: Machine, const WHITE: bool> Node<'_, M, WHITE> {
    /// Makes one move, castling and captures en passant left out; `piece` is what moved, or what the pawn became.
    #[inline(always)]
    pub(super) fn make(&mut self, piece: Piece, from: Square, to: Square) {
        self.made += u64::from(self.board.machine.apart(Made { board: self.board, piece, from, to }));
    }

    /// Adds the replies to a move after which the men stand so.
    #[inline(always)]
    fn answer(&mut self, own: Army, their: Army) {
        self.made += u64::from(self.board.machine.apart(Replies { board: self.board, own, their }));
    }

    /// Makes the castlings.
    #[inline(always)]
    pub(super) fn castle(&mut self) {
        let board = self.board;
        let rights = self.armies.rooks & board.own.all & !self.ties.pins;
        if rights.is_empty() || self.ties.check {
            return;
        }
        for (castling, wing) in self.castlings.of(Self::US).iter().zip(Wing::ALL) {
            let Castling { path, crossed, rook } = *castling;
            if !rights.meets(rook) || path.meets(board.occupied) || crossed.meets(self.null.danger) {
                continue;
            }
            // There is one rook in the set.
            let own = rook.first().map_or(*board.own, |rook| board.own.castled(wing, rook));
            self.answer(own, *board.their);
        }
    }

    /// Makes the captures en passant.
    #[inline(always)]
    pub(super) fn capture_en_passant(&mut self) {
        let (board, Some(passed)) = (self.board, self.armies.passed) else { return };
        for from in captors::<M::Sliders, WHITE>(board.sliders, (board.own, board.their), passed) {
            let own = self.board.own.moved(Piece::Pawn, from, passed);
            let taken = Square::at(passed.file(), from.rank());
            self.answer(own, self.board.their.without(taken.into()));
        }
    }
}

/// The replies to one move.
struct Made<'a, M: Machine, const WHITE: bool> {
    board: &'a Board<'a, M, WHITE>,
    piece: Piece,
    from: Square,
    to: Square,
}

impl<M: Machine, const WHITE: bool> Work for Made<'_, M, WHITE> {
    type Done = u32;

    #[inline(always)]
    fn done(self) -> u32 {
        let Made { board, piece, from, to } = self;
        let (mut own, mut passed) = (*board.own, None);
        if own.pawns.has(from) {
            own.flip(Piece::Pawn, from.into());
            own.flip(piece, to.into());
            if from.index().abs_diff(to.index()) == 16 {
                passed = Some(Square::wrapping(((from.index() + to.index()) / 2) as u8));
            }
        } else {
            own = own.moved(piece, from, to);
        }
        replies(board, &own, &board.their.without(to.into()), passed)
    }
}

/// The replies when the men stand so.
struct Replies<'a, M: Machine, const WHITE: bool> {
    board: &'a Board<'a, M, WHITE>,
    own: Army,
    their: Army,
}

impl<M: Machine, const WHITE: bool> Work for Replies<'_, M, WHITE> {
    type Done = u32;

    #[inline(always)]
    fn done(self) -> u32 {
        replies(self.board, &self.own, &self.their, None)
    }
}

#[inline(always)]
fn replies<M: Machine, const WHITE: bool>(
    board: &Board<'_, M, WHITE>,
    own: &Army,
    their: &Army,
    passed: Option<Square>,
) -> u32 {
    let rooks = board.rooks & their.all;
    let (sliders, castlings) = (board.sliders, board.castlings);
    let leaf = Leaf { sliders, own: their, their: own, castlings, rooks, passed };
    if WHITE { leaf.moves::<false>() } else { leaf.moves::<true>() }
}
