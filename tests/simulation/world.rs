//! One world: a coordinator, some workers, a user and a bad network, all out of one seed.

use std::cell::RefCell;
use std::future::pending;
use std::num::NonZero;
use std::ops::Range;
use std::panic;
use std::sync::Arc;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use fastrand::Rng;
use tokio::sync::watch;
use tokio::time::sleep;
use turmoil::{Builder, Sim};
use vezir_coordinator::access::Access;
use vezir_coordinator::metrics::Metrics as CoordinatorMetrics;
use vezir_coordinator::{Settings, serve};
use vezir_perft::{Counter, Isa};
use vezir_telemetry::Registry;
use vezir_worker::metrics::Metrics as WorkerMetrics;
use vezir_worker::{Rehearsal, Worker, WorkerError};

use crate::disk::Disk;
use crate::fault::Fault;
use crate::judge::Judge;
use crate::map::{COORDINATOR, Map, TERMS, USER, Weather};
use crate::relay::relayed;
use crate::seen::Seen;
use crate::trouble::Troubles;
use crate::user::{errands, live as use_it};
use crate::wire::listen;

/// How finely time is cut: what one host does within it, no other sees before its end.
const TICK: Duration = Duration::from_millis(10);

/// How long things go wrong.
const STORM: Duration = Duration::from_secs(40);

/// How long a world may last in all.
const LIMIT: Duration = Duration::from_secs(300);

/// How long a message takes until links have their own times.
const LATENCY: Duration = Duration::from_millis(20);

/// How long a unit takes, in milliseconds.
const PACE: Range<u64> = 50..1_800;

/// In one unit of how many a liar lies.
const LIES_EVERY: u32 = 4;

/// A worker's process, which may die and start again.
#[derive(Clone)]
pub(crate) struct Hand {
    pub(crate) name: String,
    rehearsal: Rehearsal,
    /// How long a unit takes, in milliseconds.
    pace: Range<u64>,
    life: Arc<AtomicU64>,
    /// Whether it will not start again.
    retired: Arc<AtomicBool>,
    drains: watch::Sender<()>,
    map: Map,
}

/// Lets the world of a seed run to its end; tells what it saw and what its store did, or what was wrong.
pub(crate) fn live(seed: u64, fault: Option<Fault>) -> Result<(Seen, Vec<String>), String> {
    let mut rng = Rng::with_seed(seed);
    let map = Map { weather: Weather::default(), judge: Judge::default() };
    let disk = Disk::new(seed, map.clone(), fault);
    let mut sim = begin(seed, &disk);
    let lies = rng.bool();
    let hands: Vec<Hand> =
        (0..rng.u32(2..=4)).map(|number| Hand::some(number, lies && number == 0, &map)).collect();
    hands.iter().for_each(|hand| hand.employ(&mut sim));
    if lies {
        map.judge.count("liars");
    }
    sim.client(USER, use_it(map.clone(), errands(&mut rng), lies.then(|| hands[0].name.clone())));
    let mut troubles = Troubles::new(rng, hands, disk.clone(), map.clone());
    map.judge.count("worlds");
    run(&mut sim, &map, |sim| {
        if sim.elapsed() >= STORM && !map.weather.is_calm() {
            map.weather.calm_down();
            troubles.end(sim);
            (10..13).map(|number| Hand::some(number, false, &map)).for_each(|hand| hand.employ(sim));
        }
        troubles.go_on(sim);
    })?;
    map.judge.lasted(sim.elapsed());
    let seen = map.judge.verdict(&disk.tables())?;
    Ok((seen, map.judge.history()))
}

/// The world of a seed, with a coordinator on `disk` and nobody else.
pub(crate) fn begin(seed: u64, disk: &Disk) -> Sim<'static> {
    watch_panics();
    fastrand::seed(seed);
    let mut sim = Builder::new()
        .rng_seed(seed)
        .epoch(UNIX_EPOCH)
        .tick_duration(TICK)
        .simulation_duration(LIMIT + STORM)
        .min_message_latency(LATENCY)
        .max_message_latency(LATENCY)
        .tcp_capacity(1 << 14)
        .build();
    let disk = disk.clone();
    sim.host(COORDINATOR, move || coordinate(disk.clone()));
    sim
}

