//! Why a call brought nothing, and why a worker ends.

use tonic::{Code, Status};
use vezir_proto::{Malformed, Refused, is_passing};

/// Why a worker stopped.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// Another process registered under the same name and owner, later than this one.
    #[error(
        "another process has registered under this worker's name; a name that no other worker has would be right"
    )]
    Replaced,
    /// Nothing that this worker reports is trusted any longer.
    #[error(
        "this worker is quarantined: its results are not trusted; finding out why, and another name, would be right"
    )]
    Quarantined,
    /// The coordinator does not let this worker in, or is none.
    #[error("the coordinator refuses this worker: {}", .0.message())]
    Refused(Status),
    /// The thread that counts could not be started.
    #[error("cannot start the thread that counts: {0}; fewer threads on this machine would be right")]
    Thread(#[from] std::io::Error),
    /// The thread that counts has died.
    #[error("counting broke down; the log of a debug build would be right to look at")]
    CountingBroke,
}

/// Why a call brought nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The worker must end.
    #[error(transparent)]
    Fatal(#[from] WorkerError),
    /// The coordinator did not know the worker, or by its number another or a newer one. It has registered
    /// again: what it held is gone.
    #[error("the coordinator did not know this worker")]
    Stranger,
    /// The worker is given nothing for now.
    #[error("this worker is paused")]
    Paused,
    /// Leases that have ended here live on at the coordinator.
    #[error("the coordinator knows of several other jobs of this worker")]
    NoCores,
    /// The coordinator refuses this very call.
    #[error("the coordinator refuses: {}", .0.message())]
    Refused(Status),
    /// The coordinator was not reached in time.
    #[error("the coordinator cannot be reached: {}", .0.message())]
    Unanswered(Status),
    /// The answer means nothing.
    #[error("the coordinator cannot be understood: {0}")]
    Malformed(#[from] Malformed),
    /// A page brings no positions, or too many.
    #[error("the coordinator sent {sent} positions where {wanted} were left to send")]
    Page {
        /// How many came.
        sent: usize,
        /// How many were wanted at most.
        wanted: usize,
    },
}

impl From<Status> for Failure {
    fn from(status: Status) -> Failure {
        match Refused::read(&status) {
            Some(Refused::Quarantined) => WorkerError::Quarantined.into(),
            Some(Refused::UnknownWorker | Refused::OldIncarnation) => Failure::Stranger,
            Some(Refused::Paused) => Failure::Paused,
            Some(Refused::NoCores) => Failure::NoCores,
            Some(_) => Failure::Refused(status),
            None if is_passing(&status) => Failure::Unanswered(status),
            None => match status.code() {
                Code::Unauthenticated | Code::PermissionDenied | Code::Unimplemented => {
                    WorkerError::Refused(status).into()
                }
                _ => Failure::Refused(status),
            },
        }
    }
}

impl Failure {
    /// The worker's end, where the failure is one; else what else went wrong.
    pub(crate) fn survived(self) -> Result<Failure, WorkerError> {
        match self {
            Failure::Fatal(error) => Err(error),
            other => Ok(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use tonic::Status;
    use vezir_jobs::WorkerId;
    use vezir_jobs::ledger::Refusal;
    use vezir_proto::IntoStatus;

    use super::{Failure, WorkerError};

    #[test]
    fn what_cannot_pass_ends_the_worker() {
        let fatal = |status: Status| Failure::from(status).survived().err();
        let old = Refusal::OldIncarnation { worker: WorkerId(1), now: 2 };
        assert!(matches!(Failure::from(old.into_status()), Failure::Stranger), "it may be another's number");
        let quarantined = Refusal::Quarantined(WorkerId(1)).into_status();
        assert!(matches!(fatal(quarantined), Some(WorkerError::Quarantined)));
        for status in [Status::unauthenticated(""), Status::permission_denied(""), Status::unimplemented("")]
        {
            assert!(matches!(fatal(status), Some(WorkerError::Refused(_))));
        }
        for status in [Status::unavailable(""), Status::not_found(""), Status::invalid_argument("")] {
            assert!(fatal(status).is_none());
        }
    }
}
