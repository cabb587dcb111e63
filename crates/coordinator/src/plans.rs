//! The plans of runs that go on: each is made once, however many ask for it, and again after a restart.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;
use vezir_jobs::{PerftRequest, RunId};
use vezir_perft::{Plan, PlanError};

/// Plans by run. A run that has ended has none.
#[derive(Default)]
pub(crate) struct Plans(Mutex<HashMap<RunId, Arc<OnceCell<Arc<Plan>>>>>);

impl Plans {
    /// The plan of a run, made now if it has none: a large frontier takes seconds.
    pub(crate) async fn get(&self, run: RunId, request: &PerftRequest) -> Result<Arc<Plan>, Unplanned> {
        let cell = self.all().entry(run).or_default().clone();
        let plan = cell.get_or_try_init(|| async { plan(request.clone()).await.map(Arc::new) }).await?;
        Ok(plan.clone())
    }

    /// The plan of a run, if it is made.
    pub(crate) fn made(&self, run: RunId) -> Option<Arc<Plan>> {
        self.all().get(&run).and_then(|cell| cell.get().cloned())
    }

    /// Forgets the plan of a run that has ended.
    pub(crate) fn forget(&self, run: RunId) {
        self.all().remove(&run);
    }

    fn all(&self) -> MutexGuard<'_, HashMap<RunId, Arc<OnceCell<Arc<Plan>>>>> {
        // Entries come and go whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Plans on a thread of its own, since it is pure computing; whoever stops waiting stops the planning.
async fn plan(request: PerftRequest) -> Result<Plan, Unplanned> {
    let wanted = Wanted::default();
    let stop = wanted.0.clone();
    let planning = tokio::task::spawn_blocking(move || Plan::new(&request.position, request.wish(), &stop));
    planning.await.map_err(|_| Unplanned::BrokeDown)?.map_err(Unplanned::Refused)
}

/// Raises its flag when it is dropped.
#[derive(Default)]
struct Wanted(Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unplanned {
    #[error(transparent)]
    Refused(PlanError),
    #[error("the run's planning broke down")]
    BrokeDown,
}
