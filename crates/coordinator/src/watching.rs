//! What one watcher of one run is told, and how often.

use std::sync::Arc;
use std::time::Duration;

use futures::{Stream, stream};
use tokio::sync::watch;
use tokio::time::timeout;
use tonic::Status;
use vezir_jobs::RunId;
use vezir_proto::wire::runs::v1::WatchResponse;
use vezir_proto::{IntoStatus, Unavailable};
use vezir_store::Store;

use crate::coordinator::Coordinator;
use crate::metrics::Present;
use crate::turns::Turn;

/// The least time between two tellings of progress. The end is told at once.
const PROGRESS_PAUSE: Duration = Duration::from_millis(50);

/// A run's progress now and whenever it has changed, until it has ended.
pub(crate) fn watching<S: Store>(
    coordinator: Arc<Coordinator<S>>,
    run: RunId,
    ended: watch::Receiver<bool>,
    place: Turn,
) -> impl Stream<Item = Result<WatchResponse, Status>> {
    let present = coordinator.metrics.watching();
    let trouble = coordinator.health.trouble();
    let watcher = Watcher { coordinator, run, ended, trouble, told: false, _place: place, _present: present };
    stream::unfold(Some(watcher), |watcher| async move {
        let mut watcher = watcher?;
        let told = watcher.tell().await;
        let goes_on =
            told.as_ref().is_ok_and(|told| told.progress.as_ref().is_some_and(|it| it.outcome.is_none()));
        Some((told, goes_on.then_some(watcher)))
    })
}

struct Watcher<S> {
    coordinator: Arc<Coordinator<S>>,
    run: RunId,
    ended: watch::Receiver<bool>,
    /// Why nothing goes on.
    trouble: watch::Receiver<Option<String>>,
    told: bool,
    _place: Turn,
    _present: Present,
}

impl<S: Store> Watcher<S> {
    async fn tell(&mut self) -> Result<WatchResponse, Status> {
        if self.told {
            self.await_change().await?;
        }
        self.told = true;
        self.ended.mark_unchanged();
        let turn = self.coordinator.turns.user().await;
        let _turn = turn.map_err(|_| Unavailable::Stopping.into_status())?;
        let view = self.coordinator.store.run(self.run).await;
        let view = view.map_err(|error| self.coordinator.refused(error))?;
        let trouble = self.trouble.borrow_and_update().clone().unwrap_or_default();
        Ok(WatchResponse { progress: Some(view.progress().into()), trouble })
    }

    /// Waits for a change, and for those that follow it closely.
    async fn await_change(&mut self) -> Result<(), Status> {
        let change = async {
            self.ended.changed().await.map_err(|_| Unavailable::Stopping)?;
            let more = timeout(PROGRESS_PAUSE, self.ended.wait_for(|ended| *ended)).await;
            more.map_or(Ok(()), |ended| ended.map(drop).map_err(|_| Unavailable::Stopping))
        };
        tokio::select! {
            biased;
            changed = change => changed.map_err(IntoStatus::into_status),
            changed = self.trouble.changed() => changed.map_err(|_| Unavailable::Stopping.into_status()),
            () = self.coordinator.closing() => Err(Unavailable::Stopping.into_status()),
        }
    }
}
