//! Sees a run through, from its submission to its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;
use vezir_jobs::{Outline, PerftRequest, RunId};
use vezir_perft::{Plan, PlanError};
use vezir_store::{Store, StoreError};

use crate::coordinator::Coordinator;

impl<S: Store> Coordinator<S> {
    /// Plans a run, opens it to workers, and clears up after it when it has ended.
    pub(crate) async fn see_through(self: Arc<Self>, run: RunId, request: PerftRequest) {
        tokio::select! {
            seen = self.plan_and_await(run, request) => match seen {
                Ok(()) => tracing::debug!(%run, "run ended"),
                Err(error) => tracing::error!(%run, %error, "run lost"),
            },
            () = self.closing() => {}
        }
        self.drop_run(run);
    }

    async fn plan_and_await(&self, run: RunId, request: PerftRequest) -> Result<(), StoreError> {
        let mut ended = self.store.follow(run).await?;
        let planned = tokio::select! {
            planned = plan(request) => planned,
            () = until(&mut ended) => return Ok(()),
        };
        self.open(run, planned).await?;
        until(&mut ended).await;
        Ok(())
    }

    /// Opens a planned run to workers, or ends one that cannot be planned.
    async fn open(&self, run: RunId, planned: Result<Plan, Unplanned>) -> Result<(), StoreError> {
        match planned {
            Ok(plan) => {
                let outline = Outline::from(&plan);
                tracing::debug!(%run, units = plan.units, split = plan.frontier.ply(), "run planned");
                // Workers may ask for positions as soon as the store knows the plan.
                self.keep_plan(run, plan);
                self.store.plan(run, outline).await
            }
            Err(error) => self.store.fail(run, error.to_string()).await,
        }
    }
}

/// Waits until a run has ended. A store that is gone ends the wait as well.
async fn until(ended: &mut watch::Receiver<bool>) {
    let _ = ended.wait_for(|ended| *ended).await;
}

/// Plans on a thread of its own, since a large frontier takes seconds of pure computing; whoever stops
/// waiting stops the planning.
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
enum Unplanned {
    #[error(transparent)]
    Refused(PlanError),
    #[error("the run's planning broke down")]
    BrokeDown,
}
