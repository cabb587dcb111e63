//! The way to a coordinator: its address, how it is known, and by what one is known to it.

use std::net::IpAddr;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tonic::client::Grpc;
use tonic::codegen::http::Uri;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::{self, Channel, Endpoint};
use tonic::{Request, Status};
use tonic_prost::ProstCodec;
use vezir_proto::{Credentials, LAST_WAIT, Line, waits};

use crate::args::DialArgs;
use crate::credentials::{CredentialsError, read_credentials};
use crate::exit::{Exit, Failure};
use crate::talk::say;
use crate::tls::{ClientTls, TlsError};
use crate::why::{SILENT, is_absence, say_why};

/// How long a connection, and then its TLS handshake, may take.
const CONNECT: Duration = Duration::from_secs(10);

/// How often a silent coordinator is asked whether it is there, and how long it may take to say so.
const KEEPALIVE_EVERY: Duration = Duration::from_secs(10);
const KEEPALIVE_PATIENCE: Duration = Duration::from_secs(20);

/// What anybody may ask of any server.
const HEALTH: &str = "/grpc.health.v1.Health/Check";

/// A coordinator that may be called.
#[derive(Clone, Debug)]
pub(crate) struct Dial {
    address: String,
    endpoint: Endpoint,
    credentials: Credentials,
}

impl Dial {
    /// The coordinator of the command line; none where it names none.
    ///
    /// # Errors
    /// [`DialError`] where what it says of it cannot be right.
    pub(crate) fn from_args(args: &DialArgs) -> Result<Option<Dial>, DialError> {
        let Some(address) = &args.coordinator else { return Ok(None) };
        let uri = read_address(address)?;
        let ca = args.ca.as_deref().map(|path| ClientTls::open(path, CONNECT)).transpose()?;
        let credentials = args.token_file.as_deref().map(read_credentials).transpose()?.unwrap_or_default();
        let secure = uri.scheme_str() == Some("https");
        if !secure && !is_loopback(&uri) {
            return Err(DialError::Plain { address: address.clone() });
        }
        let endpoint = Endpoint::from(uri)
            .connect_timeout(CONNECT)
            .tcp_nodelay(true)
            .tcp_keepalive(Some(KEEPALIVE_EVERY));
        let endpoint = kept_alive(endpoint, KEEPALIVE_EVERY, KEEPALIVE_PATIENCE);
        let endpoint = match (secure, ca) {
            (false, None) => endpoint,
            (true, Some(ca)) => endpoint
                .tls_config(ca.config())
                .map_err(|error| DialError::Address { address: address.clone(), why: error.to_string() })?,
            (true, None) => return Err(DialError::NoCa { address: address.clone() }),
            (false, Some(_)) => return Err(DialError::NeedlessCa { address: address.clone() }),
        };
        Ok(Some(Dial { address: address.clone(), endpoint, credentials }))
    }

    /// The coordinator's address.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// A line that is connected already, with a server of gRPC at its other end.
    ///
    /// # Errors
    /// One sentence that says why it cannot be.
    pub(crate) async fn connect(&self) -> Result<Line, Failure> {
        let connected = self.endpoint.connect().await;
        self.greet(connected).await
    }

    /// The same, but one that is not there is waited for.
    ///
    /// # Errors
    /// One sentence that says why waiting is of no use.
    pub(crate) async fn await_there(&self) -> Result<Line, Failure> {
        let mut waits = waits();
        let mut told = false;
        loop {
            match self.endpoint.connect().await {
                Err(error) if is_absence(&error) => {
                    if !std::mem::replace(&mut told, true) {
                        say(&format!("{}: nobody answers there yet; waiting", self.address));
                    }
                    sleep(waits.next().unwrap_or(LAST_WAIT)).await;
                }
                connected => return self.greet(connected).await,
            }
        }
    }

