//! Whether the coordinator can do its work: as its store lately did, and told to whoever asks.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use vezir_proto::wire::runs::v1::runs_server;
use vezir_proto::wire::workers::v1::{fleet_server, workers_server};
use vezir_telemetry::Part;

/// How long a store must not have failed before it is trusted again, if nothing was written meanwhile: one
/// whose disk is full can be read all the time.
const PROBATION: Duration = Duration::from_secs(10);

/// The services that are told of, besides the server as a whole, whose name is empty.
const SERVICES: [&str; 4] =
    ["", runs_server::SERVICE_NAME, fleet_server::SERVICE_NAME, workers_server::SERVICE_NAME];

/// What is known of the store.
#[derive(Default)]
pub(crate) struct Health {
    /// Why it cannot be used.
    trouble: watch::Sender<Option<String>>,
    failed: Mutex<Option<Instant>>,
}

impl Health {
    /// The store did not do what it was asked.
    pub(crate) fn failed(&self, why: &str) {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        if self.set(Some(why)) {
            tracing::error!(why, "the store cannot be used");
        }
    }

    /// The store did what it was asked.
    pub(crate) fn wrote(&self) {
        if self.set(None) {
            tracing::info!("the store can be used again");
        }
    }

    /// The store could be looked at.
    pub(crate) fn looked(&self) {
        let failed = *self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.is_none_or(|failed| failed.elapsed() >= PROBATION) {
            self.wrote();
        }
    }

    /// Why the store cannot be used, now and whenever that changes.
    pub(crate) fn trouble(&self) -> watch::Receiver<Option<String>> {
        self.trouble.subscribe()
    }

    /// Whether that is news.
    fn set(&self, trouble: Option<&str>) -> bool {
        self.trouble.send_if_modified(|known| {
            let changed = known.as_deref() != trouble;
            if changed {
                *known = trouble.map(str::to_owned);
            }
            changed
        })
    }

    /// Tells everybody how it stands, until `closing` is ready.
    pub(crate) async fn tell(
        &self,
        reporter: HealthReporter,
        readiness: Part,
        closing: impl Future<Output = ()>,
    ) {
        tokio::select! {
            () = self.follow(&reporter, &readiness) => {}
            () = closing => {}
        }
        readiness.not_ready("is stopping");
        report(&reporter, ServingStatus::NotServing).await;
        // Streams of whoever watches end with this; they would hold the server open.
        let mut watched = reporter.clone();
        for service in SERVICES {
            watched.clear_service_status(service).await;
        }
        report(&reporter, ServingStatus::NotServing).await;
    }

    async fn follow(&self, reporter: &HealthReporter, readiness: &Part) {
        let mut trouble = self.trouble.subscribe();
        loop {
            let known = trouble.borrow_and_update().clone();
            let status = if known.is_none() { ServingStatus::Serving } else { ServingStatus::NotServing };
            report(reporter, status).await;
            match known {
                None => readiness.ready(),
                Some(why) => readiness.not_ready(format!("cannot use its store: {why}")),
            }
            if trouble.changed().await.is_err() {
                return;
            }
        }
    }
}

async fn report(reporter: &HealthReporter, status: ServingStatus) {
    for service in SERVICES {
        reporter.set_service_status(service, status).await;
    }
}
