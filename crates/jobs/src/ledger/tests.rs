//! Tests of single decisions; the simulation in `tests/` looks at their interplay.

use std::time::Duration;

use vezir_chess::Position;
use vezir_perft::Overflow;

use super::*;
use crate::laws;
use crate::{Attempt, Kind, Outline, PerftRequest, Request, RunId, Submission, Verify, WorkerId};

const RUN: RunId = RunId(1);
const ANN: WorkerId = WorkerId(1);
const BOB: WorkerId = WorkerId(2);
const CEM: WorkerId = WorkerId(3);
const SECOND: Duration = Duration::from_secs(1);
const TERMS: Terms =
    Terms { lease: Duration::from_secs(30), progress: Duration::from_secs(120), unit: SECOND };

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Leaves(u128);

impl Answer for Leaves {
    fn agrees(&self, other: &Leaves) -> bool {
        self == other
    }

    fn add(&mut self, part: &Leaves) -> Result<(), Overflow> {
        self.0 = self.0.checked_add(part.0).ok_or(Overflow)?;
        Ok(())
    }
}

/// A desk at which each call has a new id, and after which every law holds.
struct Desk {
    tables: Tables<Leaves>,
    now: Duration,
    last: u128,
    /// By the last call.
    happened: Effects,
}

impl Desk {
    fn open(kind: Kind, units: u32) -> Desk {
        let mut desk = Desk { tables: Tables::default(), now: SECOND, last: 0, happened: Effects::default() };
        desk.submit(kind, units, Verify::Not);
        for (name, worker) in [("ann", ANN), ("bob", BOB), ("cem", CEM)] {
            assert_eq!(desk.register("us", name, 1), Ok(Reply::Registered(worker)));
        }
        desk
    }

    fn submit(&mut self, kind: Kind, units: u32, verify: Verify) {
        let request = Request::Perft(PerftRequest::new(Position::startpos(), 1));
        let submission = Submission { request, owner: "us".to_owned(), verify, seed: 7 };
        let Ok(Reply::Submitted(run)) = self.ask(Verb::Submit { submission, kind }) else { panic!() };
        let outline = Outline { units, split: 1, remaining: 1, positions: 20, hash_bytes: 0, frontier: None };
        self.ask(Verb::Plan { run, outline, again: true, terms: TERMS }).unwrap();
    }

    fn register(&mut self, owner: &str, name: &str, life: u64) -> Result<Reply, Refusal> {
        let enrolment = Enrolment { owner: owner.to_owned(), name: name.to_owned() };
        self.ask(Verb::Register { enrolment, incarnation: Incarnation(life), cores: 4 })
    }

    fn ask(&mut self, verb: Verb<Leaves>) -> Result<Reply, Refusal> {
        self.last += 1;
        let answered = Ledger::new(&mut self.tables, self.now).call(CallId(self.last), verb);
        let reply = answered.map(|answered| {
            self.happened = answered.effects;
            answered.reply
        });
        assert_eq!(laws::broken(&self.tables), []);
        reply
    }

    fn lease(&mut self, worker: WorkerId, most: u32) -> Option<Grant> {
        match self.ask(Verb::Lease { worker, incarnation: Incarnation(1), cores: 1, most, among: None }) {
            Ok(Reply::Granted(grant)) => grant,
            other => panic!("{other:?}"),
        }
    }

    fn report(&mut self, attempt: Attempt, units: Vec<(u32, Found<Leaves>)>) -> Reported {
        let worker = self.holder(RUN, attempt);
        match self.ask(Verb::Report { worker, run: RUN, attempt, units }) {
            Ok(Reply::Reported(reported)) => reported,
            other => panic!("{other:?}"),
        }
    }

    fn count(&mut self, attempt: Attempt, unit: u32, leaves: u128) -> Reported {
        self.report(attempt, vec![(unit, Found::Answer(Leaves(leaves)))])
    }

    fn fail(&mut self, attempt: Attempt, unit: u32) -> Told {
        self.report(attempt, vec![(unit, Found::Failed("it crashed".to_owned()))]).told[0]
    }

