//! What a count answers: nodes, the part of each root move, and the breakdown where it was asked for.

use std::collections::BTreeMap;

use vezir_chess::Move;

use crate::Breakdown;

/// What one unit of a run counted, or what the whole run did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// Leaves below the root.
    pub nodes: u128,
    /// Leaves below each root move; they sum to `nodes` where the depth is 1 or more.
    pub divide: BTreeMap<Move, u128>,
    /// Kinds of moves at the last ply.
    pub breakdown: Option<Breakdown>,
}

impl Answer {
    /// Adds what another part of the same run counted.
    ///
    /// # Errors
    /// [`Overflow`] where a sum leaves 128 bits; `self` is then to be thrown away.
    pub fn add(&mut self, part: &Answer) -> Result<(), Overflow> {
        self.nodes = sum(self.nodes, part.nodes)?;
        for (root, nodes) in &part.divide {
            let so_far = self.divide.entry(*root).or_default();
            *so_far = sum(*so_far, *nodes)?;
        }
        if let Some(part) = &part.breakdown {
            self.breakdown.get_or_insert_default().add(part, 1)?;
        }
        Ok(())
    }

    /// Credits `nodes` to one root move.
    pub(crate) fn credit(&mut self, root: Move, nodes: u128) -> Result<(), Overflow> {
        self.nodes = sum(self.nodes, nodes)?;
        let so_far = self.divide.entry(root).or_default();
        *so_far = sum(*so_far, nodes)?;
        Ok(())
    }
}

/// The sum of two counts. A count of `u128::MAX` stands for one that did not fit.
pub(crate) fn sum(a: u128, b: u128) -> Result<u128, Overflow> {
    a.checked_add(b).filter(|sum| *sum != u128::MAX).ok_or(Overflow)
}

/// `times` as many as `count`, under the same convention as [`sum`].
pub(crate) fn product(count: u128, times: u64) -> Result<u128, Overflow> {
    count.checked_mul(times.into()).filter(|product| *product != u128::MAX).ok_or(Overflow)
}

/// A count that does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the count does not fit in 128 bits; a smaller depth would be right")]
pub struct Overflow;
