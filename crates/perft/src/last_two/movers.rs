//! Own men that can move, but for pawns that are summed up all at once: who they are, and where they may go.

use vezir_chess::{Bitboard, Piece, Square, attacks};

use super::board::Board;
use super::scratch::Scratch;
use super::ties::Ties;
use crate::machine::Machine;

/// A man and his moves.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    /// What he is after his moves: a pawn that promotes is listed four times.
    pub(super) piece: Piece,
    pub(super) from: Square,
    /// What he attacks before them.
    pub(super) attacked: Bitboard,
    pub(super) to: Bitboard,
}

/// How many movers are in [`Scratch::movers`].
#[derive(Clone, Copy, Default)]
pub(super) struct Movers(usize);

impl Movers {
    /// How many there are.
    #[inline(always)]
    pub(super) fn number(self) -> usize {
        self.0
    }

    /// Lists everybody who can move, but for pawns not in `pawns`; the king may go where there is no `danger`.
    #[inline(always)]
    pub(super) fn of<M: Machine, const WHITE: bool>(
        board: &Board<'_, M, WHITE>,
        ties: &Ties,
        danger: Bitboard,
        pawns: Bitboard,
        scratch: &mut Scratch,
    ) -> Movers {
        let (own, open) = (board.own, !board.own.all);
        let mut movers = Movers::default();
        let near = attacks::king(own.king);
        movers.list(scratch, Piece::King, own.king, near, near & open & !danger & !ties.behind);
        let open = open & ties.targets;
        for from in own.knights & !ties.pins {
            let attacked = attacks::knight(from);
            movers.list(scratch, Piece::Knight, from, attacked, attacked & open);
        }
        for from in own.slanted & !own.straight {
            let attacked = scratch.slanted[from.index()];
            movers.list(scratch, Piece::Bishop, from, attacked, attacked & open & ties.line(board, from));
        }
        for from in own.straight & !own.slanted {
            let attacked = scratch.straight[from.index()];
            movers.list(scratch, Piece::Rook, from, attacked, attacked & open & ties.line(board, from));
        }
        for from in own.slanted & own.straight {
            let attacked = scratch.slanted[from.index()] | scratch.straight[from.index()];
            movers.list(scratch, Piece::Queen, from, attacked, attacked & open & ties.line(board, from));
        }
        for from in pawns {
            movers.pawn(board, ties, from, scratch);
        }
        movers
    }

    #[inline(always)]
    fn pawn<M: Machine, const WHITE: bool>(
        &mut self,
        board: &Board<'_, M, WHITE>,
        ties: &Ties,
        from: Square,
        scratch: &mut Scratch,
    ) {
        let (us, empty) = (Board::<'_, M, WHITE>::US, !board.occupied);
        let attacked = attacks::pawn(us, from);
        let single = Bitboard::of(from).ahead(us) & empty;
        let double = (single & Board::<'_, M, WHITE>::OUR_THIRD).ahead(us) & empty;
        let to = (single | double | attacked & board.their.all) & ties.targets & ties.line(board, from);
        if Board::<'_, M, WHITE>::OUR_SEVENTH.has(from) {
            for piece in Piece::PROMOTIONS {
                self.list(scratch, piece, from, attacked, to);
            }
        } else {
            self.list(scratch, Piece::Pawn, from, attacked, to);
        }
    }

    #[inline(always)]
    fn list(&mut self, scratch: &mut Scratch, piece: Piece, from: Square, attacked: Bitboard, to: Bitboard) {
        if to.is_empty() {
            return;
        }
        if let Some(place) = scratch.movers.get_mut(self.0) {
            *place = Mover { piece, from, attacked, to };
            self.0 += 1;
        }
    }
}