/// Lets a world run to its end, instant by instant, each of which begins with `go_on`.
pub(crate) fn run<'w>(
    sim: &mut Sim<'w>,
    map: &Map,
    mut go_on: impl FnMut(&mut Sim<'w>),
) -> Result<(), String> {
    loop {
        let now = sim.elapsed();
        go_on(sim);
        let over = sim.step().map_err(|error| format!("{now:?}: {error}"))?;
        if let Some(panicked) = PANICKED.take() {
            return Err(format!("{now:?}: {panicked}"));
        }
        if let Some(complaint) = map.judge.complaint() {
            return Err(complaint);
        }
        if over {
            return Ok(());
        }
        if now >= LIMIT {
            return Err(format!("the world does not come to its end: {}", map.judge.states()));
        }
    }
}

/// Runs a coordinator; one that cannot start tries again, as whoever looks after it would.
async fn coordinate(disk: Disk) -> turmoil::Result {
    loop {
        let metrics = CoordinatorMetrics::new(&Registry::new("0")?)?;
        let settings = Settings { terms: TERMS, threads: Some(NonZero::<usize>::MIN), ..Settings::default() };
        let incoming = Box::pin(listen().await?);
        match serve(disk.open(), settings, Access::Open, metrics, incoming, pending()).await {
            Ok(()) => return Ok(()),
            Err(_) => sleep(Duration::from_secs(1)).await,
        }
    }
}

impl Hand {
    pub(crate) fn new(number: u32, rehearsal: Rehearsal, pace: Range<u64>, map: &Map) -> Hand {
        let (name, map) = (format!("worker-{number}"), map.clone());
        let (life, retired, drains) = (Arc::default(), Arc::default(), watch::Sender::new(()));
        Hand { name, rehearsal, pace, life, retired, drains, map }
    }

    /// One of a world in which things go wrong.
    fn some(number: u32, lies: bool, map: &Map) -> Hand {
        let rehearsal = Rehearsal { lies_every: lies.then_some(LIES_EVERY), ..Rehearsal::default() };
        Hand::new(number, rehearsal, PACE, map)
    }

    pub(crate) fn employ(&self, sim: &mut Sim<'_>) {
        let hand = self.clone();
        sim.host(self.name.as_str(), move || hand.clone().work());
    }

    pub(crate) fn is_retired(&self) -> bool {
        self.retired.load(Ordering::Relaxed)
    }

    /// Somebody asks its process to end.
    pub(crate) fn drain(&self) {
        self.drains.send_replace(());
    }

    async fn work(self) -> turmoil::Result {
        let settings = vezir_worker::Settings {
            engines: vezir_worker::EngineSettings::default(),
            name: self.name.clone(),
            incarnation: self.life.fetch_add(1, Ordering::Relaxed) + 1,
            threads: NonZero::<usize>::MIN,
            hash_bytes: 1 << 12,
            isa: Isa::detect(),
            seed: Counter::SEED,
            version: "0".to_owned(),
            rehearsal: self.rehearsal,
        };
        let worker = Worker::new(settings, WorkerMetrics::new(&Registry::new("0")?)?)?;
        let mut drains = self.drains.subscribe();
        let drain = async { drop(drains.changed().await) };
        let range = self.pace.clone();
        let pace = move || sleep(Duration::from_millis(fastrand::u64(range.clone())));
        let lies = self.rehearsal.lies_every.is_some();
        match worker.run_inside(pace, relayed(self.map.clone()), drain, pending()).await {
            Ok(()) => {}
            Err(WorkerError::Quarantined) if lies => self.retired.store(true, Ordering::Relaxed),
            Err(error) => self.map.judge.complain(format!("{} ended: {error}", self.name)),
        }
        Ok(())
    }
}

thread_local! {
    /// What a task of this thread's world panicked with: nobody else may hear of it.
    static PANICKED: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            PANICKED.set(Some(panicked.to_string()));
            before(panicked);
        }));
    });
    PANICKED.set(None);
}
