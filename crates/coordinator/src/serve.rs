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
use vezir_proto::wire::workers::v1::workers_server::WorkersServer;
use vezir_store::Store;

use crate::coordinator::Coordinator;
use crate::runs::RunsService;
use crate::workers::WorkersService;

/// How often a silent peer is asked whether it is there.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);

/// How long it may take to say so; a worker that does not has lost its leases.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);

/// Calls that one connection may have open.
const MAX_STREAMS: u32 = 1024;

/// What may be under way to a peer that does not read, by call and by connection, in bytes.
const STREAM_WINDOW_BYTES: u32 = 2 << 20;
const CONNECTION_WINDOW_BYTES: u32 = 8 << 20;

/// The most that the headers of a call may take, in bytes.
const MAX_HEADER_BYTES: u32 = 16 << 10;

/// Serves users and workers on the connections of `incoming`, remembering everything in `store`, until
/// `shutdown` is ready and every call has ended.
///
/// # Errors
/// [`ServeError`] where the connections fail.
pub async fn serve<S, I, IO, E>(
    store: S,
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
    let coordinator = Arc::new(Coordinator::new(store, closing));
    let runs = RunsServer::new(RunsService(coordinator.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .max_encoding_message_size(MAX_MESSAGE_BYTES);
    let workers = WorkersServer::new(WorkersService(coordinator))
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .max_encoding_message_size(MAX_MESSAGE_BYTES);
    Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        .max_concurrent_streams(MAX_STREAMS)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .http2_max_header_list_size(MAX_HEADER_BYTES)
        .add_service(runs)
        .add_service(workers)
        .serve_with_incoming_shutdown(incoming, async {
            shutdown.await;
            // Calls that wait for something would otherwise hold the server open.
            close.send_replace(true);
        })
        .await?;
    Ok(())
}

/// Why a coordinator stopped serving.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The transport failed.
    #[error("the coordinator cannot serve: {0}")]
    Transport(#[from] tonic::transport::Error),
}
