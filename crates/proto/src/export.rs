//! What a run can be recomputed from, there and back: findings, leases, doubts.

use vezir_jobs::ledger::{Cause, Doubt, Finding, Found, Lease, Purpose, Standing};
use vezir_jobs::{Attempt, RunId, Tally, WorkerId};

use crate::malformed::{Malformed, required};
use crate::tally::read_tally;
use crate::wire::runs::v1 as wire;

impl From<Finding<Tally>> for wire::Finding {
    fn from(finding: Finding<Tally>) -> wire::Finding {
        let (found, survey) = match finding.found {
            Found::Answer(Tally { counted, survey }) => {
                (wire::finding::Found::Counted(counted.into()), survey.map(|survey| (*survey).into()))
            }
            Found::Failed(evidence) => (wire::finding::Found::Failure(evidence), None),
        };
        wire::Finding {
            unit: finding.unit,
            attempt: finding.attempt.0,
            worker: finding.worker.0,
            standing: wire::Standing::from(finding.standing).into(),
            found: Some(found),
            survey,
        }
    }
}

/// A finding of a run.
///
/// # Errors
/// [`Malformed`] where it cannot be read.
pub fn read_finding(run: RunId, finding: wire::Finding) -> Result<Finding<Tally>, Malformed> {
    Ok(Finding {
        run,
        unit: finding.unit,
        attempt: Attempt(finding.attempt),
        worker: WorkerId(finding.worker),
        standing: finding.standing().try_into()?,
        found: match required(finding.found, "found")? {
            wire::finding::Found::Counted(counted) => Found::Answer(read_tally(counted, finding.survey)?),
            wire::finding::Found::Failure(evidence) => Found::Failed(evidence),
        },
    })
}

impl From<Standing> for wire::Standing {
    fn from(standing: Standing) -> wire::Standing {
        match standing {
            Standing::Counted => wire::Standing::Counted,
            Standing::Vote => wire::Standing::Vote,
            Standing::Failed => wire::Standing::Failed,
            Standing::Aside => wire::Standing::Aside,
            Standing::Void => wire::Standing::Void,
        }
    }
}

impl TryFrom<wire::Standing> for Standing {
    type Error = Malformed;

    fn try_from(standing: wire::Standing) -> Result<Standing, Malformed> {
        match standing {
            wire::Standing::Unspecified => Err(Malformed::Missing("standing")),
            wire::Standing::Counted => Ok(Standing::Counted),
            wire::Standing::Vote => Ok(Standing::Vote),
            wire::Standing::Failed => Ok(Standing::Failed),
            wire::Standing::Aside => Ok(Standing::Aside),
            wire::Standing::Void => Ok(Standing::Void),
        }
    }
}

impl From<Lease> for wire::Lease {
    fn from(lease: Lease) -> wire::Lease {
        let purpose = match lease.purpose {
            Purpose::Count => "count",
            Purpose::Again => "again",
            Purpose::Opinion => "opinion",
        };
        wire::Lease {
            attempt: lease.attempt.0,
            worker: lease.worker.0,
            first: lease.first,
            end: lease.end,
            granted: lease.granted,
            purpose: purpose.to_owned(),
            ended: lease.ended.map_or(String::new(), |end| end.name().to_owned()),
        }
    }
}

impl From<Doubt> for wire::Doubt {
    fn from(doubt: Doubt) -> wire::Doubt {
        wire::Doubt { unit: doubt.unit, conflict: doubt.cause == Cause::Conflict, settled: doubt.settled }
    }
}

#[cfg(test)]
mod tests {
    use vezir_jobs::ledger::{Finding, Found, Standing};
    use vezir_jobs::{Attempt, RunId, Tally, WorkerId};

    use super::read_finding;
    use crate::wire::runs::v1 as wire;

    #[test]
    fn findings_come_back() {
        let (run, attempt, worker) = (RunId(3), Attempt(4), WorkerId(5));
        for (found, standing) in [
            (Found::Answer(Tally::default()), Standing::Counted),
            (Found::Failed("no memory".to_owned()), Standing::Aside),
        ] {
            let finding = Finding { run, unit: 8, attempt, worker, found, standing };
            let back = read_finding(run, wire::Finding::from(finding.clone()));
            assert_eq!(format!("{back:?}"), format!("Ok({finding:?})"));
        }
    }
}
