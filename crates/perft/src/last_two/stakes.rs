//! What moves may cost the opponent's king: squares that it could go to, and castlings.

use vezir_chess::{Bitboard, Sliders, attacks};

use super::board::Board;
use super::court::Court;
use super::null::Null;
use super::reach::Reach;
use super::scratch::Scratch;
use crate::castling::Castling;
use crate::machine::Machine;

/// What moves may cost the opponent's king by their targets: squares that it could go to, castlings.
pub(super) struct Stakes {
    /// How many there are, in [`Scratch::stakes`].
    pub(super) used: usize,
    /// All targets that cost anything, by kind of the man that moves.
    pub(super) targets: [Bitboard; 6],
    /// Castlings among the replies to a null move.
    pub(super) castlings: i32,
    /// Own men that keep a castling from being possible.
    pub(super) singled: Bitboard,
}

impl Stakes {
    #[inline(always)]
    pub(super) fn of<M: Machine, const WHITE: bool>(
        board: &Board<'_, M, WHITE>,
        court: &Court,
        reach: &Reach,
        null: &Null,
        scratch: &mut Scratch,
    ) -> Stakes {
        let none = Bitboard::EMPTY;
        let mut stakes = Stakes { used: 0, targets: [none; 6], castlings: 0, singled: none };
        if !board.rooks.is_empty() {
            for &Castling { path, crossed, rook } in board.castlings {
                if !board.rooks.meets(rook) {
                    continue;
                }
                if !path.meets(board.occupied) && !crossed.meets(reach.once) && !court.pinned.meets(rook) {
                    stakes.castlings += 1;
                    stakes.push(board, crossed, path | rook, scratch);
                } else {
                    stakes.singled |= path & board.own.all | board.attackers(crossed & reach.once);
                    if court.pinned.meets(rook) {
                        stakes.singled |= court.lines & board.own.all;
                    }
                }
            }
        }
        for square in null.free {
            stakes.push(board, square.into(), Bitboard::EMPTY, scratch);
        }
        stakes
    }

    /// One reply is lost by moves to `targets`, and by those that attack one of `squares`.
    #[inline(always)]
    fn push<M: Machine, const WHITE: bool>(
        &mut self,
        board: &Board<'_, M, WHITE>,
        squares: Bitboard,
        targets: Bitboard,
        scratch: &mut Scratch,
    ) {
        let [mut pawn, mut knight, mut bishop, mut rook, mut king] = [targets; 5];
        for square in squares {
            pawn |= attacks::pawn(Board::<'_, M, WHITE>::THEM, square);
            knight |= attacks::knight(square);
            bishop |= board.sliders.bishop(square, board.occupied);
            rook |= board.sliders.rook(square, board.occupied);
            king |= attacks::king(square);
        }
        let row = [pawn, knight, bishop, rook, bishop | rook, king];
        for (all, targets) in self.targets.iter_mut().zip(row) {
            *all |= targets;
        }
        if let Some(place) = scratch.stakes.get_mut(self.used) {
            *place = row;
            self.used += 1;
        }
    }
}
