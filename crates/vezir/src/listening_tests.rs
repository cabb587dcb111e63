//! Tests of opening the door: what is refused, and what is read again while it is open.

use super::*;
use crate::dial::Dial;
use crate::staged::{Stage, call};
use tonic::Code;

fn args(stage: &Stage, listen: &str, tls: bool, tokens: bool) -> ListenArgs {
    let certs = stage.path("certs");
    ListenArgs {
        listen: listen.to_owned(),
        tls_cert: tls.then(|| certs.join("coordinator.pem")),
        tls_key: tls.then(|| certs.join("coordinator-key.pem")),
        tokens: tokens.then(|| stage.path("tokens")),
    }
}

async fn refused(args: &ListenArgs, exit: Exit) -> String {
    let failure = Listening::open(args).await.err().expect("it is refused");
    assert_eq!(failure.exit, exit, "{failure}");
    let told = failure.to_string();
    assert!(told.lines().count() == 1 && told.contains("would be right"), "{told}");
    told
}

#[tokio::test]
async fn what_others_reach_takes_tls_and_tokens() {
    let stage = Stage::new();
    for listen in ["0.0.0.0:0", "[::]:0"] {
        for (tls, tokens) in [(false, false), (true, false), (false, true)] {
            let told = refused(&args(&stage, listen, tls, tokens), Exit::Usage).await;
            assert!(told.starts_with(&format!("--listen {listen}: other machines can reach")), "{told}");
        }
    }
    let open = Listening::open(&args(&stage, "0.0.0.0:0", true, true)).await.expect("it is safe");
    assert!(open.is_secure() && matches!(open.access(), Access::Tokens(_)));
    for listen in ["127.0.0.1:0", "localhost:0"] {
        let open = Listening::open(&args(&stage, listen, false, false)).await.expect("it is loopback");
        assert!(!open.is_secure() && matches!(open.access(), Access::Open));
        assert_ne!(open.address().expect("it is bound").port(), 0);
    }
}

#[tokio::test]
async fn what_cannot_be_listened_on_is_told() {
    let stage = Stage::new();
    for (listen, why) in [
        ("", "it has no port"),
        ("localhost", "it has no port"),
        ("127.0.0.1", "it has no port"),
        ("localhost:", "its port is no number"),
        ("localhost:many", "its port is no number"),
        ("localhost:65536", "its port is no number"),
        ("::1", "no such host"),
    ] {
        let told = refused(&args(&stage, listen, false, false), Exit::Usage).await;
        assert!(told.contains(why), "{told}");
    }
    let told = refused(&args(&stage, "no-such-host.invalid:1", false, false), Exit::Usage).await;
    assert!(told.contains("there is no such host"), "{told}");
}

#[tokio::test]
async fn a_taken_port_is_told() {
    let stage = Stage::new();
    let first = Listening::open(&args(&stage, "127.0.0.1:0", false, false)).await.expect("a port is free");
    let taken = first.address().expect("it is bound").to_string();
    let told = refused(&args(&stage, &taken, false, false), Exit::Unserved).await;
    assert!(told.contains("another address or port"), "{told}");
}

#[tokio::test]
async fn files_that_are_wrong_are_told() {
    let stage = Stage::new();
    std::fs::write(stage.path("tokens"), "nonsense").expect("there is room");
    let told = refused(&args(&stage, "127.0.0.1:0", false, true), Exit::BadInput).await;
    assert!(told.contains("tokens: line 1, column 9: "), "{told}");
    let missing =
        ListenArgs { tls_key: Some(stage.path("none")), ..args(&stage, "127.0.0.1:0", true, false) };
    assert!(refused(&missing, Exit::BadInput).await.contains("none: "));
}

#[tokio::test]
async fn a_token_that_is_taken_away_is_refused_within_seconds() {
    let stage = Stage::new();
    let open = Listening::open(&args(&stage, "127.0.0.1:0", true, true)).await.expect("it is safe");
    let address = open.address().expect("it is bound");
    let reload = open.reload();
    let gate = vezir_coordinator::access::AccessLayer::new(open.access().clone());
    let server =
        tonic::transport::Server::builder().layer(gate).add_routes(tonic::service::Routes::default());
    tokio::spawn(server.serve_with_incoming(open.incoming(crate::staged::figures())));
    tokio::spawn(reload.follow());
    let dial: Dial = stage.dial(&format!("https://{address}"), Some("certs"), Some("viewer"));
    let line = dial.connect().await.expect("it is reached");
    assert_eq!(call(line.clone()).await.code(), Code::Unimplemented);
    let tokens = std::fs::read_to_string(stage.path("tokens")).expect("it is there");
    let others: String = tokens.lines().filter(|line| !line.starts_with("viewer")).collect();
    std::fs::write(stage.path("tokens"), others).expect("there is room");
    // The same connection: a token is looked at with every call.
    while call(line.clone()).await.code() != Code::Unauthenticated {
        tokio::task::yield_now().await;
    }
}
