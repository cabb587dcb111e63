//! Kinds of moves as one thread counts them, before they are put together.

use crate::Breakdown;

/// Leaves, and how many of them are of each kind: [`Breakdown`] in words of the machine, which no thread's count
/// ever fills.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) leaves: u64,
    pub(super) captures: u64,
    pub(super) en_passants: u64,
    pub(super) castles: u64,
    pub(super) promotions: u64,
    pub(super) checks: u64,
    pub(super) discovered: u64,
    pub(super) double: u64,
    pub(super) mates: u64,
}

impl Tally {
    /// The same counts as others are told of them.
    pub(super) fn breakdown(&self) -> Breakdown {
        Breakdown {
            captures: self.captures.into(),
            en_passants: self.en_passants.into(),
            castles: self.castles.into(),
            promotions: self.promotions.into(),
            checks: self.checks.into(),
            discovered: self.discovered.into(),
            double: self.double.into(),
            mates: self.mates.into(),
        }
    }
}
