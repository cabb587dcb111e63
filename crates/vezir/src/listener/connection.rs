//! One connection that is ready to be served, plain or inside TLS.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Sleep, sleep};
use tokio_rustls::server::TlsStream;
use tonic::transport::server::Connected;
use vezir_coordinator::metrics::Present;

/// With what every HTTP/2 connection begins: its preface, and the head of its first frame.
const FIRST_BYTES: usize = 24 + 9;

/// A connection. It gives its room back when it is dropped.
pub(crate) struct Connection {
    stream: Stream,
    /// Until the first bytes have come: only from then on does HTTP/2 itself see to silent peers.
    opening: Option<Opening>,
    peer: Peer,
    /// Shown as open until it is dropped.
    _shown: Option<Present>,
    _room: OwnedSemaphorePermit,
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// Who is at the other end: found in the extensions of every request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Peer {
    /// Its address, where the system still knows it.
    pub(crate) address: Option<SocketAddr>,
    /// Whether the connection is inside TLS.
    pub(crate) tls: bool,
}

/// The first bytes that are waited for.
struct Opening {
    missing: usize,
    limit: Pin<Box<Sleep>>,
}

impl Connection {
    /// A connection without TLS, whose first bytes must come within `patience`.
    pub(super) fn plain(stream: TcpStream, patience: Duration, room: OwnedSemaphorePermit) -> Connection {
        let peer = Peer { address: stream.peer_addr().ok(), tls: false };
        Connection::new(Stream::Plain(stream), peer, patience, room)
    }

    /// A connection inside TLS.
    pub(super) fn tls(
        stream: TlsStream<TcpStream>,
        patience: Duration,
        room: OwnedSemaphorePermit,
    ) -> Connection {
        let peer = Peer { address: stream.get_ref().0.peer_addr().ok(), tls: true };
        Connection::new(Stream::Tls(Box::new(stream)), peer, patience, room)
    }

    fn new(stream: Stream, peer: Peer, patience: Duration, room: OwnedSemaphorePermit) -> Connection {
        let opening = Opening { missing: FIRST_BYTES, limit: Box::pin(sleep(patience)) };
        Connection { stream, opening: Some(opening), peer, _shown: None, _room: room }
    }
}

impl Connection {
    /// The same, shown as open for as long as it is.
    pub(crate) fn shown(self, present: Present) -> Connection {
        Connection { _shown: Some(present), ..self }
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(opening) = &mut self.opening
            && opening.limit.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let before = buffer.filled().len();
        ready!(match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        })?;
        let read = buffer.filled().len() - before;
        self.opening = self.opening.take().and_then(|mut opening| {
            opening.missing = opening.missing.saturating_sub(read);
            (opening.missing > 0).then_some(opening)
        });
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write_vectored(context, parts),
            Stream::Tls(stream) => Pin::new(stream).poll_write_vectored(context, parts),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(stream) => stream.is_write_vectored(),
            Stream::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
