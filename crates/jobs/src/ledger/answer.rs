//! What a unit's work brings: the ledger compares and sums it, and knows nothing else of it.

use std::fmt::Debug;

use vezir_perft::Overflow;

/// The result of one unit, and the tally of several.
pub trait Answer: Clone + Debug + Default {
    /// Whether two results of one unit say the same. What it took to find them is not asked.
    fn agrees(&self, other: &Self) -> bool;

    /// Adds the result of another unit.
    ///
    /// # Errors
    /// [`Overflow`]; `self` is then to be thrown away.
    fn add(&mut self, part: &Self) -> Result<(), Overflow>;
}
