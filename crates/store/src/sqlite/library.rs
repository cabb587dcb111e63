//! The rows of a file in memory: those that may be asked for now, the others when somebody does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use vezir_jobs::ledger::{Tables, Verb};
use vezir_jobs::{Attempt, RunId, Tally, WorkerId};

use super::file::File;
use super::select;
use super::trouble::Trouble;
use super::{OpenError, Trial};
use crate::journal::Key;
use crate::shelf::Shelf;

/// A shelf and the file behind it. What every run is, is always on the shelf; the history of a run is while it
/// goes on, while a lease of it lives, and when it was asked for lately. A lease that has ended is there only
/// while somebody names it: there are many, and few are ever named again.
pub(super) struct Library {
    file: File,
    pub(super) shelf: Shelf,
    /// The runs whose history is on the shelf and that have ended, by when they were last asked for.
    ended: BTreeMap<RunId, u64>,
    /// The runs that have not ended: all of their history is on the shelf.
    open: BTreeSet<RunId>,
    turn: u64,
    remembered: usize,
}

impl Library {
    /// Opens a file and reads what must be at hand. If it was `broken` when it was last open, its log is
    /// carried over first.
    pub(super) async fn open(path: &Path, trial: Trial, broken: bool) -> Result<Library, OpenError> {
        let (file, remembered) = (File::open(path, trial).await?, trial.remembered);
        let (ended, open) = (BTreeMap::new(), BTreeSet::new());
        let mut library = Library { file, shelf: Shelf::default(), ended, open, turn: 0, remembered };
        match library.fill(broken).await {
            Ok(()) => Ok(library),
            Err(trouble) => {
                library.close().await;
                Err(OpenError::of(path, trouble))
            }
        }
    }

    async fn fill(&mut self, broken: bool) -> Result<(), Trouble> {
        if broken {
            self.file.carry_over().await?;
        }
        let tables = select::standing(&mut self.file.connection).await?;
        let mut runs: BTreeSet<RunId> = tables.going_on().map(|run| run.id).collect();
        runs.extend(select::runs_with_live_leases(&mut self.file.connection).await?);
        self.shelf.tables = tables;
        for run in runs {
            self.fetch(run).await?;
        }
        Ok(())
    }

    /// Brings what a verb needs onto the shelf.
    pub(super) async fn fetch_for(&mut self, verb: &Verb<Tally>) -> Result<(), Trouble> {
        match verb {
            // A worker is asked for work, of runs that go on, and about leases that live: these are here.
            Verb::Submit { .. }
            | Verb::Register { .. }
            | Verb::Lease { .. }
            | Verb::Pause { .. }
            | Verb::Resume { .. } => Ok(()),
            Verb::Plan { run, .. }
            | Verb::Fail { run, .. }
            | Verb::Cancel { run }
            | Verb::Conclude { run } => self.fetch(*run).await,
            Verb::Report { run, attempt, .. }
            | Verb::Renew { run, attempt, .. }
            | Verb::Release { run, attempt, .. } => {
                self.fetch(*run).await?;
                self.fetch_lease(*run, *attempt).await
            }
            Verb::Quarantine { worker } => {
                for run in select::runs_of_worker(&mut self.file.connection, *worker).await? {
                    self.fetch(run).await?;
                }
                Ok(())
            }
        }
    }

    /// Brings the history of a run onto the shelf, if there is such a run.
    pub(super) async fn fetch(&mut self, run: RunId) -> Result<(), Trouble> {
        let Some(row) = self.shelf.tables.runs.get(&run) else { return Ok(()) };
        if self.open.contains(&run) {
            return Ok(());
        }
        let has_ended = row.state.has_ended();
        self.turn += 1;
        if self.ended.insert(run, self.turn).is_some() {
            return Ok(());
        }
        select::history(&mut self.file.connection, run, &mut self.shelf.tables).await?;
        if !has_ended {
            self.ended.remove(&run);
            self.open.insert(run);
        }
        Ok(())
    }

    /// Brings a lease onto the shelf, if there is such a lease.
    async fn fetch_lease(&mut self, run: RunId, attempt: Attempt) -> Result<(), Trouble> {
        let tables = &mut self.shelf.tables;
        if tables.leases.contains_key(&(run, attempt)) {
            return Ok(());
        }
        select::lease(&mut self.file.connection, run, attempt, tables).await
    }

    /// Brings the history of a run onto the shelf, with all leases that it ever had. Nothing may have changed
    /// since the last commit.
    pub(super) async fn fetch_decisions(&mut self, run: RunId) -> Result<(), Trouble> {
        self.fetch(run).await?;
        select::ended_leases(&mut self.file.connection, run, &mut self.shelf.tables).await
    }

    /// Writes down what has changed, and tells what that was.
    pub(super) async fn commit(&mut self) -> Result<BTreeSet<Key>, Trouble> {
        let changed = self.shelf.take_changed();
        if !changed.is_empty() {
            self.file.commit(&self.shelf.tables, &changed).await?;
        }
        for run in changed.iter().filter_map(Key::run) {
            let Some(row) = self.shelf.tables.runs.get(&run) else { continue };
            if !row.state.has_ended() {
                self.ended.remove(&run);
                self.open.insert(run);
            } else {
                self.open.remove(&run);
                self.turn += 1;
                self.ended.insert(run, self.turn);
            }
        }
        Ok(changed)
    }

    /// Takes leases that have ended off the shelf, and the history of old ended runs. Nothing may have changed
    /// since the last commit.
    pub(super) fn tidy(&mut self) {
        self.shelf.tables.leases.remove_unmarked();
        let surplus = self.ended.len().saturating_sub(self.remembered);
        if surplus == 0 {
            return;
        }
        let mut oldest: Vec<(u64, RunId)> = self.ended.iter().map(|(run, turn)| (*turn, *run)).collect();
        oldest.sort_unstable();
        for (_, run) in oldest.into_iter().take(surplus) {
            if self.shelf.tables.live_of(run).next().is_none() {
                self.ended.remove(&run);
                forget(&mut self.shelf.tables, run);
            }
        }
    }

    /// Every row, whatever is on the shelf.
    pub(super) async fn whole(&mut self) -> Result<Tables<Tally>, Trouble> {
        let mut tables = self.shelf.tables.clone();
        let absent = |run: &&RunId| !self.open.contains(run) && !self.ended.contains_key(run);
        let runs: Vec<RunId> = self.shelf.tables.runs.keys().filter(absent).copied().collect();
        for run in runs {
            select::history(&mut self.file.connection, run, &mut tables).await?;
        }
        let runs: Vec<RunId> = tables.runs.keys().copied().collect();
        for run in runs {
            select::ended_leases(&mut self.file.connection, run, &mut tables).await?;
        }
        Ok(tables)
    }

    pub(super) async fn close(self) {
        self.file.close().await;
    }
}

fn forget(tables: &mut Tables<Tally>, run: RunId) {
    let leases = (run, Attempt(0))..=(run, Attempt(u64::MAX));
    let findings = (run, 0, Attempt(0))..=(run, u32::MAX, Attempt(u64::MAX));
    tables.leases.remove_range(leases);
    tables.findings.remove_range(findings);
    tables.doubts.remove_range((run, 0)..=(run, u32::MAX));
    let workers = (run, WorkerId(0))..=(run, WorkerId(u64::MAX));
    tables.trust.extract_if(workers, |_, _| true).for_each(drop);
}
