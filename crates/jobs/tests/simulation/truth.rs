//! What every unit really counts, and how the simulation's answers are summed.

use vezir_jobs::RunId;
use vezir_jobs::ledger::Answer;
use vezir_perft::Overflow;

/// A count.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Leaves(pub(crate) u128);

impl Answer for Leaves {
    fn agrees(&self, other: &Leaves) -> bool {
        self == other
    }

    fn add(&mut self, part: &Leaves) -> Result<(), Overflow> {
        self.0 = self.0.checked_add(part.0).ok_or(Overflow)?;
        Ok(())
    }
}

/// What a unit really counts: odd numbers all over 64 bits, so that sums do not hide a wrong one.
pub(crate) fn leaves(run: RunId, unit: u32) -> Leaves {
    let mixed = (run.0 << 32 | u64::from(unit)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Leaves(u128::from((mixed ^ mixed >> 29) | 1))
}
