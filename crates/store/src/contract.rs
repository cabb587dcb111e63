//! The conformance suite: what every store must do, as examples that end in a panic where it does not.

use vezir_chess::Position;
use vezir_jobs::{
    Attempt, Finding, Job, Outcome, Outline, PerftRequest, Place, Refusal, RunId, Standing, UnitReport,
    WorkerId,
};
use vezir_perft::{Answer, Counted, Figures};

use crate::{Store, StoreError};

/// Puts stores, each fresh from `make`, through everything that the contract promises.
///
/// # Panics
/// Where a store breaks a promise: the message says which.
pub async fn exercise<S: Store>(make: impl Fn() -> S) {
    a_run_goes_from_submission_to_answer(&make()).await;
    a_report_counts_once(&make()).await;
    a_dismissed_worker_gives_everything_back(&make()).await;
    a_worker_goes_on_where_it_is_warm(&make()).await;
    the_oldest_run_comes_first(&make()).await;
    an_ended_run_takes_nothing_in(&make()).await;
    what_is_unknown_is_refused(&make()).await;
    those_who_wait_are_told(&make()).await;
}

const OUTLINE: Outline = Outline { units: 4, remaining: 1, hash_bytes: 0 };

async fn open(store: &impl Store) -> RunId {
    let run = kept(store.submit(PerftRequest::new(Position::startpos(), 2)).await);
    kept(store.plan(run, OUTLINE).await);
    run
}

async fn granted(store: &impl Store, worker: WorkerId, near: Option<Place>) -> Job {
    kept(store.lease(worker, near, 2).await).expect("units wait, but none is granted")
}

async fn report_all(store: &impl Store, job: &Job) -> Vec<Standing> {
    let reports = job.units.clone().map(|unit| counted(unit, 5)).collect();
    kept(store.report(job.run, job.attempt, reports).await)
}

fn counted(unit: u32, nodes: u128) -> UnitReport {
    let answer = Answer { nodes, ..Answer::default() };
    let figures = Figures { walked: 1, probes: 2, hits: 3 };
    UnitReport { unit, finding: Finding::Counted(Counted { answer, figures }) }
}

fn kept<T>(result: Result<T, StoreError>) -> T {
    result.expect("a call that must succeed was refused")
}

fn nodes_of(outcome: Option<Outcome>) -> Option<u128> {
    match outcome {
        Some(Outcome::Done(answer)) => Some(answer.nodes),
        _ => None,
    }
}

async fn a_run_goes_from_submission_to_answer(store: &impl Store) {
    let run = kept(store.submit(PerftRequest::new(Position::startpos(), 2)).await);
    assert_eq!(kept(store.read(run).await).units, None, "a run has units before its plan");
    let worker = kept(store.register().await);
    assert_eq!(kept(store.lease(worker, None, 2).await), None, "a run is leased before its plan");
    kept(store.plan(run, OUTLINE).await);
    while let Some(job) = kept(store.lease(worker, None, 2).await) {
        assert_eq!(job.run, run);
        report_all(store, &job).await;
    }
    let progress = kept(store.read(run).await);
    assert_eq!((progress.done, progress.units, progress.nodes), (4, Some(4), 20));
    assert_eq!(progress.figures, Figures { walked: 4, probes: 8, hits: 12 });
    assert_eq!(nodes_of(progress.outcome), Some(20));
}

async fn a_report_counts_once(store: &impl Store) {
    let run = open(store).await;
    let worker = kept(store.register().await);
    let job = granted(store, worker, None).await;
    for _ in 0..2 {
        assert_eq!(report_all(store, &job).await, [Standing::Counted; 2]);
    }
    assert_eq!(kept(store.read(run).await).nodes, 10, "a repeated report was counted again");
}

async fn a_dismissed_worker_gives_everything_back(store: &impl Store) {
    let run = open(store).await;
    let lost = kept(store.register().await);
    let job = granted(store, lost, None).await;
    kept(store.report(run, job.attempt, vec![counted(job.units.start, 5)]).await);
    kept(store.dismiss(lost).await);
    let refused = store.lease(lost, None, 2).await;
    assert_eq!(refused, Err(Refusal::UnknownWorker(lost).into()), "a dismissed worker is given a job");
    let late = kept(store.report(run, job.attempt, vec![counted(job.units.end - 1, 99)]).await);
    assert_eq!(late, [Standing::Stale], "a dismissed worker still reports");
    let other = kept(store.register().await);
    while let Some(job) = kept(store.lease(other, None, 2).await) {
        report_all(store, &job).await;
    }
    assert_eq!(nodes_of(kept(store.read(run).await).outcome), Some(20));
}

async fn a_worker_goes_on_where_it_is_warm(store: &impl Store) {
    open(store).await;
    let run = open(store).await;
    let worker = kept(store.register().await);
    let near = granted(store, worker, Some(Place { run, unit: 0 })).await;
    assert_eq!((near.run, near.units.clone()), (run, 0..2));
    let next = granted(store, worker, Some(Place { run, unit: near.units.end })).await;
    assert_eq!((next.run, next.units.start), (run, 2));
    assert!(next.attempt > near.attempt, "attempts must grow");
}

async fn the_oldest_run_comes_first(store: &impl Store) {
    let first = open(store).await;
    let second = open(store).await;
    assert_ne!(first, second, "two runs have one number");
    let worker = kept(store.register().await);
    assert_eq!(granted(store, worker, None).await.run, first);
}

async fn an_ended_run_takes_nothing_in(store: &impl Store) {
    let run = open(store).await;
    let worker = kept(store.register().await);
    let job = granted(store, worker, None).await;
    kept(store.cancel(run).await);
    assert_eq!(report_all(store, &job).await, [Standing::Stale; 2]);
    assert_eq!(kept(store.lease(worker, None, 2).await), None);
    kept(store.fail(run, "late".into()).await);
    assert_eq!(kept(store.read(run).await).outcome, Some(Outcome::Cancelled), "an end was changed");
    let failed = open(store).await;
    kept(store.fail(failed, "too large".into()).await);
    assert_eq!(kept(store.read(failed).await).outcome, Some(Outcome::Failed("too large".into())));
}

async fn what_is_unknown_is_refused(store: &impl Store) {
    let nowhere = RunId(u64::MAX);
    let unknown = StoreError::Refused(Refusal::UnknownRun(nowhere));
    assert_eq!(store.read(nowhere).await, Err(unknown.clone()));
    assert_eq!(store.cancel(nowhere).await, Err(unknown.clone()));
    assert_eq!(store.report(nowhere, Attempt(1), Vec::new()).await, Err(unknown));
    let run = open(store).await;
    let refused = store.report(run, Attempt(1), vec![counted(4, 5)]).await;
    assert_eq!(refused, Err(Refusal::NoSuchUnit { run, unit: 4, units: 4 }.into()));
}

async fn those_who_wait_are_told(store: &impl Store) {
    let mut work = store.work();
    work.mark_unchanged();
    let run = open(store).await;
    assert!(work.has_changed().expect("the store is gone"), "units wait and nobody is told");
    let mut ended = kept(store.follow(run).await);
    ended.mark_unchanged();
    let worker = kept(store.register().await);
    let job = granted(store, worker, None).await;
    report_all(store, &job).await;
    assert!(ended.has_changed().expect("the run is gone"), "progress was made and nobody is told");
    assert!(!*ended.borrow_and_update(), "a run that goes on is said to have ended");
    work.mark_unchanged();
    kept(store.dismiss(worker).await);
    kept(store.cancel(run).await);
    assert!(*ended.borrow_and_update(), "a run has ended and nobody is told");
}
