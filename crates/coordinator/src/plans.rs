//! The plans of runs that go on: each is made once, however many ask for it, and again after a restart.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;
use vezir_jobs::{Outline, PerftRequest, RunId};
use vezir_perft::Plan;

use crate::frontiers::{Frontiers, Planned, Unplanned};

/// Plans by run. A run that has ended has none.
pub(crate) struct Plans {
    all: Mutex<HashMap<RunId, Arc<OnceCell<Planned>>>>,
    frontiers: Frontiers,
}

impl Plans {
    pub(crate) fn new(frontiers: Frontiers) -> Plans {
        Plans { all: Mutex::default(), frontiers }
    }

    /// The plan of a run, made now if it has none: a large frontier takes seconds. One that was planned `before`
    /// is split in the same way.
    pub(crate) async fn get(
        &self,
        run: RunId,
        request: &PerftRequest,
        before: Option<Outline>,
    ) -> Result<Planned, Unplanned> {
        let cell = self.all().entry(run).or_default().clone();
        let planned = cell.get_or_try_init(|| self.frontiers.plan(request.clone(), before)).await?;
        Ok(planned.clone())
    }

    /// The plan of a run, if it is made.
    pub(crate) fn made(&self, run: RunId) -> Option<Arc<Plan>> {
        self.all().get(&run).and_then(|cell| cell.get().map(|planned| planned.plan.clone()))
    }

    /// Forgets the plan of a run that has ended.
    pub(crate) fn forget(&self, run: RunId) {
        self.all().remove(&run);
    }

    fn all(&self) -> MutexGuard<'_, HashMap<RunId, Arc<OnceCell<Planned>>>> {
        // Entries come and go whole.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
