//! What a store promises to a coordinator.

use std::future::Future;

use tokio::sync::watch;
use vezir_jobs::{
    Attempt, Job, Outline, PerftRequest, Place, Progress, Refusal, RunId, Standing, UnitReport, WorkerId,
};

/// Remembers runs and workers. Each call happens whole or not at all, one after another; what it answered
/// has been remembered.
pub trait Store: Send + Sync + 'static {
    /// Remembers a new run, still without a plan.
    fn submit(&self, request: PerftRequest) -> impl Future<Output = Result<RunId, StoreError>> + Send;

    /// Opens a run to workers. One that is open or has ended stays as it is.
    fn plan(&self, run: RunId, outline: Outline) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Ends a run without an answer. One that has ended stays as it is.
    fn cancel(&self, run: RunId) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Ends a run because it cannot be answered. One that has ended stays as it is.
    fn fail(&self, run: RunId, reason: String) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// How far a run is.
    fn read(&self, run: RunId) -> impl Future<Output = Result<Progress, StoreError>> + Send;

    /// Whether a run has ended, marked as changed after each change of its progress.
    fn follow(&self, run: RunId) -> impl Future<Output = Result<watch::Receiver<bool>, StoreError>> + Send;

    /// Remembers a new worker.
    fn register(&self) -> impl Future<Output = Result<WorkerId, StoreError>> + Send;

    /// Forgets a worker: its leases end, and it gets no others.
    fn dismiss(&self, worker: WorkerId) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Grants a worker at most `most` units, after its last ones where it can be, of the oldest run that
    /// has any otherwise.
    fn lease(
        &self,
        worker: WorkerId,
        near: Option<Place>,
        most: u32,
    ) -> impl Future<Output = Result<Option<Job>, StoreError>> + Send;

    /// Takes in what the holder of a lease found out, and says what became of each unit.
    fn report(
        &self,
        run: RunId,
        attempt: Attempt,
        reports: Vec<UnitReport>,
    ) -> impl Future<Output = Result<Vec<Standing>, StoreError>> + Send;

    /// Marked as changed whenever units have come to wait for a worker.
    fn work(&self) -> watch::Receiver<()>;
}

/// Why a store did not do what it was asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// The rules of work refuse it.
    #[error(transparent)]
    Refused(#[from] Refusal),
}
