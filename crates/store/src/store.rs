//! What a store promises to a coordinator.

use std::future::Future;
use std::ops::Range;

use tokio::sync::watch;
use vezir_jobs::ledger::{Answered, CallId, Doubt, Effects, End, Finding, Lease, Refusal, Tables, Verb};
use vezir_jobs::{Attempt, RunId, Tally, WorkerId};

use crate::{RunView, Stock, WorkerView};

/// The memory of a cluster. What a call answered has been remembered, whatever is killed afterwards.
///
/// `contract.rs` says the same by examples, and every store is held to them.
pub trait Store: Send + Sync + 'static {
    /// Does what is asked, whole or not at all, once for each id.
    fn call(
        &self,
        id: CallId,
        verb: Verb<Tally>,
    ) -> impl Future<Output = Result<Answered, StoreError>> + Send;

    /// Ends the leases whose deadline has passed, and forgets calls that nobody repeats any longer. To be
    /// asked about once a second.
    fn expire(&self) -> impl Future<Output = Result<Vec<Expired>, StoreError>> + Send;

    /// A run.
    fn run(&self, run: RunId) -> impl Future<Output = Result<RunView, StoreError>> + Send;

    /// Runs, the newest first: those with a number below `before`, if it is given, and `most` at most.
    fn runs(
        &self,
        before: Option<RunId>,
        most: u32,
    ) -> impl Future<Output = Result<Vec<RunView>, StoreError>> + Send;

    /// The runs that have not ended, the oldest first.
    fn open_runs(&self) -> impl Future<Output = Result<Vec<RunView>, StoreError>> + Send;

    /// What was found out about some units of a run, by unit and attempt.
    fn findings(
        &self,
        run: RunId,
        units: Range<u32>,
    ) -> impl Future<Output = Result<Vec<Finding<Tally>>, StoreError>> + Send;

    /// The leases and the doubts of a run: the decisions that were taken about its units.
    fn decisions(
        &self,
        run: RunId,
    ) -> impl Future<Output = Result<(Vec<Lease>, Vec<Doubt>), StoreError>> + Send;

    /// All workers that ever registered, by number.
    fn workers(&self) -> impl Future<Output = Result<Vec<WorkerView>, StoreError>> + Send;

    /// How much of everything there is.
    fn stock(&self) -> impl Future<Output = Result<Stock, StoreError>> + Send;

    /// Every row, for the laws to be asked.
    fn tables(&self) -> impl Future<Output = Result<Tables<Tally>, StoreError>> + Send;

    /// Whether a run has ended, marked as changed after each change of its progress.
    fn follow(&self, run: RunId) -> impl Future<Output = Result<watch::Receiver<bool>, StoreError>> + Send;

    /// Marked as changed whenever a worker that asked in vain might be granted something.
    fn work(&self) -> watch::Receiver<()>;
}

/// A lease that time has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expired {
    /// The run.
    pub run: RunId,
    /// The lease.
    pub attempt: Attempt,
    /// Who held it.
    pub worker: WorkerId,
    /// How it ended.
    pub end: End,
    /// What has happened by it; the end of the lease is part of that.
    pub effects: Effects,
}

/// Why a store did not do what it was asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// The rules of work refuse it. Nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store cannot read or write now. Whether anything has changed is not known: the same call, under
    /// the same id, may be repeated.
    #[error("the store cannot be used: {0}")]
    Unusable(Unusable),
}

/// Why a store cannot be used, for whoever must mend it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct Unusable {
    /// What kind of fault it is.
    pub fault: Fault,
    /// A sentence that says what would be right.
    pub why: String,
}

/// What is wrong with a store, roughly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// There is no space left.
    Full,
    /// It may not be written.
    ReadOnly,
    /// Somebody else held it for too long.
    Busy,
    /// It cannot be reached: the disk does not answer, or there is no such file.
    Unreachable,
    /// What it holds is damaged.
    Damaged,
    /// Anything else.
    Other,
}
