//! A whole cluster in this process: coordinator, one worker and a store that forgets.

use std::time::Duration;

use tokio::sync::watch;
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
    stop: watch::Sender<bool>,
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
        let (stop, stopping) = watch::channel(false);
        let coordinator = serve(Memory::new(), incoming, stopped(stopping.clone()));
        let coordinator = tokio::spawn(async move {
            if let Err(error) = coordinator.await {
                tracing::error!(%error, "the embedded coordinator stopped");
            }
        });
        let work = worker.run(dialer.channel(), stopped(stopping));
        let alarm = stop.clone();
        let worker = tokio::spawn(async move {
            if let Err(error) = work.await {
                tracing::error!(%error, "the embedded worker stopped");
                // Nobody else will ever do the work: whoever waits for it must learn that.
                alarm.send_replace(true);
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
        stop.send_replace(true);
        drop(client);
        let stopped = timeout(STOP_LIMIT, async { tokio::join!(worker, coordinator) }).await;
        if stopped.is_err() {
            tracing::warn!("the embedded cluster did not stop in time");
        }
    }
}

/// Ready when the cluster is to stop, or has been dropped.
async fn stopped(mut stopping: watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stop| *stop).await;
}

#[cfg(test)]
#[path = "embedded_tests.rs"]
mod tests;
