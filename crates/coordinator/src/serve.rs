//! The server: limits, services, and how it stops.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use futures::Stream;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::time::sleep;
use tonic::service::{Routes, RoutesBuilder};
use tonic::transport::Server;
use tonic::transport::server::Connected;
use vezir_proto::wire::runs::v1::runs_server::RunsServer;
use vezir_proto::wire::workers::v1::fleet_server::FleetServer;
use vezir_proto::wire::workers::v1::workers_server::WorkersServer;
use vezir_store::{Store, StoreError};

use crate::access::{Access, AccessLayer};
use crate::coordinator::Coordinator;
use crate::describing::describe;
use crate::fleet::FleetService;
use crate::metrics::MeasuringLayer;
use crate::runs::RunsService;
use crate::signals::Signals;
use crate::spans::span;
use crate::workers::WorkersService;
use crate::{Limits, Settings};

/// The most bytes of a question about health: a service's name.
const MAX_HEALTH_BYTES: usize = 4 << 10;

/// Serves users, operators and workers on the connections of `incoming`, those whom `access` lets in,
/// remembering everything in `store`, until `shutdown` is ready and every call has ended, or for a while
/// longer. Runs that the store says have not ended go on. `signals` are metrics, or more.
///
/// # Errors
/// [`ServeError`] where the store cannot be read or the connections fail.
pub async fn serve<S, I, IO, E>(
    store: S,
    settings: Settings,
    access: Access,
    signals: impl Into<Signals>,
    incoming: I,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError>
where
    S: Store,
    I: Stream<Item = Result<IO, E>>,
    IO: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    let Signals { metrics, readiness } = signals.into();
    let (close, closing) = watch::channel(false);
    let limits = settings.limits;
    let coordinator = Arc::new(Coordinator::new(store, settings, metrics.clone(), closing));
    coordinator.take_all_up().await?;
    if coordinator.settings.takes_up {
        tokio::spawn(coordinator.clone().distrust_those_of_before());
    }
    let sweeping = tokio::spawn(coordinator.clone().sweep());
    let clearing = tokio::spawn(coordinator.clone().clear_up());
    let (reporter, health) = tonic_health::server::health_reporter();
    let told = coordinator.clone();
    let telling = tokio::spawn(async move { told.health.tell(reporter, readiness, told.closing()).await });
    let health = health.max_decoding_message_size(MAX_HEALTH_BYTES);
    let mut routes = Routes::builder();
    routes.add_service(health);
    describe(&mut routes)?;
    add_services(&mut routes, &coordinator, &limits);
    let served = server(&limits)
        .trace_fn(span)
        .layer(MeasuringLayer::new(metrics))
        .layer(AccessLayer::new(access))
        .add_routes(routes.routes())
        .serve_with_incoming_shutdown(incoming, async {
            shutdown.await;
            // Calls that wait for something would otherwise hold the server open.
            close.send_replace(true);
        });
    let served = tokio::select! {
        served = served => served,
        () = overtime(coordinator.closing(), limits.farewell) => {
            tracing::warn!("some calls did not end in time: they are cut off");
            Ok(())
        }
    };
    // Also where the connections failed: nothing of the coordinator outlives this call.
    close.send_replace(true);
    let _ = tokio::join!(sweeping, clearing, telling);
    Ok(served?)
}

/// Ready when `late` has passed since the coordinator was to stop.
async fn overtime(closing: impl Future<Output = ()>, late: Duration) {
    closing.await;
    sleep(late).await;
}

/// A server with every limit that it knows.
fn server(limits: &Limits) -> Server {
    Server::builder()
        .http2_keepalive_interval(Some(limits.keepalive_every))
        .http2_keepalive_timeout(Some(limits.keepalive_patience))
        .max_concurrent_streams(limits.streams)
        .initial_stream_window_size(limits.stream_window_bytes)
        .initial_connection_window_size(limits.connection_window_bytes)
        .http2_max_header_list_size(limits.header_bytes)
        .http2_max_pending_accept_reset_streams(Some(limits.reset_streams))
        .timeout(limits.call)
        // Without a time of grace: with one, this version cuts the connection off then and never says a word.
        .max_connection_age(limits.connection_age)
}

fn add_services<S: Store>(routes: &mut RoutesBuilder, coordinator: &Arc<Coordinator<S>>, limits: &Limits) {
    let most = limits.message_bytes;
    routes
        .add_service(
            RunsServer::new(RunsService(coordinator.clone()))
                .max_decoding_message_size(most)
                .max_encoding_message_size(most),
        )
        .add_service(
            FleetServer::new(FleetService(coordinator.clone()))
                .max_decoding_message_size(most)
                .max_encoding_message_size(most),
        )
        .add_service(
            WorkersServer::new(WorkersService(coordinator.clone()))
                .max_decoding_message_size(most)
                .max_encoding_message_size(most),
        );
}

/// Why a coordinator stopped serving.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What the program says of itself cannot be read.
    #[error("the coordinator cannot describe itself: {0}")]
    Description(#[from] tonic_reflection::server::Error),
    /// The transport failed.
    #[error("the coordinator cannot serve: {0}")]
    Transport(#[from] tonic::transport::Error),
}
