//! Which run is asked first for work: how runs share the workers.

use std::collections::BTreeMap;

use super::{Ledger, Rows, Worker};
use crate::RunId;

impl<R: Rows> Ledger<'_, R> {
    /// Puts runs, which come oldest first, into the order in which a worker is to be given work of them.
    ///
    /// A run that nobody works on comes first, in turn: those after the worker's last run before the others.
    /// Then come those on which the others work with the fewest cores; among equals the one where the worker
    /// is warm, then the oldest. So runs share the workers evenly, a worker stays with its run where that is
    /// fair, and one worker alone goes from run to run.
    pub(super) fn sort_by_turn(&mut self, runs: &mut [RunId], worker: &Worker) -> Result<(), R::Error> {
        if runs.len() < 2 {
            return Ok(());
        }
        let all = self.rows.cores_by_run()?;
        let mut own = BTreeMap::new();
        for lease in self.rows.live_of_worker(worker.id)? {
            *own.entry(lease.run).or_insert(0) += lease.cores;
        }
        let near = worker.near.map(|(near, _)| near);
        runs.sort_by_key(|run| {
            let [all, own] = [&all, &own].map(|cores| cores.get(run).copied().unwrap_or(0));
            if all == 0 {
                (false, 0, near.is_some_and(|near| *run <= near))
            } else {
                (true, all.saturating_sub(own), near != Some(*run))
            }
        });
        Ok(())
    }
}