    fn renew(&mut self, attempt: Attempt, movement: u64) -> Renewed {
        let worker = self.holder(RUN, attempt);
        match self.ask(Verb::Renew { worker, run: RUN, attempt, movement }) {
            Ok(Reply::Renewed(renewed)) => renewed,
            other => panic!("{other:?}"),
        }
    }

    fn expire(&mut self, after: Duration) -> Vec<End> {
        self.now += after;
        let mut ledger = Ledger::new(&mut self.tables, self.now);
        let due = ledger.due().unwrap();
        let ended =
            due.into_iter().filter_map(|(run, attempt)| ledger.expire(run, attempt).unwrap()).collect();
        assert_eq!(laws::broken(&self.tables), []);
        ended
    }

    fn holder(&self, run: RunId, attempt: Attempt) -> WorkerId {
        self.tables.leases[&(run, attempt)].worker
    }

    fn run(&self) -> &Run<Leaves> {
        &self.tables.runs[&RUN]
    }
}

#[test]
fn a_worker_goes_on_where_it_stopped_and_another_begins_far_away() {
    let mut desk = Desk::open(Kind::Bounded, 64);
    assert_eq!(desk.lease(ANN, 8).unwrap().units, 0..8);
    assert_eq!(desk.lease(BOB, 8).unwrap().units, 36..44);
    assert_eq!(desk.lease(ANN, 8).unwrap().units, 8..16);
    assert_eq!(desk.lease(BOB, 8).unwrap().units, 44..52);
}

#[test]
fn an_idle_worker_takes_half_and_then_a_second_lease() {
    let mut desk = Desk::open(Kind::Bounded, 4);
    let first = desk.lease(ANN, 4).unwrap();
    desk.count(first.attempt, 0, 1);
    assert_eq!(desk.lease(BOB, 4).unwrap().units, 2..4, "the middle of what was not reported");
    assert_eq!(desk.renew(first.attempt, 1), Renewed::Live { end: 2 });
    assert_eq!(desk.count(first.attempt, 3, 1).told, [Told::Vote], "it was cut off");
    assert_eq!(desk.lease(CEM, 4).unwrap().units, 3..4, "unit 3 has a vote, and is still to be counted");
    let second = desk.lease(CEM, 4).unwrap();
    assert_eq!((second.units, desk.tables.leases[&(RUN, second.attempt)].purpose), (1..2, Purpose::Again));
    assert_eq!(desk.count(second.attempt, 1, 1).told, [Told::Counted], "the first answer counts");
    assert_eq!(desk.count(first.attempt, 1, 1).told, [Told::Vote], "the second is a vote");
}

#[test]
fn pairs_come_lowest_first_and_stay_near_the_prefix() {
    let mut desk = Desk::open(Kind::Open, 0);
    let first = desk.lease(ANN, 2).unwrap();
    assert_eq!(first.units, 0..2);
    assert_eq!(desk.lease(BOB, 100).unwrap().units, 2..8, "four per core at work");
    desk.ask(Verb::Release { worker: ANN, run: RUN, attempt: first.attempt }).unwrap();
    let again = desk.lease(CEM, 100).unwrap();
    assert_eq!(again.units, 0..2, "what came back goes first");
    assert_eq!(desk.count(first.attempt, 0, 1).told, [Told::Stale], "a late pair is not even compared");
    assert_eq!(desk.count(again.attempt, 0, 1).told, [Told::Counted]);
    desk.ask(Verb::Conclude { run: RUN }).unwrap();
    assert_eq!((desk.run().state, desk.run().prefix, desk.run().units), (State::Done, 1, 8));
    assert_eq!(desk.renew(again.attempt, 1), Renewed::Ended);
}

