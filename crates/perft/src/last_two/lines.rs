//! Lines between own men and the opponent's king, which moves use or disturb.

use vezir_chess::{Bitboard, Sliders, attacks};

use super::board::Board;
use super::court::Court;
use super::reach::{Reach, on_the_way};
use super::scratch::Scratch;
use crate::machine::Machine;

/// Lines between own men and the opponent's king that moves must neither use nor disturb.
pub(super) struct Lines {
    /// Targets that are refused, by kind of the man that moves: from there he gives check, or disturbs a line.
    pub(super) refused: [Bitboard; 6],
    /// Targets from which he pins a man that nothing else pins.
    pub(super) pins: [Bitboard; 6],
    /// Own men that would open a line to the king's surroundings.
    pub(super) singled: Bitboard,
}

impl Lines {
    #[inline(always)]
    pub(super) fn of<M: Machine, const WHITE: bool>(
        board: &Board<'_, M, WHITE>,
        court: &Court,
        reach: &Reach,
        scratch: &Scratch,
    ) -> Lines {
        let (mut refused, mut singled) = (court.lines, Bitboard::EMPTY);
        for (from, hidden) in scratch.hidden.get(..reach.hidden).unwrap_or_default() {
            // What is attacked twice stays attacked, whatever is uncovered.
            let hidden = *hidden & !reach.twice;
            // A man beside the king that was taken there would be guarded from behind.
            refused |= hidden & board.their.all;
            singled |= on_the_way(*from, hidden & (court.crossed | !board.their.all)) & board.own.all;
        }
        let (king, them, occupied) = (board.their.king, board.their.all, board.occupied);
        let loose = !court.lines;
        let slanted = board.sliders.bishop(king, occupied);
        let mut straight = board.sliders.rook(king, occupied);
        let slanted_pins = board.sliders.bishop(king, occupied ^ (slanted & them)) & !slanted & loose;
        let straight_pins = board.sliders.rook(king, occupied ^ (straight & them)) & !straight & loose;
        // A rook that is pinned cannot castle.
        straight |= board.sliders.rook(king, occupied ^ (straight & board.rooks));
        let pawn = attacks::pawn(Board::<'_, M, WHITE>::THEM, king);
        let none = Bitboard::EMPTY;
        let checks = [pawn, attacks::knight(king), slanted, straight, slanted | straight, none];
        let pins = [none, none, slanted_pins, straight_pins, slanted_pins | straight_pins, none];
        Lines { refused: checks.map(|checks| checks | refused), pins, singled }
    }
}
