//! `vezir standalone`: a coordinator and a worker in one process, for everybody on this machine.

use futures::{StreamExt, stream};
use tokio::sync::oneshot;
use vezir_coordinator::access::Access;
use vezir_coordinator::metrics::Metrics;
use vezir_coordinator::{Settings, Signals};
use vezir_worker::Worker;
use vezir_worker::metrics::Metrics as WorkerMetrics;

use crate::args::{ListenArgs, StandaloneArgs};
use crate::cluster::heard;
use crate::coordinator::{counted, open, serve_until, settings};
use crate::disk::measure;
use crate::door::Door;
use crate::exit::{Exit, Failure};
use crate::home;
use crate::interrupt::Interrupt;
use crate::listener::Figures;
use crate::listening::Listening;
use crate::machine;
use crate::pipe::pipe;
use crate::shown::{Shown, broken};
use crate::talk::say;
use crate::worker;

/// Serves and works until it is told to stop.
pub(crate) async fn run(args: StandaloneArgs) -> Result<Exit, Failure> {
    let mut interrupt = Interrupt::catch()?;
    let listening = Listening::open(&on_loopback(args.listen.clone())).await?;
    let shown = Shown::open(&args.metrics).await?;
    let metrics = Metrics::new(&shown.registry).map_err(broken)?;
    let figures = Figures::new(&shown.registry).map_err(broken)?;
    let path = home::path(&args.store)?;
    let store = open(&path, &metrics).await?;
    let hand = worker::embedded(&args.means, args.engines.settings()?);
    let settings = Settings {
        threads: Some(hand.threads),
        artifacts: Some(home::artifacts(&path)?),
        frontier: machine::frontier(),
        ..settings(&args.lease)
    };
    let hand = Worker::new(hand, WorkerMetrics::new(&shown.registry).map_err(broken)?);
    let hand = hand.map_err(|error| Failure::new(Exit::Unserved, error.to_string()))?;
    say(&format!("listening on http://{}, runs are kept in {}", listening.address()?, path.display()));
    let (dialer, inside) = pipe();
    let outside = counted(listening.incoming(figures), metrics.clone());
    let incoming =
        stream::select(inside.map(|pipe| pipe.map(Door::Inside)), outside.map(|net| net.map(Door::Outside)));
    let signals = Signals { metrics: metrics.clone(), readiness: shown.readiness.part("coordinator") };
    let (stop, stopping) = oneshot::channel();
    let hand = tokio::spawn(hand.run(dialer.line(), std::future::pending(), heard(stopping)));
    let until = async move {
        tokio::select! {
            () = interrupt.wait() => {}
            // It has no end.
            () = measure(path, metrics) => {}
        }
        drop(stop);
        if let Ok(Err(error)) = hand.await {
            tracing::error!(%error, "the worker of this process stopped");
        }
    };
    serve_until(store, settings, Access::Open, signals, incoming, until).await
}

/// Neither TLS nor tokens: what would be exposed without them is refused.
fn on_loopback(listen: String) -> ListenArgs {
    ListenArgs { listen, tls_cert: None, tls_key: None, tokens: None }
}
