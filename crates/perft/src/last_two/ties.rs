//! What keeps own men from moving freely: checks and pins.

use vezir_chess::{Bitboard, Square, attacks};

use super::board::Board;
use crate::machine::Machine;

/// The ties of the side to move.
pub(super) struct Ties {
    /// Own men that are pinned.
    pub(super) pins: Bitboard,
    /// Whether the side to move is in check.
    pub(super) check: bool,
    /// Where men other than the king may go, their own squares not left out: all, or what ends the check.
    pub(super) targets: Bitboard,
    /// Squares behind the king on the lines of sliders that check it.
    pub(super) behind: Bitboard,
}

impl Ties {
    #[inline(always)]
    pub(super) fn of<M: Machine, const WHITE: bool>(board: &Board<'_, M, WHITE>) -> Ties {
        let (king, their) = (board.own.king, board.their);
        let (none, us) = (Bitboard::EMPTY, Board::<'_, M, WHITE>::US);
        let mut checks = attacks::knight(king) & their.knights | attacks::pawn(us, king) & their.pawns;
        let (mut pins, mut between, mut behind) = (none, none, none);
        for sniper in attacks::diagonals(king) & their.slanted | attacks::cross(king) & their.straight {
            let line = attacks::between(king, sniper);
            let men = line & board.occupied;
            if men.is_empty() {
                checks |= sniper.into();
                between |= line;
                behind |= attacks::line(king, sniper) ^ sniper.into();
            } else if !men.is_many() {
                pins |= men & board.own.all;
            }
        }
        let targets = match checks.count() {
            0 => Bitboard::FULL,
            1 => checks | between,
            _ => none,
        };
        Ties { pins, check: !checks.is_empty(), targets, behind }
    }

    /// The line on which a man must stay.
    #[inline(always)]
    pub(super) fn line<M: Machine, const WHITE: bool>(
        &self,
        board: &Board<'_, M, WHITE>,
        from: Square,
    ) -> Bitboard {
        if self.pins.has(from) { attacks::line(board.own.king, from) } else { Bitboard::FULL }
    }
}
