//! Runs through whole clusters in this process.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::{StreamExt, future};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use vezir_chess::Position;
use vezir_coordinator::access::Access;
use vezir_coordinator::metrics::Metrics;
use vezir_coordinator::{Limits, Settings, serve};
use vezir_jobs::ledger::{CallId, Found};
use vezir_jobs::{Outcome, PerftRequest, Progress, Request, RunId, Verify};
use vezir_perft::{Answer, Counted, Counter, Isa};
use vezir_proto::unit_report;
use vezir_proto::wire::types::v1::CallId as WireCallId;
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::wire::workers::v1::workers_client::WorkersClient;
use vezir_store::Memory;
use vezir_telemetry::Registry;
use vezir_worker::{Rehearsal, Worker, WorkerError};

use super::Cluster;
use crate::client::{CallError, Client};
use crate::pipe::{Dialer, pipe};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

/// What no test's wait should come near to.
const PATIENCE: Duration = Duration::from_secs(60);

/// Leases that tests can wait for.
const LEASE: Duration = Duration::from_secs(2);

fn hand(name: &str) -> vezir_worker::Settings {
    vezir_worker::Settings {
        name: name.to_owned(),
        incarnation: 1,
        threads: NonZero::new(2).unwrap(),
        hash_bytes: 16 << 20,
        isa: Isa::detect(),
        seed: Counter::SEED,
        version: String::new(),
        engines: vezir_worker::EngineSettings::default(),
        rehearsal: Rehearsal::default(),
    }
}

fn start(depth: u32) -> PerftRequest {
    PerftRequest::new(Position::startpos(), depth)
}

fn below(fen: &str, depth: u32) -> PerftRequest {
    PerftRequest::new(fen.parse().unwrap(), depth)
}

fn cluster() -> Cluster {
    Cluster::start(Memory::new(), Settings::default(), Some(hand("embedded"))).unwrap()
}

/// Everything that watchers of a run are told.
async fn told(client: &Client, run: RunId) -> Vec<Progress> {
    let told = client.watch(run).await.unwrap().map(|told| told.unwrap().progress).collect();
    timeout(PATIENCE, told).await.expect("the run does not end")
}

async fn end(client: &Client, run: RunId) -> Outcome {
    told(client, run).await.pop().and_then(|last| last.outcome).expect("the last word is no outcome")
}

async fn submit(client: &Client, request: PerftRequest) -> Result<RunId, CallError> {
    client.submit(Request::Perft(request), Verify::Not).await
}

async fn answer(client: &Client, request: PerftRequest) -> Answer {
    let run = submit(client, request).await.unwrap();
    let mut progress = client.watch(run).await.unwrap();
    // As commands do, it stops listening at the outcome.
    let outcome = loop {
        let told = timeout(PATIENCE, progress.next()).await.expect("the run does not end");
        if let Some(outcome) = told.unwrap().unwrap().progress.outcome {
            break outcome;
        }
    };
    match outcome {
        Outcome::Done(tally) => tally.counted.answer,
        other => panic!("{other:?}"),
    }
}

/// A coordinator without a worker of its own.
fn coordinator() -> (Client, Dialer, JoinHandle<()>) {
    let (dialer, incoming) = pipe();
    let metrics = Metrics::new(&Registry::new("").unwrap()).unwrap();
    let settings = Settings::with_lease(LEASE);
    let served = serve(Memory::new(), settings, Access::Open, metrics, incoming, future::pending());
    (Client::new(dialer.line()), dialer, tokio::spawn(async { served.await.unwrap() }))
}

