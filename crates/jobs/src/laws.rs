//! What must be true of the rows after every transaction, each as a function that names what breaks it.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::ledger::{
    Answer, CallId, Cause, End, Finding, Found, Lease, Purpose, Reply, Run, Standing, State, Tables,
};
use crate::{Attempt, Kind, RunId, WorkerId};

/// What breaks a law.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Violation {
    /// Two findings about one unit count.
    #[error("unit {1} of run {0} is counted more than once")]
    CountedTwice(RunId, u32),
    /// A result that was acknowledged as counted is not there.
    #[error("unit {1} of run {0} was acknowledged under lease {2}, and is lost")]
    Lost(RunId, u32, Attempt),
    /// A unit is in none, or in several, of queued, leased, done, set aside.
    #[error("unit {1} of run {0} is {2}")]
    NotInOnePlace(RunId, u32, String),
    /// A result counts that its lease was not granted for, or that is none.
    #[error("unit {1} of run {0} counts under lease {2}, which did not bring it")]
    NotWhole(RunId, u32, Attempt),
    /// The tally or the number of ended units is not what the findings say.
    #[error("the tally of run {0} is {1}, not the sum of its standing units")]
    WrongTally(RunId, String),
    /// An attempt went back, or was given twice.
    #[error("attempt {1} of run {0} is not newer than those before it")]
    AttemptDidNotGrow(RunId, Attempt),
    /// A result of a quarantined worker stands.
    #[error("unit {1} of run {0} stands on quarantined worker {2}")]
    Distrusted(RunId, u32, WorkerId),
    /// The open doubts of a run are not as it says.
    #[error("the doubts of run {0} are astray: {1}")]
    DoubtsAstray(RunId, String),
    /// A worker's busy cores are not those of its live leases.
    #[error("worker {0} has {1} busy cores, but live leases on {2}")]
    CoresHeld(WorkerId, u32, u32),
    /// A holder was told that an ended lease goes on.
    #[error("lease {1} of run {0} was renewed after its end")]
    RenewedAfterEnd(RunId, Attempt),
    /// A lease expired although its holder was heard of within its term.
    #[error("lease {1} of run {0} expired {2:?} after its holder was heard of")]
    EndedEarly(RunId, Attempt, Duration),
    /// A repeated call was not answered as the first time.
    #[error("call {:032x} was answered differently when it was repeated", .0.0)]
    AnsweredAnew(CallId),
}

/// A result that a worker was told is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Acknowledged {
    /// The run.
    pub run: RunId,
    /// The unit.
    pub unit: u32,
    /// The lease.
    pub attempt: Attempt,
}

/// Everything that breaks a law that can be read from the rows alone.
pub fn broken<A: Answer>(tables: &Tables<A>) -> Vec<Violation> {
    let mut all = counted_once(tables);
    all.extend(units_are_in_one_place(tables));
    all.extend(a_unit_counts_whole(tables));
    all.extend(a_tally_is_its_sum(tables));
    all.extend(attempts_are_known(tables));
    all.extend(doubts_are_numbered(tables));
    all.extend(no_distrusted_result_stands(tables));
    all.extend(ended_leases_hold_no_cores(tables));
    all
}

/// Each (run, unit) is counted at most once, and not counted and set aside.
pub fn counted_once<A: Answer>(tables: &Tables<A>) -> Vec<Violation> {
    let mut last = None;
    let mut broken = Vec::new();
    for finding in tables.findings.values().filter(|it| it.standing.closes()) {
        let unit = (finding.run, finding.unit);
        if last == Some(unit) {
            broken.push(Violation::CountedTwice(unit.0, unit.1));
        }
        last = Some(unit);
    }
    broken
}

/// Nothing acknowledged is lost: what counted still does, unless its worker was quarantined or a recorded
/// conflict made it a vote.
pub fn nothing_acknowledged_is_lost<'a, A: Answer>(
    tables: &Tables<A>,
    acknowledged: impl IntoIterator<Item = &'a Acknowledged>,
) -> Vec<Violation> {
    let is_kept = |it: &Acknowledged| {
        let finding = tables.findings.get(&(it.run, it.unit, it.attempt));
        finding.is_some_and(|finding| match finding.standing {
            Standing::Counted => true,
            Standing::Vote => tables.doubts.contains_key(&(it.run, it.unit)),
            Standing::Void => tables.distrusts(finding.worker),
            Standing::Failed | Standing::Aside => false,
        })
    };
    let lost = acknowledged.into_iter().filter(|it| !is_kept(it));
    lost.map(|it| Violation::Lost(it.run, it.unit, it.attempt)).collect()
}

/// The units of a run are exactly queued + leased + done + set aside + cancelled: each in one of these. A
/// second lease on a leased unit is no second place, a second holder in his own right is.
pub fn units_are_in_one_place<A: Answer>(tables: &Tables<A>) -> Vec<Violation> {
    tables.runs.values().flat_map(|run| places(tables, run)).collect()
}

