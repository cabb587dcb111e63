//! What time ends.

use super::{End, Found, Ledger, Rows};
use crate::{Attempt, RunId};

impl<R: Rows> Ledger<'_, R> {
    /// The leases that [`Ledger::expire`] should be asked about, each in a transaction of its own.
    ///
    /// # Errors
    /// Whatever the rows fail with.
    pub fn due(&mut self) -> Result<Vec<(RunId, Attempt)>, R::Error> {
        let due = self.rows.due(self.now)?;
        Ok(due.into_iter().map(|lease| (lease.run, lease.attempt)).collect())
    }

    /// Ends a lease whose deadline has passed, and says how. One whose deadline was lost gets a full new
    /// term. Work that did not move is a failure of the first unit that was still to be reported.
    ///
    /// # Errors
    /// [`super::Refusal::UnknownLease`], or whatever the rows fail with.
    pub fn expire(&mut self, run: RunId, attempt: Attempt) -> Result<Option<End>, R::Error> {
        let (mut run, lease) = self.open_lease(run, attempt)?;
        if !lease.is_live() {
            return Ok(None);
        }
        let Some(deadline) = self.rows.deadline(run.id, attempt)? else {
            let full = self.full_term(&run, &lease);
            self.rows.put_deadline(&full)?;
            return Ok(None);
        };
        let Some(end) = deadline.passed(self.now) else { return Ok(None) };
        if end != End::Expired
            && let Some(unit) = self.held(&lease)?.first()
        {
            let evidence = format!("its work under lease {attempt} did not end: {end:?}");
            self.take_in(&mut run, &lease, *unit, Found::Failed(evidence))?;
        }
        self.end(&run, lease, end)?;
        self.settle(&mut run)?;
        Ok(Some(end))
    }
}
