//! What came of a count: its answer, and what it took.

use crate::{Answer, Overflow};

/// What a count did, besides its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Leaves that were really reached; the table answered for the others.
    pub walked: u64,
    /// Look-ups in the table.
    pub probes: u64,
    /// Look-ups that were answered.
    pub hits: u64,
}

impl Figures {
    /// The figures of two counts together.
    #[must_use]
    pub const fn plus(self, other: Figures) -> Figures {
        Figures {
            walked: self.walked.wrapping_add(other.walked),
            probes: self.probes.wrapping_add(other.probes),
            hits: self.hits.wrapping_add(other.hits),
        }
    }
}

/// An answer, and what it took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// What was asked.
    pub answer: Answer,
    /// What it took.
    pub figures: Figures,
}

impl Counted {
    /// Two parts of one run together.
    ///
    /// # Errors
    /// [`Overflow`] where a sum leaves 128 bits.
    pub fn plus(mut self, part: Counted) -> Result<Counted, Overflow> {
        self.answer.add(&part.answer)?;
        self.figures = self.figures.plus(part.figures);
        Ok(self)
    }
}
