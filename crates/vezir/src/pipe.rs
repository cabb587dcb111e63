//! Connections inside one process: gRPC as over a network, without one.

use std::io;

use hyper_util::rt::TokioIo;
use tokio::io::DuplexStream;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::{Endpoint, Uri};
use vezir_proto::{Bearer, Line};

/// What is under way in one direction of a connection, in bytes.
const PIPE_BYTES: usize = 256 << 10;

/// Connections that wait to be served.
const BACKLOG: usize = 16;

/// The side that connects.
#[derive(Clone)]
pub(crate) struct Dialer(mpsc::Sender<io::Result<DuplexStream>>);

/// The side that serves.
pub(crate) type Incoming = ReceiverStream<io::Result<DuplexStream>>;

/// The two sides of a listener that only this process can reach.
pub(crate) fn pipe() -> (Dialer, Incoming) {
    let (sender, receiver) = mpsc::channel(BACKLOG);
    (Dialer(sender), ReceiverStream::new(receiver))
}

impl Dialer {
    /// A line with a connection of its own, made when it is first used.
    pub(crate) fn line(&self) -> Line {
        let Dialer(backlog) = self.clone();
        // The address is never looked up: it only fills in the calls' headers.
        let channel = Endpoint::from_static("http://embedded").connect_with_connector_lazy(
            tower::service_fn(move |_: Uri| {
                let backlog = backlog.clone();
                async move {
                    let (near, far) = tokio::io::duplex(PIPE_BYTES);
                    backlog.send(Ok(far)).await.map_err(|_| io::ErrorKind::ConnectionRefused)?;
                    Ok::<_, io::Error>(TokioIo::new(near))
                }
            }),
        );
        Bearer::default().over(channel)
    }
}
