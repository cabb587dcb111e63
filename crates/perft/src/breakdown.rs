//! Kinds of moves at the last ply, as the published tables count them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use vezir_chess::{Bitboard, Move, Piece, Position, Square};

use crate::answer::{product, sum};
use crate::{Overflow, last_ply};

/// How many of the moves at the last ply are of each kind.
///
/// Published tables differ in what they call a check: the Chess Programming Wiki counts mates among the
/// checks, Labelle and the Grand Chess Tree leave them out. `checks` here has them in;
/// [`Breakdown::checks_without_mates`] is the other. Discovered and double checks that mate are in neither
/// family's columns, so they are only in `mates` here too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Breakdown {
    /// Captures, en passant among them.
    pub captures: u128,
    /// Captures en passant.
    pub en_passants: u128,
    /// Castlings.
    pub castles: u128,
    /// Promotions, each of the four pieces a move of its own, captures among them.
    pub promotions: u128,
    /// Checks of all kinds, mates among them.
    pub checks: u128,
    /// Checks, mates left out, by exactly one man, which neither moved nor castled.
    pub discovered: u128,
    /// Checks, mates left out, by two men at once.
    pub double: u128,
    /// Checkmates.
    pub mates: u128,
}

impl Breakdown {
    /// Checks that do not mate.
    pub const fn checks_without_mates(&self) -> u128 {
        self.checks.saturating_sub(self.mates)
    }

    /// Adds `part`, reached by each of `times` paths.
    ///
    /// # Errors
    /// [`Overflow`] where a sum leaves 128 bits.
    pub fn add(&mut self, part: &Breakdown, times: u64) -> Result<(), Overflow> {
        for (so_far, more) in self.cells_mut().into_iter().zip(part.cells()) {
            *so_far = sum(*so_far, product(more, times)?)?;
        }
        Ok(())
    }

    /// The eight counts in the order of their fields.
    pub const fn cells(&self) -> [u128; 8] {
        [
            self.captures,
            self.en_passants,
            self.castles,
            self.promotions,
            self.checks,
            self.discovered,
            self.double,
            self.mates,
        ]
    }

    /// The breakdown with these counts, in the order of [`Breakdown::cells`].
    pub const fn from_cells(cells: [u128; 8]) -> Breakdown {
        let [captures, en_passants, castles, promotions, checks, discovered, double, mates] = cells;
        Breakdown { captures, en_passants, castles, promotions, checks, discovered, double, mates }
    }

    const fn cells_mut(&mut self) -> [&mut u128; 8] {
        [
            &mut self.captures,
            &mut self.en_passants,
            &mut self.castles,
            &mut self.promotions,
            &mut self.checks,
            &mut self.discovered,
            &mut self.double,
            &mut self.mates,
        ]
    }

    /// Makes one legal move and counts what it is.
    pub(crate) fn count_made(&mut self, position: &Position, chosen: Move) {
        let them = position.color(!position.side());
        let castles = position.castles(chosen);
        let en_passant = position.en_passant() == Some(chosen.to())
            && position.pieces(Piece::Pawn).has(chosen.from())
            && chosen.from().file() != chosen.to().file();
        self.captures += u128::from(en_passant || them.has(chosen.to()));
        self.en_passants += u128::from(en_passant);
        self.castles += u128::from(castles.is_some());
        self.promotions += u128::from(chosen.promotion().is_some());
        let mover = match castles {
            Some(wing) => Square::at(wing.rook_file(), chosen.from().rank()),
            None => chosen.to(),
        };
        self.count_check(&position.after(chosen), Bitboard::of(mover));
    }

    /// Counts the check in `next`, if it is one; `mover` is where the man that moved, or castled, stands now.
    pub(crate) fn count_check(&mut self, next: &Position, mover: Bitboard) {
        let checkers = next.checkers();
        if checkers.is_empty() {
            return;
        }
        self.checks += 1;
        if next.count_moves() == 0 {
            self.mates += 1;
        } else if checkers.is_many() {
            self.double += 1;
        } else if !checkers.meets(mover) {
            self.discovered += 1;
        }
    }
}

/// Remaining depth from which a stop is looked for, and at which leaves are told of.
const STOP_DEPTH: u32 = 3;

/// Leaves `depth` plies below `position`, and what kinds of moves lead to them; any once `stop` is raised.
/// They are added to `walked` while they are counted.
pub(crate) fn count(
    position: &Position,
    depth: u32,
    stop: &AtomicBool,
    walked: &AtomicU64,
) -> (u128, Breakdown) {
    let mut descent = Descent { stop, walked, breakdown: Breakdown::default() };
    let nodes = descent.below(position, depth);
    if depth < STOP_DEPTH {
        descent.tell(nodes);
    }
    (nodes, descent.breakdown)
}

struct Descent<'a> {
    stop: &'a AtomicBool,
    walked: &'a AtomicU64,
    breakdown: Breakdown,
}

impl Descent<'_> {
    fn below(&mut self, position: &Position, depth: u32) -> u128 {
        match depth {
            0 => 1,
            1 => last_ply::count(position, &mut self.breakdown).into(),
            _ if depth >= STOP_DEPTH && self.stop.load(Ordering::Relaxed) => 0,
            _ => {
                let moves = position.legal_moves().into_iter();
                let nodes = moves.map(|chosen| self.below(&position.after(chosen), depth - 1)).sum();
                if depth == STOP_DEPTH {
                    self.tell(nodes);
                }
                nodes
            }
        }
    }

    fn tell(&self, nodes: u128) {
        self.walked.fetch_add(nodes as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the last ply at `depth` has these counts, mates among the checks.
    fn expect(fen: &str, depth: u32, cells: [u128; 8]) {
        let root: Position = fen.parse().expect("a position");
        let walked = AtomicU64::new(0);
        let (nodes, breakdown) = count(&root, depth, &AtomicBool::new(false), &walked);
        assert_eq!(breakdown, Breakdown::from_cells(cells), "{fen} depth {depth}");
        assert_eq!(u128::from(walked.into_inner()), nodes, "told once each");
    }

    #[test]
    fn equals_the_published_tables() {
        // Chess Programming Wiki, "Perft Results", and Grand Chess Tree; the same moves are in both.
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        expect(start, 4, [1_576, 0, 0, 0, 469, 0, 0, 8]);
        expect(start, 5, [82_719, 258, 0, 0, 27_351, 6, 0, 347]);
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        expect(kiwipete, 3, [17_102, 45, 3_162, 0, 993, 0, 0, 1]);
        expect(kiwipete, 4, [757_163, 1_929, 128_013, 15_172, 25_523, 42, 6, 43]);
    }

    #[test]
    fn promotions_discover_and_double() {
        expect("3rk3/2P1P3/8/8/8/8/4R3/4K3 w - - 0 1", 1, [8, 0, 0, 12, 6, 2, 2, 0]);
    }

    #[test]
    fn the_two_conventions_differ_by_the_mates() {
        let breakdown = Breakdown { checks: 809_099, mates: 10_828, ..Breakdown::default() };
        assert_eq!(breakdown.checks_without_mates(), 798_271);
    }
}
