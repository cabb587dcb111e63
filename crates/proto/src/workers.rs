//! What workers send and see: places, jobs and reports.

use vezir_jobs::{Attempt, Finding, Job, Place, RunId, Standing, Task, UnitReport};
use vezir_perft::Counted;

use crate::malformed::{Malformed, required};
use crate::wire::workers::v1 as wire;

impl From<Place> for wire::Place {
    fn from(place: Place) -> wire::Place {
        wire::Place { run: place.run.0, unit: place.unit }
    }
}

impl From<wire::Place> for Place {
    fn from(place: wire::Place) -> Place {
        Place { run: RunId(place.run), unit: place.unit }
    }
}

impl wire::Job {
    /// A job whose units have so many positions each.
    pub fn new(job: Job, lengths: Vec<u32>) -> wire::Job {
        wire::Job {
            run: job.run.0,
            attempt: job.attempt.0,
            first_unit: job.units.start,
            lengths,
            remaining: job.task.remaining,
            breakdown: job.task.breakdown,
            hash_bytes: job.task.hash_bytes,
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
            task: Task { remaining: job.remaining, breakdown: job.breakdown, hash_bytes: job.hash_bytes },
        })
    }
}

impl From<UnitReport> for wire::UnitReport {
    fn from(report: UnitReport) -> wire::UnitReport {
        let finding = match report.finding {
            Finding::Counted(counted) => wire::unit_report::Finding::Counted(wire::Counted {
                answer: Some(counted.answer.into()),
                figures: Some(counted.figures.into()),
            }),
            Finding::Failed(reason) => wire::unit_report::Finding::Failure(reason),
        };
        wire::UnitReport { unit: report.unit, finding: Some(finding) }
    }
}

impl TryFrom<wire::UnitReport> for UnitReport {
    type Error = Malformed;

    fn try_from(report: wire::UnitReport) -> Result<UnitReport, Malformed> {
        let finding = match required(report.finding, "finding")? {
            wire::unit_report::Finding::Counted(counted) => Finding::Counted(Counted {
                answer: required(counted.answer, "answer")?.try_into()?,
                figures: required(counted.figures, "figures")?.into(),
            }),
            wire::unit_report::Finding::Failure(reason) => Finding::Failed(reason),
        };
        Ok(UnitReport { unit: report.unit, finding })
    }
}

impl From<Standing> for wire::Standing {
    fn from(standing: Standing) -> wire::Standing {
        match standing {
            Standing::Counted => wire::Standing::Counted,
            Standing::Stale => wire::Standing::Stale,
        }
    }
}

impl TryFrom<wire::Standing> for Standing {
    type Error = Malformed;

    fn try_from(standing: wire::Standing) -> Result<Standing, Malformed> {
        match standing {
            wire::Standing::Unspecified => Err(Malformed::Missing("standings")),
            wire::Standing::Counted => Ok(Standing::Counted),
            wire::Standing::Stale => Ok(Standing::Stale),
        }
    }
}

#[cfg(test)]
mod tests {
    use vezir_jobs::{Attempt, Finding, Job, RunId, Task, UnitReport};
    use vezir_perft::Counted;

    use crate::wire::workers::v1 as wire;

    #[test]
    fn jobs_come_back() {
        let task = Task { remaining: 4, breakdown: true, hash_bytes: 1 << 33 };
        let job = Job { run: RunId(3), attempt: Attempt(9), units: 5..7, task };
        assert_eq!(Job::try_from(&wire::Job::new(job.clone(), vec![10, 11])), Ok(job.clone()));
        let mut beyond = wire::Job::new(job, vec![1, 1]);
        beyond.first_unit = u32::MAX;
        assert!(Job::try_from(&beyond).is_err());
    }

    #[test]
    fn reports_come_back() {
        for finding in [Finding::Counted(Counted::default()), Finding::Failed("no memory".into())] {
            let report = UnitReport { unit: 8, finding };
            assert_eq!(UnitReport::try_from(wire::UnitReport::from(report.clone())), Ok(report));
        }
    }
}
