//! A stage for tests: a folder of certificates and tokens, and a gate on a real socket that nobody stands behind.

use std::fs;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use tempfile::TempDir;
use tokio::net::TcpListener;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::{Request, Status};
use tonic_prost::ProstCodec;
use vezir_coordinator::access::{Access, AccessLayer, Role, Roles, TOKEN_BYTES, Token, TokenFile};
use vezir_proto::Line;
use vezir_telemetry::Registry;

use crate::args::{CertsArgs, DialArgs};
use crate::certs;
use crate::dial::Dial;
use crate::listener::{Figures, Limits, incoming};
use crate::tls::ServerTls;

/// A method that takes the role view. Behind the gate nobody answers it, so whoever is let in hears
/// "unimplemented".
const VIEWED: &str = "/vezir.runs.v1.Runs/Watch";

/// A folder with a CA, a certificate for localhost, and the tokens of two: `viewer` and `worker`.
pub(crate) struct Stage {
    folder: TempDir,
}

impl Stage {
    pub(crate) fn new() -> Stage {
        let stage = Stage { folder: tempfile::tempdir().expect("there is room") };
        stage.certify("certs", &[]);
        let tokens = [("viewer", Role::View, 1), ("worker", Role::Work, 2)].map(|(owner, role, number)| {
            let token = Token::from_random([number; TOKEN_BYTES]);
            fs::write(stage.path(&format!("{owner}.token")), token.reveal()).expect("there is room");
            format!("{owner} {} {}\n", Roles::NONE.with(role), token.hash())
        });
        let mut file = tempfile::NamedTempFile::new_in(stage.folder.path()).expect("there is room");
        file.write_all(tokens.concat().as_bytes()).expect("there is room");
        // As such files are made, it is its owner's alone.
        file.persist(stage.path("tokens")).expect("there is room");
        stage
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Makes certificates in a folder of their own.
    pub(crate) fn certify(&self, folder: &str, names: &[&str]) {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let args = CertsArgs { names, folder: self.path(folder), days: 30, force: true };
        certs::make(&args).expect("certificates can be made");
    }

    pub(crate) fn tls(&self) -> ServerTls {
        let path = |name| self.path("certs").join(name);
        ServerTls::open(&path("coordinator.pem"), &path("coordinator-key.pem")).expect("they are right")
    }

    pub(crate) fn access(&self) -> Access {
        Access::tokens(TokenFile::open(self.path("tokens")).expect("it is right"))
    }

    /// A gate on a port of its own, until the test's runtime ends.
    pub(crate) async fn serve(&self, tls: Option<ServerTls>, limits: Limits) -> (SocketAddr, Figures) {
        self.serve_at("127.0.0.1:0", tls, limits).await
    }

    pub(crate) async fn serve_at(
        &self,
        address: &str,
        tls: Option<ServerTls>,
        limits: Limits,
    ) -> (SocketAddr, Figures) {
        let listener = TcpListener::bind(address).await.expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let figures = figures();
        let incoming = incoming(listener, tls, limits, figures.clone());
        let server = Server::builder().layer(AccessLayer::new(self.access())).add_routes(Routes::default());
        tokio::spawn(server.serve_with_incoming(incoming));
        (address, figures)
    }

    /// How somebody would call `address`, trusting the CA of `ca` and known by the token of `token`.
    pub(crate) fn dial(&self, address: &str, ca: Option<&str>, token: Option<&str>) -> Dial {
        let args = DialArgs {
            coordinator: Some(address.to_owned()),
            ca: ca.map(|folder| self.path(folder).join("ca.pem")),
            token_file: token.map(|name| self.path(&format!("{name}.token"))),
        };
        Dial::from_args(&args).expect("it may be called").expect("an address is given")
    }
}

/// Calls the method that takes the role view.
pub(crate) async fn call(line: Line) -> Status {
    let mut grpc = Grpc::new(line);
    if let Err(error) = grpc.ready().await {
        return Status::from_error(Box::new(error));
    }
    let codec = ProstCodec::<(), ()>::default();
    let called = grpc.unary(Request::new(()), PathAndQuery::from_static(VIEWED), codec).await;
    called.expect_err("nobody behind the gate answers with a message")
}

/// Figures that nobody shows.
pub(crate) fn figures() -> Figures {
    Figures::new(&Registry::new("").expect("a registry")).expect("a new name")
}
