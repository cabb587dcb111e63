//! Workers as operators see them, there and back.

use std::time::Duration;

use vezir_jobs::ledger::{Enrolment, WorkerState};
use vezir_jobs::{WorkerId, WorkerSummary};

use crate::malformed::Malformed;
use crate::wire::workers::v1 as wire;

impl From<WorkerSummary> for wire::Worker {
    fn from(worker: WorkerSummary) -> wire::Worker {
        let state = match worker.state {
            WorkerState::Active => wire::WorkerState::Active,
            WorkerState::Paused => wire::WorkerState::Paused,
            WorkerState::Quarantined => wire::WorkerState::Quarantined,
        };
        wire::Worker {
            id: worker.id.0,
            owner: worker.enrolment.owner,
            name: worker.enrolment.name,
            state: state.into(),
            cores: worker.cores,
            busy: worker.busy,
            jobs: worker.jobs,
            failed: worker.failed,
            heard_millis_ago: worker.heard.map(|heard| u64::try_from(heard.as_millis()).unwrap_or(u64::MAX)),
            version: worker.version,
            listens: worker.listens,
        }
    }
}

impl TryFrom<wire::Worker> for WorkerSummary {
    type Error = Malformed;

    fn try_from(worker: wire::Worker) -> Result<WorkerSummary, Malformed> {
        let state = match worker.state() {
            wire::WorkerState::Unspecified => return Err(Malformed::Missing("state")),
            wire::WorkerState::Active => WorkerState::Active,
            wire::WorkerState::Paused => WorkerState::Paused,
            wire::WorkerState::Quarantined => WorkerState::Quarantined,
        };
        Ok(WorkerSummary {
            id: WorkerId(worker.id),
            enrolment: Enrolment { owner: worker.owner, name: worker.name },
            state,
            cores: worker.cores,
            busy: worker.busy,
            jobs: worker.jobs,
            failed: worker.failed,
            heard: worker.heard_millis_ago.map(Duration::from_millis),
            version: worker.version,
            listens: worker.listens,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use vezir_jobs::ledger::{Enrolment, WorkerState};
    use vezir_jobs::{WorkerId, WorkerSummary};

    use crate::wire::workers::v1 as wire;

    #[test]
    fn workers_come_back() {
        for state in [WorkerState::Active, WorkerState::Paused, WorkerState::Quarantined] {
            let worker = WorkerSummary {
                id: WorkerId(3),
                enrolment: Enrolment { owner: "us".to_owned(), name: "ann".to_owned() },
                state,
                cores: 4,
                busy: 3,
                jobs: 2,
                failed: 1,
                heard: Some(Duration::from_millis(1_234)),
                version: "0.1.0".to_owned(),
                listens: true,
            };
            assert_eq!(WorkerSummary::try_from(wire::Worker::from(worker.clone())), Ok(worker));
        }
    }
}
