//! A connection to a coordinator that serves its own process and others.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf};
use tonic::transport::server::Connected;

use crate::listener::{Connection, Peer};

/// Where a connection comes from.
pub(crate) enum Door {
    /// From this process.
    Inside(DuplexStream),
    /// From another one.
    Outside(Connection),
}

impl Connected for Door {
    type ConnectInfo = Option<Peer>;

    fn connect_info(&self) -> Option<Peer> {
        match self {
            Door::Inside(_) => None,
            Door::Outside(connection) => Some(connection.connect_info()),
        }
    }
}

impl AsyncRead for Door {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Door::Inside(stream) => Pin::new(stream).poll_read(context, buffer),
            Door::Outside(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Door {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Door::Inside(stream) => Pin::new(stream).poll_write(context, bytes),
            Door::Outside(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Door::Inside(stream) => Pin::new(stream).poll_write_vectored(context, parts),
            Door::Outside(stream) => Pin::new(stream).poll_write_vectored(context, parts),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Door::Inside(stream) => stream.is_write_vectored(),
            Door::Outside(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Door::Inside(stream) => Pin::new(stream).poll_flush(context),
            Door::Outside(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Door::Inside(stream) => Pin::new(stream).poll_shutdown(context),
            Door::Outside(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
