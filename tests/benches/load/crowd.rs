//! Many workers who count for minutes: real ones, but for the time that a unit takes, which they sleep away.

use std::collections::BTreeMap;
use std::future::pending;
use std::num::NonZero;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tonic::transport::{Channel, Endpoint};
use vezir_chess::Position;
use vezir_jobs::ledger::CallId;
use vezir_jobs::{Outcome, PerftRequest, RunSummary};
use vezir_perft::{Counter, Isa};
use vezir_proto::wire::runs::v1 as wire;
use vezir_proto::wire::runs::v1::runs_client::RunsClient;
use vezir_telemetry::Registry;
use vezir_worker::metrics::Metrics;
use vezir_worker::{Rehearsal, Settings, Worker, WorkerError};

use crate::asked::Asked;
use crate::figures::{Times, mib};
use crate::station::{Needs, Station};
use crate::timing::{Clock, timed};

/// What is counted: units of a few positions of the fifth ply, whose counts are known in an instant.
const DEPTH: u32 = 6;
const SPLIT: u32 = 5;

/// The distinct positions there, of which each unit has one at least.
const POSITIONS: u32 = 822_518;

/// The published count.
const NODES: u128 = 119_060_324;

/// How often the run is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// How often figures are told.
const TOLD: Duration = Duration::from_secs(60);

/// How leases end by time.
const ENDS_BY_TIME: [&str; 3] = ["expired", "stuck", "overdue"];

/// Lets the crowd work until a run has its answer, and tells what that took.
pub(crate) fn measure(asked: &Asked) {
    let station = Station::start(asked);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(load(&station, asked));
    drop(runtime);
    for end in ENDS_BY_TIME {
        let ended = station.shown(&format!("vezir_leases_ended_total{{end=\"{end}\"}}"));
        assert_eq!(ended, 0.0, "leases {end}, and every one was renewed");
    }
    println!("no lease ended by time");
    let (batches, calls) =
        ["count", "sum"].map(|part| station.shown(&format!("vezir_store_batch_size_{part}"))).into();
    println!("{batches} commits of {:.1} calls each", calls / batches.max(1.0));
    println!("the store takes {:.1} MiB", mib(station.store_bytes()));
    station.end(asked);
    println!("every law is kept");
}

async fn load(station: &Station, asked: &Asked) {
    let before = station.needs();
    let units = (asked.lasts.as_secs_f64() / asked.unit.as_secs_f64() * f64::from(asked.workers)) as u32;
    assert!((1..=POSITIONS).contains(&units), "{units} units; between 1 and {POSITIONS} would be right");
    let mut runs = RunsClient::new(line(&station.address()));
    let run = submit(&mut runs, units).await;
    println!(
        "{} workers, {units} units of {:?} each, leases of {}: {:.1} MiB at the start",
        asked.workers,
        asked.unit,
        asked.lease,
        mib(before.resident)
    );
    let (clock, registry) = (Clock::default(), Registry::new("0").expect("a registry"));
    let (stop, stopped) = watch::channel(false);
    let metrics = Metrics::new(&registry).expect("metrics");
    let mut workers = JoinSet::new();
    for number in 0..asked.workers {
        let unit = asked.unit;
        let pace = move || sleep(unit.mul_f64(2.0 / 3.0 + fastrand::f64() * 2.0 / 3.0));
        let mut stopped = stopped.clone();
        let drain = async move { drop(stopped.wait_for(|stop| *stop).await) };
        let line = timed(&station.address(), &clock);
        let worker = worker(number, metrics.clone());
        workers.spawn(async move { worker.run_inside(pace, line, drain, pending()).await });
    }
    let mut report = Report::new(station, clock);
    let ended = report.follow(&mut runs, run, &mut workers).await;
    assert!(
        matches!(&ended.progress.outcome, Some(Outcome::Done(tally)) if tally.counted.answer.nodes == NODES),
        "{ended:?}"
    );
    println!("{NODES} leaves, as published");
    stop.send_replace(true);
    while let Some(worker) = workers.join_next().await {
        worker.expect("no worker panics").expect("a worker ends well");
    }
    let text = registry.text().expect("a text");
    let retried = |line: &&str| line.starts_with("vezir_worker_re") && !line.ends_with(" 0");
    text.lines().filter(retried).for_each(|line| println!("{line}"));
}

