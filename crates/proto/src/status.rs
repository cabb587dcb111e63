//! The one map from errors to gRPC codes.

use tonic::{Code, Status};
use vezir_jobs::WorkerId;
use vezir_jobs::ledger::{Refusal, Reply};
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

/// The coordinator cannot serve now: another, or the same one later, can be asked again.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unavailable {
    /// It is going away.
    #[error("the coordinator is stopping; asking again later would be right")]
    Stopping,
    /// Its store does not work.
    #[error("the store cannot be used: {0}; asking again later would be right")]
    Store(String),
    /// Too much of this is asked at the same time.
    #[error("too many calls of this kind are open; asking again later would be right")]
    Busy,
}

impl IntoStatus for Unavailable {
    fn into_status(self) -> Status {
        let code = match self {
            Unavailable::Stopping | Unavailable::Store(_) => Code::Unavailable,
            Unavailable::Busy => Code::ResourceExhausted,
        };
        Status::new(code, self.to_string())
    }
}

/// The rules of work answered something else than what was asked: a fault of ours.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the store answered something else than what was asked: {0}")]
pub struct Unexpected(String);

impl Unexpected {
    /// The reply that was not expected.
    pub fn reply(reply: &Reply) -> Unexpected {
        Unexpected(format!("{reply:?}"))
    }
}

impl IntoStatus for Unexpected {
    fn into_status(self) -> Status {
        Status::new(Code::Internal, self.to_string())
    }
}

/// The worker belongs to somebody else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("worker {0} is another owner's; a worker registered with this token would be right")]
pub struct NotYours(pub WorkerId);

impl IntoStatus for NotYours {
    fn into_status(self) -> Status {
        Status::new(Code::PermissionDenied, self.to_string())
    }
}
