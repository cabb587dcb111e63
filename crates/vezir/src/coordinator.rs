//! `vezir coordinator`: plans runs, gives work to workers, and adds up what they report.

use std::path::Path;

use futures::{Stream, StreamExt};
use tokio::io::{AsyncRead, AsyncWrite};
use tonic::transport::server::Connected;
use vezir_coordinator::access::Access;
use vezir_coordinator::metrics::Metrics;
use vezir_coordinator::{Settings, Signals, serve};
use vezir_store::{Opening, Sqlite};

use crate::args::{CoordinatorArgs, LeaseArgs};
use crate::disk::measure;
use crate::exit::{Exit, Failure};
use crate::home;
use crate::interrupt::Interrupt;
use crate::listener::{Connection, Figures};
use crate::listening::Listening;
use crate::machine;
use crate::shown::{Shown, broken};
use crate::talk::say;

/// Serves until it is told to stop.
pub(crate) async fn run(args: CoordinatorArgs) -> Result<Exit, Failure> {
    let mut interrupt = Interrupt::catch()?;
    let listening = Listening::open(&args.listen).await?;
    let shown = Shown::open(&args.metrics).await?;
    let metrics = Metrics::new(&shown.registry).map_err(broken)?;
    let figures = Figures::new(&shown.registry).map_err(broken)?;
    let path = home::path(&args.store)?;
    let store = open(&path, &metrics).await?;
    let scheme = if listening.is_secure() { "https" } else { "http" };
    say(&format!("listening on {scheme}://{}, runs are kept in {}", listening.address()?, path.display()));
    let (access, reload) = (listening.access().clone(), listening.reload());
    let incoming = counted(listening.incoming(figures), metrics.clone());
    let signals = Signals { metrics: metrics.clone(), readiness: shown.readiness.part("coordinator") };
    let settings = Settings {
        artifacts: Some(home::artifacts(&path)?),
        frontier: machine::frontier(),
        ..settings(&args.lease)
    };
    let stop = async move {
        tokio::select! {
            () = interrupt.wait() => {}
            // These have no end.
            () = reload.follow() => {}
            () = measure(path, metrics) => {}
        }
    };
    serve_until(store, settings, access, signals, incoming, stop).await
}

/// Serves until `stop` is ready, and closes the store.
pub(crate) async fn serve_until<I, IO>(
    store: Sqlite,
    settings: Settings,
    access: Access,
    signals: Signals,
    incoming: I,
    stop: impl Future<Output = ()>,
) -> Result<Exit, Failure>
where
    I: Stream<Item = std::io::Result<IO>>,
    IO: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static,
{
    let served = serve(store.clone(), settings, access, signals, incoming, stop).await;
    store.close().await;
    served.map_err(|error| Failure::new(Exit::Unserved, error.to_string()))?;
    say("stopped; runs that have not ended go on when a coordinator is started on the same store");
    Ok(Exit::Done)
}

/// Connections that are shown as open for as long as they are.
pub(crate) fn counted(
    incoming: impl Stream<Item = std::io::Result<Connection>>,
    metrics: Metrics,
) -> impl Stream<Item = std::io::Result<Connection>> {
    incoming.map(move |connection| connection.map(|it| it.shown(metrics.connected())))
}

/// The store in a file, which tells metrics of its commits.
pub(crate) async fn open(path: &Path, metrics: &Metrics) -> Result<Sqlite, Failure> {
    let metrics = metrics.clone();
    let observer = move |batch: &vezir_store::Batch| {
        if batch.rows > 0 && batch.served {
            metrics.committed(batch.verbs.len());
        }
    };
    home::open(path, Opening { observer: Box::new(observer), ..Opening::default() }).await
}

/// How a coordinator works, as the command line has it.
pub(crate) fn settings(args: &LeaseArgs) -> Settings {
    Settings { again: !args.no_second_leases, ..Settings::with_lease(args.lease) }
}