/// A worker of one thread and no table.
fn worker(number: u32, metrics: Metrics) -> Worker {
    let settings = Settings {
        engines: vezir_worker::EngineSettings::default(),
        name: format!("worker-{number}"),
        incarnation: 1,
        threads: NonZero::<usize>::MIN,
        hash_bytes: 0,
        isa: Isa::detect(),
        seed: Counter::SEED,
        version: "0".to_owned(),
        rehearsal: Rehearsal::default(),
    };
    Worker::new(settings, metrics).expect("a worker")
}

pub(crate) fn line(address: &str) -> Channel {
    Endpoint::from_shared(address.to_owned()).expect("an address").connect_lazy()
}

async fn submit(runs: &mut RunsClient<Channel>, units: u32) -> u64 {
    let (split, units) = (Some(SPLIT), Some(units));
    let request = PerftRequest { split, units, ..PerftRequest::new(Position::startpos(), DEPTH) };
    let kind = Some(vezir_jobs::Request::Perft(request).into());
    let call = Some(CallId(fastrand::u128(1..)).into());
    let submitted = runs.submit(wire::SubmitRequest { kind, call, verify: 0 }).await;
    submitted.expect("it can be submitted").into_inner().run
}

/// How a run stands.
pub(crate) async fn shown(runs: &mut RunsClient<Channel>, run: u64) -> RunSummary {
    let shown = runs.show(wire::ShowRequest { run }).await.expect("it can be shown").into_inner();
    shown.run.expect("a run").try_into().expect("a run that can be read")
}

/// What is told while the crowd works.
struct Report<'station> {
    station: &'station Station,
    clock: Clock,
    /// All times of the load.
    all: BTreeMap<String, Times>,
    begun: Instant,
    /// When figures were told last, and what was needed until then.
    told: (Instant, Needs),
    /// When nothing waited any longer.
    tail: Option<Instant>,
}

impl<'station> Report<'station> {
    fn new(station: &'station Station, clock: Clock) -> Report<'station> {
        let now = Instant::now();
        Report { station, clock, all: BTreeMap::new(), begun: now, told: (now, station.needs()), tail: None }
    }

    /// Follows a run to its end.
    async fn follow(
        &mut self,
        runs: &mut RunsClient<Channel>,
        run: u64,
        workers: &mut JoinSet<Result<(), WorkerError>>,
    ) -> RunSummary {
        loop {
            let run = shown(runs, run).await;
            if run.progress.outcome.is_some() {
                self.end();
                return run;
            }
            if self.tail.is_none() && run.progress.done > 0 && run.queued == 0 {
                self.tell();
                self.sum_up();
                self.tail = Some(Instant::now());
            }
            if self.tail.is_none() && self.told.0.elapsed() >= TOLD {
                self.tell();
            }
            tokio::select! {
                () = sleep(LOOK) => {}
                Some(ended) = workers.join_next() => panic!("a worker ended: {ended:?}"),
            }
        }
    }

    /// Tells of the time since this was last done.
    fn tell(&mut self) {
        let (needs, elapsed) = (self.station.needs(), self.told.0.elapsed());
        println!(
            "after {:.0} s: {:.1} % of a core, {:.1} MiB, {:.1} MiB of store",
            self.begun.elapsed().as_secs_f64(),
            (needs.spent - self.told.1.spent).as_secs_f64() / elapsed.as_secs_f64() * 100.0,
            mib(needs.resident),
            mib(self.station.store_bytes())
        );
        let times = self.clock.take();
        table(&times, elapsed);
        for (method, times) in times {
            self.all.entry(method).or_default().append(times);
        }
        self.told = (Instant::now(), needs);
    }

    /// Tells of the whole load.
    fn sum_up(&self) {
        println!("all of it:");
        table(&self.all, self.begun.elapsed());
    }

    fn end(&mut self) {
        if self.tail.is_none() {
            self.tell();
            self.sum_up();
        }
        let needs = self.station.needs();
        println!("{:.1} MiB at the end, {:.1} MiB at most", mib(needs.resident), mib(needs.peak));
        let Some(tail) = self.tail else { return };
        let elapsed = tail.elapsed();
        println!(
            "{:.1} s from the last waiting unit to the end, {:.1} % of a core:",
            elapsed.as_secs_f64(),
            (needs.spent - self.told.1.spent).as_secs_f64() / elapsed.as_secs_f64() * 100.0
        );
        table(&self.clock.take(), elapsed);
    }
}

fn table(times: &BTreeMap<String, Times>, elapsed: Duration) {
    println!("  call          calls    per s   p50 ms   p99 ms   max ms");
    for (method, times) in times {
        let rate = times.len() as f64 / elapsed.as_secs_f64();
        println!("  {method:<9} {:>9} {rate:>8.1} {}", times.len(), times.told());
    }
}
