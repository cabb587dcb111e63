//! What a survey makes of a store in which a little has happened.

use std::time::Duration;

use vezir_chess::Position;
use vezir_jobs::ledger::{CallId, Enrolment, Found, Incarnation, Reply, Terms, Verb};
use vezir_jobs::{Kind, Outline, PerftRequest, Request, RunId, Submission, Verify, WorkerId};
use vezir_perft::{Answer, Counted};
use vezir_store::{Memory, Store};

use super::{CoreState, RunKind, RunState, Survey, UnitState, WorkerState};

const TERM: Duration = Duration::from_secs(30);
const TERMS: Terms = Terms { lease: TERM, progress: TERM, unit: TERM };
const OUTLINE: Outline = Outline { units: 8, split: 1, remaining: 1, positions: 20, hash_bytes: 0 };

/// Asks the store under the id `call`.
async fn ask(store: &Memory, call: u128, verb: Verb<Counted>) -> Reply {
    store.call(CallId(call), verb).await.expect("a right call")
}

async fn submit(store: &Memory, call: u128) -> RunId {
    let request = Request::Perft(PerftRequest::new(Position::startpos(), 2));
    let submission = Submission { request, owner: "us".to_owned(), verify: Verify::Not, seed: 1 };
    match ask(store, call, Verb::Submit { submission, kind: Kind::Bounded }).await {
        Reply::Submitted(run) => run,
        other => panic!("{other:?}"),
    }
}

async fn register(store: &Memory, call: u128, name: &str) -> WorkerId {
    let enrolment = Enrolment { owner: "us".to_owned(), name: name.to_owned() };
    match ask(store, call, Verb::Register { enrolment, incarnation: Incarnation(1), cores: 4 }).await {
        Reply::Registered(worker) => worker,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_survey_says_how_work_stands() {
    let store = Memory::default();
    let (run, planning) = (submit(&store, 1).await, submit(&store, 2).await);
    assert_ne!(run, planning);
    ask(&store, 3, Verb::Plan { run, outline: OUTLINE, again: false, terms: TERMS }).await;

    let busy = register(&store, 4, "busy").await;
    let away = register(&store, 5, "away").await;
    let liar = register(&store, 6, "liar").await;
    ask(&store, 7, Verb::Quarantine { worker: liar }).await;
    let lease = Verb::Lease { worker: busy, incarnation: Incarnation(1), cores: 3, most: 5 };
    let Reply::Granted(Some(grant)) = ask(&store, 8, lease).await else { panic!("there is work") };
    let answer = Answer { nodes: 9, ..Answer::default() };
    let units = vec![(grant.units.start, Found::Answer(Counted { answer, ..Counted::default() }))];
    ask(&store, 9, Verb::Report { worker: busy, run, attempt: grant.attempt, units }).await;

    let open = store.open_runs().await.expect("runs");
    let workers = store.workers().await.expect("workers");
    let survey = Survey::of(&open, &workers, |worker| worker != away);
    let units = [UnitState::Queued, UnitState::Leased, UnitState::Done, UnitState::Aside];
    assert_eq!(units.map(|state| survey.units[&(RunKind::Perft, state)]), [3, 4, 1, 0]);
    let runs = [RunState::Planning, RunState::Running];
    assert_eq!(runs.map(|state| survey.runs[&(RunKind::Perft, state)]), [1, 1]);
    let states = [WorkerState::Active, WorkerState::Gone, WorkerState::Quarantined];
    assert_eq!(states.map(|state| survey.workers[&state]), [1, 1, 1]);
    assert_eq!([CoreState::Busy, CoreState::Free].map(|state| survey.cores[&state]), [3, 1]);
    assert_eq!(survey.leases, 1);
    let [active] = survey.active[..] else { panic!("{:?}", survey.active) };
    assert_eq!((active.run, active.progress, active.leaves), (run, Some(0.125), 9));
}
