//! What a coordinator shows of itself: each method is named for what happened, and is to be called once the
//! store has committed it.

mod calls;
mod labels;
mod layer;
mod survey;

use std::sync::Arc;
use std::time::Duration;

use vezir_jobs::ledger;
use vezir_telemetry::{
    Counter, Counters, Gauge, Gauges, Histogram, Histograms, IntCounter, Labels, Registry, RegistryError,
};

pub use calls::{Call, Code, Lane, Method};
pub use labels::{
    Cause, CoreState, End, Failure, Place, Purpose, RunKind, RunState, Source, Standing, UnitState, Verb,
    WorkerState,
};
pub use layer::{Measured, MeasuredBody, MeasuringLayer};
pub use survey::{ActiveRun, MAX_RUNS_SHOWN, Survey};

use calls::Calls;
use survey::Surveyed;

/// Bounds of the time that a unit takes, in seconds; it is planned to take one or two.
const UNIT_SECONDS: [f64; 14] =
    [0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 60.0, 120.0, 600.0];

/// Bounds of the time that a job takes, in seconds.
const JOB_SECONDS: [f64; 13] = [0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 3600.0];

/// Bounds of the time that planning takes, in seconds.
const PLANNING_SECONDS: [f64; 11] = [0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 120.0, 600.0];

/// Bounds of the time that a transaction takes, in seconds.
const TRANSACTION_SECONDS: [f64; 14] =
    [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Bounds of how many transactions share a commit.
const BATCH_SIZES: [f64; 11] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0];

/// The metrics of a coordinator. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Metrics {
    families: Arc<Families>,
}

#[derive(Debug)]
struct Families {
    work: Work,
    store: Store,
    calls: Calls,
    surveyed: Surveyed,
    watchers: Gauge,
    connections: Gauge,
}

/// What happens to runs, units and leases.
#[derive(Debug)]
struct Work {
    leaves: Counter,
    planning: Histogram,
    frontiers: Counters<Source>,
    unit: Histogram,
    job: Histogram,
    granted: Counters<Purpose>,
    cut: IntCounter,
    ended: Counters<End>,
    reports: Counters<Standing>,
    conflicts: IntCounter,
    outvoted: IntCounter,
    paused: IntCounter,
    quarantined: IntCounter,
    repeated: IntCounter,
}

/// What happens to the store.
#[derive(Debug)]
struct Store {
    transaction: Histograms<Verb>,
    batch: Histogram,
    commits: IntCounter,
    failures: Counters<Failure>,
    used: Gauges<Seen>,
    free: Gauges<Seen>,
}

/// A place that is shown only once somebody has looked: an unknown free space is not none.
#[derive(Clone, Copy, Debug)]
struct Seen(Place);

impl Labels for Seen {
    fn names() -> Vec<&'static str> {
        Place::names()
    }

    fn values(self) -> Vec<&'static str> {
        self.0.values()
    }

    fn at_start() -> Vec<Seen> {
        Vec::new()
    }
}

impl Metrics {
    /// The metrics of a coordinator, shown in `registry`.
    ///
    /// # Errors
    /// [`RegistryError`] where the registry has them already.
    pub fn new(registry: &Registry) -> Result<Metrics, RegistryError> {
        let families = Families {
            work: Work::new(registry)?,
            store: Store::new(registry)?,
            calls: Calls::new(registry)?,
            surveyed: Surveyed::new(registry)?,
            watchers: registry.gauge("vezir_watchers", "Users who watch a run.")?,
            connections: registry.gauge("vezir_connections", "Open connections of workers and users.")?,
        };
        Ok(Metrics { families: Arc::new(families) })
    }

    /// A run was split into units, or could not be, after `took`.
    pub fn planned(&self, took: Duration) {
        self.families.work.planning.observe(took.as_secs_f64());
    }

    /// The frontier of a run is in memory.
    pub fn had_frontier(&self, source: Source) {
        self.families.work.frontiers.of(source).inc();
    }

    /// A lease was granted.
    pub fn granted(&self, purpose: impl Into<Purpose>) {
        self.families.work.granted.of(purpose.into()).inc();
    }

    /// The end of a running job was lowered for another worker.
    pub fn cut(&self) {
        self.families.work.cut.inc();
    }

    /// A lease ended, `lasted` after it was granted, if that is known: one that an earlier process granted
    /// is not timed.
    pub fn lease_ended(&self, end: impl Into<End>, lasted: impl Into<Option<Duration>>) {
        self.families.work.ended.of(end.into()).inc();
        if let Some(lasted) = lasted.into() {
            self.families.work.job.observe(lasted.as_secs_f64());
        }
    }

    /// A report was taken in. One that was answered from memory is [`Metrics::repeated`] instead.
    pub fn reported(&self, reported: &ledger::Reported) {
        let work = &self.families.work;
        reported.told.iter().for_each(|told| work.reports.of((*told).into()).inc());
        work.conflicts.inc_by(reported.conflicts.len() as u64);
        work.outvoted.inc_by(reported.suspects.len() as u64);
    }

    /// Units with `leaves` leaves in all, each times its paths, have become part of a tally.
    pub fn counted(&self, leaves: u128) {
        self.families.work.leaves.inc_by(leaves as f64);
    }