#[test]
fn two_outvote_one() {
    let mut desk = Desk::open(Kind::Bounded, 1);
    let first = desk.lease(ANN, 1).unwrap();
    let second = desk.lease(BOB, 1).unwrap();
    desk.count(first.attempt, 0, 7);
    assert_eq!(desk.run().state, State::Done);
    assert_eq!(desk.count(second.attempt, 0, 5).conflicts, [0]);
    assert_eq!(desk.run().state, State::Disputed);
    assert_eq!(desk.lease(ANN, 1), None, "who has spoken is not asked again");
    let third = desk.lease(CEM, 1).unwrap();
    let reported = desk.count(third.attempt, 0, 5);
    assert_eq!((reported.told, reported.suspects), (vec![Told::Vote], vec![ANN]));
    let found = |desk: &Desk| desk.tables.findings.values().cloned().collect::<Vec<_>>();
    assert_eq!(outvoted(&found(&desk)), [ANN], "and is named as long as he is trusted");
    assert_eq!((desk.run().state, desk.run().tally), (State::Done, Leaves(5)));
}

#[test]
fn a_finished_run_is_disputed_when_its_worker_is_quarantined() {
    let mut desk = Desk::open(Kind::Bounded, 2);
    for (worker, unit) in [(ANN, 0), (BOB, 1)] {
        let grant = desk.lease(worker, 1).unwrap();
        desk.count(grant.attempt, unit, 5);
    }
    assert_eq!((desk.run().state, desk.run().tally), (State::Done, Leaves(10)));
    desk.ask(Verb::Quarantine { worker: ANN }).unwrap();
    assert_eq!(desk.happened.quarantined, [ANN]);
    assert_eq!((desk.run().state, desk.run().tally), (State::Disputed, Leaves(5)));
    let again = desk.lease(BOB, 2).unwrap();
    assert_eq!(again.units, 0..1);
    desk.count(again.attempt, 0, 6);
    assert_eq!((desk.run().state, desk.run().tally), (State::Done, Leaves(11)));
    assert_eq!(desk.register("us", "ann", 2), Err(Refusal::Quarantined(ANN)));
}

#[test]
fn a_unit_that_fails_everywhere_is_set_aside() {
    let mut desk = Desk::open(Kind::Bounded, 2);
    for worker in [ANN, BOB, CEM] {
        let grant = desk.lease(worker, 1).unwrap();
        assert_eq!(grant.units, 0..1);
        let told = desk.fail(grant.attempt, 0);
        assert_eq!(told, if worker == CEM { Told::Aside } else { Told::Failed });
    }
    let other = desk.lease(ANN, 2).unwrap();
    desk.count(other.attempt, 1, 1);
    assert_eq!((desk.run().state, desk.run().done, desk.run().aside), (State::Done, 1, 1));
}

#[test]
fn a_worker_that_fails_everything_is_paused() {
    let mut desk = Desk::open(Kind::Bounded, 64);
    let grant = desk.lease(ANN, 8).unwrap();
    for unit in grant.units {
        desk.fail(grant.attempt, unit);
        assert_eq!(desk.happened.paused, [ANN][..usize::from(unit == 7)]);
    }
    let (worker, incarnation) = (ANN, Incarnation(1));
    let lease = Verb::Lease { worker, incarnation, cores: 1, most: 1, among: None };
    assert_eq!(desk.ask(lease.clone()), Err(Refusal::Paused(ANN)));
    desk.ask(Verb::Resume { worker }).unwrap();
    let resumed = desk.ask(lease);
    assert!(matches!(resumed, Ok(Reply::Granted(Some(Grant { units, .. }))) if units.start >= 8));
}

#[test]
fn leases_end_by_silence_by_standstill_and_in_any_case() {
    let mut desk = Desk::open(Kind::Bounded, 64);
    let silent = desk.lease(ANN, 32).unwrap();
    assert_eq!(desk.expire(29 * SECOND), []);
    assert_eq!(desk.renew(silent.attempt, 1), Renewed::Live { end: 32 });
    assert_eq!(desk.expire(29 * SECOND), []);
    assert_eq!(desk.expire(SECOND), [End::Expired]);
    assert_eq!(desk.count(silent.attempt, 0, 1).told, [Told::Vote]);
    let stuck = desk.lease(ANN, 32).unwrap();
    for _ in 0..5 {
        desk.renew(stuck.attempt, 1);
        desk.expire(20 * SECOND);
    }
    desk.renew(stuck.attempt, 1);
    assert_eq!(desk.expire(40 * SECOND), [End::Stuck]);
    let endless = desk.lease(ANN, 1).unwrap();
    desk.renew(endless.attempt, 1);
    assert_eq!(desk.expire(10 * SECOND), [End::Overdue], "ten times the length of one unit");
}

