//! How long a lease takes while many units wait: one asks at a time, and what is granted is given back.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use futures::future::join_all;
use tokio::time::sleep;
use tonic::transport::Channel;
use vezir_chess::Position;
use vezir_jobs::PerftRequest;
use vezir_jobs::ledger::CallId;
use vezir_proto::wire::runs::v1 as runs;
use vezir_proto::wire::runs::v1::runs_client::RunsClient;
use vezir_proto::wire::types::v1 as types;
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::wire::workers::v1::workers_client::WorkersClient;

use crate::asked::Asked;
use crate::crowd::{line, shown};
use crate::figures::{Times, mib};
use crate::station::Station;

/// A position with so many replies that few plies have a million positions.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// What is never counted here, but split: the positions of the fourth ply.
const DEPTH: u32 = 5;
const SPLIT: u32 = 4;

/// How often a lease is asked for.
const ROUNDS: usize = 3_000;

/// The workers who ask in turn; each holds its lease until the others have had theirs.
const WORKERS: u64 = 16;

/// The units of a lease, as a worker of one core asks for them.
const UNITS: u32 = 4;

/// How often a run is looked at that is being planned.
const LOOK: Duration = Duration::from_millis(50);

/// Measures with each of these numbers of waiting units.
pub(crate) fn measure(asked: &Asked, sizes: &[u32]) {
    println!(
        "milliseconds at p50, p99 and most; microseconds of the coordinator's processor for a lease, its renewal"
    );
    println!("and its end; {} runs, of which {} leases have ended before", asked.runs, asked.ended);
    println!(
        "    units      lease                      renew                       processor   resident      peak"
    );
    for &units in sizes {
        let station = Station::start(asked);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(probe(&station, asked, units));
        drop(runtime);
        station.end(asked);
    }
}

async fn probe(station: &Station, asked: &Asked, units: u32) {
    let address = station.address();
    let mut office = RunsClient::new(line(&address));
    for _ in 0..asked.runs {
        open(&mut office, units / asked.runs).await;
    }
    let mut ring = VecDeque::new();
    for number in 0..WORKERS {
        ring.push_back(Hand::register(&address, number).await);
    }
    let ended = asked.ended / WORKERS;
    ring = join_all(ring.into_iter().map(|hand| hand.wear_out(ended))).await.into();
    let (mut leases, mut renewals) = (Times::default(), Times::default());
    let before = station.needs();
    for _ in 0..ROUNDS {
        let Some(mut hand) = ring.pop_front() else { break };
        hand.release().await;
        leases.add(hand.lease().await);
        renewals.add(hand.renew().await);
        ring.push_back(hand);
    }
    let needs = station.needs();
    let each = (needs.spent - before.spent).as_secs_f64() / ROUNDS as f64 * 1e6;
    println!(
        "{units:>9} {} {} {each:>11.0} {:>10.1} {:>9.1}",
        leases.told(),
        renewals.told(),
        mib(needs.resident),
        mib(needs.peak)
    );
}

/// Submits a run of so many units, and waits until they wait for a worker.
async fn open(office: &mut RunsClient<Channel>, units: u32) {
    let root: Position = KIWIPETE.parse().expect("a position");
    let (split, units) = (Some(SPLIT), Some(units));
    let request = PerftRequest { split, units, ..PerftRequest::new(root, DEPTH) };
    let kind = Some(vezir_jobs::Request::Perft(request).into());
    let submitted = office.submit(runs::SubmitRequest { kind, call: drawn(), verify: 0 }).await;
    let run = submitted.expect("it can be submitted").into_inner().run;
    loop {
        let run = shown(office, run).await;
        assert!(run.progress.outcome.is_none(), "{run:?}");
        if run.queued > 0 {
            assert_eq!(Some(run.queued), units, "it is split otherwise");
            return;
        }
        sleep(LOOK).await;
    }
}

/// A worker of one core who only holds.
struct Hand {
    client: WorkersClient<Channel>,
    worker: u64,
    job: Option<wire::Job>,
}

impl Hand {
    async fn register(address: &str, number: u64) -> Hand {
        let mut client = WorkersClient::new(line(address));
        let (name, version) = (format!("hand-{number}"), "0".to_owned());
        let request = wire::RegisterRequest { call: drawn(), name, incarnation: 1, cores: 1, version };
        let worker = client.register(request).await.expect("it may register").into_inner().worker;
        Hand { client, worker, job: None }
    }

    /// Lets so many leases end.
    async fn wear_out(mut self, leases: u64) -> Hand {
        for _ in 0..leases {
            self.lease().await;
            self.release().await;
        }
        self
    }

    async fn lease(&mut self) -> Duration {
        let begun = Instant::now();
        let worker = self.worker;
        let request =
            wire::LeaseRequest { call: drawn(), worker, incarnation: 1, cores: 1, most_units: UNITS };
        let job = self.client.lease(request).await.expect("it is answered").into_inner().job;
        let took = begun.elapsed();
        assert!(job.is_some(), "units wait, but none is granted");
        self.job = job;
        took
    }

    async fn renew(&mut self) -> Duration {
        let job = self.job.as_ref().expect("it has one");
        let (worker, run, attempt) = (self.worker, job.run, job.attempt);
        let begun = Instant::now();
        let request = wire::RenewRequest { call: drawn(), worker, run, attempt, movement: 1, incarnation: 1 };
        let answer = self.client.renew(request).await.expect("it is answered").into_inner();
        let took = begun.elapsed();
        let state = answer.lease.and_then(|lease| lease.state);
        assert!(matches!(state, Some(wire::lease_state::State::LiveUntil(_))), "a lease has ended");
        took
    }

    async fn release(&mut self) {
        let Some(job) = self.job.take() else { return };
        let (worker, run, attempt) = (self.worker, job.run, job.attempt);
        let request = wire::ReleaseRequest { call: drawn(), worker, run, attempt, incarnation: 1 };
        self.client.release(request).await.expect("it is answered");
    }
}

fn drawn() -> Option<types::CallId> {
    Some(CallId(fastrand::u128(1..)).into())
}
