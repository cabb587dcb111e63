//! Sees a run through: plans it, opens it to workers, and clears up after it when it has ended.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use tonic::{Code, Status};
use vezir_jobs::ledger::{State, Verb};
use vezir_jobs::{Outline, RunId};
use vezir_store::{RunView, Store, StoreError};

use crate::coordinator::{Coordinator, own_call};
use crate::frontiers::Unplanned;

/// How long a run waits that could not be seen to because the store cannot be used.
const STORE_PAUSE: Duration = Duration::from_secs(1);

impl<S: Store> Coordinator<S> {
    /// Goes on with the runs that the store says have not ended, as far as they are worked on and nobody sees
    /// to them yet: after a start, or when one that had ended is disputed.
    pub(crate) async fn take_all_up(self: &Arc<Self>) -> Result<(), StoreError> {
        let (open, taken) = (self.store.open_runs().await?, self.taken_up());
        let is_ours = |run: RunId| taken.as_ref().is_none_or(|taken| taken.contains(&run));
        for view in open.into_iter().filter(|view| is_ours(view.run.id) && !self.is_seen_to(view.run.id)) {
            tracing::info!(run = %view.run.id, done = view.run.done, units = view.run.units, "run taken up");
            tokio::spawn(self.clone().see_through(view));
        }
        Ok(())
    }

    /// Plans a run unless it is, and clears up after it when it has ended.
    pub(crate) async fn see_through(self: Arc<Self>, view: RunView) {
        let run = view.run.id;
        if !self.see_to(run) {
            return;
        }
        self.take_up(run);
        tokio::select! {
            biased;
            seen = self.plan_and_await_for_sure(&view) => match seen {
                Ok(()) => tracing::info!(%run, "run ended"),
                Err(error) => tracing::error!(%run, error = error.message(), "run left alone"),
            },
            () = self.closing() => return,
        }
        self.plans.forget(run);
        self.leave(run);
        self.hall.drop_run(run);
    }

    /// The same again and again while the store cannot be used: nobody else will open the run.
    async fn plan_and_await_for_sure(&self, view: &RunView) -> Result<(), Status> {
        loop {
            match self.plan_and_await(view).await {
                Err(error) if error.code() == Code::Unavailable => {
                    let run = view.run.id;
                    tracing::warn!(%run, error = error.message(), "run not seen to; trying again");
                    sleep(STORE_PAUSE).await;
                }
                seen => return seen,
            }
        }
    }

    async fn plan_and_await(&self, view: &RunView) -> Result<(), Status> {
        let run = view.run.id;
        let mut ended = self.store.follow(run).await.map_err(|error| self.refused(error))?;
        tokio::select! {
            biased;
            opened = self.open(run, view) => opened?,
            () = until(&mut ended) => return Ok(()),
        }
        until(&mut ended).await;
        Ok(())
    }

    /// Opens a run to workers, or ends one that cannot be planned. One that was planned before must be split
    /// as it was: workers hold, and have counted, slices of that frontier.
    async fn open(&self, run: RunId, view: &RunView) -> Result<(), Status> {
        let begun = Instant::now();
        let planned = self.plans.get(run, &view.submission.request, view.run.outline).await;
        self.metrics.planned(begun.elapsed());
        match (planned, view.run.outline) {
            // Its frontier was kept before this names it.
            (Ok(planned), None) => self.publish(run, planned.outline()).await,
            (Ok(_), Some(_)) => Ok(()),
            (Err(unplanned), _) => self.give_up(run, view.run.state, unplanned).await,
        }
    }

    async fn publish(&self, run: RunId, outline: Outline) -> Result<(), Status> {
        tracing::info!(%run, units = outline.units, split = outline.split, "run planned");
        let (again, terms) = (self.settings.again, self.settings.terms);
        self.tell(own_call(), Verb::Plan { run, outline, again, terms }).await
    }

    async fn give_up(&self, run: RunId, state: State, reason: Unplanned) -> Result<(), Status> {
        tracing::info!(%run, %reason, "run not planned");
        let planned = matches!(reason, Unplanned::Different);
        if state != State::Planning && !planned {
            // It was planned once: it can be again, by a coordinator with more memory.
            return Ok(());
        }
        self.tell(own_call(), Verb::Fail { run, planned, reason: reason.to_string() }).await
    }
}

/// Waits until a run has ended. A store that is gone ends the wait as well.
async fn until(ended: &mut watch::Receiver<bool>) {
    let _ = ended.wait_for(|ended| *ended).await;
}
