//! A whole cluster in this process: coordinator, one worker and a store that forgets.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use vezir_coordinator::serve;
use vezir_perft::StartError;
use vezir_store::Memory;
use vezir_worker::{Settings, Worker};

use crate::client::Client;
use crate::pipe::pipe;

/// How long coordinator and worker may take to stop before they are left to themselves.
const STOP_LIMIT: Duration = Duration::from_secs(2);

/// A cluster that lives as long as this value, or until it is stopped.
pub(crate) struct Cluster {
    client: Client,
    /// Dropped when the worker, and then the coordinator, are to stop.
    stop: oneshot::Sender<()>,
    coordinator: JoinHandle<()>,
    worker: JoinHandle<()>,
}

impl Cluster {
    /// Starts a cluster whose worker may use what `settings` say. It needs a runtime around it.
    ///
    /// # Errors
    /// [`StartError`] where the system does not give what the settings ask for.
    pub(crate) fn start(settings: Settings) -> Result<Cluster, StartError> {
        let worker = Worker::new(settings)?;
        let (dialer, incoming) = pipe();
        let (stop, stopping) = oneshot::channel();
        let (end, ended) = oneshot::channel::<()>();
        let work = worker.run(dialer.channel(), heard(stopping));
        let worker = tokio::spawn(async move {
            if let Err(error) = work.await {
                tracing::error!(%error, "the embedded worker stopped");
            }
            // Nobody else will ever do the work: the coordinator goes too, and whoever waits for it learns that.
            drop(end);
        });
        let served = serve(Memory::new(), incoming, heard(ended));
        let coordinator = tokio::spawn(async move {
            if let Err(error) = served.await {
                tracing::error!(%error, "the embedded coordinator stopped");
            }
        });
        Ok(Cluster { client: Client::new(dialer.channel()), stop, coordinator, worker })
    }

    /// Its user.
    pub(crate) const fn client(&self) -> &Client {
        &self.client
    }

    /// Stops it, and waits until its threads and its memory are given back, or for two seconds.
    pub(crate) async fn stop(self) {
        let Cluster { client, stop, coordinator, worker } = self;
        drop((client, stop));
        let stopped = timeout(STOP_LIMIT, async { tokio::join!(worker, coordinator) }).await;
        if stopped.is_err() {
            tracing::warn!("the embedded cluster did not stop in time");
        }
    }
}

/// Ready when the other side has spoken, or is gone.
async fn heard(word: oneshot::Receiver<()>) {
    let _ = word.await;
}

#[cfg(test)]
#[path = "embedded_tests.rs"]
mod tests;
