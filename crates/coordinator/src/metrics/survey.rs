//! What a look at the whole store finds: everything that is shown as a gauge.

use std::collections::BTreeMap;

use vezir_jobs::RunId;
use vezir_telemetry::{Gauge, Gauges, Labels, NumberedGauges, Registry, RegistryError};

use super::{Cause, CoreState, RunKind, RunState, UnitState, WorkerState};

/// The most runs that have gauges of their own.
pub const MAX_RUNS_SHOWN: usize = 32;

/// How all work stands at one moment. What a map does not name is zero.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Survey {
    /// Units of the runs that go on (being planned, running or disputed).
    pub units: BTreeMap<(RunKind, UnitState), u64>,
    /// All runs that the store keeps.
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
            runs: registry.gauges("vezir_runs", "Runs that the store keeps, by how they stand.")?,
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
