//! The store that forgets everything when the process ends; it shows what every other one must do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use vezir_jobs::{
    Attempt, Job, Outline, PerftRequest, Place, Progress, Refusal, Run, RunId, Standing, UnitReport, WorkerId,
};

use crate::{Store, StoreError};

/// A store in memory.
#[derive(Debug)]
pub struct Memory {
    shelves: Mutex<Shelves>,
    work: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Shelves {
    runs: BTreeMap<RunId, Entry>,
    /// The runs of which some units wait.
    waiting: BTreeSet<RunId>,
    workers: BTreeSet<WorkerId>,
    last_run: u64,
    last_worker: u64,
}

#[derive(Debug)]
struct Entry {
    run: Run,
    /// Whether it has ended; changed after each change of its progress.
    ended: watch::Sender<bool>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { shelves: Mutex::default(), work: watch::Sender::new(()) }
    }
}

impl Memory {
    /// An empty store.
    pub fn new() -> Memory {
        Memory::default()
    }

    fn shelves(&self) -> MutexGuard<'_, Shelves> {
        // Every call leaves the shelves in order before anything in it can panic.
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets something happen to a run, then tells those whom it concerns.
    fn change<T>(&self, id: RunId, happen: impl FnOnce(&mut Run) -> T) -> Result<T, StoreError> {
        let mut shelves = self.shelves();
        let happened = happen(&mut shelves.entry(id)?.run);
        let waits = shelves.settle(id)?;
        drop(shelves);
        if waits {
            self.work.send_replace(());
        }
        Ok(happened)
    }
}

impl Shelves {
    fn entry(&mut self, id: RunId) -> Result<&mut Entry, Refusal> {
        self.runs.get_mut(&id).ok_or(Refusal::UnknownRun(id))
    }

    /// Notes what has changed about a run; tells whether units have come to wait.
    fn settle(&mut self, id: RunId) -> Result<bool, Refusal> {
        let entry = self.entry(id)?;
        entry.ended.send_replace(entry.run.has_ended());
        if entry.run.has_work() {
            return Ok(self.waiting.insert(id));
        }
        self.waiting.remove(&id);
        Ok(false)
    }

    fn lease(&mut self, worker: WorkerId, near: Option<Place>, most: u32) -> Option<Job> {
        let warm = near.map(|place| place.run).filter(|run| self.waiting.contains(run));
        let id = warm.or_else(|| self.waiting.first().copied())?;
        let run = &mut self.runs.get_mut(&id)?.run;
        let job = run.lease(worker, near, most);
        if !run.has_work() {
            self.waiting.remove(&id);
        }
        job
    }
}

impl Store for Memory {
    async fn submit(&self, request: PerftRequest) -> Result<RunId, StoreError> {
        let mut shelves = self.shelves();
        shelves.last_run += 1;
        let id = RunId(shelves.last_run);
        shelves.runs.insert(id, Entry { run: Run::new(id, request), ended: watch::Sender::new(false) });
        Ok(id)
    }

    async fn plan(&self, run: RunId, outline: Outline) -> Result<(), StoreError> {
        self.change(run, |run| run.plan(outline))
    }

    async fn cancel(&self, run: RunId) -> Result<(), StoreError> {
        self.change(run, Run::cancel)
    }

    async fn fail(&self, run: RunId, reason: String) -> Result<(), StoreError> {
        self.change(run, |run| run.fail(reason))
    }

    async fn read(&self, run: RunId) -> Result<Progress, StoreError> {
        Ok(self.shelves().entry(run)?.run.progress())
    }

    async fn follow(&self, run: RunId) -> Result<watch::Receiver<bool>, StoreError> {
        Ok(self.shelves().entry(run)?.ended.subscribe())
    }

    async fn register(&self) -> Result<WorkerId, StoreError> {
        let mut shelves = self.shelves();
        shelves.last_worker += 1;
        let id = WorkerId(shelves.last_worker);
        shelves.workers.insert(id);
        Ok(id)
    }

    async fn dismiss(&self, worker: WorkerId) -> Result<(), StoreError> {
        let mut shelves = self.shelves();
        shelves.workers.remove(&worker);
        let Shelves { runs, waiting, .. } = &mut *shelves;
        for (id, entry) in runs.iter_mut().filter(|(_, entry)| !entry.run.has_ended()) {
            entry.run.release(worker);
            if entry.run.has_work() {
                waiting.insert(*id);
            }
        }
        drop(shelves);
        self.work.send_replace(());
        Ok(())
    }

    async fn lease(
        &self,
        worker: WorkerId,
        near: Option<Place>,
        most: u32,
    ) -> Result<Option<Job>, StoreError> {
        let mut shelves = self.shelves();
        if !shelves.workers.contains(&worker) {
            return Err(Refusal::UnknownWorker(worker).into());
        }
        Ok(shelves.lease(worker, near, most))
    }

    async fn report(
        &self,
        run: RunId,
        attempt: Attempt,
        reports: Vec<UnitReport>,
    ) -> Result<Vec<Standing>, StoreError> {
        Ok(self.change(run, |run| run.report(attempt, reports))??)
    }

    fn work(&self) -> watch::Receiver<()> {
        self.work.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[tokio::test]
    async fn memory_keeps_the_contract() {
        crate::exercise(Memory::new).await;
    }
}
