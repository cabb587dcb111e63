//! Counts one position on the thread that asks: no table, no other threads; for shallow counts, of which there are many.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use vezir_chess::Position;

use crate::tree::Tree;
use crate::{Answer, CountError, Isa, IsaError};

/// A counter that one thread owns. Where the counts are shallow and many, each thread has one of its own, and none
/// waits for another.
pub struct Solo {
    isa: Isa,
    walked: AtomicU64,
}

impl Solo {
    /// A counter with these instructions.
    ///
    /// # Errors
    /// [`IsaError::Lacking`] where this machine lacks them.
    pub fn new(isa: Isa) -> Result<Solo, IsaError> {
        Ok(Solo { isa: isa.here()?, walked: AtomicU64::new(0) })
    }

    /// The leaves `depth` plies below `position`, and those below each of its moves; at depth 0 one leaf and no
    /// moves. Raising `stop` ends the count early.
    ///
    /// # Errors
    /// [`CountError::Stopped`] once `stop` is raised, and [`CountError::Overflow`] where the sum does not fit.
    pub fn divide(
        &mut self,
        position: &Position,
        depth: u32,
        stop: &AtomicBool,
    ) -> Result<Answer, CountError> {
        let mut answer = Answer { nodes: u128::from(depth == 0), ..Answer::default() };
        let moves = if depth == 0 { Vec::new() } else { position.legal_moves() };
        let mut tree = Tree::new(position, None, stop, &self.walked);
        for chosen in moves {
            let nodes = match depth {
                1 => 1,
                _ => self.isa.count(&mut tree, &position.after(chosen), depth - 1),
            };
            // What a stopped count says is no number.
            if stop.load(Ordering::Relaxed) {
                break;
            }
            answer.credit(chosen, nodes)?;
        }
        if stop.load(Ordering::Relaxed) { Err(CountError::Stopped) } else { Ok(answer) }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use super::*;
    use crate::{Counter, NAMED, Overflow, Slot};

    static QUIET: AtomicBool = AtomicBool::new(false);

    fn position(fen: &str) -> Position {
        fen.parse().expect("a FEN")
    }

    #[test]
    fn published_numbers_are_counted_by_all_instructions() {
        for isa in Isa::available() {
            let mut solo = Solo::new(isa).expect("instructions that are here");
            for named in NAMED {
                let root = named.position().expect("a position");
                for (depth, nodes) in named.nodes.iter().enumerate().take(5) {
                    let answer = solo.divide(&root, depth as u32, &QUIET).expect("a count");
                    assert_eq!(answer.nodes, *nodes, "{} at depth {depth} by {isa}", named.name);
                    let sum = answer.divide.values().sum::<u128>();
                    assert_eq!(sum, if depth == 0 { 0 } else { *nodes }, "{}", named.name);
                }
            }
        }
    }

    /// The counters share the recursion below a move, and nothing above it.
    #[test]
    fn it_says_what_the_large_counter_says() {
        let counter = Counter::new(NonZero::<usize>::MIN).expect("a thread");
        let mut solo = Solo::new(Isa::detect()).expect("instructions that are here");
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            // Chess960, and double Fischer random: rooks and kings castle from anywhere.
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            // Stalemate after one move, mate, and more moves than 218.
            "7k/8/8/6Q1/8/8/8/K7 w - - 0 1",
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "kb6/pp5Q/8/2Q4Q/Q3Q3/5Q2/2Q4Q/1Q4K1 w - - 0 1",
        ] {
            let root = position(fen);
            let slots = [Slot { position: root.pack(), shares: Vec::new() }];
            for depth in 0..=3 {
                let counted = counter.count(&slots, depth, false, &QUIET).expect("a count");
                let answer = solo.divide(&root, depth, &QUIET).expect("a count");
                assert_eq!(answer, counted.answer, "{fen} at depth {depth}");
            }
        }
    }

    #[test]
    fn a_raised_stop_ends_it() {
        let mut solo = Solo::new(Isa::Baseline).expect("what every machine has");
        for depth in [0, 1, 5, 12] {
            let ended = solo.divide(&Position::startpos(), depth, &AtomicBool::new(true));
            assert_eq!(ended, Err(CountError::Stopped), "depth {depth}");
        }
    }

    #[test]
    fn a_count_that_does_not_fit_is_none() {
        let mut answer = Answer::default();
        let chosen = Position::startpos().legal_moves()[0];
        assert_eq!(answer.credit(chosen, u128::MAX), Err(Overflow), "how the recursion says so");
    }
}
