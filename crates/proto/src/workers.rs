//! What workers send and see: jobs, reports, and what became of them.

use std::sync::Arc;
use std::time::Duration;

use vezir_jobs::ledger::{Found, Renewed, Told};
use vezir_jobs::{Attempt, CountTask, Job, RunId, Tally, Task};

use crate::malformed::{Malformed, required};
use crate::tally::read_tally;
use crate::wire::workers::v1 as wire;

/// The most bytes of a worker's name.
const MAX_NAME_BYTES: usize = 64;

/// Whether a worker may be called this.
///
/// # Errors
/// [`Malformed::Name`], which says what would be right.
pub fn check_worker_name(name: &str) -> Result<(), Malformed> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let fits = !name.is_empty() && name.len() <= MAX_NAME_BYTES && name.bytes().all(plain);
    if fits { Ok(()) } else { Err(Malformed::Name) }
}

impl wire::Job {
    /// A job whose units have so many positions each.
    pub fn new(job: &Job, lengths: Vec<u32>) -> wire::Job {
        wire::Job {
            run: job.run.0,
            attempt: job.attempt.0,
            first_unit: job.units.start,
            lengths,
            term_millis: u64::try_from(job.term.as_millis()).unwrap_or(u64::MAX),
            task: Some(job.task.clone().into()),
        }
    }
}

impl TryFrom<&wire::Job> for Job {
    type Error = Malformed;

    fn try_from(job: &wire::Job) -> Result<Job, Malformed> {
        let units = u32::try_from(job.lengths.len()).ok();
        let end =
            units.and_then(|units| job.first_unit.checked_add(units)).ok_or(Malformed::Range("lengths"))?;
        Ok(Job {
            run: RunId(job.run),
            attempt: Attempt(job.attempt),
            units: job.first_unit..end,
            task: required(job.task.clone(), "task")?.try_into()?,
            term: Duration::from_millis(job.term_millis),
        })
    }
}

impl From<Task> for wire::job::Task {
    fn from(task: Task) -> wire::job::Task {
        match task {
            Task::Count(CountTask { remaining, breakdown, hash_bytes }) => {
                wire::job::Task::Count(wire::Count { remaining, breakdown, hash_bytes })
            }
            Task::Examine(examination) => wire::job::Task::Examine(Arc::unwrap_or_clone(examination).into()),
        }
    }
}

impl TryFrom<wire::job::Task> for Task {
    type Error = Malformed;

    fn try_from(task: wire::job::Task) -> Result<Task, Malformed> {
        Ok(match task {
            wire::job::Task::Count(wire::Count { remaining, breakdown, hash_bytes }) => {
                Task::Count(CountTask { remaining, breakdown, hash_bytes })
            }
            wire::job::Task::Examine(examination) => Task::Examine(Arc::new(examination.try_into()?)),
        })
    }
}

/// A unit's report.
pub fn unit_report(unit: u32, found: Found<Tally>) -> wire::UnitReport {
    let (finding, survey) = match found {
        Found::Answer(Tally { counted, survey }) => {
            (wire::unit_report::Finding::Counted(counted.into()), survey.map(|survey| (*survey).into()))
        }
        Found::Failed(evidence) => (wire::unit_report::Finding::Failure(evidence), None),
    };
    wire::UnitReport { unit, finding: Some(finding), survey }
}

/// What a unit's report says.
///
/// # Errors
/// [`Malformed`] where it cannot be read.
pub fn read_unit_report(report: wire::UnitReport) -> Result<(u32, Found<Tally>), Malformed> {
    let found = match required(report.finding, "finding")? {
        wire::unit_report::Finding::Counted(counted) => Found::Answer(read_tally(counted, report.survey)?),
        wire::unit_report::Finding::Failure(evidence) => Found::Failed(evidence),
    };
    Ok((report.unit, found))
}

impl From<Told> for wire::Told {
    fn from(told: Told) -> wire::Told {
        match told {
            Told::Counted => wire::Told::Counted,
            Told::Vote => wire::Told::Vote,
            Told::Failed => wire::Told::Failed,
            Told::Aside => wire::Told::Aside,
            Told::Stale => wire::Told::Stale,
        }
    }
}

impl TryFrom<wire::Told> for Told {
    type Error = Malformed;

    fn try_from(told: wire::Told) -> Result<Told, Malformed> {
        match told {
            wire::Told::Unspecified => Err(Malformed::Missing("told")),
            wire::Told::Counted => Ok(Told::Counted),
            wire::Told::Vote => Ok(Told::Vote),
            wire::Told::Failed => Ok(Told::Failed),
            wire::Told::Aside => Ok(Told::Aside),
            wire::Told::Stale => Ok(Told::Stale),
        }
    }
}

impl wire::LeaseState {
    /// How a lease stands, told to a worker that is to end or is not.
    pub fn new(renewed: Renewed, drain: bool) -> wire::LeaseState {
        let state = match renewed {
            Renewed::Live { end } => wire::lease_state::State::LiveUntil(end),
            Renewed::Ended => wire::lease_state::State::Ended(wire::Ended {}),
        };
        wire::LeaseState { state: Some(state), drain }
    }
}

impl TryFrom<wire::LeaseState> for Renewed {
    type Error = Malformed;

    fn try_from(lease: wire::LeaseState) -> Result<Renewed, Malformed> {
        match required(lease.state, "lease.state")? {
            wire::lease_state::State::LiveUntil(end) => Ok(Renewed::Live { end }),
            wire::lease_state::State::Ended(_) => Ok(Renewed::Ended),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use vezir_jobs::ledger::{Found, Renewed, Told};
    use vezir_jobs::{Attempt, CountTask, Job, RunId, Tally, Task};

    use super::{read_unit_report, unit_report};
    use crate::wire::workers::v1 as wire;

    #[test]
    fn jobs_come_back() {
        let task = Task::Count(CountTask { remaining: 4, breakdown: true, hash_bytes: 1 << 33 });
        let term = Duration::from_secs(30);
        let job = Job { run: RunId(3), attempt: Attempt(9), units: 5..7, task, term };
        assert_eq!(Job::try_from(&wire::Job::new(&job, vec![10, 11])), Ok(job.clone()));
        let mut beyond = wire::Job::new(&job, vec![1, 1]);
        beyond.first_unit = u32::MAX;
        assert!(Job::try_from(&beyond).is_err());
    }

    #[test]
    fn reports_come_back() {
        for found in [Found::Answer(Tally::default()), Found::Failed("no memory".into())] {
            let back = read_unit_report(unit_report(8, found.clone()));
            assert_eq!(format!("{back:?}"), format!("Ok((8, {found:?}))"));
        }
        assert!(read_unit_report(wire::UnitReport { unit: 8, ..wire::UnitReport::default() }).is_err());
    }

    #[test]
    fn what_became_of_them_comes_back() {
        for told in [Told::Counted, Told::Vote, Told::Failed, Told::Aside, Told::Stale] {
            assert_eq!(Told::try_from(wire::Told::from(told)), Ok(told));
        }
        for renewed in [Renewed::Live { end: 0 }, Renewed::Live { end: 7 }, Renewed::Ended] {
            assert_eq!(Renewed::try_from(wire::LeaseState::new(renewed, true)), Ok(renewed));
        }
        assert!(Renewed::try_from(wire::LeaseState::default()).is_err());
    }
}
