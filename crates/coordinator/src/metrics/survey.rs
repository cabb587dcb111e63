//! What a look at the whole store finds: everything that is shown as a gauge.

use std::collections::BTreeMap;

use vezir_jobs::ledger::{self, Worker};
use vezir_jobs::{Kind, RunId, WorkerId};
use vezir_store::{RunView, WorkerView};
use vezir_telemetry::{Gauge, Gauges, Labels, NumberedGauges, Registry, RegistryError};

use super::labels::state_or_end;
use super::{Cause, CoreState, RunKind, RunState, UnitState, WorkerState};

/// The most runs that have gauges of their own.
pub const MAX_RUNS_SHOWN: usize = 32;

/// How all work stands at one moment. What a map does not name is zero.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Survey {
    /// Units of the runs that go on (being planned, running or disputed).
    pub units: BTreeMap<(RunKind, UnitState), u64>,
    /// The runs that go on.
    pub runs: BTreeMap<(RunKind, RunState), u64>,
    /// All workers that the store knows.
    pub workers: BTreeMap<WorkerState, u64>,
    /// The cores of active workers.
    pub cores: BTreeMap<CoreState, u64>,
    /// Counted units about which another worker is still to be asked.
    pub doubts: BTreeMap<Cause, u64>,
    /// Live leases.
    pub leases: u64,
    /// The runs that go on, the most interesting first: those past [`MAX_RUNS_SHOWN`] are not shown.
    pub active: Vec<ActiveRun>,
}

impl Survey {
    /// What can be read out of the open runs of a store, the oldest first, and its workers. `present` says
    /// which workers were heard of within a lease term.
    pub fn of(open: &[RunView], workers: &[WorkerView], present: impl Fn(WorkerId) -> bool) -> Survey {
        let mut survey = Survey::default();
        open.iter().for_each(|view| survey.take_run(view));
        for view in workers {
            survey.take_worker(&view.worker, present(view.worker.id));
            survey.leases += view.leases.len() as u64;
        }
        survey
    }

    fn take_run(&mut self, RunView { submission, run, queued }: &RunView) {
        let Ok(state) = state_or_end(run.state) else { return };
        let kind = RunKind::from(&submission.request);
        *self.runs.entry((kind, state)).or_default() += 1;
        let closed = run.done.saturating_add(run.aside);
        let leased = run.units.saturating_sub(closed).saturating_sub(*queued);
        let places = [
            (UnitState::Queued, *queued),
            (UnitState::Leased, leased),
            (UnitState::Done, run.done),
            (UnitState::Aside, run.aside),
        ];
        for (state, units) in places {
            *self.units.entry((kind, state)).or_default() += u64::from(units);
        }
        for (cause, units) in
            [(Cause::Check, run.doubts.saturating_sub(run.conflicts)), (Cause::Conflict, run.conflicts)]
        {
            *self.doubts.entry(cause).or_default() += u64::from(units);
        }
        if state != RunState::Planning {
            let known = run.kind == Kind::Bounded && run.units > 0;
            let progress = known.then(|| f64::from(closed) / f64::from(run.units));
            self.active.push(ActiveRun { run: run.id, progress, leaves: run.tally.answer.nodes });
        }
    }

    fn take_worker(&mut self, worker: &Worker, present: bool) {
        let state = match worker.state {
            ledger::WorkerState::Quarantined => WorkerState::Quarantined,
            _ if !present => WorkerState::Gone,
            ledger::WorkerState::Active => WorkerState::Active,
            ledger::WorkerState::Paused => WorkerState::Paused,
        };
        *self.workers.entry(state).or_default() += 1;
        if state == WorkerState::Active {
            let free = worker.cores.saturating_sub(worker.busy);
            *self.cores.entry(CoreState::Busy).or_default() += u64::from(worker.busy);
            *self.cores.entry(CoreState::Free).or_default() += u64::from(free);
        }
    }
}

/// A run that goes on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ActiveRun {
    /// Its number.
    pub run: RunId,
    /// Which part of its units is done or set aside, 0 to 1; `None` where nobody knows how many there will be.
    pub progress: Option<f64>,
    /// The leaves of its counted units.
    pub leaves: u128,
}

/// The gauges that a survey sets.
#[derive(Debug)]
pub(super) struct Surveyed {
    units: Gauges<(RunKind, UnitState)>,
    runs: Gauges<(RunKind, RunState)>,
    workers: Gauges<WorkerState>,
    cores: Gauges<CoreState>,
    doubts: Gauges<Cause>,
    leases: Gauge,
    progress: NumberedGauges,
    leaves: NumberedGauges,
}

impl Surveyed {
    pub(super) fn new(registry: &Registry) -> Result<Surveyed, RegistryError> {
        Ok(Surveyed {
            units: registry.gauges("vezir_units", "Units of the runs that go on, by where they are.")?,
            runs: registry.gauges("vezir_runs", "Runs that go on, by what for and how they stand.")?,
            workers: registry.gauges("vezir_workers", "Workers that the store knows, by how they stand.")?,
            cores: registry.gauges(
                "vezir_worker_cores",
                "Cores of active workers, by whether a live lease takes them.",
            )?,
            doubts: registry.gauges(
                "vezir_units_in_doubt",
                "Counted units about which another worker is still to be asked, by why.",
            )?,
            leases: registry.gauge("vezir_leases_live", "Leases that have not ended.")?,
            progress: registry.numbered_gauges(
                "vezir_run_progress_ratio",
                "Part of a run's units that is done or set aside, for at most 32 runs that go on.",
                "run",
            )?,
            leaves: registry.numbered_gauges(
                "vezir_run_leaves_counted",
                "Leaves of a run's counted units, for at most 32 runs that go on.",
                "run",
            )?,
        })
    }

    pub(super) fn set(&self, survey: &Survey) {
        set(&self.units, &survey.units);
        set(&self.runs, &survey.runs);
        set(&self.workers, &survey.workers);
        set(&self.cores, &survey.cores);
        set(&self.doubts, &survey.doubts);
        self.leases.set(survey.leases as f64);
        let shown = &survey.active[..survey.active.len().min(MAX_RUNS_SHOWN)];
        self.progress.replace(shown.iter().filter_map(|it| Some((it.run.0, it.progress?))));
        self.leaves.replace(shown.iter().map(|it| (it.run.0, it.leaves as f64)));
    }
}

fn set<L: Labels + Ord>(gauges: &Gauges<L>, found: &BTreeMap<L, u64>) {
    gauges.set_all(|labels| found.get(&labels).copied().unwrap_or_default() as f64);
}

#[cfg(test)]
#[path = "survey_tests.rs"]
mod tests;
