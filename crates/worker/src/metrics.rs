//! What a worker shows of itself: each method is named for what happened.

mod labels;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use vezir_telemetry::{Counters, Gauge, Gauges, Histogram, IntCounter, Registry, RegistryError};

pub use labels::{Method, Renewal, ThreadState, UnitEnd, Worth};

/// Bounds of the time that a unit takes, in seconds; it is planned to take one or two.
const UNIT_SECONDS: [f64; 14] =
    [0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 60.0, 120.0, 600.0];

/// The metrics of a worker. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Metrics {
    families: Arc<Families>,
}

#[derive(Debug)]
struct Families {
    walked: IntCounter,
    units: Counters<UnitEnd>,
    reported: Counters<Worth>,
    unit: Histogram,
    hash: Hash,
    threads: Gauges<ThreadState>,
    leases: Gauge,
    waiting: Gauge,
    renewals: Counters<Renewal>,
    reconnects: IntCounter,
    retries: Counters<Method>,
    contact: Arc<Mutex<Contact>>,
}

/// When the coordinator was last heard of.
#[derive(Clone, Copy, Debug)]
struct Contact {
    last: Instant,
    /// Whether it ever was; if not, the worker started then.
    ever: bool,
}

/// What is known of the hash table.
#[derive(Debug)]
struct Hash {
    probes: IntCounter,
    hits: IntCounter,
    bytes: Gauge,
    fill: Gauge,
}

impl Metrics {
    /// The metrics of a worker, shown in `registry`.
    ///
    /// # Errors
    /// [`RegistryError`] where the registry has them already.
    pub fn new(registry: &Registry) -> Result<Metrics, RegistryError> {
        let contact = Arc::new(Mutex::new(Contact { last: Instant::now(), ever: false }));
        let last = contact.clone();
        registry.age(
            "vezir_worker_contact_age_seconds",
            "Time since the coordinator last answered, or since the worker's start where it never did.",
            move || last.lock().unwrap_or_else(PoisonError::into_inner).last,
        )?;
        let families = Families {
            walked: registry.counter("vezir_leaves_walked_total", "Leaves that were really reached.")?,
            units: registry.counters(
                "vezir_units_finished_total",
                "Units that a worker has ended its work on, by how.",
            )?,
            reported: registry.counters(
                "vezir_units_reported_total",
                "Units that a worker has reported, by what the coordinator made of them.",
            )?,
            unit: registry.histogram(
                "vezir_unit_work_seconds",
                "Time that a worker worked on a unit that it finished.",
                &UNIT_SECONDS,
            )?,
            hash: Hash::new(registry)?,
            threads: registry
                .gauges("vezir_worker_threads", "Counting threads, by whether they have work.")?,
            leases: registry.gauge("vezir_worker_leases_held", "Leases that a worker holds.")?,
            waiting: registry
                .gauge("vezir_worker_results_waiting", "Results that are still to be reported.")?,
            renewals: registry
                .counters("vezir_worker_renewals_total", "Renewals of leases, by what came of them.")?,
            reconnects: registry.counter(
                "vezir_worker_reconnects_total",
                "How often a worker found its coordinator again after losing it.",
            )?,
            retries: registry
                .counters("vezir_worker_retries_total", "Calls that were made again, by which.")?,
            contact,
        };
        Ok(Metrics { families: Arc::new(families) })
    }

    /// So many more leaves were reached: to be told at least once a second while counting.
    pub fn walked(&self, leaves: u64) {
        self.families.walked.inc_by(leaves);
    }

    /// The table was asked `probes` more times, and answered `hits` of them.
    pub fn probed(&self, probes: u64, hits: u64) {
        self.families.hash.probes.inc_by(probes);
        self.families.hash.hits.inc_by(hits);
    }

    /// The table takes `bytes` bytes, of which `fill`, 0 to 1, is in use.
    pub fn table(&self, bytes: u64, fill: f64) {
        self.families.hash.bytes.set(bytes as f64);
        self.families.hash.fill.set(fill);
    }

    /// Work on a unit has ended, `took` after it began.
    pub fn unit_finished(&self, end: UnitEnd, took: Duration) {
        self.families.units.of(end).inc();
        if end != UnitEnd::Stopped {
            self.families.unit.observe(took.as_secs_f64());
        }
    }

    /// The coordinator said what became of a unit's report.
    pub fn told(&self, told: impl Into<Worth>) {
        self.families.reported.of(told.into()).inc();
    }

    /// Of `all` counting threads, `busy` have work from now on.
    pub fn threads(&self, busy: usize, all: usize) {
        self.families.threads.of(ThreadState::Busy).set(busy as f64);
        self.families.threads.of(ThreadState::Idle).set(all.saturating_sub(busy) as f64);
    }

    /// The worker holds so many leases from now on.
    pub fn holds(&self, leases: usize) {
        self.families.leases.set(leases as f64);
    }

    /// So many results wait to be reported from now on.
    pub fn results_waiting(&self, results: usize) {
        self.families.waiting.set(results as f64);
    }

    /// A lease was renewed, or should have been.
    pub fn renewed(&self, renewal: impl Into<Renewal>) {
        self.families.renewals.of(renewal.into()).inc();
    }

    /// The coordinator answered a call, whatever it said, or sent an order.
    pub fn contacted(&self) {
        *self.contact() = Contact { last: Instant::now(), ever: true };
    }

    /// How long ago that was; `None` if it never was.
    pub fn since_contact(&self) -> Option<Duration> {
        let contact = *self.contact();
        contact.ever.then(|| contact.last.elapsed())
    }

    fn contact(&self) -> MutexGuard<'_, Contact> {
        self.families.contact.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The coordinator was there again after it was lost.
    pub fn reconnected(&self) {
        self.families.reconnects.inc();
    }

    /// A call is made again.
    pub fn retried(&self, method: Method) {
        self.families.retries.of(method).inc();
    }
}

impl Hash {
    fn new(registry: &Registry) -> Result<Hash, RegistryError> {
        Ok(Hash {
            probes: registry.counter("vezir_hash_probes_total", "Look-ups in the hash table.")?,
            hits: registry.counter("vezir_hash_hits_total", "Look-ups that the hash table answered.")?,
            bytes: registry.gauge("vezir_hash_bytes", "Size of the hash table; 0 where there is none.")?,
            fill: registry.gauge("vezir_hash_fill_ratio", "Part of the hash table's entries in use.")?,
        })
    }
}

#[cfg(test)]
#[path = "metrics/tests.rs"]
mod tests;
