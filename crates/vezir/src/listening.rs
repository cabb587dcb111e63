//! A coordinator's open door: the address, TLS, the tokens, and what is read again while it runs.

use std::io;
use std::net::SocketAddr;
use std::path::Path;

use futures::Stream;
use tokio::net::{TcpListener, TcpSocket, lookup_host};
use vezir_coordinator::access::{Access, TokenFile};

use crate::args::ListenArgs;
use crate::exit::{Exit, Failure};
use crate::exposure::may_listen_on_all;
use crate::listener::{Connection, Figures, Limits, incoming};
use crate::open_files;
use crate::reload::Reload;
use crate::talk::say;
use crate::tls::ServerTls;

/// Connections that the system holds before they are accepted, as after a start when all workers return.
const BACKLOG: u32 = 1024;

/// An address that is listened on, as safely as it must be.
pub(crate) struct Listening {
    listener: TcpListener,
    tls: Option<ServerTls>,
    access: Access,
}

impl Listening {
    /// Reads what the command line names, refuses what would be exposed, and listens.
    ///
    /// # Errors
    /// One sentence: usage where it would be exposed, bad input where a file is wrong, unserved where the
    /// system does not let it listen.
    pub(crate) async fn open(args: &ListenArgs) -> Result<Listening, Failure> {
        let addresses = look_up(&args.listen).await?;
        may_listen_on_all(&addresses, args.tls_cert.is_some(), args.tokens.is_some())
            .map_err(|exposed| Failure::new(Exit::Usage, format!("--listen {}: {exposed}", args.listen)))?;
        let tls = match (&args.tls_cert, &args.tls_key) {
            (Some(certificate), Some(key)) => Some(read_tls(certificate, key)?),
            (None, None) => None,
            (Some(_), None) => return Err(half("--tls-cert", "--tls-key")),
            (None, Some(_)) => return Err(half("--tls-key", "--tls-cert")),
        };
        let access = match &args.tokens {
            Some(path) => Access::tokens(read_tokens(path)?),
            None => Access::Open,
        };
        let listener = listen(&addresses).map_err(|error| {
            let sentence =
                format!("--listen {}: {error}; another address or port would be right", args.listen);
            Failure::new(Exit::Unserved, sentence)
        })?;
        Ok(Listening { listener, tls, access })
    }

    /// Where it listens, with the port that the system chose if none was asked for.
    pub(crate) fn address(&self) -> Result<SocketAddr, Failure> {
        self.listener.local_addr().map_err(|error| Failure::new(Exit::Unserved, error.to_string()))
    }

    /// Whether callers must speak TLS.
    pub(crate) const fn is_secure(&self) -> bool {
        self.tls.is_some()
    }

    /// Who is let in.
    pub(crate) const fn access(&self) -> &Access {
        &self.access
    }

    /// What is to be read again when its files change.
    pub(crate) fn reload(&self) -> Reload {
        Reload { access: self.access.clone(), tls: self.tls.clone() }
    }

    /// The connections that come in, as many as this process may have open; their fates go into `figures`.
    pub(crate) fn incoming(self, figures: Figures) -> impl Stream<Item = io::Result<Connection>> + Send {
        let asked = Limits::default();
        let connections = open_files::room_for(asked.connections);
        if connections < asked.connections {
            tracing::warn!(connections, "the limit on open files leaves room for fewer connections");
        }
        incoming(self.listener, self.tls, Limits { connections, ..asked }, figures)
    }
}

/// The two may come from different places, the environment and a file perhaps: only here is it known that one
/// lacks.
fn half(given: &str, missing: &str) -> Failure {
    Failure::new(Exit::Usage, format!("{given} is of no use alone; {missing} as well would be right"))
}

fn read_tls(certificate: &Path, key: &Path) -> Result<ServerTls, Failure> {
    let tls = ServerTls::open(certificate, key)?;
    if let Some(warning) = tls.warning() {
        say(&format!("warning: {warning}"));
    }
    Ok(tls)
}

fn read_tokens(path: &Path) -> Result<TokenFile, Failure> {
    let file = TokenFile::open(path).map_err(|error| Failure::new(Exit::BadInput, error.to_string()))?;
    if let Some(warning) = file.warning() {
        say(&format!("warning: {warning}"));
    }
    Ok(file)
}

/// Listens on the first of these that the system allows.
fn listen(addresses: &[SocketAddr]) -> io::Result<TcpListener> {
    let mut refused = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in addresses {
        match listen_on(*address) {
            Ok(listener) => return Ok(listener),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

fn listen_on(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // One that is started again must not wait until the system has forgotten old connections.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Every address that `text` stands for, at least one.
async fn look_up(text: &str) -> Result<Vec<SocketAddr>, Failure> {
    let port = text.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
    if !matches!(port, Some(Ok(_))) {
        let why = if port.is_some() { "its port is no number from 0 to 65535" } else { "it has no port" };
        let sentence = format!("--listen {text}: {why}; HOST:PORT, as 127.0.0.1:6464, would be right");
        return Err(Failure::new(Exit::Usage, sentence));
    }
    let found = lookup_host(text).await.map(Iterator::collect::<Vec<_>>).unwrap_or_default();
    if found.is_empty() {
        let sentence =
            format!("--listen {text}: there is no such host; an address of this machine would be right");
        return Err(Failure::new(Exit::Usage, sentence));
    }
    Ok(found)
}

#[cfg(test)]
#[path = "listening_tests.rs"]
mod tests;
