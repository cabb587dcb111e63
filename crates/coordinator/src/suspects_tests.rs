//! A suspect whom a process named that died before it dealt with him.

use std::time::Duration;

use tokio::sync::watch;
use vezir_chess::Position;
use vezir_jobs::ledger::{CallId, Enrolment, Found, Incarnation, Reply, Reported, State, Terms, WorkerState};
use vezir_jobs::{Kind, Outline, PerftRequest, Request, Submission, Tally, Verify};
use vezir_perft::Counted;
use vezir_store::Memory;
use vezir_telemetry::Registry;

use super::*;
use crate::Settings;
use crate::metrics::Metrics;

async fn ask(store: &Memory, verb: Verb<Tally>) -> Reply {
    store.call(CallId(fastrand::u128(1..)), verb).await.expect("it is not refused").reply
}

async fn register(store: &Memory, name: &str) -> WorkerId {
    let enrolment = Enrolment { owner: "us".to_owned(), name: name.to_owned() };
    match ask(store, Verb::Register { enrolment, incarnation: Incarnation(1), cores: 1 }).await {
        Reply::Registered(worker) => worker,
        other => panic!("{other:?}"),
    }
}

/// A run of one unit, planned.
async fn submit(store: &Memory) {
    let request = Request::Perft(PerftRequest::new(Position::startpos(), 1));
    let submission = Submission { request, owner: "us".to_owned(), verify: Verify::All, seed: 7 };
    let Reply::Submitted(run) = ask(store, Verb::Submit { submission, kind: Kind::Bounded }).await else {
        panic!("it is not submitted")
    };
    let outline = Outline { units: 1, split: 1, remaining: 0, positions: 20, hash_bytes: 0, frontier: None };
    let minute = Duration::from_secs(60);
    let terms = Terms { lease: minute, progress: minute, unit: minute };
    ask(store, Verb::Plan { run, outline, again: false, terms }).await;
}

/// Has a worker count what it is given; what came of its report.
async fn count(store: &Memory, worker: WorkerId, nodes: u128) -> Reported {
    let incarnation = Incarnation(1);
    let lease = Verb::Lease { worker, incarnation, cores: 1, most: 1, among: None };
    let Reply::Granted(Some(grant)) = ask(store, lease).await else { panic!("nothing is granted") };
    let mut counted = Counted::default();
    counted.answer.nodes = nodes;
    let (run, attempt, units) = (grant.run, grant.attempt, vec![(0, Found::Answer(counted.into()))]);
    match ask(store, Verb::Report { worker, run, attempt, units }).await {
        Reply::Reported(reported) => reported,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_suspect_is_dealt_with_after_a_crash() {
    let store = Memory::new();
    submit(&store).await;
    let [liar, one, other] =
        [register(&store, "liar").await, register(&store, "one").await, register(&store, "other").await];
    assert_eq!(count(&store, liar, 21).await.suspects, []);
    assert_eq!(count(&store, one, 20).await.conflicts, [0]);
    assert_eq!(count(&store, other, 20).await.suspects, [liar]);
    assert_eq!(state(&store).await, State::Done, "nobody has dealt with him");

    let metrics = Metrics::new(&Registry::new("0").expect("a registry")).expect("new names");
    let (_close, closing) = watch::channel(false);
    let coordinator = Arc::new(Coordinator::new(store.reopen(), Settings::default(), metrics, closing));
    for _ in 0..2 {
        coordinator.clone().distrust_those_of_before().await;
        let workers = store.workers().await.expect("a store");
        let states: Vec<WorkerState> = workers.iter().map(|view| view.worker.state).collect();
        assert_eq!(states, [WorkerState::Quarantined, WorkerState::Active, WorkerState::Active]);
    }
    assert_eq!(state(&store).await, State::Done, "two others had said the same");
}

async fn state(store: &Memory) -> State {
    store.run(RunId(1)).await.expect("a run").run.state
}
