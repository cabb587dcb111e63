//! What both services share: the store, the plans of runs that go on, and how waiting calls are ended.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{broadcast, watch};
use tonic::Status;
use vezir_jobs::RunId;
use vezir_perft::Plan;
use vezir_proto::IntoStatus;
use vezir_store::StoreError;

/// How many orders may wait for a worker that does not listen; it then misses the oldest, and finds out
/// when it reports.
const ORDERS_WAITING: usize = 256;

/// One coordinator.
pub(crate) struct Coordinator<S> {
    pub(crate) store: S,
    /// Plans by run. A run that has ended has none.
    plans: Mutex<HashMap<RunId, Arc<Plan>>>,
    /// Runs that workers should drop what they do for.
    dropped: broadcast::Sender<RunId>,
    /// True from the moment when the coordinator is to stop.
    closing: watch::Receiver<bool>,
}

impl<S> Coordinator<S> {
    pub(crate) fn new(store: S, closing: watch::Receiver<bool>) -> Coordinator<S> {
        let (dropped, _) = broadcast::channel(ORDERS_WAITING);
        Coordinator { store, plans: Mutex::default(), dropped, closing }
    }

    /// The plan of a run that goes on.
    pub(crate) fn plan(&self, run: RunId) -> Option<Arc<Plan>> {
        self.plans().get(&run).cloned()
    }

    pub(crate) fn keep_plan(&self, run: RunId, plan: Plan) {
        self.plans().insert(run, Arc::new(plan));
    }

    /// Forgets the plan of a run that has ended, and has workers drop what they still do for it.
    pub(crate) fn drop_run(&self, run: RunId) {
        self.plans().remove(&run);
        // Without a worker nobody needs to be told.
        let _ = self.dropped.send(run);
    }

    /// The runs that are dropped from now on.
    pub(crate) fn dropped(&self) -> broadcast::Receiver<RunId> {
        self.dropped.subscribe()
    }

    /// Waits until the coordinator is to stop.
    pub(crate) async fn closing(&self) {
        // Its sender is gone only when the server is, which is as good a reason to stop.
        let _ = self.closing.clone().wait_for(|closing| *closing).await;
    }

    fn plans(&self) -> MutexGuard<'_, HashMap<RunId, Arc<Plan>>> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a caller is told where the store refuses.
pub(crate) fn refused(error: StoreError) -> Status {
    match error {
        StoreError::Refused(refusal) => refusal.into_status(),
    }
}
