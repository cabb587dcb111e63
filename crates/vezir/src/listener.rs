//! Connections as they come in: accepted, shaken hands with, and bounded in number and patience.
//!
//! Nothing that one peer does, or leaves undone, holds up another: hands are shaken beside each other, each
//! under a limit of its own, and a peer that says nothing takes no place among those that do.

mod connection;
mod crowd;
mod figures;

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use futures::{Stream, stream};
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::tls::ServerTls;
pub(crate) use connection::{Connection, Peer};
use crowd::Crowd;
pub(crate) use figures::{Figure, Figures};

/// How long a peer may take for the TLS handshake, and then for the first bytes inside.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// How long a handshake may take where others wait for its place.
const CROWDED_HANDSHAKE: Duration = Duration::from_secs(1);

/// Handshakes that go on at a time.
const MAX_HANDSHAKES: usize = 256;

/// Connections at a time, silent ones and those in a handshake among them.
const MAX_CONNECTIONS: usize = 4096;

/// How long nothing is accepted after the system had no room for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// After how long, how often and how many times the system asks a silent peer whether it is there.
const KEEPALIVE_AFTER: Duration = Duration::from_secs(30);
const KEEPALIVE_EVERY: Duration = Duration::from_secs(10);
const KEEPALIVE_TIMES: u32 = 3;

/// What peers may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Time for a handshake, and again for the first bytes of HTTP/2.
    pub(crate) handshake: Duration,
    /// Time for a handshake where others wait for its place.
    pub(crate) crowded: Duration,
    /// Handshakes at a time.
    pub(crate) handshakes: usize,
    /// Connections at a time.
    pub(crate) connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            handshake: HANDSHAKE,
            crowded: CROWDED_HANDSHAKE,
            handshakes: MAX_HANDSHAKES,
            connections: MAX_CONNECTIONS,
        }
    }
}

/// The connections that come in at `listener` and are ready to be served, with TLS if `tls` is given. The
/// stream has no end and no errors: what goes wrong is counted in `figures` and logged.
pub(crate) fn incoming(
    listener: TcpListener,
    tls: Option<ServerTls>,
    limits: Limits,
    figures: Figures,
) -> impl Stream<Item = io::Result<Connection>> + Send {
    let door = Door {
        listener,
        tls,
        limits,
        figures,
        room: Arc::new(Semaphore::new(limits.connections)),
        crowd: Arc::new(Crowd::new(limits.handshakes)),
        opening: JoinSet::new(),
    };
    stream::unfold(door, |mut door| async move {
        let connection = door.next().await;
        Some((Ok(connection), door))
    })
}

struct Door {
    listener: TcpListener,
    tls: Option<ServerTls>,
    limits: Limits,
    figures: Figures,
    /// One permit for each connection that may yet be accepted.
    room: Arc<Semaphore>,
    crowd: Arc<Crowd>,
    /// Connections that are not ready yet. They are dropped with the door.
    opening: JoinSet<Result<Connection, Unopened>>,
}

impl Door {
    async fn next(&mut self) -> Connection {
        loop {
            tokio::select! {
                Some(opened) = self.opening.join_next() => match opened {
                    Ok(Ok(connection)) => {
                        self.figures.count(Figure::Opened);
                        return connection;
                    }
                    Ok(Err(unopened)) => {
                        self.figures.count(unopened.figure());
                        tracing::debug!(%unopened, "connection dropped");
                    }
                    Err(error) => tracing::error!(%error, "a handshake ended in a fault of its own"),
                },
                accepted = accept(&self.listener, &self.room) => match accepted {
                    Ok((stream, permit)) => self.begin(stream, permit),
                    Err(error) => tracing::warn!(%error, "no connection can be accepted"),
                },
            }
        }
    }

    fn begin(&mut self, stream: TcpStream, permit: OwnedSemaphorePermit) {
        self.figures.count(Figure::Accepted);
        let tls = self.tls.as_ref().map(|tls| TlsAcceptor::from(tls.current()));
        let (limits, crowd) = (self.limits, self.crowd.clone());
        self.opening.spawn(async move {
            tune(&stream)?;
            let Some(tls) = tls else {
                return Ok(Connection::plain(stream, limits.handshake, permit));
            };
            let shaken = timeout(limits.handshake, shake_hands(stream, &tls, &crowd, limits.crowded));
            let stream = shaken.await.map_err(|_| Unopened::Slow)??;
            Ok(Connection::tls(stream, limits.handshake, permit))
        });
    }
}

/// Waits for room, and then for a connection. May be dropped at any time.
async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let permit = room.clone().acquire_owned().await.map_err(io::Error::other)?;
    match listener.accept().await {
        Ok((stream, _)) => Ok((stream, permit)),
        Err(error) => {
            // A peer that left again is no reason to pause; a system that has no room is.
            let left = matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset);
            if !left {
                sleep(ACCEPT_PAUSE).await;
            }
            Err(error)
        }
    }
}

fn tune(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new().with_time(KEEPALIVE_AFTER).with_interval(KEEPALIVE_EVERY);
    SockRef::from(stream).set_tcp_keepalive(&keepalive.with_retries(KEEPALIVE_TIMES))
}

async fn shake_hands(
    stream: TcpStream,
    tls: &TlsAcceptor,
    crowd: &Crowd,
    patience: Duration,
) -> Result<tokio_rustls::server::TlsStream<TcpStream>, Unopened> {
    // A peer that says nothing yet takes no place. (Readiness alone may be told of by mistake.)
    stream.peek(&mut [0]).await?;
    let _place = crowd.enter().await;
    tokio::select! {
        shaken = tls.accept(stream) => Ok(shaken?),
        () = crowd.pressed_after(patience) => Err(Unopened::Crowded),
    }
}

/// Why a connection did not become ready.
#[derive(Debug, thiserror::Error)]
enum Unopened {
    /// The handshake failed, or the peer left.
    #[error("the handshake failed: {0}")]
    Failed(#[from] io::Error),
    /// The peer took too long.
    #[error("the handshake took too long")]
    Slow,
    /// The peer was slow while others waited.
    #[error("the handshake was slow, and others waited for its place")]
    Crowded,
}

impl Unopened {
    const fn figure(&self) -> Figure {
        match self {
            Unopened::Failed(_) => Figure::Failed,
            Unopened::Slow => Figure::Slow,
            Unopened::Crowded => Figure::Crowded,
        }
    }
}

#[cfg(test)]
#[path = "listener_tests.rs"]
mod tests;
