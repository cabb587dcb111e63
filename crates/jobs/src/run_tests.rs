//! Tests of a run's life, one by one and under random orders of events.

use proptest::prelude::*;
use vezir_chess::Position;
use vezir_perft::{Answer, Counted, Figures};

use super::Run;
use crate::{
    Attempt, Finding, Job, Outcome, Outline, PerftRequest, Place, Refusal, RunId, Standing, UnitReport,
    WorkerId,
};

const ID: RunId = RunId(7);
const ANN: WorkerId = WorkerId(1);
const BOB: WorkerId = WorkerId(2);

fn open(units: u32) -> Run {
    let mut run = Run::new(ID, PerftRequest::new(Position::startpos(), 3));
    run.plan(Outline { units, remaining: 1, hash_bytes: 1 << 20 });
    run
}

fn counted(unit: u32, nodes: u128) -> UnitReport {
    let answer = Answer { nodes, ..Answer::default() };
    UnitReport { unit, finding: Finding::Counted(Counted { answer, figures: Figures::default() }) }
}

fn report(run: &mut Run, attempt: Attempt, report: UnitReport) -> Standing {
    run.report(attempt, vec![report]).unwrap()[0]
}

fn finish(run: &mut Run, job: &Job) {
    for unit in job.units.clone() {
        assert_eq!(report(run, job.attempt, counted(unit, 1)), Standing::Counted);
    }
}

/// Every unit waits, is held or stands: exactly one of these.
fn assert_partition(run: &Run) {
    if run.has_ended() {
        return;
    }
    let held = run.leases.values().flat_map(|lease| lease.units.iter().copied());
    let mut units: Vec<u32> =
        run.queue.slices().flatten().chain(held).chain(run.standing.keys().copied()).collect();
    units.sort_unstable();
    let all: Vec<u32> = (0..run.outline.map_or(0, |outline| outline.units)).collect();
    assert_eq!(units, all);
    assert_eq!(run.nodes, run.standing.values().map(|record| record.answer.nodes).sum::<u128>());
}

#[test]
fn a_run_ends_with_the_sum_of_its_units() {
    let mut run = open(5);
    while let Some(job) = run.lease(ANN, None, 2) {
        finish(&mut run, &job);
    }
    let Some(Outcome::Done(answer)) = run.progress().outcome else { panic!("it has not ended: {run:?}") };
    assert_eq!(answer.nodes, 5);
    assert_eq!(answer.divide.len(), 20, "root moves without a leaf belong to the divide");
}

#[test]
fn a_plan_without_units_answers_zero() {
    let Some(Outcome::Done(answer)) = open(0).progress().outcome else { panic!("it has not ended") };
    assert_eq!(answer.nodes, 0);
}

#[test]
fn nothing_is_leased_before_the_plan_or_after_the_end() {
    let mut run = Run::new(ID, PerftRequest::new(Position::startpos(), 3));
    assert_eq!(run.lease(ANN, None, 1), None);
    run.cancel();
    run.plan(Outline { units: 3, remaining: 1, hash_bytes: 0 });
    assert_eq!(run.lease(ANN, None, 1), None);
    assert_eq!(run.progress().outcome, Some(Outcome::Cancelled));
}

#[test]
fn a_repeated_report_counts_once() {
    let mut run = open(4);
    let job = run.lease(ANN, None, 1).unwrap();
    for _ in 0..2 {
        assert_eq!(report(&mut run, job.attempt, counted(0, 10)), Standing::Counted);
    }
    assert_eq!(run.progress().nodes, 10);
    assert_eq!(run.progress().done, 1);
}

#[test]
fn a_released_lease_has_no_say() {
    let mut run = open(2);
    let old = run.lease(ANN, None, 1).unwrap();
    run.release(ANN);
    let new = run.lease(BOB, None, 1).unwrap();
    assert_eq!(new.units, old.units);
    assert!(new.attempt > old.attempt);
    assert_eq!(report(&mut run, old.attempt, counted(0, 99)), Standing::Stale);
    assert_eq!(report(&mut run, new.attempt, counted(0, 1)), Standing::Counted);
    assert_eq!(report(&mut run, old.attempt, counted(0, 99)), Standing::Stale);
    assert_eq!(run.progress().nodes, 1);
}

