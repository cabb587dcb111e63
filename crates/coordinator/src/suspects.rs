//! Who was outvoted by two others, and is trusted no longer: at once, or after the start that follows a crash.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tonic::Status;
use vezir_jobs::ledger::{Cause, Verb, outvoted};
use vezir_jobs::{RunId, WorkerId};
use vezir_store::{RunView, Store, StoreError};

use crate::coordinator::{Coordinator, own_call};

/// Among how many of the newest runs those are looked for that may have ended by the report of a suspect.
const NEWEST: u32 = 100;

/// How long before the last end of a run others may have ended so: more than a report ever takes.
const BEFORE_THE_LAST: Duration = Duration::from_secs(60);

/// How long to wait where the store cannot be used.
const STORE_PAUSE: Duration = Duration::from_secs(1);

impl<S: Store> Coordinator<S> {
    /// Trusts those no longer who were outvoted, in nothing that they ever reported.
    ///
    /// Where the store fails, so does the report that outvoted them: its repetition names them again.
    pub(crate) async fn distrust(self: &Arc<Self>, suspects: &[WorkerId]) -> Result<(), Status> {
        for &worker in suspects {
            tracing::error!(%worker, "outvoted by two others");
            self.tell(own_call(), Verb::Quarantine { worker }).await?;
        }
        self.take_all_up().await.map_err(|error| self.refused(error))
    }

    /// Deals with the suspects that an earlier process named and did not come to deal with. Whoever reported
    /// names them again by repeating the call, unless that process died as well.
    pub(crate) async fn distrust_those_of_before(self: Arc<Self>) {
        let dealing = async {
            while let Err(error) = self.deal_with_suspects().await {
                tracing::warn!(error = error.message(), "suspects are not looked for; trying again");
                sleep(STORE_PAUSE).await;
            }
        };
        tokio::select! {
            () = dealing => {}
            () = self.closing() => {}
        }
    }

    async fn deal_with_suspects(self: &Arc<Self>) -> Result<(), Status> {
        let suspects = self.suspects().await.map_err(|error| self.refused(error))?;
        let suspects: Vec<WorkerId> = suspects.into_iter().collect();
        if suspects.is_empty() { Ok(()) } else { self.distrust(&suspects).await }
    }

    /// Whoever is outvoted, and trusted, in a run that has not ended or was among the last that did.
    async fn suspects(&self) -> Result<BTreeSet<WorkerId>, StoreError> {
        let open = self.store.open_runs().await?.iter().map(|view| view.run.id).collect::<Vec<_>>();
        let ended = last_ended(&self.store.runs(None, NEWEST).await?);
        let mut suspects = BTreeSet::new();
        for run in open.into_iter().chain(ended) {
            let (_, doubts) = self.store.decisions(run).await?;
            for doubt in doubts.iter().filter(|it| it.settled && it.cause == Cause::Conflict) {
                let findings = self.store.findings(run, doubt.unit..doubt.unit + 1).await?;
                suspects.extend(outvoted(&findings));
            }
        }
        Ok(suspects)
    }
}

/// The runs that ended last, and not long before.
fn last_ended(runs: &[RunView]) -> Vec<RunId> {
    let last = runs.iter().filter_map(|view| view.run.ended).max().unwrap_or_default();
    let since = last.saturating_sub(BEFORE_THE_LAST);
    runs.iter()
        .filter(|view| view.run.ended.is_some_and(|ended| ended >= since))
        .map(|view| view.run.id)
        .collect()
}

#[cfg(test)]
#[path = "suspects_tests.rs"]
mod tests;
