//! Sees a run through, from its submission to its end.

use std::sync::Arc;

use vezir_jobs::{Outline, PerftRequest, RunId};
use vezir_perft::Plan;
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
        // A large frontier takes seconds of pure computing.
        let planned = tokio::task::spawn_blocking(move || Plan::new(&request.position, request.wish())).await;
        match planned {
            Ok(Ok(plan)) => {
                let outline = Outline::from(&plan);
                tracing::debug!(%run, units = plan.units, split = plan.frontier.ply(), "run planned");
                // Workers may ask for positions as soon as the store knows the plan.
                self.keep_plan(run, plan);
                self.store.plan(run, outline).await?;
            }
            Ok(Err(error)) => self.store.fail(run, error.to_string()).await?,
            Err(_) => self.store.fail(run, "the run's planning broke down".to_owned()).await?,
        }
        let mut ended = self.store.follow(run).await?;
        // A store that is gone ends the wait as well.
        let _ = ended.wait_for(|ended| *ended).await;
        Ok(())
    }
}
