//! What is read out of a store: runs, workers and stock as people and metrics see them.

use std::collections::BTreeMap;
use std::ops::Range;

use vezir_jobs::ledger::{Doubt, Enrolment, Finding, Lease, Refusal, Run, State, Tables, Worker};
use vezir_jobs::{Progress, RunId, RunSummary, Submission, Tally, WorkerId};

/// A run: what was asked, and how far it is.
#[derive(Clone, Debug)]
pub struct RunView {
    /// What was asked.
    pub submission: Submission,
    /// How it stands.
    pub run: Run<Tally>,
    /// How many of its units wait for a worker.
    pub queued: u32,
}

impl RunView {
    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress::of(&self.run)
    }

    /// The run as a list shows it.
    pub fn summary(&self) -> RunSummary {
        RunSummary::new(&self.submission, &self.run, self.queued)
    }
}

/// A worker: who it is, and what it does.
#[derive(Clone, Debug)]
pub struct WorkerView {
    /// Who it is.
    pub enrolment: Enrolment,
    /// How it stands.
    pub worker: Worker,
    /// The leases that it holds.
    pub leases: Vec<Lease>,
}

/// How much of everything there is.
#[derive(Clone, Debug, Default)]
pub struct Stock {
    /// How many runs stand how.
    pub runs: BTreeMap<State, u64>,
    /// The runs that have not ended, the oldest first.
    pub open: Vec<RunSummary>,
    /// How many doubts of theirs are conflicts.
    pub conflicts: u64,
    /// All workers.
    pub workers: Vec<Worker>,
    /// Leases that live.
    pub leases: u64,
}

pub(crate) fn run(tables: &Tables<Tally>, id: RunId) -> Result<RunView, Refusal> {
    let unknown = Refusal::UnknownRun(id);
    let run = tables.runs.get(&id).ok_or(unknown)?.clone();
    let submission = tables.submissions.get(&id).ok_or(unknown)?.clone();
    let slices = tables.queue.range((id, 0)..=(id, u32::MAX));
    let queued = slices.map(|((_, first), end)| end - first).sum();
    Ok(RunView { submission, run, queued })
}

pub(crate) fn runs(tables: &Tables<Tally>, before: Option<RunId>, most: u32) -> Vec<RunView> {
    let newest = tables.runs.range(..before.unwrap_or(RunId(u64::MAX))).rev();
    newest.filter_map(|(id, _)| run(tables, *id).ok()).take(most as usize).collect()
}

pub(crate) fn open_runs(tables: &Tables<Tally>) -> Vec<RunView> {
    tables.going_on().filter_map(|open| run(tables, open.id).ok()).collect()
}

pub(crate) fn findings(
    tables: &Tables<Tally>,
    run: RunId,
    units: Range<u32>,
) -> Result<Vec<Finding<Tally>>, Refusal> {
    tables.runs.get(&run).ok_or(Refusal::UnknownRun(run))?;
    Ok(tables.of_units(run, units).cloned().collect())
}

pub(crate) fn decisions(tables: &Tables<Tally>, run: RunId) -> Result<(Vec<Lease>, Vec<Doubt>), Refusal> {
    tables.runs.get(&run).ok_or(Refusal::UnknownRun(run))?;
    let doubts = tables.doubts.range((run, 0)..=(run, u32::MAX)).map(|(_, it)| *it).collect();
    Ok((tables.of_run(run).copied().collect(), doubts))
}

pub(crate) fn workers(tables: &Tables<Tally>) -> Vec<WorkerView> {
    let mut leases: BTreeMap<WorkerId, Vec<Lease>> = BTreeMap::new();
    for lease in tables.live() {
        leases.entry(lease.worker).or_default().push(*lease);
    }
    let view = |(id, enrolment): (&WorkerId, &Enrolment)| {
        let leases = leases.remove(id).unwrap_or_default();
        Some(WorkerView { enrolment: enrolment.clone(), worker: *tables.workers.get(id)?, leases })
    };
    tables.enrolments.iter().filter_map(view).collect()
}

pub(crate) fn stock(tables: &Tables<Tally>) -> Stock {
    let mut runs = BTreeMap::new();
    for run in tables.runs.values() {
        *runs.entry(run.state).or_default() += 1;
    }
    let open = open_runs(tables);
    Stock {
        runs,
        conflicts: open.iter().map(|view| u64::from(view.run.conflicts)).sum(),
        open: open.iter().map(RunView::summary).collect(),
        workers: tables.workers.values().copied().collect(),
        leases: tables.leases.marked_len() as u64,
    }
}