#[test]
fn a_lost_deadline_is_a_full_new_term() {
    let mut desk = Desk::open(Kind::Bounded, 64);
    desk.lease(ANN, 32).unwrap();
    desk.tables.deadlines.clear();
    assert_eq!(desk.expire(100 * SECOND), []);
    assert_eq!(desk.expire(29 * SECOND), []);
    assert_eq!(desk.expire(SECOND), [End::Expired]);
}

#[test]
fn a_new_life_ends_the_leases_of_the_old_one() {
    let mut desk = Desk::open(Kind::Bounded, 4);
    let old = desk.lease(ANN, 4).unwrap();
    assert_eq!(desk.register("us", "ann", 2), Ok(Reply::Registered(ANN)));
    assert_eq!(desk.happened.ended, [Ended { run: RUN, attempt: old.attempt, end: End::Replaced }]);
    assert_eq!(desk.renew(old.attempt, 1), Renewed::Ended);
    let refused =
        desk.ask(Verb::Lease { worker: ANN, incarnation: Incarnation(1), cores: 1, most: 4, among: None });
    assert_eq!(refused, Err(Refusal::OldIncarnation { worker: ANN, now: 2 }));
    let new = desk.lease(BOB, 4).unwrap();
    assert_eq!(new.units, 0..4);
    assert!(new.attempt > old.attempt);
}

#[test]
fn a_repeated_call_is_answered_as_the_first_time() {
    let mut desk = Desk::open(Kind::Bounded, 8);
    let verb = Verb::Lease { worker: ANN, incarnation: Incarnation(1), cores: 1, most: 4, among: None };
    let first = desk.ask(verb.clone()).unwrap();
    desk.last -= 1;
    assert_eq!(desk.ask(verb).unwrap(), first);
    desk.last -= 1;
    assert_eq!(desk.ask(Verb::Pause { worker: ANN }), Err(Refusal::CallReused(CallId(desk.last))));
}

#[test]
fn what_cannot_be_is_refused() {
    let mut desk = Desk::open(Kind::Bounded, 8);
    let grant = desk.lease(ANN, 4).unwrap();
    let attempt = grant.attempt;
    let report = |worker, unit| Verb::Report {
        worker,
        run: RUN,
        attempt,
        units: vec![(unit, Found::Answer(Leaves(1)))],
    };
    assert_eq!(desk.ask(report(ANN, 4)), Err(Refusal::NoSuchUnit { run: RUN, attempt, unit: 4 }));
    let stranger = Refusal::NotTheHolder { run: RUN, attempt, worker: BOB };
    assert_eq!(desk.ask(report(BOB, 0)), Err(stranger));
    let greedy = Verb::Lease { worker: ANN, incarnation: Incarnation(1), cores: 5, most: 4, among: None };
    assert_eq!(desk.ask(greedy), Err(Refusal::NoCores { worker: ANN, free: 4 }));
    assert_eq!(desk.ask(Verb::Conclude { run: RUN }), Err(Refusal::EndsItself(RUN)));
    let unknown = Refusal::UnknownLease(RUN, Attempt(9));
    assert_eq!(desk.ask(Verb::Release { worker: ANN, run: RUN, attempt: Attempt(9) }), Err(unknown));
}

#[test]
fn a_worker_may_wait_for_its_own_jobs_but_hoards_none() {
    let mut desk = Desk::open(Kind::Bounded, 20);
    let ask = || Verb::Lease { worker: ANN, incarnation: Incarnation(1), cores: 4, most: 1, among: None };
    let mut attempts = Vec::new();
    for busy in [4, 8, 12, 16] {
        let Ok(Reply::Granted(Some(grant))) = desk.ask(ask()) else { panic!("a job beside {attempts:?}") };
        attempts.push(grant.attempt);
        let worker = desk.tables.workers[&ANN];
        assert_eq!((worker.busy, worker.at_work()), (busy, 4));
    }
    assert_eq!(desk.ask(ask()), Err(Refusal::NoCores { worker: ANN, free: 0 }));
    desk.ask(Verb::Release { worker: ANN, run: RUN, attempt: attempts[0] }).unwrap();
    assert!(matches!(desk.ask(ask()), Ok(Reply::Granted(Some(_)))));
}