fn join(dialer: &Dialer, name: &str) -> JoinHandle<Result<(), WorkerError>> {
    let metrics = vezir_worker::metrics::Metrics::new(&Registry::new("").unwrap()).unwrap();
    let worker = Worker::new(hand(name), metrics).unwrap();
    tokio::spawn(worker.run(dialer.line(), future::pending(), future::pending()))
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_reach_the_user() {
    let cluster = cluster();
    for (request, nodes, moves) in
        [(start(0), 1, 0), (start(1), 20, 20), (start(5), 4_865_609, 20), (below(KIWIPETE, 4), 4_085_603, 48)]
    {
        let answer = answer(cluster.client(), request).await;
        assert_eq!((answer.nodes, answer.divide.len()), (nodes, moves));
        if moves > 0 {
            assert_eq!(answer.divide.values().sum::<u128>(), nodes);
        }
    }
    cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_outlive_their_connections() {
    let (dialer, incoming) = pipe();
    let made = Arc::new(AtomicUsize::new(0));
    let counter = made.clone();
    let incoming = incoming.inspect(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
    });
    let limits = Limits { connection_age: Duration::from_millis(100), ..Limits::default() };
    let settings = Settings { limits, ..Settings::with_lease(LEASE) };
    let metrics = Metrics::new(&Registry::new("").unwrap()).unwrap();
    let served = serve(Memory::new(), settings, Access::Open, metrics, incoming, future::pending());
    let served = tokio::spawn(served);
    let rehearsal = Rehearsal { unit_at_least: Duration::from_millis(20), ..Rehearsal::default() };
    let metrics = vezir_worker::metrics::Metrics::new(&Registry::new("").unwrap()).unwrap();
    let worker = Worker::new(vezir_worker::Settings { rehearsal, ..hand("ages") }, metrics).unwrap();
    let worker = tokio::spawn(worker.run(dialer.line(), future::pending(), future::pending()));
    let client = Client::new(dialer.line());
    let request = PerftRequest { split: Some(3), units: Some(200), ..start(6) };
    assert_eq!(answer(&client, request).await.nodes, 119_060_324);
    assert!(made.load(Ordering::Relaxed) > 5, "connections do not age");
    assert!(!worker.is_finished() && !served.is_finished());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_breakdown_reaches_the_user() {
    let cluster = cluster();
    for (split, units) in [(None, None), (Some(2), Some(7))] {
        let request = PerftRequest { breakdown: true, split, units, ..start(4) };
        let kinds = answer(cluster.client(), request).await.breakdown.unwrap();
        assert_eq!((kinds.captures, kinds.checks, kinds.mates), (1576, 469, 8));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mated_root_has_no_leaves() {
    let cluster = cluster();
    for depth in [1, 2, 6] {
        assert_eq!(answer(cluster.client(), below(MATED, depth)).await, Answer::default());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_split_changes_nothing() {
    let cluster = cluster();
    let whole = answer(cluster.client(), PerftRequest { split: Some(0), ..below(KIWIPETE, 4) }).await;
    for (split, units) in [(1, 1), (2, 1000), (3, 13), (4, 64)] {
        let request = PerftRequest { split: Some(split), units: Some(units), ..below(KIWIPETE, 4) };
        assert_eq!(answer(cluster.client(), request).await, whole);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_only_grows_and_ends_with_the_outcome() {
    let cluster = cluster();
    let request = PerftRequest { split: Some(3), units: Some(200), hash_bytes: Some(0), ..start(6) };
    let run = submit(cluster.client(), request).await.unwrap();
    let told = told(cluster.client(), run).await;
    assert!(told.is_sorted_by_key(|progress| (progress.done, progress.nodes, progress.figures.walked)));
    assert_eq!(told.iter().filter(|progress| progress.outcome.is_some()).count(), 1);
    let last = told.last().unwrap();
    assert_eq!((last.units, last.done, last.nodes), (Some(200), 200, 119_060_324));
    assert_eq!(last.figures.probes, 0, "the run forbids a table");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_runs_follow_one_another_and_overlap() {
    let cluster = cluster();
    for _ in 0..200 {
        assert_eq!(answer(cluster.client(), start(3)).await.nodes, 8_902);
    }
    let requests = (0..40).map(|_| answer(cluster.client(), PerftRequest { units: Some(9), ..start(4) }));
    for answer in future::join_all(requests).await {
        assert_eq!(answer.nodes, 197_281);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wish_that_contradicts_itself_is_refused_with_a_sentence() {
    let cluster = cluster();
    for request in [PerftRequest { split: Some(4), ..start(3) }, start(65)] {
        let refused = submit(cluster.client(), request).await;
        let Err(CallError::Refused(reason)) = refused else { panic!("it was not refused") };
        assert!(reason.contains("would be right"), "{reason}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_run_ends_and_frees_the_worker() {
    let cluster = cluster();
    let run =
        submit(cluster.client(), PerftRequest { split: Some(1), units: Some(1), ..start(12) }).await.unwrap();
    let mut progress = cluster.client().watch(run).await.unwrap();
    while progress.next().await.unwrap().unwrap().progress.units.is_none() {}
    cluster.client().cancel(run).await.unwrap();
    assert_eq!(end(cluster.client(), run).await, Outcome::Cancelled);
    assert_eq!(answer(cluster.client(), start(3)).await.nodes, 8_902);
    cluster.client().cancel(run).await.expect("cancelling twice is no fault");
}

#[tokio::test]
async fn an_unknown_run_is_refused() {
    let cluster = cluster();
    let refused = cluster.client().cancel(RunId(99)).await;
    assert!(matches!(refused, Err(CallError::Refused(sentence)) if sentence.contains("no run 99")));
    assert!(cluster.client().watch(RunId(99)).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn watchers_learn_that_the_cluster_stops() {
    let cluster = cluster();
    let client = cluster.client().clone();
    let run = submit(&client, PerftRequest { split: Some(2), ..start(12) }).await.unwrap();
    let mut progress = client.watch(run).await.unwrap();
    timeout(super::STOP_LIMIT, cluster.stop()).await.expect("the cluster does not stop");
    let last = loop {
        match progress.next().await {
            Some(Ok(_)) => {}
            other => break other,
        }
    };
    assert!(matches!(last, Some(Err(CallError::Unreachable(_)))), "{last:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_share_a_run() {
    let (client, dialer, _served) = coordinator();
    let workers = [join(&dialer, "one"), join(&dialer, "other")];
    let request = PerftRequest { split: Some(3), units: Some(500), ..below(KIWIPETE, 5) };
    assert_eq!(answer(&client, request).await.nodes, 193_690_690);
    assert!(workers.iter().all(|worker| !worker.is_finished()));
}

/// A worker that takes a job, reports one unit of it, and is gone: the unit counts once, the others are
/// counted by somebody else, and what it says afterwards is compared, and counts for nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_workers_units_count_once() {
    let (client, dialer, _served) = coordinator();
    let request = PerftRequest { split: Some(1), units: Some(20), ..start(3) };
    let run = submit(&client, request).await.unwrap();

    let mut lost = WorkersClient::new(dialer.line());
    let (name, version) = ("lost".to_owned(), String::new());
    let register = wire::RegisterRequest { call: id(1), name, incarnation: 1, cores: 1, version };
    let worker = lost.register(register).await.unwrap().into_inner().worker;
    let lease = wire::LeaseRequest { call: id(2), worker, incarnation: 1, cores: 1, most_units: 4 };
    let job = lost.lease(lease).await.unwrap().into_inner().job.unwrap();
    assert_eq!(job.lengths, [1; 4]);
    let first = counted(worker, &job, 0, 1_000_000);
    let told = lost.report(first.clone()).await.unwrap().into_inner().told;
    assert_eq!(told, [i32::from(wire::Told::Counted)]);
    assert_eq!(lost.report(first).await.unwrap().into_inner().told, told, "a repeat is another");

    let _other = join(&dialer, "other");
    let Outcome::Done(tally) = end(&client, run).await else { panic!("it has no answer") };
    let answer = tally.counted.answer;
    // 8902 with the claim in the place of the first unit, which is one of the twenty root moves.
    let replaced = 8_902 + 1_000_000 - answer.nodes;
    assert!((380..=600).contains(&replaced), "more or less than one unit was replaced: {replaced}");
    let late = lost.report(counted(worker, &job, 1, 7)).await.unwrap().into_inner();
    assert_eq!(late.told, [i32::from(wire::Told::Vote)]);
    assert!(matches!(late.lease.unwrap().state, Some(wire::lease_state::State::Ended(_))));
    let shown = client.show(run).await.unwrap();
    assert_eq!((shown.progress.nodes, shown.progress.doubted), (answer.nodes, 1), "a unit is in doubt");
}

/// A report of one unit of a job, with a number that no honest worker finds.
fn counted(worker: u64, job: &wire::Job, nth: u32, nodes: u128) -> wire::ReportRequest {
    let answer = Answer { nodes, ..Answer::default() };
    let found = Found::Answer(Counted { answer, ..Counted::default() }.into());
    let units = vec![unit_report(job.first_unit + nth, found)];
    let (call, attempt) = (id(10 + u128::from(nth)), job.attempt);
    wire::ReportRequest { call, worker, run: job.run, attempt, units, incarnation: 1 }
}

fn id(number: u128) -> Option<WireCallId> {
    Some(CallId(number).into())
}

/// A real worker whose whole task is dropped in the middle of its jobs.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_dropped_in_mid_job_costs_nothing() {
    let (client, dialer, _served) = coordinator();
    let request = PerftRequest { split: Some(2), units: Some(100), hash_bytes: Some(0), ..start(6) };
    let run = submit(&client, request).await.unwrap();
    let doomed = join(&dialer, "doomed");
    let mut progress = client.watch(run).await.unwrap();
    while progress.next().await.unwrap().unwrap().progress.done == 0 {}
    doomed.abort();
    let _other = join(&dialer, "other");
    let Outcome::Done(tally) = end(&client, run).await else { panic!("it has no answer") };
    let answer = tally.counted.answer;
    assert_eq!(answer.nodes, 119_060_324);
}

/// More runs than a connection bears broken-off calls.
#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_runs_share_a_connection() {
    let cluster = cluster();
    for _ in 0..400 {
        let eight = (0..8).map(|_| answer(cluster.client(), start(1)));
        assert!(future::join_all(eight).await.iter().all(|answer| answer.nodes == 20));
    }
}
