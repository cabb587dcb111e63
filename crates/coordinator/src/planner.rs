//! Sees a run through: plans it, opens it to workers, and clears up after it when it has ended.

use std::sync::Arc;

use tokio::sync::watch;
use tokio::time::Instant;
use tonic::Status;
use vezir_jobs::ledger::{State, Verb};
use vezir_jobs::{Outline, PerftRequest, Request, RunId};
use vezir_perft::Plan;
use vezir_store::{RunView, Store, StoreError};

use crate::coordinator::{Coordinator, own_call};
use crate::plans::Unplanned;

impl<S: Store> Coordinator<S> {
    /// Goes on with the runs that the store says have not ended.
    pub(crate) async fn take_up(self: &Arc<Self>) -> Result<(), StoreError> {
        for view in self.store.open_runs().await? {
            tracing::info!(run = %view.run.id, done = view.run.done, units = view.run.units, "run taken up");
            tokio::spawn(self.clone().see_through(view));
        }
        Ok(())
    }

    /// Plans a run unless it is, and clears up after it when it has ended.
    pub(crate) async fn see_through(self: Arc<Self>, view: RunView) {
        let run = view.run.id;
        tokio::select! {
            seen = self.plan_and_await(&view) => match seen {
                Ok(()) => tracing::info!(%run, "run ended"),
                Err(error) => tracing::error!(%run, error = error.message(), "run left alone"),
            },
            () = self.closing() => return,
        }
        self.plans.forget(run);
        self.hall.drop_run(run);
    }

    async fn plan_and_await(&self, view: &RunView) -> Result<(), Status> {
        let (run, Request::Perft(request)) = (view.run.id, &view.submission.request);
        let mut ended = self.store.follow(run).await.map_err(|error| self.refused(error))?;
        tokio::select! {
            opened = self.open(run, view, request) => opened?,
            () = until(&mut ended) => return Ok(()),
        }
        until(&mut ended).await;
        Ok(())
    }

    /// Opens a run to workers, or ends one that cannot be planned. One that was planned before must be split
    /// as it was.
    async fn open(&self, run: RunId, view: &RunView, request: &PerftRequest) -> Result<(), Status> {
        let begun = Instant::now();
        let planned = self.plans.get(run, request).await;
        self.metrics.planned(begun.elapsed());
        let reason = match (planned, view.run.outline) {
            (Ok(plan), None) => return self.publish(run, &plan).await,
            (Ok(plan), Some(before)) if Outline::from(&*plan) == before => return Ok(()),
            (Ok(_), Some(_)) => {
                tracing::error!(%run, "another version split this run differently: it can only be cancelled");
                self.plans.forget(run);
                return Ok(());
            }
            (Err(unplanned), _) => unplanned,
        };
        self.give_up(run, view.run.state, reason).await
    }

    async fn publish(&self, run: RunId, plan: &Plan) -> Result<(), Status> {
        let outline = Outline::from(plan);
        tracing::info!(%run, units = outline.units, split = outline.split, "run planned");
        let (again, terms) = (self.settings.again, self.settings.terms);
        self.tell(own_call(), Verb::Plan { run, outline, again, terms }).await
    }

    async fn give_up(&self, run: RunId, state: State, reason: Unplanned) -> Result<(), Status> {
        tracing::warn!(%run, %reason, "run not planned");
        match state {
            State::Planning => self.tell(own_call(), Verb::Fail { run, reason: reason.to_string() }).await,
            // It was planned once: it can be again, by a coordinator with more memory.
            _ => Ok(()),
        }
    }
}

/// Waits until a run has ended. A store that is gone ends the wait as well.
async fn until(ended: &mut watch::Receiver<bool>) {
    let _ = ended.wait_for(|ended| *ended).await;
}
