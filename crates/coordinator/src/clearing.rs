//! Removes the artifacts that no run needs any longer.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use vezir_jobs::Hash;
use vezir_store::{Artifacts, Store};

use crate::coordinator::Coordinator;

/// How often it is looked for them, beginning at once.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Younger ones are left alone: an artifact is put before the run that names it is planned.
const AGE: Duration = Duration::from_secs(60 * 60);

impl<S: Store> Coordinator<S> {
    /// Goes on until the coordinator is to stop.
    pub(crate) async fn clear_up(self: Arc<Self>) {
        let Some(artifacts) = &self.settings.artifacts else { return };
        let mut time = interval(EVERY);
        time.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let clearing = async {
            loop {
                time.tick().await;
                self.remove_unused(artifacts, AGE).await;
            }
        };
        tokio::select! {
            () = clearing => {}
            () = self.closing() => {}
        }
    }

    /// Removes the artifacts of runs that have ended. One that is disputed later grows its frontier again.
    pub(crate) async fn remove_unused(&self, artifacts: &Artifacts, age: Duration) {
        let open = match self.store.open_runs().await {
            Ok(open) => open,
            Err(error) => {
                tracing::warn!(%error, "artifacts are not looked at: the store cannot be read");
                return;
            }
        };
        let named = open.iter().filter_map(|view| view.run.outline?.frontier);
        let wanted: BTreeSet<Hash> = named.collect();
        match artifacts.remove_unused(age, |hash| wanted.contains(hash)).await {
            Ok(removed) if removed.artifacts > 0 => {
                tracing::info!(
                    artifacts = removed.artifacts,
                    bytes = removed.bytes,
                    "unused artifacts removed"
                );
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "unused artifacts cannot be removed"),
        }
    }
}
