//! Which own moves concern anybody: the others are counted without a second look.

use vezir_chess::Bitboard;

use super::board::Board;
use super::court::Court;
use super::lines::Lines;
use super::null::Null;
use super::planes::Planes;
use super::reach::Reach;
use super::stakes::Stakes;
use super::ties::Ties;
use crate::machine::Machine;

/// Squares and men that take a close look.
pub(super) struct Watch {
    /// Own men whose moves are all made.
    pub(super) singled: Bitboard,
    /// Squares that matter to the opponent's men when they are left.
    pub(super) stirred: Bitboard,
    /// Squares beside the opponent's king that one own man alone denies it.
    pub(super) denied: Bitboard,
    /// Squares that are watched when they are left.
    pub(super) origins: Bitboard,
    /// Targets that are watched, by kind of the man that moves.
    pub(super) targets: [Bitboard; 6],
    /// Targets beside the opponent's pawns, who may answer a double step there en passant.
    pub(super) late: Bitboard,
    /// Own pawns that are looked at one by one.
    pub(super) pawns: Bitboard,
}

impl Watch {
    #[inline(always)]
    pub(super) fn of<M: Machine, const WHITE: bool>(
        board: &Board<'_, M, WHITE>,
        ties: &Ties,
        court: &Court,
        reach: &Reach,
        null: &Null,
        stakes: &Stakes,
        lines: &Lines,
    ) -> Watch {
        let stirred = stirred(board, court, null);
        let singled = crowd(board) | court.bound | stakes.singled | lines.singled;
        let denied = court.ring & !board.their.all & reach.once & !reach.twice;
        let origins = singled | stirred | court.lines;
        let targets = targets(reach, stakes, lines);
        let late = board.their.pawns.east() | board.their.pawns.west();
        let pawns = board.own.pawns & (origins | ties.pins | guards::<M, WHITE>(court, reach, denied));
        Watch { singled, stirred, denied, origins, targets, late, pawns }
    }
}

/// Targets that take a close look, by kind of the man that moves.
#[inline(always)]
fn targets(reach: &Reach, stakes: &Stakes, lines: &Lines) -> [Bitboard; 6] {
    let mut targets = lines.refused;
    for (at, target) in targets.iter_mut().enumerate() {
        *target |= lines.pins[at] | stakes.targets[at] | reach.barred;
    }
    #[cfg(test)]
    {
        if super::tests::asks_for_one() {
            return [Bitboard::FULL; 6];
        }
    }
    targets
}

/// Where own pawns attack what matters to their king, and where they promote.
#[inline(always)]
fn guards<M: Machine, const WHITE: bool>(court: &Court, reach: &Reach, denied: Bitboard) -> Bitboard {
    #[cfg(test)]
    {
        if super::tests::asks_for_one() {
            return Bitboard::FULL;
        }
    }
    let guards = (denied | court.crossed & reach.once).ahead(Board::<'_, M, WHITE>::THEM);
    guards.east() | guards.west() | Board::<'_, M, WHITE>::OUR_SEVENTH
}

/// Own men where there are so many that their moves to one square could not be counted: these are then made.
#[inline(always)]
fn crowd<M: Machine, const WHITE: bool>(board: &Board<'_, M, WHITE>) -> Bitboard {
    let men = (board.own.all & !board.own.pawns).count();
    let promoting = board.own.pawns & Board::<'_, M, WHITE>::OUR_SEVENTH;
    // Two pawns at most go to one square besides, each four times where it promotes.
    if men + 2 > Planes::MOST {
        board.own.all
    } else if men + 4 * promoting.count().min(2) > Planes::MOST {
        promoting
    } else {
        Bitboard::EMPTY
    }
}

/// Squares where a man of the opponent's could be touched by who leaves them: a slider's ray ends there, a pawn
/// attacks them, or would step there.
#[inline(always)]
fn stirred<M: Machine, const WHITE: bool>(
    board: &Board<'_, M, WHITE>,
    court: &Court,
    null: &Null,
) -> Bitboard {
    let them = Board::<'_, M, WHITE>::THEM;
    let pawns = board.their.pawns & !court.pinned;
    let home = (pawns & Board::<'_, M, WHITE>::THEIR_SECOND).ahead(them) & !board.occupied;
    null.swept | null.east | null.west | pawns.ahead(them) | home.ahead(them)
}
