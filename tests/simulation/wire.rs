//! Connections over the simulated network, as gRPC wants them.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::{Stream, stream};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tonic::transport::server::Connected;
use tonic::transport::{Channel, Endpoint, Uri};
use turmoil::net::{TcpListener, TcpStream};

use crate::map::{COORDINATOR, PORT};

/// How long a connection may take, how often a silent coordinator is asked whether it is there, and how long it
/// may take to say so: shorter than on real networks, as the terms are.
const CONNECT: Duration = Duration::from_secs(3);
const KEEPALIVE_EVERY: Duration = Duration::from_secs(3);
const KEEPALIVE_PATIENCE: Duration = Duration::from_secs(3);

/// A simulated connection.
pub(crate) struct Wire(TcpStream);

impl Connected for Wire {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buf)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// Connections to the host that this is called on.
pub(crate) async fn listen() -> io::Result<impl Stream<Item = io::Result<Wire>>> {
    let listener = TcpListener::bind(("0.0.0.0", PORT)).await?;
    Ok(stream::unfold(listener, |listener| async {
        let accepted = listener.accept().await.map(|(stream, _)| Wire(stream));
        Some((accepted, listener))
    }))
}

/// A line to the coordinator, connected when it is first used and again whenever it broke.
pub(crate) fn dial() -> Channel {
    let connector =
        tower::service_fn(|_: Uri| async { TcpStream::connect((COORDINATOR, PORT)).await.map(TokioIo::new) });
    Endpoint::from_static("http://coordinator")
        .connect_timeout(CONNECT)
        .http2_keep_alive_interval(KEEPALIVE_EVERY)
        .keep_alive_timeout(KEEPALIVE_PATIENCE)
        .keep_alive_while_idle(true)
        .connect_with_connector_lazy(connector)
}
