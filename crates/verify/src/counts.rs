//! Our own counts, which the foreign ones are held against.

use std::sync::atomic::AtomicBool;

use vezir_chess::Position;
use vezir_perft::{Answer, CountError, Counter, Frontier, Overflow, Slot};

/// Something that counts rightly.
pub trait Counts {
    /// The divide `depth` plies below `position`; at depth 0 one leaf and no moves.
    ///
    /// # Errors
    /// Where the count was stopped or does not fit.
    fn count(&mut self, position: &Position, depth: u32) -> Result<Answer, CountError>;
}

/// Plain recursion: no threads and no table, quickest where a count takes less than a millisecond.
#[derive(Clone, Copy, Default, Debug)]
pub struct Plain;

impl Counts for Plain {
    fn count(&mut self, position: &Position, depth: u32) -> Result<Answer, CountError> {
        if depth == 0 {
            return Ok(Answer { nodes: 1, ..Answer::default() });
        }
        let mut answer = Answer::default();
        for chosen in position.legal_moves() {
            let nodes = below(&position.after(chosen), depth - 1)?;
            answer.divide.insert(chosen, nodes);
            answer.nodes = answer.nodes.checked_add(nodes).ok_or(Overflow)?;
        }
        Ok(answer)
    }
}

fn below(position: &Position, depth: u32) -> Result<u128, Overflow> {
    match depth {
        0 => Ok(1),
        1 => Ok(position.count_moves().into()),
        _ => position.legal_moves().into_iter().try_fold(0_u128, |sum, chosen| {
            sum.checked_add(below(&position.after(chosen), depth - 1)?).ok_or(Overflow)
        }),
    }
}

/// A counter with threads and a table, for deep counts; shallow ones are counted plainly.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    /// The counter.
    pub counter: &'a Counter,
    /// Raised by others when the count is no longer wanted.
    pub stop: &'a AtomicBool,
}

impl Shared<'_> {
    /// The deepest count that is not worth waking threads for.
    const PLAIN_DEPTH: u32 = 3;
}

impl Counts for Shared<'_> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<Answer, CountError> {
        if depth <= Shared::PLAIN_DEPTH {
            return Plain.count(position, depth);
        }
        let slots: Vec<Slot> = Frontier::root(position).slots(0..1).collect();
        Ok(self.counter.count(&slots, depth, false, self.stop)?.answer)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use super::*;

    #[test]
    fn both_ways_agree() {
        let root = Position::startpos();
        let counter = Counter::new(NonZero::<usize>::MIN).expect("a thread");
        let mut shared = Shared { counter: &counter, stop: &AtomicBool::new(false) };
        for (depth, nodes) in [1, 20, 400, 8_902, 197_281].into_iter().enumerate() {
            let depth = depth as u32;
            let plain = Plain.count(&root, depth).expect("a count");
            assert_eq!(plain.nodes, nodes);
            assert_eq!(shared.count(&root, depth).expect("a count"), plain);
        }
    }
}
