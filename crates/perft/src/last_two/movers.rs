//! Own moves, man by man: where nothing of theirs is touched they are counted at once, the others are listed.

use vezir_chess::{Bitboard, Piece, Square, attacks};

use super::Node;
use super::board::Board;
use crate::machine::Machine;

/// A man and his moves, which are to be looked at closely.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    /// What he is after his moves: a pawn that promotes is listed four times.
    pub(super) piece: Piece,
    pub(super) from: Square,
    /// What he attacks before them.
    pub(super) attacked: Bitboard,
    pub(super) to: Bitboard,
}

impl<M: Machine, const WHITE: bool> Node<'_, M, WHITE> {
    /// The moves of everybody but pawns.
    #[inline(always)]
    pub(super) fn men(&mut self) {
        let (own, ties, open) = (self.board.own, self.ties, !self.board.own.all);
        let near = attacks::king(own.king);
        self.mover(Piece::King, own.king, near, near & open & !self.null.danger & !ties.behind);
        let open = open & ties.targets;
        for from in own.knights & !ties.pins {
            let attacked = attacks::knight(from);
            self.mover(Piece::Knight, from, attacked, attacked & open);
        }
        for from in own.slanted & !own.straight {
            let attacked = self.scratch.slanted[from.index()];
            self.mover(Piece::Bishop, from, attacked, attacked & open & ties.line(self.board, from));
        }
        for from in own.straight & !own.slanted {
            let attacked = self.scratch.straight[from.index()];
            self.mover(Piece::Rook, from, attacked, attacked & open & ties.line(self.board, from));
        }
        for from in own.slanted & own.straight {
            let attacked = self.scratch.slanted[from.index()] | self.scratch.straight[from.index()];
            self.mover(Piece::Queen, from, attacked, attacked & open & ties.line(self.board, from));
        }
    }

    /// The moves of one pawn.
    #[inline(always)]
    pub(super) fn pawn(&mut self, from: Square) {
        let (board, empty) = (self.board, !self.board.occupied);
        let attacked = attacks::pawn(Self::US, from);
        let single = Bitboard::of(from).ahead(Self::US) & empty;
        let double = (single & Board::<'_, M, WHITE>::OUR_THIRD).ahead(Self::US) & empty;
        let to = (single | double | attacked & board.their.all) & self.ties.targets;
        let to = to & self.ties.line(board, from);
        if to.is_empty() {
            return;
        }
        if Board::<'_, M, WHITE>::OUR_SEVENTH.has(from) {
            for piece in Piece::PROMOTIONS {
                self.list(Mover { piece, from, attacked, to });
            }
        } else {
            self.list(Mover { piece: Piece::Pawn, from, attacked, to });
        }
    }

    #[inline(always)]
    fn mover(&mut self, piece: Piece, from: Square, attacked: Bitboard, to: Bitboard) {
        if to.is_empty() {
            return;
        }
        let touching = to & self.watch.targets[piece.index()] | attacked & self.watch.denied;
        if touching.is_empty() && !self.watch.origins.has(from) {
            self.accepted += to.count() as i32;
            self.planes.add(to);
        } else {
            self.list(Mover { piece, from, attacked, to });
        }
    }

    #[inline(always)]
    fn list(&mut self, mover: Mover) {
        if let Some(place) = self.scratch.movers.get_mut(self.listed) {
            *place = mover;
            self.listed += 1;
        }
    }
}