fn places<A: Answer>(tables: &Tables<A>, run: &Run<A>) -> Vec<Violation> {
    let mut places = vec![Places::default(); run.units as usize];
    let mut broken = Vec::new();
    let mut mark = |unit: u32, mark: fn(&mut Places)| match places.get_mut(unit as usize) {
        Some(place) => mark(place),
        None => broken.push(Violation::NotInOnePlace(run.id, unit, "beyond the last".to_owned())),
    };
    for ((_, first), end) in tables.queue.range((run.id, 0)..=(run.id, u32::MAX)) {
        (*first..*end).for_each(|unit| mark(unit, |it| it.queued += 1));
    }
    let findings = tables.findings.range((run.id, 0, Attempt(0))..=(run.id, u32::MAX, Attempt(u64::MAX)));
    for (_, finding) in findings.filter(|(_, it)| it.standing.closes()) {
        mark(finding.unit, |it| it.closed += 1);
    }
    for lease in tables.of_run(run.id).filter(|it| it.is_live()) {
        for unit in held(tables, lease) {
            match lease.purpose {
                Purpose::Count => mark(unit, |it| it.held += 1),
                Purpose::Again => mark(unit, |it| it.again += 1),
                Purpose::Opinion => {}
            }
        }
    }
    let wrong = places.iter().zip(0..).filter(|(place, _)| !place.fits(run));
    broken.extend(wrong.map(|(place, unit)| Violation::NotInOnePlace(run.id, unit, format!("{place:?}"))));
    broken
}

/// How often a unit is found in each place.
#[derive(Clone, Copy, Default, Debug)]
struct Places {
    queued: u32,
    held: u32,
    again: u32,
    closed: u32,
}

impl Places {
    fn fits(self, run: &Run<impl Answer>) -> bool {
        let leased = u32::from(self.held + self.again > 0);
        let places = self.queued + leased + self.closed;
        let may_be_nowhere = match (run.kind, run.state) {
            (_, State::Cancelled | State::Overflowed | State::Failed | State::Planning)
            | (Kind::Open, State::Done | State::Disputed) => true,
            (_, State::Running | State::Done | State::Disputed) => false,
        };
        let once = self.held <= 1 && self.again <= 1;
        once && places <= 1 && (places == 1 || may_be_nowhere)
    }
}

/// The units that a live lease still has to report, read from the rows anew.
fn held<A: Answer>(tables: &Tables<A>, lease: &Lease) -> impl Iterator<Item = u32> {
    lease.units().filter(|unit| {
        let mut findings = tables.of_unit(lease.run, *unit);
        findings.all(|it| it.attempt != lease.attempt && !it.standing.closes())
    })
}

/// A unit, and so a pair, counts whole or not at all: what stands is one result that its lease was granted
/// for and its holder brought.
pub fn a_unit_counts_whole<A: Answer>(tables: &Tables<A>) -> Vec<Violation> {
    let is_whole = |it: &&Finding<A>| {
        let lease = tables.leases.get(&(it.run, it.attempt));
        let brought = lease.is_some_and(|lease| {
            lease.worker == it.worker && (lease.first..lease.granted).contains(&it.unit)
        });
        brought && matches!(it.found, Found::Answer(_))
    };
    let counted = tables.findings.values().filter(|it| it.standing == Standing::Counted);
    let parts = counted.filter(|it| !is_whole(it));
    parts.map(|it| Violation::NotWhole(it.run, it.unit, it.attempt)).collect()
}

/// A tally is the sum of its standing units, and the numbers beside it say how many they are.
pub fn a_tally_is_its_sum<A: Answer>(tables: &Tables<A>) -> Vec<Violation> {
    let mut sums: BTreeMap<RunId, (A, u32, u32, bool)> = BTreeMap::new();
    for finding in tables.findings.values().filter(|it| it.standing.closes()) {
        let (sum, done, aside, fits) = sums.entry(finding.run).or_insert_with(|| (A::default(), 0, 0, true));
        match &finding.found {
            Found::Answer(answer) => {
                *fits = *fits && sum.add(answer).is_ok();
                *done += 1;
            }
            Found::Failed(_) => *aside += 1,
        }
    }
    let is_right = |run: &&Run<A>| match sums.get(&run.id) {
        None => (run.done, run.aside) == (0, 0) && run.tally.agrees(&A::default()),
        Some((_, _, _, false)) => run.state == State::Overflowed,
        Some((sum, done, aside, true)) => {
            run.state == State::Overflowed
                || (run.done, run.aside) == (*done, *aside) && run.tally.agrees(sum)
        }
    };
    let wrong = tables.runs.values().filter(|run| !is_right(run));
    wrong.map(|run| Violation::WrongTally(run.id, format!("{:?} of {}", run.tally, run.done))).collect()
}

