//! Our own counts, which the foreign ones are held against.

use std::sync::atomic::AtomicBool;

use vezir_chess::Position;
use vezir_perft::{Answer, CountError, Overflow, Solo};

/// Something that counts rightly.
pub trait Counts {
    /// The divide `depth` plies below `position`; at depth 0 one leaf and no moves.
    ///
    /// # Errors
    /// Where the count was stopped or does not fit.
    fn count(&mut self, position: &Position, depth: u32) -> Result<Answer, CountError>;
}

/// Plain recursion over legal moves: slow, and so simple that others are held against it.
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

/// A counter of one thread's own, and what stops it: for a few plies below each of many positions.
pub struct Alone<'a> {
    /// The counter.
    pub solo: Solo,
    /// Raised by others when the count is no longer wanted.
    pub stop: &'a AtomicBool,
}

impl Counts for Alone<'_> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<Answer, CountError> {
        self.solo.divide(position, depth, self.stop)
    }
}

#[cfg(test)]
mod tests {
    use vezir_perft::Isa;

    use super::*;

    #[test]
    fn both_ways_agree() {
        let root = Position::startpos();
        let stop = AtomicBool::new(false);
        let mut alone = Alone { solo: Solo::new(Isa::detect()).expect("instructions"), stop: &stop };
        for (depth, nodes) in [1, 20, 400, 8_902, 197_281].into_iter().enumerate() {
            let depth = depth as u32;
            let plain = Plain.count(&root, depth).expect("a count");
            assert_eq!(plain.nodes, nodes);
            assert_eq!(alone.count(&root, depth).expect("a count"), plain);
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(alone.count(&root, 3), Err(CountError::Stopped));
    }
}