#[test]
fn runs_share_the_workers() {
    let mut desk = Desk::open(Kind::Bounded, 400);
    for worker in [ANN, BOB] {
        desk.lease(worker, 4).unwrap();
    }
    desk.submit(Kind::Bounded, 400, Verify::Not);
    let (large, small) = (RUN, RunId(2));
    assert_eq!(desk.lease(ANN, 4).unwrap().run, small, "nobody works on it");
    assert_eq!(desk.lease(BOB, 4).unwrap().run, large, "the other works on the small one");
    assert_eq!(desk.lease(ANN, 4).unwrap().run, small, "as fair as the other, and the worker is warm there");
}

#[test]
fn one_worker_goes_from_run_to_run() {
    let mut desk = Desk::open(Kind::Bounded, 400);
    for _ in 0..2 {
        desk.submit(Kind::Bounded, 400, Verify::Not);
    }
    let mut runs = Vec::new();
    for _ in 0..6 {
        let grant = desk.lease(ANN, 4).unwrap();
        runs.push(grant.run.0);
        desk.ask(Verb::Release { worker: ANN, run: grant.run, attempt: grant.attempt }).unwrap();
    }
    assert_eq!(runs, [1, 2, 3, 1, 2, 3]);
}

#[test]
fn a_sum_that_does_not_fit_ends_the_run() {
    let mut desk = Desk::open(Kind::Bounded, 2);
    let grant = desk.lease(ANN, 2).unwrap();
    desk.count(grant.attempt, 0, u128::MAX);
    desk.count(grant.attempt, 1, 1);
    assert_eq!(desk.run().state, State::Overflowed);
    assert_eq!(desk.lease(BOB, 1), None);
}

#[test]
fn a_run_waits_for_its_plan() {
    let mut desk = Desk::open(Kind::Bounded, 0);
    assert_eq!(desk.run().state, State::Done, "a run without units is done");
    let request = Request::Perft(PerftRequest::new(Position::startpos(), 1));
    let submission = Submission { request, owner: "us".to_owned(), verify: Verify::Not, seed: 7 };
    let submit = Verb::Submit { submission, kind: Kind::Bounded };
    for (run, verb) in [
        (RunId(2), Verb::Fail { run: RunId(2), planned: false, reason: "too large".to_owned() }),
        (RunId(3), Verb::Cancel { run: RunId(3) }),
    ] {
        assert_eq!(desk.ask(submit.clone()), Ok(Reply::Submitted(run)));
        assert_eq!(desk.lease(ANN, 1), None);
        desk.ask(verb).unwrap();
        let outline =
            Outline { units: 4, split: 1, remaining: 1, positions: 20, hash_bytes: 0, frontier: None };
        desk.ask(Verb::Plan { run, outline, again: true, terms: TERMS }).unwrap();
        assert_eq!(desk.lease(ANN, 1), None, "it has ended before its plan came");
    }
    assert_eq!(desk.tables.runs[&RunId(2)].failure.as_deref(), Some("too large"));
    assert_eq!(desk.tables.runs[&RunId(3)].state, State::Cancelled);
}

#[test]
fn a_run_whose_plan_is_lost_can_be_ended() {
    let mut desk = Desk::open(Kind::Bounded, 3);
    let grant = desk.lease(ANN, 1).unwrap();
    let fail =
        |planned| Verb::Fail { run: RunId(1), planned, reason: "it is split differently now".to_owned() };
    desk.ask(fail(false)).unwrap();
    assert_eq!(desk.run().state, State::Running, "it was planned");
    desk.ask(fail(true)).unwrap();
    assert_eq!(desk.run().state, State::Failed);
    assert_eq!(desk.lease(BOB, 1), None);
    let told = desk.report(grant.attempt, vec![(0, Found::Answer(Leaves(5)))]);
    assert_eq!(told.told, [Told::Stale]);
    desk.ask(Verb::Cancel { run: RunId(1) }).unwrap();
    assert_eq!(desk.run().failure.as_deref(), Some("it is split differently now"));
    assert_eq!(desk.run().state, State::Failed, "it has ended");
}

