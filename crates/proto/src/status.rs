//! The one map from errors to gRPC codes.

use tonic::{Code, Status};
use vezir_jobs::ledger::Refusal;
use vezir_perft::PlanError;

use crate::Malformed;

/// An error that a caller is told of.
pub trait IntoStatus {
    /// The status with the code that fits, and the error's sentence.
    fn into_status(self) -> Status;
}

impl IntoStatus for Malformed {
    fn into_status(self) -> Status {
        Status::new(Code::InvalidArgument, self.to_string())
    }
}

impl IntoStatus for PlanError {
    fn into_status(self) -> Status {
        Status::new(Code::InvalidArgument, self.to_string())
    }
}

impl IntoStatus for Refusal {
    fn into_status(self) -> Status {
        let code = match self {
            Refusal::UnknownRun(_) | Refusal::UnknownLease(..) => Code::NotFound,
            Refusal::NoSuchUnit { .. } => Code::OutOfRange,
            Refusal::NotTheHolder { .. } | Refusal::Quarantined(_) => Code::PermissionDenied,
            Refusal::CallReused(_) => Code::AlreadyExists,
            Refusal::UnknownWorker(_)
            | Refusal::OldIncarnation { .. }
            | Refusal::Paused(_)
            | Refusal::NoCores { .. }
            | Refusal::EndsItself(_) => Code::FailedPrecondition,
        };
        Status::new(code, self.to_string())
    }
}

/// The coordinator is going away: another, or the same one later, can be asked again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the coordinator is stopping; asking again later would be right")]
pub struct Unavailable;

impl IntoStatus for Unavailable {
    fn into_status(self) -> Status {
        Status::new(Code::Unavailable, self.to_string())
    }
}
