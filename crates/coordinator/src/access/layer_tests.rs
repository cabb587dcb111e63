//! Tests of the gate: every method for every set of roles, and over real sockets.

use std::convert::Infallible;
use std::io::Write;

use tokio_stream::wrappers::TcpListenerStream;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::metadata::MetadataValue;
use tonic::server::NamedService;
use tonic::transport::{Channel, Server};
use tonic::{Code, Request as Call};
use tonic_prost::ProstCodec;
use tower::ServiceExt;

use super::super::{METHODS, Role, Roles, TOKEN_BYTES, TokenFile};
use super::*;

/// What is behind the gate: aborts every call, and tells who came through.
#[derive(Clone)]
struct Inside;

const INSIDE: Code = Code::Aborted;

impl Service<Request<Body>> for Inside {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let caller = request.extensions().get::<Caller>();
        let came = caller.map_or("nobody".to_owned(), |caller| format!("{} {}", caller.owner, caller.roles));
        ready(Ok(Status::new(INSIDE, came).into_http()))
    }
}

impl NamedService for Inside {
    const NAME: &'static str = "vezir.runs.v1.Runs";
}

fn every_set() -> impl Iterator<Item = Roles> {
    (0..16_u8).map(|bits| {
        Role::ALL
            .into_iter()
            .enumerate()
            .filter(|(at, _)| bits >> at & 1 == 1)
            .map(|(_, role)| role)
            .collect()
    })
}

fn token(number: u8) -> Token {
    Token::from_random([number; TOKEN_BYTES])
}

/// A gate that knows these tokens: owner `ada`, token `number`.
fn gate(tokens: &[(Roles, u8)]) -> AccessLayer {
    let mut file = tempfile::NamedTempFile::new().expect("there is room");
    for (roles, number) in tokens {
        writeln!(file, "ada {roles} {}", token(*number).hash()).expect("there is room");
    }
    AccessLayer::new(Access::tokens(TokenFile::open(file.path()).expect("it is right")))
}

/// What a call of `path` comes to: who came through, or the status.
async fn call(gate: &AccessLayer, path: &str, authorization: &[&str]) -> Result<String, Status> {
    let mut request = Request::post(format!("http://here{path}"));
    for value in authorization {
        request = request.header(AUTHORIZATION, *value);
    }
    let request = request.body(Body::empty()).expect("it is right");
    let response = gate.layer(Inside).oneshot(request).await.expect("it never fails");
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "application/grpc");
    let status = Status::from_header_map(response.headers()).expect("it is answered without a body");
    if status.code() == INSIDE { Ok(status.message().to_owned()) } else { Err(status) }
}

fn bearer(number: u8) -> String {
    format!("Bearer {}", token(number).reveal())
}

#[tokio::test]
async fn every_method_asks_for_its_role_and_for_no_other() {
    let sets: Vec<(Roles, u8)> = every_set().filter(|roles| !roles.is_empty()).zip(1..).collect();
    assert_eq!(sets.len(), 15);
    let gate = gate(&sets);
    for (path, need) in METHODS {
        let Need::Role(role) = need else { continue };
        for (roles, number) in &sets {
            let outcome = call(&gate, path, &[&bearer(*number)]).await;
            if roles.has(*role) {
                assert_eq!(outcome.expect("its role allows it"), format!("ada {roles}"), "{path}");
            } else {
                let status = outcome.expect_err("no other role allows it");
                assert_eq!(status.code(), Code::PermissionDenied, "{path} {roles}");
                assert!(status.message().contains(&format!("needs the role {role}")), "{status}");
            }
        }
        for (authorization, said) in [
            (vec![], "asks for a token"),
            (vec![bearer(99)], "is not known"),
            (vec!["Bearer hunter2".to_owned()], "is not known"),
            (vec!["Bearer ".to_owned()], "is not known"),
            (vec![format!("Basic {}", token(15).reveal())], "cannot be read"),
            (vec![token(15).reveal().to_owned()], "cannot be read"),
            (vec![format!("Bearer {}", token(15).hash())], "is not known"),
            (vec![bearer(15), bearer(15)], "cannot be read"),
        ] {
            let authorization: Vec<&str> = authorization.iter().map(String::as_str).collect();
            let status = call(&gate, path, &authorization).await.expect_err("nobody is known by that");
            assert_eq!(status.code(), Code::Unauthenticated, "{path}");
            assert!(status.message().contains(said), "{path}: {status}");
        }
    }
}

