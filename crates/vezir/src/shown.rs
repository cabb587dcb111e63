//! What a process shows of itself: its metrics, and whether it is ready.

use std::net::SocketAddr;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use vezir_telemetry::{Readiness, Registry, RegistryError};

use crate::args::MetricsArgs;
use crate::exit::{Exit, Failure};
use crate::exposure::may_show;
use crate::talk::say;

/// A registry, shown where the command line says, for as long as this value lives.
pub(crate) struct Shown {
    /// What metrics are registered in.
    pub(crate) registry: Registry,
    /// What the process still waits for.
    pub(crate) readiness: Readiness,
    _listener: Option<(JoinHandle<()>, oneshot::Sender<()>)>,
}

impl Shown {
    /// Opens the listener, if one is wanted, and tells where it is.
    pub(crate) async fn open(args: &MetricsArgs) -> Result<Shown, Failure> {
        let registry = Registry::new(env!("CARGO_PKG_VERSION")).map_err(broken)?;
        let readiness = Readiness::default();
        let listener = match args.metrics {
            None if args.metrics_exposed => {
                let sentence = "--metrics-exposed is of no use alone; --metrics as well would be right";
                return Err(Failure::new(Exit::Usage, sentence));
            }
            None => None,
            Some(address) => {
                may_show(&address, args.metrics_exposed).map_err(|exposed| {
                    Failure::new(Exit::Usage, format!("--metrics {address}: {exposed}"))
                })?;
                Some(listen(address, &registry, &readiness).await?)
            }
        };
        Ok(Shown { registry, readiness, _listener: listener })
    }
}

async fn listen(
    address: SocketAddr,
    registry: &Registry,
    readiness: &Readiness,
) -> Result<(JoinHandle<()>, oneshot::Sender<()>), Failure> {
    let unserved = |error: std::io::Error| {
        let sentence = format!("--metrics {address}: {error}; another address or port would be right");
        Failure::new(Exit::Unserved, sentence)
    };
    let listener = TcpListener::bind(address).await.map_err(unserved)?;
    let address = listener.local_addr().map_err(unserved)?;
    let (stop, stopped) = oneshot::channel();
    let stopped = async {
        // It is never sent: dropping it is enough.
        let _ = stopped.await;
    };
    let serving = vezir_telemetry::serve(listener, registry.clone(), readiness.clone(), stopped);
    say(&format!("metrics on http://{address}/metrics"));
    Ok((tokio::spawn(serving), stop))
}

/// Metrics are registered once in a process: another time is a fault of ours, told as one.
pub(crate) fn broken(error: RegistryError) -> Failure {
    Failure::new(Exit::Unserved, format!("metrics cannot be shown: {error}"))
}
