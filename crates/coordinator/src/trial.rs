//! A coordinator on a real socket for tests of what peers may take, and a store that does as it is told.

mod health;
mod lanes;
mod limits;
mod store;

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint};
use vezir_chess::Position;
use vezir_jobs::PerftRequest;
use vezir_jobs::ledger::CallId;
use vezir_proto::wire::runs::v1 as runs;
use vezir_proto::wire::runs::v1::runs_client::RunsClient;
use vezir_proto::wire::types::v1 as types;
use vezir_store::Store;
use vezir_telemetry::{Readiness, Registry};

use crate::access::Access;
use crate::metrics::Metrics;
use crate::{Limits, ServeError, Settings, Signals, serve};

/// What no test's wait should come near to.
const AGES: Duration = Duration::from_secs(60);

/// A coordinator that serves.
struct Served {
    address: SocketAddr,
    registry: Registry,
    readiness: Readiness,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Result<(), ServeError>>,
}

impl Served {
    async fn start(store: impl Store, limits: Limits) -> Served {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (registry, readiness) = (Registry::new("0").unwrap(), Readiness::default());
        let metrics = Metrics::new(&registry).unwrap();
        let signals = Signals { metrics, readiness: readiness.part("coordinator") };
        let (stop, stopped) = oneshot::channel::<()>();
        let settings = Settings { limits, ..Settings::default() };
        let ended = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            serve(store, settings, Access::Open, signals, TcpIncoming::from(listener), stopped).await
        });
        Served { address, registry, readiness, stop, ended }
    }

    /// A connection of its own, made when it is first used.
    fn line(&self) -> Channel {
        Endpoint::from_shared(format!("http://{}", self.address)).unwrap().connect_lazy()
    }

    fn runs(&self) -> RunsClient<Channel> {
        RunsClient::new(self.line())
    }

    /// The value of a series.
    fn shown(&self, series: &str) -> f64 {
        let text = self.registry.text().unwrap();
        let value = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("{series} is not in\n{text}")).parse().unwrap()
    }

    /// Stops it; every call must have an end.
    async fn stop(self) {
        drop(self.stop);
        tokio::time::timeout(AGES, self.ended).await.expect("it does not stop").unwrap().unwrap();
    }
}

/// The id of a new call.
fn drawn() -> Option<types::CallId> {
    Some(CallId(fastrand::u128(1..)).into())
}

/// A perft of the start position, in 50 units.
fn perft(depth: u32) -> runs::SubmitRequest {
    let units = Some(50);
    let request = PerftRequest { split: Some(2), units, ..PerftRequest::new(Position::startpos(), depth) };
    let kind = Some(vezir_jobs::Request::Perft(request).into());
    runs::SubmitRequest { kind, call: drawn(), verify: 0 }
}

/// Waits until something is so.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    let reached = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(AGES, reached).await.unwrap_or_else(|_| panic!("in vain for {what}"));
}