#[test]
fn a_release_leaves_the_others_alone() {
    let mut run = open(8);
    let of_ann = run.lease(ANN, None, 2).unwrap();
    let of_bob = run.lease(BOB, None, 2).unwrap();
    run.release(ANN);
    assert_partition(&run);
    assert_eq!(report(&mut run, of_bob.attempt, counted(of_bob.units.start, 1)), Standing::Counted);
    assert_eq!(report(&mut run, of_ann.attempt, counted(of_ann.units.start, 1)), Standing::Stale);
}

#[test]
fn a_failed_unit_fails_the_run() {
    let mut run = open(2);
    let job = run.lease(ANN, None, 1).unwrap();
    let failed = UnitReport { unit: 0, finding: Finding::Failed("no memory".into()) };
    assert_eq!(report(&mut run, job.attempt, failed), Standing::Counted);
    assert_eq!(run.progress().outcome, Some(Outcome::Failed("no memory".into())));
    assert_eq!(report(&mut run, job.attempt, counted(1, 1)), Standing::Stale);
}

#[test]
fn a_sum_past_128_bits_is_a_failure() {
    let mut run = open(2);
    while let Some(job) = run.lease(ANN, None, 1) {
        report(&mut run, job.attempt, counted(job.units.start, u128::MAX - 1));
    }
    assert!(matches!(run.progress().outcome, Some(Outcome::Failed(reason)) if reason.contains("128 bits")));
}

#[test]
fn a_unit_that_does_not_exist_is_refused() {
    let refusal = Refusal::NoSuchUnit { run: ID, unit: 4, units: 4 };
    assert_eq!(open(4).report(Attempt(1), vec![counted(0, 1), counted(4, 1)]), Err(refusal));
}

/// Something that may happen to a run, with a number that chooses among what is there.
#[derive(Clone, Copy, Debug)]
enum Event {
    Lease(u64),
    Report(usize),
    Release(u64),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => (0..3_u64).prop_map(Event::Lease),
        8 => any::<usize>().prop_map(Event::Report),
        1 => (0..3_u64).prop_map(Event::Release),
    ]
}

proptest! {
    /// Whatever happens in whatever order: units are in exactly one place, and each counts once, by what
    /// its standing attempt said.
    #[test]
    fn each_unit_counts_once(units in 1..40_u32, events in prop::collection::vec(event(), 0..400)) {
        let mut run = open(units);
        let mut jobs: Vec<Job> = Vec::new();
        for event in events {
            match event {
                Event::Lease(worker) => {
                    let near = jobs.last().map(|job| Place { run: ID, unit: job.units.end });
                    jobs.extend(run.lease(WorkerId(worker), near, 3));
                }
                Event::Report(choice) if !jobs.is_empty() => {
                    let job = &jobs[choice % jobs.len()];
                    let unit = job.units.start + (choice / jobs.len()) as u32 % job.units.len() as u32;
                    report(&mut run, job.attempt, counted(unit, u128::from(unit) + 1));
                }
                Event::Report(_) => {}
                Event::Release(worker) => run.release(WorkerId(worker)),
            }
            assert_partition(&run);
        }
        run.release(WorkerId(0));
        run.release(WorkerId(1));
        run.release(WorkerId(2));
        while let Some(job) = run.lease(ANN, None, 5) {
            for unit in job.units.clone() {
                report(&mut run, job.attempt, counted(unit, u128::from(unit) + 1));
            }
        }
        let Some(Outcome::Done(answer)) = run.progress().outcome else { panic!("it has not ended") };
        let units = u128::from(units);
        prop_assert_eq!(answer.nodes, units * (units + 1) / 2);
    }
}