    /// Sees to it that somebody answers on a connection.
    async fn greet(&self, connected: Result<Channel, transport::Error>) -> Result<Line, Failure> {
        let failure = |sentence| Failure::new(Exit::Unserved, sentence);
        let channel = connected.map_err(|error| failure(say_why(&self.address, &error)))?;
        match timeout(CONNECT, answers(channel.clone())).await {
            Ok(Ok(())) => Ok(self.credentials.over(channel)),
            Ok(Err(status)) => Err(failure(self.say(&status))),
            Err(_) => Err(failure(format!("{}: {SILENT}", self.address))),
        }
    }

    /// The sentence for a call that brought nothing.
    pub(crate) fn say(&self, status: &Status) -> String {
        if is_said(status) {
            format!("{}: {}", self.address, status.message())
        } else {
            say_why(&self.address, status)
        }
    }
}

/// Asks a silent coordinator so often whether it is there; after so long the connection is given up.
fn kept_alive(endpoint: Endpoint, every: Duration, patience: Duration) -> Endpoint {
    endpoint.http2_keep_alive_interval(every).keep_alive_timeout(patience).keep_alive_while_idle(true)
}

/// Whether there is somebody who answers, be it that there is no such method. It takes no token, and without
/// TLS it is the first that is heard of the other side at all.
async fn answers(channel: Channel) -> Result<(), Status> {
    let mut grpc = Grpc::new(channel);
    grpc.ready().await.map_err(|error| Status::from_error(Box::new(error)))?;
    let path = PathAndQuery::from_static(HEALTH);
    match grpc.unary(Request::new(()), path, ProstCodec::<(), ()>::default()).await {
        Err(status) if !is_said(&status) => Err(status),
        _ => Ok(()),
    }
}

/// Whether the coordinator itself said this: there is no error below it.
fn is_said(status: &Status) -> bool {
    std::error::Error::source(status).is_none()
}

/// An address with everything that it needs and nothing more.
fn read_address(address: &str) -> Result<Uri, DialError> {
    let wrong = |why: &str| DialError::Address { address: address.to_owned(), why: why.to_owned() };
    let uri: Uri = address.parse().map_err(|_| wrong("it is no address"))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) {
        return Err(wrong("it does not begin with http:// or https://"));
    }
    if uri.port_u16().is_none() {
        return Err(wrong("it has no port"));
    }
    let bare = uri.path_and_query().is_none_or(|rest| rest.as_str() == "/");
    if !bare || uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(wrong("it holds more than host and port"));
    }
    Ok(uri)
}

fn is_loopback(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || bare.parse().is_ok_and(|ip: IpAddr| ip.to_canonical().is_loopback())
}

/// Why a coordinator cannot be called as the command line says.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DialError {
    /// The address cannot be understood.
    #[error("--coordinator {address}: {why}; https://HOST:PORT, or http:// on loopback, would be right")]
    Address {
        /// The address.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// Nobody is trusted.
    #[error("--coordinator {address}: --ca with the ca.pem of that coordinator would be right as well")]
    NoCa {
        /// The address.
        address: String,
    },
    /// A CA, but no TLS.
    #[error("--coordinator {address}: --ca is for https:// addresses; https:// would be right")]
    NeedlessCa {
        /// The address.
        address: String,
    },
    /// What everybody on the way could read, and change.
    #[error(
        "--coordinator {address}: nothing is sent in plain text to another machine; https:// would be right"
    )]
    Plain {
        /// The address.
        address: String,
    },
    /// The file of CAs.
    #[error("--ca {0}")]
    Ca(#[from] TlsError),
    /// The file of the token.
    #[error("--token-file {0}")]
    Token(#[from] CredentialsError),
}

impl From<DialError> for Failure {
    fn from(error: DialError) -> Failure {
        let exit = match error {
            DialError::Ca(_) | DialError::Token(_) => Exit::BadInput,
            _ => Exit::Usage,
        };
        Failure::new(exit, error.to_string())
    }
}

#[cfg(test)]
#[path = "dial_tests.rs"]
mod tests;