/// No lease has a number that its run has not given yet.
pub fn attempts_are_known<A: Answer>(tables: &Tables<A>) -> Vec<Violation> {
    let last = |run| tables.runs.get(&run).map_or(Attempt(0), |run| run.attempt);
    let unknown = tables.leases.values().filter(|lease| lease.attempt > last(lease.run));
    unknown.map(|lease| Violation::AttemptDidNotGrow(lease.run, lease.attempt)).collect()
}

/// A run knows how many of its doubts are open, and only what is counted is in doubt.
pub fn doubts_are_numbered<A: Answer>(tables: &Tables<A>) -> Vec<Violation> {
    let mut open: BTreeMap<RunId, (u32, u32)> = BTreeMap::new();
    let mut broken = Vec::new();
    for doubt in tables.doubts.values().filter(|it| !it.settled) {
        let (doubts, conflicts) = open.entry(doubt.run).or_default();
        *doubts += 1;
        *conflicts += u32::from(doubt.cause == Cause::Conflict);
        if !tables.of_unit(doubt.run, doubt.unit).any(|it| it.standing == Standing::Counted) {
            broken.push(Violation::DoubtsAstray(doubt.run, format!("unit {} is not counted", doubt.unit)));
        }
    }
    let of = |run| open.get(&run).copied().unwrap_or_default();
    let wrong = tables.runs.values().filter(|run| (run.doubts, run.conflicts) != of(run.id));
    let named = |run: &Run<A>| format!("it knows of {} and {}", run.doubts, run.conflicts);
    broken.extend(wrong.map(|run| Violation::DoubtsAstray(run.id, named(run))));
    broken
}

/// Attempts only grow: from `before` to `after` no run's went back, every new lease has a newer one, and no
/// lease was given to somebody else.
pub fn attempts_only_grow<A: Answer>(before: &Tables<A>, after: &Tables<A>) -> Vec<Violation> {
    let last = |run| before.runs.get(&run).map_or(Attempt(0), |run| run.attempt);
    let back = after.runs.values().filter(|run| run.attempt < last(run.id)).map(|run| (run.id, run.attempt));
    let reused = after.leases.values().filter(|lease| match before.leases.get(&(lease.run, lease.attempt)) {
        None => lease.attempt <= last(lease.run),
        Some(old) => {
            let is_same = (old.worker, old.first, old.granted) == (lease.worker, lease.first, lease.granted);
            !is_same || lease.end > old.end || old.ended.is_some() && lease.ended != old.ended
        }
    });
    let all = back.chain(reused.map(|lease| (lease.run, lease.attempt)));
    all.map(|(run, attempt)| Violation::AttemptDidNotGrow(run, attempt)).collect()
}

/// A quarantined worker's results never stand: they are neither counted nor compared, nor set a unit aside.
pub fn no_distrusted_result_stands<A: Answer>(tables: &Tables<A>) -> Vec<Violation> {
    let standing = tables.findings.values().filter(|it| it.standing != Standing::Void);
    let wrong = standing.filter(|it| tables.distrusts(it.worker));
    wrong.map(|it| Violation::Distrusted(it.run, it.unit, it.worker)).collect()
}

/// The cores of a worker are not held by leases that ended.
pub fn ended_leases_hold_no_cores<A: Answer>(tables: &Tables<A>) -> Vec<Violation> {
    let mut busy: BTreeMap<WorkerId, u32> = BTreeMap::new();
    for lease in tables.live() {
        *busy.entry(lease.worker).or_default() += lease.cores;
    }
    let of = |worker| busy.get(&worker).copied().unwrap_or(0);
    let wrong = tables.workers.values().filter(|worker| worker.busy != of(worker.id));
    wrong.map(|worker| Violation::CoresHeld(worker.id, worker.busy, of(worker.id))).collect()
}

/// A lease that ended is not renewed: to be asked when its holder is told that it goes on.
pub fn renewed_leases_live<A: Answer>(tables: &Tables<A>, run: RunId, attempt: Attempt) -> Vec<Violation> {
    let lives = tables.leases.get(&(run, attempt)).is_some_and(Lease::is_live);
    if lives { Vec::new() } else { vec![Violation::RenewedAfterEnd(run, attempt)] }
}

/// A lease does not expire within its term: to be asked when one has expired, `heard` being how long ago its
/// holder was last heard of, or the store started.
pub fn a_lease_lasts_its_term(lease: &Lease, term: Duration, heard: Duration) -> Vec<Violation> {
    let early = lease.ended == Some(End::Expired) && heard < term;
    if early { vec![Violation::EndedEarly(lease.run, lease.attempt, heard)] } else { Vec::new() }
}

/// A repeat is answered as the first time.
pub fn a_repeat_is_answered_alike(call: CallId, first: &Reply, again: &Reply) -> Vec<Violation> {
    if first == again { Vec::new() } else { vec![Violation::AnsweredAnew(call)] }
}
