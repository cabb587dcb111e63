//! What a worker pretends in a rehearsal: slow units and wrong counts, for tests of clusters.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use vezir_perft::{CountError, Counted};

use crate::lease::Lease;
use crate::settings::Rehearsal;

/// How long a pretended unit goes on after its lease was stopped, at most.
const LOOKS_UP: Duration = Duration::from_millis(5);

/// A rehearsal under way.
pub(crate) struct Pretence {
    rehearsal: Rehearsal,
    units: AtomicU32,
    /// What says which units are lied about, where it is not their number.
    chance: Option<Mutex<Rng>>,
}

impl Pretence {
    pub(crate) fn new(rehearsal: Rehearsal) -> Pretence {
        let chance = rehearsal.lies_seed.map(|seed| Mutex::new(Rng::with_seed(seed)));
        Pretence { rehearsal, units: AtomicU32::new(0), chance }
    }

    /// Waits until a unit that began at `begun` has taken long enough.
    ///
    /// # Errors
    /// [`CountError::Stopped`] where its lease was stopped before.
    pub(crate) fn wait(&self, begun: Instant, lease: &Lease) -> Result<(), CountError> {
        while let Some(left) = self.rehearsal.unit_at_least.checked_sub(begun.elapsed())
            && !left.is_zero()
        {
            if lease.is_stopped() {
                return Err(CountError::Stopped);
            }
            thread::sleep(left.min(LOOKS_UP));
        }
        Ok(())
    }

    /// Makes every n-th count wrong, or one of n.
    pub(crate) fn lie(&self, counted: &mut Counted) {
        let Some(every) = self.rehearsal.lies_every.filter(|every| *every > 0) else { return };
        let lies = match &self.chance {
            Some(chance) => chance.lock().unwrap_or_else(PoisonError::into_inner).u32(..every) == 0,
            None => self.units.fetch_add(1, Ordering::Relaxed).wrapping_add(1).is_multiple_of(every),
        };
        if lies {
            counted.answer.nodes = counted.answer.nodes.saturating_add(1);
            if let Some(nodes) = counted.answer.divide.values_mut().next() {
                *nodes = nodes.saturating_add(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use vezir_perft::Counted;

    use super::Pretence;
    use crate::settings::Rehearsal;

    /// By how much each of so many counts is too large.
    fn lies(rehearsal: Rehearsal, counts: usize) -> Vec<u128> {
        let pretence = Pretence::new(rehearsal);
        let lie = |_| {
            let mut counted = Counted::default();
            pretence.lie(&mut counted);
            counted.answer.nodes
        };
        (0..counts).map(lie).collect()
    }

    #[test]
    fn every_third_count_is_a_lie() {
        let rehearsal = Rehearsal { lies_every: Some(3), ..Rehearsal::default() };
        assert_eq!(lies(rehearsal, 7), [0, 0, 1, 0, 0, 1, 0]);
    }

    #[test]
    fn one_count_of_three_is_a_lie_by_chance_and_the_same_for_each_seed() {
        let by = |seed| Rehearsal { lies_every: Some(3), lies_seed: Some(seed), ..Rehearsal::default() };
        let (one, other) = (lies(by(1), 3_000), lies(by(2), 3_000));
        assert_eq!(one, lies(by(1), 3_000));
        assert_ne!(one, other);
        for lies in [one, other] {
            let told: u128 = lies.iter().sum();
            assert!((900..1_100).contains(&told), "{told} of 3,000");
        }
    }
}
