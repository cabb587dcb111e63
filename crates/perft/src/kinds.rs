//! Leaves below a position, and of what kinds the moves that lead to them are.
//!
//! How, and why it is exact, is in the crate's README.

mod board;
mod checks;
mod last_ply;
mod siege;
mod tally;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use vezir_chess::{Bitboard, Piece, Position, Sink, Square};

use self::tally::Tally;
use crate::machine::{Machine, Task};
use crate::{Breakdown, Isa};

/// Remaining depth from which a stop is looked for, and at which leaves are told of.
const STOP_DEPTH: u32 = 3;

/// Leaves `depth` plies below `position`, and what kinds of moves lead to them; any once `stop` is raised.
/// They are added to `walked` while they are counted.
pub(crate) fn count(
    isa: Isa,
    position: &Position,
    depth: u32,
    stop: &AtomicBool,
    walked: &AtomicU64,
) -> (u64, Breakdown) {
    let mut walk = Walk { stop, walked, told: 0, tally: Tally::default() };
    isa.run(Below { walk: &mut walk, position, depth });
    walk.tell();
    (walk.tally.leaves, walk.tally.breakdown())
}

/// One thread's way through the tree.
struct Walk<'a> {
    stop: &'a AtomicBool,
    walked: &'a AtomicU64,
    /// The leaves that were told of.
    told: u64,
    tally: Tally,
}

impl Walk<'_> {
    #[inline(always)]
    fn tell(&mut self) {
        self.walked.fetch_add(self.tally.leaves - self.told, Ordering::Relaxed);
        self.told = self.tally.leaves;
    }
}

/// All that is below one position.
struct Below<'w, 'a> {
    walk: &'w mut Walk<'a>,
    position: &'w Position,
    depth: u32,
}

impl Task for Below<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) {
        let Below { walk, position, depth } = self;
        match depth {
            0 => walk.tally.leaves += 1,
            1 => last_ply::count(machine, position, &mut walk.tally),
            _ if depth >= STOP_DEPTH && walk.stop.load(Ordering::Relaxed) => {}
            _ => {
                position
                    .generate(machine.sliders(), &mut Descent { machine, walk, position, depth: depth - 1 });
                if depth == STOP_DEPTH {
                    walk.tell();
                }
            }
        }
    }
}

/// Makes each move as the generator finds it, and goes on below it.
struct Descent<'w, 'a, M> {
    machine: M,
    walk: &'w mut Walk<'a>,
    position: &'w Position,
    depth: u32,
}

impl<M: Machine> Descent<'_, '_, M> {
    #[inline(always)]
    fn enter(&mut self, next: &Position) {
        self.machine.enter(Below { walk: self.walk, position: next, depth: self.depth });
    }
}

impl<M: Machine> Sink for Descent<'_, '_, M> {
    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard) {
        for to in to {
            self.enter(&self.position.after_piece_move(piece, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, back: i8) {
        for to in to {
            let from = Square::wrapping((to.index() as u8).wrapping_add_signed(back));
            if Bitboard::BACK_RANKS.has(to) {
                for piece in Piece::PROMOTIONS {
                    let sliders = self.machine.sliders();
                    self.enter(&self.position.after_pawn_move(from, to, Some(piece), sliders));
                }
            } else {
                self.enter(&self.position.after_pawn_move(from, to, None, self.machine.sliders()));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.enter(&self.position.after_en_passant(from, to));
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.enter(&self.position.after_castling(king, rook));
    }
}
