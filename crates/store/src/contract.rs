//! The conformance suite: what every store must do, as examples that end in a panic where it does not.

use std::future::Future;
use std::time::Duration;

use vezir_chess::Position;
use vezir_jobs::ledger::{
    CallId, Effects, End, Enrolment, Found, Grant, Incarnation, Refusal, Renewed, Reply, Reported, State,
    Terms, Told, Verb,
};
use vezir_jobs::{
    Attempt, Kind, Outcome, Outline, PerftRequest, Request, RunId, Submission, Tally, Verify, WorkerId, laws,
};
use vezir_perft::{Answer, Counted, Figures};

use crate::{Store, StoreError};

/// Puts stores, each fresh from `make`, through everything that the contract promises. It needs a runtime
/// whose time is paused: leases expire in it.
///
/// # Panics
/// Where a store breaks a promise: the message says which.
pub async fn exercise<S: Store, F: Future<Output = S>>(make: impl Fn() -> F) {
    a_run_goes_from_submission_to_answer(&make().await).await;
    a_call_happens_once(&make().await).await;
    a_refusal_changes_nothing(&make().await).await;
    a_silent_lease_expires(&make().await).await;
    an_ended_run_takes_nothing_in(&make().await).await;
    sums_beyond_64_bits_are_exact(&make().await).await;
    lists_are_in_order(&make().await).await;
    those_who_wait_are_told(&make().await).await;
}

const TERM: Duration = Duration::from_secs(30);
pub(crate) const TERMS: Terms = Terms { lease: TERM, progress: TERM.saturating_mul(4), unit: TERM };
pub(crate) const OUTLINE: Outline =
    Outline { units: 4, split: 1, remaining: 1, positions: 20, hash_bytes: 0, frontier: None };

/// A client of a store, whose calls have new ids.
struct Client<'store, S> {
    store: &'store S,
    last: std::cell::Cell<u128>,
}

