//! What a worker pretends in a rehearsal: slow units and wrong counts, for tests of clusters.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use vezir_perft::{CountError, Counted};

use crate::lease::Lease;
use crate::settings::Rehearsal;

/// How long a pretended unit goes on after its lease was stopped, at most.
const LOOKS_UP: Duration = Duration::from_millis(5);

/// A rehearsal under way.
pub(crate) struct Pretence {
    rehearsal: Rehearsal,
    units: AtomicU32,
}

impl Pretence {
    pub(crate) fn new(rehearsal: Rehearsal) -> Pretence {
        Pretence { rehearsal, units: AtomicU32::new(0) }
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

    /// Makes every n-th count wrong.
    pub(crate) fn lie(&self, counted: &mut Counted) {
        let Some(every) = self.rehearsal.lies_every else { return };
        let unit = self.units.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        if every > 0 && unit.is_multiple_of(every) {
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

    #[test]
    fn every_third_count_is_a_lie() {
        let rehearsal = Rehearsal { lies_every: Some(3), ..Rehearsal::default() };
        let pretence = Pretence::new(rehearsal);
        let nodes = (0..7).map(|_| {
            let mut counted = Counted::default();
            pretence.lie(&mut counted);
            counted.answer.nodes
        });
        assert!(nodes.eq([0, 0, 1, 0, 0, 1, 0]));
    }
}