#[tokio::test]
async fn health_is_open_and_what_is_not_there_is_told_only_to_those_known() {
    let gate = gate(&[(Roles::NONE.with(Role::View), 1)]);
    for (path, _) in METHODS.iter().filter(|(_, need)| *need == Need::Nothing) {
        assert_eq!(call(&gate, path, &[]).await.expect("it is open"), "nobody");
        assert_eq!(call(&gate, path, &[&bearer(2)]).await.expect("it is open"), "nobody");
    }
    let unlisted = "/grpc.channelz.v1.Channelz/GetServers";
    let stranger = call(&gate, unlisted, &[]).await.expect_err("strangers learn nothing");
    assert_eq!(stranger.code(), Code::Unauthenticated);
    assert_eq!(call(&gate, unlisted, &[&bearer(1)]).await.expect("the router answers"), "ada view");
    let ours = "/vezir.runs.v1.Runs/Guess";
    assert_eq!(call(&gate, ours, &[]).await.expect_err("nobody").code(), Code::Unauthenticated);
    assert_eq!(call(&gate, ours, &[&bearer(1)]).await.expect_err("no row").code(), Code::Unimplemented);
}

#[tokio::test]
async fn an_open_gate_lets_everybody_do_everything() {
    let gate = AccessLayer::new(Access::Open);
    for (path, need) in METHODS {
        let who = if *need == Need::Nothing { "nobody" } else { "local view,submit,work,operate" };
        assert_eq!(call(&gate, path, &[]).await.expect("it is open"), who);
    }
    let ours = "/vezir.runs.v1.Runs/Guess";
    assert_eq!(call(&gate, ours, &[]).await.expect_err("no row").code(), Code::Unimplemented);
}

#[tokio::test]
async fn a_token_that_is_taken_away_is_refused_from_then_on() {
    let file = tempfile::NamedTempFile::new().expect("there is room");
    let write = |number: u8| {
        let line = format!("ada view {}\n", token(number).hash());
        std::fs::write(file.path(), line).expect("there is room");
    };
    write(1);
    let access = Access::tokens(TokenFile::open(file.path()).expect("it is right"));
    let gate = AccessLayer::new(access.clone());
    let path = "/vezir.runs.v1.Runs/Watch";
    call(&gate, path, &[&bearer(1)]).await.expect("it is known");
    write(2);
    if let Access::Tokens(file) = &access {
        file.reload().expect("it is right");
    }
    assert_eq!(call(&gate, path, &[&bearer(1)]).await.expect_err("gone").code(), Code::Unauthenticated);
    call(&gate, path, &[&bearer(2)]).await.expect("it is known");
}

/// One call over a socket.
async fn over_socket(channel: &Channel, path: &'static str, token: Option<Token>) -> Status {
    let mut call = Call::new(());
    if let Some(token) = token {
        let value = format!("Bearer {}", token.reveal()).parse::<MetadataValue<_>>().expect("it is ASCII");
        call.metadata_mut().insert("authorization", value);
    }
    let mut grpc = Grpc::new(channel.clone());
    grpc.ready().await.expect("the server is there");
    let codec = ProstCodec::<(), ()>::default();
    let answered = grpc.unary(call, PathAndQuery::from_static(path), codec).await;
    answered.expect_err("nothing behind the gate answers with a message")
}

#[tokio::test]
async fn the_gate_stands_before_a_real_server() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    let gate = gate(&[(Roles::NONE.with(Role::View), 1)]);
    let server = Server::builder().layer(gate).add_service(Inside);
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    let channel = Channel::from_shared(format!("http://{address}")).expect("it is an address");
    let channel = channel.connect().await.expect("it listens");
    let watch = "/vezir.runs.v1.Runs/Watch";
    let nobody = over_socket(&channel, watch, None).await;
    assert_eq!(nobody.code(), Code::Unauthenticated);
    assert!(nobody.message().starts_with("this coordinator asks for a token; "), "{nobody}");
    assert_eq!(over_socket(&channel, watch, Some(token(9))).await.code(), Code::Unauthenticated);
    let denied = over_socket(&channel, "/vezir.runs.v1.Runs/Submit", Some(token(1))).await;
    assert_eq!(denied.code(), Code::PermissionDenied);
    assert_eq!(
        denied.message(),
        "the token of ada does not allow this: it needs the role submit, and has view"
    );
    let let_in = over_socket(&channel, watch, Some(token(1))).await;
    assert_eq!((let_in.code(), let_in.message()), (INSIDE, "ada view"));
    let elsewhere = over_socket(&channel, "/no.such.Service/Method", Some(token(1))).await;
    assert_eq!(elsewhere.code(), Code::Unimplemented);
}
