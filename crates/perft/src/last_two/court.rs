//! What the opponent's king stands in: what pins its men, and which squares around it matter.

use vezir_chess::{Bitboard, attacks};

use super::board::Board;
use crate::machine::Machine;

/// The surroundings of the opponent's king.
pub(super) struct Court {
    /// The squares next to it.
    pub(super) ring: Bitboard,
    /// The squares that it would cross in castling, where none of its own men is in the way.
    pub(super) crossed: Bitboard,
    /// Both.
    pub(super) zone: Bitboard,
    /// Both, without its own men beside it, where it cannot go.
    pub(super) open: Bitboard,
    /// Its pinned men.
    pub(super) pinned: Bitboard,
    /// The lines on which they are pinned, pinners included.
    pub(super) lines: Bitboard,
    /// Own men that give check when they leave a line, or that pin a man by leaving it.
    pub(super) bound: Bitboard,
}

impl Court {
    #[inline(always)]
    pub(super) fn of<M: Machine, const WHITE: bool>(board: &Board<'_, M, WHITE>) -> Court {
        let king = board.their.king;
        let ring = attacks::king(king);
        let crossed = board.crossed();
        let (mut pinned, mut lines, mut bound) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
        let own = board.own;
        for sniper in attacks::diagonals(king) & own.slanted | attacks::cross(king) & own.straight {
            let between = attacks::between(king, sniper);
            let men = between & board.occupied;
            let ours = men & own.all;
            if !men.is_many() {
                if ours.is_empty() {
                    pinned |= men;
                    lines |= between | sniper.into();
                } else {
                    bound |= ours;
                }
            } else if men.count() == 2 && ours.count() == 1 {
                bound |= ours;
            }
        }
        let open = ring & !board.their.all | crossed;
        Court { ring, crossed, zone: ring | crossed, open, pinned, lines, bound }
    }
}