impl<'store, S: Store> Client<'store, S> {
    fn new(store: &'store S) -> Client<'store, S> {
        Client { store, last: std::cell::Cell::new(1 << 100) }
    }

    async fn ask(&self, verb: Verb<Tally>) -> Result<Reply, StoreError> {
        self.last.set(self.last.get() + 1);
        let answered = self.store.call(CallId(self.last.get()), verb).await;
        self.lawful().await;
        answered.map(|answered| answered.reply)
    }

    async fn lawful(&self) {
        assert_eq!(laws::broken(&kept(self.store.tables().await)), [], "a law is broken");
    }

    async fn submit(&self) -> RunId {
        match kept(self.ask(submission()).await) {
            Reply::Submitted(run) => run,
            other => panic!("a submission was answered {other:?}"),
        }
    }

    async fn open(&self) -> RunId {
        let run = self.submit().await;
        kept(self.ask(Verb::Plan { run, outline: OUTLINE, again: true, terms: TERMS }).await);
        run
    }

    async fn register(&self, name: &str) -> WorkerId {
        let enrolment = Enrolment { owner: "us".to_owned(), name: name.to_owned() };
        match kept(self.ask(Verb::Register { enrolment, incarnation: Incarnation(1), cores: 4 }).await) {
            Reply::Registered(worker) => worker,
            other => panic!("a registration was answered {other:?}"),
        }
    }

    async fn lease(&self, worker: WorkerId) -> Option<Grant> {
        match kept(self.ask(lease(worker)).await) {
            Reply::Granted(grant) => grant,
            other => panic!("a lease was answered {other:?}"),
        }
    }

    async fn report(&self, worker: WorkerId, grant: &Grant, nodes: u128) -> Reported {
        match kept(self.ask(report(worker, grant, nodes)).await) {
            Reply::Reported(reported) => reported,
            other => panic!("a report was answered {other:?}"),
        }
    }
}

pub(crate) fn submission() -> Verb<Tally> {
    let request = Request::Perft(PerftRequest::new(Position::startpos(), 2));
    let submission = Submission { request, owner: "us".to_owned(), verify: Verify::Not, seed: u64::MAX };
    Verb::Submit { submission, kind: Kind::Bounded }
}

pub(crate) const fn lease(worker: WorkerId) -> Verb<Tally> {
    Verb::Lease { worker, incarnation: Incarnation(1), cores: 1, most: 2, among: None }
}

pub(crate) fn report(worker: WorkerId, grant: &Grant, nodes: u128) -> Verb<Tally> {
    let units = grant.units.clone().map(|unit| (unit, counted(nodes))).collect();
    Verb::Report { worker, run: grant.run, attempt: grant.attempt, units }
}

fn counted(nodes: u128) -> Found<Tally> {
    let answer = Answer { nodes, ..Answer::default() };
    let figures = Figures { walked: 1, probes: 2, hits: 3 };
    Found::Answer(Counted { answer, figures }.into())
}

fn kept<T>(result: Result<T, StoreError>) -> T {
    result.expect("a call that must succeed was refused")
}

async fn a_run_goes_from_submission_to_answer(store: &impl Store) {
    let client = Client::new(store);
    let worker = client.register("ann").await;
    let run = client.submit().await;
    assert_eq!(kept(store.run(run).await).progress().units, None, "a run has units before its plan");
    assert_eq!(client.lease(worker).await, None, "a run is leased before its plan");
    kept(client.ask(Verb::Plan { run, outline: OUTLINE, again: true, terms: TERMS }).await);
    assert_eq!(kept(store.run(run).await).queued, 4);
    while let Some(grant) = client.lease(worker).await {
        assert_eq!((grant.run, grant.term), (run, TERM));
        client.report(worker, &grant, 5).await;
    }
    let progress = kept(store.run(run).await).progress();
    assert_eq!((progress.done, progress.units, progress.nodes), (4, Some(4), 20));
    assert_eq!(progress.figures, Figures { walked: 4, probes: 8, hits: 12 });
    assert!(matches!(progress.outcome, Some(Outcome::Done(answer)) if answer.counted.answer.nodes == 20));
    assert_eq!(kept(store.findings(run, 1..3).await).len(), 2);
    assert_eq!(kept(store.decisions(run).await).0.len(), 2);
}

async fn a_call_happens_once(store: &impl Store) {
    let client = Client::new(store);
    let run = client.open().await;
    let worker = client.register("ann").await;
    let id = CallId(7);
    let first = kept(store.call(id, lease(worker)).await);
    let again = kept(store.call(id, lease(worker)).await);
    assert_eq!(again.reply, first.reply, "a repeated lease is another one");
    assert_eq!((first.repeated, again.repeated), (false, true));
    let Reply::Granted(Some(grant)) = first.reply else { panic!("units wait, but none is granted") };
    let id = CallId(8);
    let first = kept(store.call(id, report(worker, &grant, 5)).await);
    let again = kept(store.call(id, report(worker, &grant, 5)).await);
    assert_eq!(again.reply, first.reply, "a repeated report is answered in another way");
    assert_eq!((first.repeated, again.repeated), (false, true));
    let ended: Vec<_> = first.effects.ended.iter().map(|it| (it.attempt, it.end)).collect();
    assert_eq!(ended, [(grant.attempt, End::Finished)], "the end of a lease is not told");
    assert_eq!(again.effects, Effects::default(), "what happened is told twice");
    assert_eq!(kept(store.run(run).await).progress().nodes, 10, "a repeated report was counted again");
    let reused = store.call(id, lease(worker)).await;
    assert_eq!(reused, Err(StoreError::Refused(Refusal::CallReused(id))));
    assert_eq!(client.register("ann").await, worker, "a worker has a new number when it comes back");
    assert_ne!(client.register("bob").await, worker, "two workers have one number");
}

async fn a_refusal_changes_nothing(store: &impl Store) {
    let client = Client::new(store);
    let run = client.open().await;
    let worker = client.register("ann").await;
    let grant = client.lease(worker).await.expect("units wait, but none is granted");
    let before = format!("{:?}", kept(store.tables().await));
    let (attempt, unit) = (grant.attempt, grant.units.end);
    let units = vec![(grant.units.start, counted(5)), (unit, counted(5))];
    let refused = client.ask(Verb::Report { worker, run, attempt, units }).await;
    assert_eq!(refused, Err(Refusal::NoSuchUnit { run, attempt, unit }.into()));
    let nowhere = RunId(u64::MAX);
    let unknown = StoreError::Refused(Refusal::UnknownRun(nowhere));
    assert_eq!(client.ask(Verb::Cancel { run: nowhere }).await, Err(unknown.clone()));
    assert_eq!(store.run(nowhere).await.err(), Some(unknown.clone()));
    assert_eq!(store.findings(nowhere, 0..1).await.err(), Some(unknown));
    let lost = client.ask(Verb::Release { worker, run, attempt: Attempt(99) }).await;
    assert_eq!(lost, Err(Refusal::UnknownLease(run, Attempt(99)).into()));
    assert_eq!(format!("{:?}", kept(store.tables().await)), before, "a refused call has changed something");
}

async fn a_silent_lease_expires(store: &impl Store) {
    let client = Client::new(store);
    let run = client.open().await;
    let [lost, other] = [client.register("ann").await, client.register("bob").await];
    let grant = client.lease(lost).await.expect("units wait, but none is granted");
    tokio::time::sleep(TERM - Duration::from_secs(1)).await;
    assert_eq!(kept(store.expire().await), [], "a lease expired within its term");
    let renew = Verb::Renew { worker: lost, run, attempt: grant.attempt, movement: 1 };
    assert_eq!(client.ask(renew).await, Ok(Reply::Renewed(Renewed::Live { end: grant.units.end })));
    tokio::time::sleep(TERM - Duration::from_secs(1)).await;
    assert_eq!(kept(store.expire().await), [], "a renewed lease expired within its term");
    tokio::time::sleep(Duration::from_secs(1)).await;
    let expired = kept(store.expire().await);
    assert_eq!(expired.iter().map(|it| (it.attempt, it.worker)).collect::<Vec<_>>(), [(grant.attempt, lost)]);
    client.lawful().await;
    let late = client.report(lost, &grant, 99).await;
    assert_eq!((late.told, late.lease), (vec![Told::Vote; 2], Renewed::Ended), "a late report counts");
    let mut attempt = grant.attempt;
    while let Some(grant) = client.lease(other).await {
        assert!(grant.attempt > attempt, "attempts must grow");
        attempt = grant.attempt;
        client.report(other, &grant, 99).await;
    }
    assert_eq!(kept(store.run(run).await).progress().nodes, 4 * 99);
}

async fn an_ended_run_takes_nothing_in(store: &impl Store) {
    let client = Client::new(store);
    let run = client.open().await;
    let worker = client.register("ann").await;
    let grant = client.lease(worker).await.expect("units wait, but none is granted");
    kept(client.ask(Verb::Cancel { run }).await);
    assert_eq!(client.report(worker, &grant, 5).await.told, [Told::Stale; 2]);
    assert_eq!(client.lease(worker).await, None);
    assert_eq!(kept(store.run(run).await).progress().outcome, Some(Outcome::Cancelled));
    let failed = client.submit().await;
    kept(client.ask(Verb::Fail { run: failed, planned: false, reason: "too large".to_owned() }).await);
    kept(client.ask(Verb::Cancel { run: failed }).await);
    let outcome = kept(store.run(failed).await).progress().outcome;
    assert_eq!(outcome, Some(Outcome::Failed("too large".to_owned())), "an end was changed");
    assert!(kept(store.open_runs().await).is_empty());
}

async fn sums_beyond_64_bits_are_exact(store: &impl Store) {
    let client = Client::new(store);
    let worker = client.register("ann").await;
    // Published counts of the start position at depth 14 and 15, the first of them in two parts.
    for (first, second) in
        [(61_885_021_521_585_529_237 - (1 << 64), 1_u128 << 64), (2_015_099_950_053_364_471_960 - 7, 7)]
    {
        let run = client.submit().await;
        let outline = Outline { units: 2, ..OUTLINE };
        kept(client.ask(Verb::Plan { run, outline, again: false, terms: TERMS }).await);
        let grant = client.lease(worker).await.expect("units wait, but none is granted");
        let units = vec![(0, counted(first)), (1, counted(second))];
        kept(client.ask(Verb::Report { worker, run, attempt: grant.attempt, units }).await);
        assert_eq!(kept(store.run(run).await).progress().nodes, first + second);
        let found = kept(store.findings(run, 0..2).await);
        assert!(matches!(&found[1].found, Found::Answer(it) if it.counted.answer.nodes == second));
    }
}

async fn lists_are_in_order(store: &impl Store) {
    let client = Client::new(store);
    let [first, second] = [client.open().await, client.open().await];
    let third = client.submit().await;
    let ids = |views: Vec<crate::RunView>| views.iter().map(|view| view.run.id).collect::<Vec<_>>();
    assert_eq!(ids(kept(store.runs(None, 2).await)), [third, second]);
    assert_eq!(ids(kept(store.runs(Some(second), 9).await)), [first]);
    assert_eq!(ids(kept(store.open_runs().await)), [first, second, third]);
    let worker = client.register("ann").await;
    let grant = client.lease(worker).await.expect("units wait, but none is granted");
    assert_eq!(grant.run, first, "the oldest run comes first");
    let workers = kept(store.workers().await);
    assert_eq!((workers.len(), workers[0].leases.len(), workers[0].worker.busy), (1, 1, 1));
    let stock = kept(store.stock().await);
    let counts = [State::Planning, State::Running, State::Done].map(|state| stock.runs.get(&state).copied());
    assert_eq!(counts, [Some(1), Some(2), None]);
    let units = stock.open.iter().map(|run| (run.queued, run.leased)).collect::<Vec<_>>();
    assert_eq!(units, [(2, 2), (4, 0), (0, 0)]);
    assert_eq!((stock.leases, stock.workers.len(), stock.workers[0].busy), (1, 1, 1));
}

async fn those_who_wait_are_told(store: &impl Store) {
    let client = Client::new(store);
    let mut work = store.work();
    work.mark_unchanged();
    let run = client.open().await;
    assert!(work.has_changed().expect("the store is gone"), "units wait and nobody is told");
    let mut ended = kept(store.follow(run).await);
    ended.mark_unchanged();
    let worker = client.register("ann").await;
    let grant = client.lease(worker).await.expect("units wait, but none is granted");
    client.report(worker, &grant, 5).await;
    assert!(ended.has_changed().expect("the run is gone"), "progress was made and nobody is told");
    assert!(!*ended.borrow_and_update(), "a run that goes on is said to have ended");
    kept(client.ask(Verb::Cancel { run }).await);
    assert!(*ended.borrow_and_update(), "a run has ended and nobody is told");
    assert!(*kept(store.follow(run).await).borrow(), "who comes late is not told");
}