#[test]
fn everything_is_looked_at_again_where_that_is_asked() {
    let mut desk = Desk::open(Kind::Bounded, 0);
    desk.submit(Kind::Bounded, 3, Verify::All);
    let run = RunId(2);
    let report = |desk: &mut Desk, attempt, unit, leaves| {
        let units = vec![(unit, Found::Answer(Leaves(leaves)))];
        let worker = desk.holder(run, attempt);
        desk.ask(Verb::Report { worker, run, attempt, units }).unwrap()
    };
    let first = desk.lease(ANN, 3).unwrap();
    (0..3).for_each(|unit| drop(report(&mut desk, first.attempt, unit, 5)));
    assert_eq!((desk.tables.runs[&run].state, desk.tables.runs[&run].doubts), (State::Running, 3));
    assert_eq!(desk.lease(ANN, 3), None, "nobody looks at his own results");
    let again = desk.lease(BOB, 2).unwrap();
    assert_eq!(
        (again.units.clone(), desk.tables.leases[&(run, again.attempt)].purpose),
        (0..2, Purpose::Opinion)
    );
    again.units.for_each(|unit| drop(report(&mut desk, again.attempt, unit, 5)));
    let last = desk.lease(BOB, 2).unwrap();
    let Reply::Reported(told) = report(&mut desk, last.attempt, 2, 6) else { panic!() };
    assert_eq!(told.conflicts, [2]);
    assert_eq!(desk.tables.runs[&run].state, State::Disputed);
    let third = desk.lease(CEM, 2).unwrap();
    let Reply::Reported(told) = report(&mut desk, third.attempt, 2, 5) else { panic!() };
    assert_eq!(told.suspects, [BOB]);
    assert_eq!((desk.tables.runs[&run].state, desk.tables.runs[&run].doubts), (State::Done, 0));
    desk.ask(Verb::Quarantine { worker: BOB }).unwrap();
    assert_eq!(desk.tables.runs[&run].tally, Leaves(15));
}

#[test]
fn what_only_a_quarantined_worker_agreed_with_is_looked_at_again() {
    let mut desk = Desk::open(Kind::Bounded, 0);
    desk.submit(Kind::Bounded, 1, Verify::All);
    let run = RunId(2);
    let say = |desk: &mut Desk, worker| {
        let (grant, units) = (desk.lease(worker, 1).unwrap(), vec![(0, Found::Answer(Leaves(5)))]);
        desk.ask(Verb::Report { worker, run, attempt: grant.attempt, units }).unwrap();
        desk.tables.runs[&run].state
    };
    assert_eq!([say(&mut desk, ANN), say(&mut desk, BOB)], [State::Running, State::Done]);
    desk.ask(Verb::Quarantine { worker: BOB }).unwrap();
    assert_eq!(desk.tables.runs[&run].state, State::Disputed);
    assert_eq!(say(&mut desk, CEM), State::Done);
}

#[test]
fn another_owner_is_asked_where_one_works() {
    let mut desk = Desk::open(Kind::Bounded, 0);
    desk.submit(Kind::Bounded, 4, Verify::All);
    let stranger = WorkerId(4);
    assert_eq!(desk.register("them", "dan", 1), Ok(Reply::Registered(stranger)));
    let mine = desk.lease(ANN, 2).unwrap();
    let theirs = desk.lease(stranger, 1).unwrap();
    let units = mine.units.clone().map(|unit| (unit, Found::Answer(Leaves(1)))).collect();
    desk.ask(Verb::Report { worker: ANN, run: RunId(2), attempt: mine.attempt, units }).unwrap();
    let counting = desk.lease(BOB, 4).unwrap();
    assert_eq!(desk.tables.leases[&(RunId(2), counting.attempt)].purpose, Purpose::Count);
    desk.ask(Verb::Release { worker: stranger, run: RunId(2), attempt: theirs.attempt }).unwrap();
    assert_eq!(desk.lease(stranger, 4).unwrap().units, mine.units);
}
