//! The one map from errors to gRPC codes.

use tonic::metadata::MetadataValue;
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
        let refused = Refused::from(&self);
        let mut status = Status::new(refused.code(), self.to_string());
        status.metadata_mut().insert(Refused::KEY, MetadataValue::from_static(refused.name()));
        status
    }
}

/// Which of the ledger's refusals a status stands for: what a program reads where a user reads the sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// [`Refusal::UnknownRun`].
    UnknownRun,
    /// [`Refusal::EndsItself`].
    EndsItself,
    /// [`Refusal::UnknownLease`].
    UnknownLease,
    /// [`Refusal::NotTheHolder`].
    NotTheHolder,
    /// [`Refusal::UnknownWorker`].
    UnknownWorker,
    /// [`Refusal::OldIncarnation`].
    OldIncarnation,
    /// [`Refusal::Paused`].
    Paused,
    /// [`Refusal::Quarantined`].
    Quarantined,
    /// [`Refusal::NoCores`].
    NoCores,
    /// [`Refusal::NoSuchUnit`].
    NoSuchUnit,
    /// [`Refusal::CallReused`].
    CallReused,
}

impl Refused {
    /// The key of a status's metadata under which the name stands.
    pub const KEY: &str = "vezir-refusal";

    /// All of them.
    pub const ALL: [Refused; 11] = [
        Refused::UnknownRun,
        Refused::EndsItself,
        Refused::UnknownLease,
        Refused::NotTheHolder,
        Refused::UnknownWorker,
        Refused::OldIncarnation,
        Refused::Paused,
        Refused::Quarantined,
        Refused::NoCores,
        Refused::NoSuchUnit,
        Refused::CallReused,
    ];

    /// Its name on the wire, which never changes.
    pub const fn name(self) -> &'static str {
        match self {
            Refused::UnknownRun => "unknown-run",
            Refused::EndsItself => "ends-itself",
            Refused::UnknownLease => "unknown-lease",
            Refused::NotTheHolder => "not-the-holder",
            Refused::UnknownWorker => "unknown-worker",
            Refused::OldIncarnation => "old-incarnation",
            Refused::Paused => "paused",
            Refused::Quarantined => "quarantined",
            Refused::NoCores => "no-cores",
            Refused::NoSuchUnit => "no-such-unit",
            Refused::CallReused => "call-reused",
        }
    }

    /// The code that goes with it.
    pub const fn code(self) -> Code {
        match self {
            Refused::UnknownRun | Refused::UnknownLease => Code::NotFound,
            Refused::NoSuchUnit => Code::OutOfRange,
            Refused::NotTheHolder | Refused::Quarantined => Code::PermissionDenied,
            Refused::CallReused => Code::AlreadyExists,
            Refused::UnknownWorker
            | Refused::OldIncarnation
            | Refused::Paused
            | Refused::NoCores
            | Refused::EndsItself => Code::FailedPrecondition,
        }
    }

    /// The refusal that a status stands for; `None` for any other status.
    pub fn read(status: &Status) -> Option<Refused> {
        let name = status.metadata().get(Refused::KEY)?.to_str().ok()?;
        Refused::ALL.into_iter().find(|refused| refused.name() == name)
    }
}

impl From<&Refusal> for Refused {
    fn from(refusal: &Refusal) -> Refused {
        match refusal {
            Refusal::UnknownRun(_) => Refused::UnknownRun,
            Refusal::EndsItself(_) => Refused::EndsItself,
            Refusal::UnknownLease(..) => Refused::UnknownLease,
            Refusal::NotTheHolder { .. } => Refused::NotTheHolder,
            Refusal::UnknownWorker(_) => Refused::UnknownWorker,
            Refusal::OldIncarnation { .. } => Refused::OldIncarnation,
            Refusal::Paused(_) => Refused::Paused,
            Refusal::Quarantined(_) => Refused::Quarantined,
            Refusal::NoCores { .. } => Refused::NoCores,
            Refusal::NoSuchUnit { .. } => Refused::NoSuchUnit,
            Refusal::CallReused(_) => Refused::CallReused,
        }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tonic::Status;
    use vezir_jobs::WorkerId;
    use vezir_jobs::ledger::Refusal;

    use super::{IntoStatus, Refused};

    #[test]
    fn refusals_are_told_apart() {
        let status = Refusal::OldIncarnation { worker: WorkerId(4), now: 9 }.into_status();
        assert_eq!(Refused::read(&status), Some(Refused::OldIncarnation));
        assert!(status.message().contains("incarnation 9"), "{status}");
        assert_eq!(Refused::read(&Refusal::Paused(WorkerId(4)).into_status()), Some(Refused::Paused));
        assert_eq!(Refused::read(&Status::failed_precondition("another reason")), None);
    }

    #[test]
    fn no_two_have_one_name() {
        let names: BTreeSet<&str> = Refused::ALL.into_iter().map(Refused::name).collect();
        assert_eq!(names.len(), Refused::ALL.len());
    }
}
