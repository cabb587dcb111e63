//! The server: limits, services, and how it stops.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use futures::Stream;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tonic::transport::Server;
use tonic::transport::server::Connected;
use vezir_proto::MAX_MESSAGE_BYTES;
use vezir_proto::wire::runs::v1::runs_server::RunsServer;
use vezir_proto::wire::workers::v1::fleet_server::FleetServer;
use vezir_proto::wire::workers::v1::workers_server::WorkersServer;
use vezir_store::{Store, StoreError};

use crate::Settings;
use crate::access::{Access, AccessLayer};
use crate::coordinator::Coordinator;
use crate::fleet::FleetService;
use crate::metrics::{MeasuringLayer, Metrics};
use crate::runs::RunsService;
use crate::workers::WorkersService;

/// How often a silent peer is asked whether it is there.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);

/// How long it may take to say so before its connection is closed.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);

/// Calls that one connection may have open.
const MAX_STREAMS: u32 = 1024;

/// What may be under way to a peer that does not read, by call and by connection, in bytes.
const STREAM_WINDOW_BYTES: u32 = 2 << 20;
const CONNECTION_WINDOW_BYTES: u32 = 8 << 20;

/// The most that the headers of a call may take, in bytes.
const MAX_HEADER_BYTES: u32 = 16 << 10;

/// Streams that a peer may reset before they are forgotten.
const MAX_RESET_STREAMS: usize = 64;

/// How old a connection gets before its peer is asked to open another, and how long it may then take: so
/// that connections spread over coordinators that came later.
const MAX_CONNECTION_AGE: Duration = Duration::from_secs(3600);
const MAX_CONNECTION_GRACE: Duration = Duration::from_secs(120);

/// Serves users, operators and workers on the connections of `incoming`, those whom `access` lets in,
/// remembering everything in `store`, until `shutdown` is ready and every call has ended. Runs that the store
/// says have not ended go on.
///
/// # Errors
/// [`ServeError`] where the store cannot be read or the connections fail.
pub async fn serve<S, I, IO, E>(
    store: S,
    settings: Settings,
    access: Access,
    metrics: Metrics,
    incoming: I,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError>
where
    S: Store,
    I: Stream<Item = Result<IO, E>>,
    IO: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    let (close, closing) = watch::channel(false);
    let coordinator = Arc::new(Coordinator::new(store, settings, metrics.clone(), closing));
    coordinator.take_all_up().await?;
    let sweeping = tokio::spawn(coordinator.clone().sweep());
    let clearing = tokio::spawn(coordinator.clone().clear_up());
    let runs = RunsServer::new(RunsService(coordinator.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .max_encoding_message_size(MAX_MESSAGE_BYTES);
    let fleet = FleetServer::new(FleetService(coordinator.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .max_encoding_message_size(MAX_MESSAGE_BYTES);
    let workers = WorkersServer::new(WorkersService(coordinator))
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .max_encoding_message_size(MAX_MESSAGE_BYTES);
    let served = Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        .max_concurrent_streams(MAX_STREAMS)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .http2_max_header_list_size(MAX_HEADER_BYTES)
        .http2_max_pending_accept_reset_streams(Some(MAX_RESET_STREAMS))
        .max_connection_age(MAX_CONNECTION_AGE)
        .max_connection_age_grace(MAX_CONNECTION_GRACE)
        .layer(MeasuringLayer::new(metrics))
        .layer(AccessLayer::new(access))
        .add_service(runs)
        .add_service(fleet)
        .add_service(workers)
        .serve_with_incoming_shutdown(incoming, async {
            shutdown.await;
            // Calls that wait for something would otherwise hold the server open.
            close.send_replace(true);
        })
        .await;
    // Also where the connections failed: nothing of the coordinator outlives this call.
    close.send_replace(true);
    let _ = tokio::join!(sweeping, clearing);
    Ok(served?)
}

/// Why a coordinator stopped serving.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The transport failed.
    #[error("the coordinator cannot serve: {0}")]
    Transport(#[from] tonic::transport::Error),
}