    /// A unit was reported, `took` after its worker began with it as far as the coordinator knows: after the
    /// grant of its lease, or after the worker's last report under it.
    pub fn unit_took(&self, took: Duration) {
        self.families.work.unit.observe(took.as_secs_f64());
    }

    /// A call was answered as the first time.
    pub fn repeated(&self) {
        self.families.work.repeated.inc();
    }

    /// A worker was paused.
    pub fn paused(&self) {
        self.families.work.paused.inc();
    }

    /// A worker was quarantined.
    pub fn quarantined(&self) {
        self.families.work.quarantined.inc();
    }

    /// A transaction was done, `took` after it was asked for: its waiting and its commit are part of that.
    pub fn transaction(&self, verb: Verb, took: Duration) {
        self.families.store.transaction.of(verb).observe(took.as_secs_f64());
    }

    /// The store has committed `transactions` of them together.
    pub fn committed(&self, transactions: usize) {
        self.families.store.commits.inc();
        self.families.store.batch.observe(transactions as f64);
    }

    /// The store has failed to do what it was asked; a refusal is no failure.
    pub fn store_failed(&self, failure: Failure) {
        self.families.store.failures.of(failure).inc();
    }

    /// Somebody looked at a file system: what is ours takes `used` bytes, and `free` are left.
    pub fn measured_disk(&self, place: Place, used: u64, free: u64) {
        self.families.store.used.of(Seen(place)).set(used as f64);
        self.families.store.free.of(Seen(place)).set(free as f64);
    }

    /// A call has begun. [`MeasuringLayer`] does this for every call of a server.
    pub fn call(&self, method: Method) -> Call {
        Call::new(self.clone(), method)
    }

    /// A user watches a run, until what is returned is dropped.
    pub fn watching(&self) -> Present {
        Present::new(&self.families.watchers)
    }

    /// A connection is open, until what is returned is dropped.
    pub fn connected(&self) -> Present {
        Present::new(&self.families.connections)
    }

    /// Somebody looked at the whole store: to be done every few seconds.
    pub fn surveyed(&self, survey: &Survey) {
        self.families.surveyed.set(survey);
    }
}

/// Something that is there until it is dropped.
#[derive(Debug)]
pub struct Present(Gauge);

impl Present {
    fn new(gauge: &Gauge) -> Present {
        gauge.inc();
        Present(gauge.clone())
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Work {
    fn new(registry: &Registry) -> Result<Work, RegistryError> {
        Ok(Work {
            leaves: registry.large_counter(
                "vezir_leaves_counted_total",
                "Leaves that became part of a tally, each times its paths.",
            )?,
            planning: registry.histogram(
                "vezir_run_planning_seconds",
                "Time that it took to split a run into units.",
                &PLANNING_SECONDS,
            )?,
            frontiers: registry.counters(
                "vezir_frontiers_total",
                "Frontiers that came into memory, by whether they grew or were read back.",
            )?,
            unit: registry.histogram(
                "vezir_unit_duration_seconds",
                "Time from the grant, or from the worker's report before it, to the report of a unit.",
                &UNIT_SECONDS,
            )?,
            job: registry.histogram(
                "vezir_job_duration_seconds",
                "Time from the grant of a lease to its end, however it ended.",
                &JOB_SECONDS,
            )?,
            granted: registry.counters("vezir_leases_granted_total", "Leases granted, by what for.")?,
            cut: registry
                .counter("vezir_jobs_cut_total", "Jobs whose end was lowered for another worker.")?,
            ended: registry.counters("vezir_leases_ended_total", "Leases that have ended, by how.")?,
            reports: registry.counters("vezir_reports_total", "Units reported, by what became of them.")?,
            conflicts: registry
                .counter("vezir_conflicts_total", "Units whose answers have come to differ.")?,
            outvoted: registry.counter(
                "vezir_workers_outvoted_total",
                "How often a worker's answer was outvoted by two others.",
            )?,
            paused: registry.counter("vezir_workers_paused_total", "How often a worker was paused.")?,
            quarantined: registry
                .counter("vezir_workers_quarantined_total", "How often a worker was quarantined.")?,
            repeated: registry.counter(
                "vezir_calls_repeated_total",
                "Repeated calls that were answered as the first time.",
            )?,
        })
    }
}

impl Store {
    fn new(registry: &Registry) -> Result<Store, RegistryError> {
        Ok(Store {
            transaction: registry.histograms(
                "vezir_store_transaction_seconds",
                "Time from asking the store to its answer, its commit included, by what for.",
                &TRANSACTION_SECONDS,
            )?,
            batch: registry.histogram(
                "vezir_store_batch_size",
                "How many transactions one commit of the store makes durable.",
                &BATCH_SIZES,
            )?,
            commits: registry.counter("vezir_store_commits_total", "Commits of the store.")?,
            failures: registry
                .counters("vezir_store_failures_total", "What the store failed to do, by why.")?,
            used: registry.gauges("vezir_disk_used_bytes", "Bytes that our files take, by place.")?,
            free: registry
                .gauges("vezir_disk_free_bytes", "Bytes that are left on a file system, by whose it is.")?,
        })
    }
}

#[cfg(test)]
#[path = "metrics/tests.rs"]
mod tests;
