//! The store that forgets everything when the process ends; it shows what every other one must do.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use vezir_jobs::ledger::{Answered, CallId, Doubt, Finding, Lease, Tables, Verb};
use vezir_jobs::{RunId, Tally};

use crate::bell::Bell;
use crate::clock::Clock;
use crate::shelf::Shelf;
use crate::{Expired, RunView, Stock, Store, StoreError, WorkerView, view};

/// A store in memory. Its clones are one store.
#[derive(Clone, Debug)]
pub struct Memory {
    shelf: Arc<Mutex<Shelf>>,
    bell: Arc<Bell>,
    clock: Clock,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory::new()
    }
}

impl Memory {
    /// An empty store.
    pub fn new() -> Memory {
        Memory { shelf: Arc::default(), bell: Arc::new(Bell::new()), clock: Clock::start() }
    }

    /// The same rows as a process that starts would find them: without deadlines, and with nobody waiting.
    pub fn reopen(&self) -> Memory {
        self.shelf().tables.deadlines.clear();
        Memory { shelf: self.shelf.clone(), bell: Arc::new(Bell::new()), clock: Clock::start() }
    }

    /// A store of these rows, as a process that starts would find them.
    pub fn holding(tables: Tables<Tally>) -> Memory {
        let memory = Memory::new();
        memory.shelf().tables = tables;
        memory
    }

    /// Changes rows behind the ledger's back, and tells nobody: for simulations that plant faults, or lose what
    /// a crash may lose.
    pub fn alter<T>(&self, change: impl FnOnce(&mut Tables<Tally>) -> T) -> T {
        change(&mut self.shelf().tables)
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        // A transaction that panics has not changed the shelf, or is a fault that the laws will show.
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the shelf, and tells those whom it concerns.
    fn change<T>(&self, happen: impl FnOnce(&mut Shelf) -> T) -> T {
        let mut shelf = self.shelf();
        let happened = happen(&mut shelf);
        let changed = shelf.take_changed();
        self.bell.ring(&changed, &shelf.tables);
        happened
    }
}

impl Store for Memory {
    async fn call(&self, id: CallId, verb: Verb<Tally>) -> Result<Answered, StoreError> {
        Ok(self.change(|shelf| shelf.call(self.clock.now(), id, verb))?)
    }

    async fn expire(&self) -> Result<Vec<Expired>, StoreError> {
        Ok(self.change(|shelf| shelf.expire(self.clock.now()))?)
    }

    async fn run(&self, run: RunId) -> Result<RunView, StoreError> {
        Ok(view::run(&self.shelf().tables, run)?)
    }

    async fn runs(&self, before: Option<RunId>, most: u32) -> Result<Vec<RunView>, StoreError> {
        Ok(view::runs(&self.shelf().tables, before, most))
    }

    async fn open_runs(&self) -> Result<Vec<RunView>, StoreError> {
        Ok(view::open_runs(&self.shelf().tables))
    }

    async fn findings(&self, run: RunId, units: Range<u32>) -> Result<Vec<Finding<Tally>>, StoreError> {
        Ok(view::findings(&self.shelf().tables, run, units)?)
    }

    async fn decisions(&self, run: RunId) -> Result<(Vec<Lease>, Vec<Doubt>), StoreError> {
        Ok(view::decisions(&self.shelf().tables, run)?)
    }

    async fn workers(&self) -> Result<Vec<WorkerView>, StoreError> {
        Ok(view::workers(&self.shelf().tables))
    }

    async fn stock(&self) -> Result<Stock, StoreError> {
        Ok(view::stock(&self.shelf().tables))
    }

    async fn tables(&self) -> Result<Tables<Tally>, StoreError> {
        Ok(self.shelf().tables.clone())
    }

    async fn follow(&self, run: RunId) -> Result<watch::Receiver<bool>, StoreError> {
        let shelf = self.shelf();
        let ended = view::run(&shelf.tables, run)?.run.state.has_ended();
        Ok(self.bell.follow(run, ended))
    }

    fn work(&self) -> watch::Receiver<()> {
        self.bell.work()
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[tokio::test(start_paused = true)]
    async fn memory_keeps_the_contract() {
        crate::exercise(|| async { Memory::new() }).await;
    }
}
