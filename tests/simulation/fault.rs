//! Eight ways of getting it wrong, each a store that does one thing differently.

use std::time::Duration;

use vezir_jobs::ledger::{Answer, Found, Lease, Standing, Tables, Verb};
use vezir_jobs::{Attempt, RunId, Tally, WorkerId};

/// What a faulty store does wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// A report counts under whatever lease its units are held by now.
    NoAttemptCheck,
    /// A call is answered, and committed with the next one.
    AcknowledgedBeforeCommit,
    /// A vote is added to the tally.
    CountedAgainAsVote,
    /// Deadlines are given and judged by a clock that somebody sets.
    ExpiryByWallClock,
    /// Which calls were answered is forgotten when the store starts.
    CallsOnlyInMemory,
    /// A renewal goes to whatever lease its units are held by now.
    RenewIgnoresAttempt,
    /// The holder of a cut job keeps what was cut off.
    CutCountedTwice,
    /// The cores of a lease that expires stay busy.
    CoresNeverGivenBack,
}

impl Fault {
    pub(crate) const ALL: [Fault; 8] = [
        Fault::NoAttemptCheck,
        Fault::AcknowledgedBeforeCommit,
        Fault::CountedAgainAsVote,
        Fault::ExpiryByWallClock,
        Fault::CallsOnlyInMemory,
        Fault::RenewIgnoresAttempt,
        Fault::CutCountedTwice,
        Fault::CoresNeverGivenBack,
    ];

    /// Whether a complaint is about what this fault breaks.
    pub(crate) fn explains(self, complaint: &str) -> bool {
        let words: &[&str] = match self {
            Fault::NoAttemptCheck => &["is lost"],
            Fault::AcknowledgedBeforeCommit => &["is lost", "differently", "not newer"],
            Fault::CountedAgainAsVote => &["more than once"],
            Fault::ExpiryByWallClock => &["expired"],
            Fault::CallsOnlyInMemory => &["differently"],
            Fault::RenewIgnoresAttempt => &["renewed after its end"],
            Fault::CutCountedTwice => &["held: 2"],
            Fault::CoresNeverGivenBack => &["busy cores"],
        };
        words.iter().any(|word| complaint.contains(word))
    }

    /// What the store makes of a call before it looks at it.
    pub(crate) fn twist(self, tables: &Tables<Tally>, verb: &mut Verb<Tally>) {
        match (self, verb) {
            (Fault::NoAttemptCheck, Verb::Report { worker, run, attempt, units }) => {
                let fits = |lease: &Lease| units.iter().all(|(unit, _)| lease.units().contains(unit));
                (*attempt, *worker) = holder(tables, *run, *attempt, *worker, fits);
            }
            (Fault::RenewIgnoresAttempt, Verb::Renew { worker, run, attempt, .. }) => {
                let Some(named) = tables.leases.get(&(*run, *attempt)) else { return };
                let fits = |lease: &Lease| lease.units().contains(&named.first);
                (*attempt, *worker) = holder(tables, *run, *attempt, *worker, fits);
            }
            _ => {}
        }
    }

    /// What the store does besides, when it has done what it was asked.
    pub(crate) fn spoil(self, before: &[Lease], tables: &mut Tables<Tally>, asked: &Verb<Tally>) {
        match (self, asked) {
            (Fault::CountedAgainAsVote, Verb::Report { run, attempt, units, .. }) => {
                for (unit, _) in units {
                    count_vote(tables, *run, *unit, *attempt);
                }
            }
            (Fault::CutCountedTwice, Verb::Lease { .. }) => {
                for lease in before {
                    let key = (lease.run, lease.attempt);
                    if let Some(now) = tables.leases.get(&key).copied() {
                        tables.leases.insert(key, Lease { end: lease.end, ..now });
                    }
                }
            }
            _ => {}
        }
    }

    /// What the store does besides, when a lease has expired.
    pub(crate) fn expire(self, tables: &mut Tables<Tally>, lease: &Lease) {
        if self == Fault::CoresNeverGivenBack
            && let Some(worker) = tables.workers.get_mut(&lease.worker)
        {
            worker.busy += lease.cores;
        }
    }
}

impl Fault {
    /// What becomes of the rows when somebody sets the wall clock ahead.
    pub(crate) fn set_clock(self, tables: &mut Tables<Tally>, ahead: Duration) {
        if self == Fault::ExpiryByWallClock {
            for deadline in tables.deadlines.values_mut() {
                deadline.silent = deadline.silent.saturating_sub(ahead);
                deadline.stuck = deadline.stuck.saturating_sub(ahead);
                deadline.overdue = deadline.overdue.saturating_sub(ahead);
            }
        }
    }

    /// What is gone, besides what may be, when the store starts.
    pub(crate) fn reopen(self, tables: &mut Tables<Tally>) {
        if self == Fault::CallsOnlyInMemory {
            tables.calls.remove_range(..);
        }
    }
}

/// The lease that holds the units now, and who has it, where the one that is named does not live.
fn holder(
    tables: &Tables<Tally>,
    run: RunId,
    attempt: Attempt,
    worker: WorkerId,
    fits: impl Fn(&Lease) -> bool,
) -> (Attempt, WorkerId) {
    if tables.leases.get(&(run, attempt)).is_some_and(Lease::is_live) {
        return (attempt, worker);
    }
    let other = tables.live_of(run).find(|lease| fits(lease));
    other.map_or((attempt, worker), |lease| (lease.attempt, lease.worker))
}

fn count_vote(tables: &mut Tables<Tally>, run: RunId, unit: u32, attempt: Attempt) {
    if !tables.of_unit(run, unit).any(|it| it.standing == Standing::Counted) {
        return;
    }
    let Some(mut finding) = tables.findings.get(&(run, unit, attempt)).cloned() else { return };
    if let (Standing::Vote, Found::Answer(answer)) = (finding.standing, &finding.found) {
        if let Some(mut run) = tables.runs.get(&run).cloned() {
            run.done += 1;
            run.tally.add(answer).expect("the sums of a simulation are small");
            tables.runs.insert(run.id, run);
        }
        finding.standing = Standing::Counted;
        tables.findings.insert((run, unit, attempt), finding);
    }
}
