//! A whole cluster in this process: a coordinator on some store and, if there is one, a worker.

use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use vezir_coordinator::access::Access;
use vezir_coordinator::metrics::Metrics as CoordinatorMetrics;
use vezir_coordinator::{Settings, serve};
use vezir_store::Store;
use vezir_telemetry::Registry;
use vezir_worker::Worker;
use vezir_worker::metrics::Metrics as WorkerMetrics;

use crate::client::Client;
use crate::exit::{Exit, Failure};
use crate::pipe::pipe;
use crate::shown::broken;

/// How long coordinator and worker may take to stop before they are left to themselves.
const STOP_LIMIT: Duration = Duration::from_secs(3);

/// A cluster that lives as long as this value, or until it is stopped.
pub(crate) struct Cluster {
    client: Client,
    /// Dropped when the worker, and then the coordinator, are to stop.
    stop: oneshot::Sender<()>,
    coordinator: JoinHandle<()>,
    worker: JoinHandle<()>,
    /// Why the worker works no longer.
    broken: watch::Receiver<Option<String>>,
}

impl Cluster {
    /// Starts a coordinator on `store` and, where there is a `hand`, a worker. It needs a runtime around it.
    ///
    /// # Errors
    /// Where the system does not give what the worker's settings ask for.
    pub(crate) fn start(
        store: impl Store,
        settings: Settings,
        hand: Option<vezir_worker::Settings>,
    ) -> Result<Cluster, Failure> {
        let registry = Registry::new(env!("CARGO_PKG_VERSION")).map_err(broken)?;
        let coordinator_metrics = CoordinatorMetrics::new(&registry).map_err(broken)?;
        let worker_metrics = WorkerMetrics::new(&registry).map_err(broken)?;
        let (dialer, incoming) = pipe();
        let (stop, stopping) = oneshot::channel();
        let (end, ended) = oneshot::channel::<()>();
        let (breaking, broken) = watch::channel(None);
        let worker = hand.map(|hand| Worker::new(hand, worker_metrics));
        let worker = worker.transpose().map_err(|error| Failure::new(Exit::Unserved, error.to_string()))?;
        let line = dialer.line();
        let worker = tokio::spawn(async move {
            match worker {
                // Who stops an embedded worker has its answer, or wants none.
                Some(worker) => {
                    if let Err(error) = worker.run(line, std::future::pending(), heard(stopping)).await {
                        breaking.send_replace(Some(error.to_string()));
                    }
                }
                None => heard(stopping).await,
            }
            // Nobody else will ever do the work: the coordinator goes too, and whoever waits for it learns that.
            drop(end);
        });
        let served = serve(store, settings, Access::Open, coordinator_metrics, incoming, heard(ended));
        let coordinator = tokio::spawn(async move {
            if let Err(error) = served.await {
                tracing::error!(%error, "the embedded coordinator stopped");
            }
        });
        Ok(Cluster { client: Client::new(dialer.line()), stop, coordinator, worker, broken })
    }

    /// Its user.
    pub(crate) const fn client(&self) -> &Client {
        &self.client
    }

    /// Ready when its worker works no longer, though nobody stopped it.
    pub(crate) async fn broken(&self) -> Failure {
        let mut broken = self.broken.clone();
        let why = match broken.wait_for(Option::is_some).await {
            Ok(why) => why.clone().unwrap_or_default(),
            Err(_) => return std::future::pending().await,
        };
        let sentence = format!("the worker of this process stopped: {why}; another store would be right");
        Failure::new(Exit::Unserved, sentence)
    }

    /// Stops it, and waits until its threads and its memory are given back, or for a while.
    pub(crate) async fn stop(self) {
        let Cluster { client, stop, coordinator, worker, .. } = self;
        drop((client, stop));
        let stopped = timeout(STOP_LIMIT, async { tokio::join!(worker, coordinator) }).await;
        if stopped.is_err() {
            tracing::warn!("the embedded cluster did not stop in time");
        }
    }
}

/// Ready when the other side has spoken, or is gone.
pub(crate) async fn heard(word: oneshot::Receiver<()>) {
    let _ = word.await;
}

#[cfg(test)]
#[path = "cluster_tests.rs"]
mod tests;
