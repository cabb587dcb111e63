//! Tests of calling: who is let in, and the sentence for everything that can be in the way.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use vezir_coordinator::access::{TOKEN_BYTES, Token};

use tonic::Code;

use super::*;
use crate::listener::Limits;
use crate::staged::{Stage, call};

/// The sentence of a call, or of a connection that does not come about.
async fn said(dial: &Dial) -> String {
    let lazy = dial.say(&call(lazy_line(dial)).await);
    match dial.connect().await {
        // Connected at once or when first used: the sentence is the same.
        Err(failure) => {
            assert_eq!(failure.exit, Exit::Unserved);
            assert_eq!(failure.to_string(), lazy);
        }
        Ok(line) => assert_eq!(dial.say(&call(line).await), lazy),
    }
    lazy
}

#[tokio::test]
async fn one_with_the_right_ca_and_token_is_let_in() {
    let stage = Stage::new();
    let (address, _) = stage.serve(Some(stage.tls()), Limits::default()).await;
    for host in ["localhost", "127.0.0.1"] {
        let dial = stage.dial(&format!("https://{host}:{}", address.port()), Some("certs"), Some("viewer"));
        let line = dial.connect().await.expect("it is reached");
        assert_eq!(call(line).await.code(), Code::Unimplemented);
        assert_eq!(call(lazy_line(&dial)).await.code(), Code::Unimplemented);
    }
    let other = stage.dial(&format!("https://{address}"), Some("certs"), Some("worker"));
    let denied = call(lazy_line(&other)).await;
    assert_eq!(denied.code(), Code::PermissionDenied);
    assert_eq!(
        other.say(&denied),
        format!(
            "https://{address}: the token of worker does not allow this: it needs the role view, and has work"
        )
    );
}

#[tokio::test]
async fn each_hindrance_has_its_sentence() {
    let stage = Stage::new();
    stage.certify("others", &[]);
    std::fs::write(stage.path("stranger.token"), Token::from_random([9; TOKEN_BYTES]).reveal())
        .expect("there is room");
    let (safe, _) = stage.serve(Some(stage.tls()), Limits::default()).await;
    let (plain, _) = stage.serve(None, Limits::default()).await;
    let unused = {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        listener.local_addr().expect("it is bound")
    };
    let cases = [
        (
            format!("https://{safe}"),
            Some("certs"),
            Some("stranger"),
            "the token is not known to this coordinator",
        ),
        (format!("https://{safe}"), Some("certs"), None, "this coordinator asks for a token"),
        (format!("https://{safe}"), Some("others"), Some("viewer"), "not signed by a CA of yours"),
        (format!("http://{safe}"), None, Some("viewer"), "it hung up; if it wants TLS, https:// and --ca"),
        (format!("https://{plain}"), Some("certs"), Some("viewer"), "does not speak TLS"),
        (format!("https://127.0.0.2:{}", safe.port()), Some("certs"), None, "nothing listens there"),
        (format!("https://{unused}"), Some("certs"), Some("viewer"), "nothing listens there"),
        (format!("http://{unused}"), None, None, "nothing listens there"),
        ("https://no-such-host.invalid:1".to_owned(), Some("certs"), None, "no host of this name"),
    ];
    for (address, ca, token, expected) in cases {
        let told = said(&stage.dial(&address, ca, token)).await;
        assert!(told.starts_with(&format!("{address}: ")), "{told}");
        assert!(told.contains(expected) && told.contains("would be right"), "{address}: {told}");
        assert_eq!(told.lines().count(), 1, "{told}");
    }
}

#[tokio::test]
async fn a_certificate_for_other_names_is_told_with_its_names() {
    let stage = Stage::new();
    let (address, _) = stage.serve_at("127.0.0.2:0", Some(stage.tls()), Limits::default()).await;
    let told = said(&stage.dial(&format!("https://{address}"), Some("certs"), None)).await;
    let names = "not for 127.0.0.2 but for localhost, 127.0.0.1, ::1; one of these names would be right";
    assert!(told.contains(names), "{told}");
}

#[tokio::test]
async fn other_servers_are_told_apart_from_coordinators() {
    let stage = Stage::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let _ = stream.read(&mut [0; 4096]).await;
                let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n").await;
            });
        }
    });
    let told = said(&stage.dial(&format!("https://{address}"), Some("certs"), None)).await;
    assert!(told.contains("it does not speak TLS"), "{told}");
    let told = said(&stage.dial(&format!("http://{address}"), None, None)).await;
    assert!(told.contains("it hung up; "), "{told}");
    let plain = stage.dial(&format!("http://{address}"), None, None);
    assert!(plain.connect().await.is_err(), "a connection alone says nothing of what is behind it");
}

#[tokio::test]
async fn a_silent_server_is_given_up() {
    let stage = Stage::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    let mut dial = stage.dial(&format!("https://{address}"), Some("certs"), None);
    let tls =
        ClientTls::open(&stage.path("certs").join("ca.pem"), Duration::from_millis(100)).expect("right");
    dial.endpoint = dial.endpoint.tls_config(tls.config()).expect("it is right");
    let told = said(&dial).await;
    assert!(told.contains("it did not answer in time; "), "{told}");
}

#[test]
fn what_cannot_be_called_is_told_before() {
    let stage = Stage::new();
    std::fs::write(stage.path("not.pem"), "not").expect("there is room");
    let cases = [
        ("", None, None, Exit::Usage, "it is no address"),
        ("localhost:1", None, None, Exit::Usage, "it does not begin with http"),
        ("localhost", None, None, Exit::Usage, "it does not begin with http"),
        ("ftp://localhost:1", None, None, Exit::Usage, "it does not begin with http"),
        ("https://localhost", Some("certs/ca.pem"), None, Exit::Usage, "it has no port"),
        ("http://localhost:1/runs", None, None, Exit::Usage, "more than host and port"),
        ("http://me:secret@localhost:1", None, None, Exit::Usage, "more than host and port"),
        ("https://localhost:1", None, None, Exit::Usage, "--ca with the ca.pem"),
        ("http://localhost:1", Some("certs/ca.pem"), None, Exit::Usage, "--ca is for https://"),
        ("http://10.0.0.7:1", None, Some("viewer.token"), Exit::Usage, "nothing is sent in plain text"),
        ("http://10.0.0.7:1", None, None, Exit::Usage, "nothing is sent in plain text"),
        ("https://localhost:1", Some("not.pem"), None, Exit::BadInput, "holds no certificate in PEM"),
        ("http://[::1]:1", None, Some("tokens"), Exit::BadInput, "holds no token of Vezir"),
    ];
    for (address, ca, token, exit, expected) in cases {
        let args = DialArgs {
            coordinator: Some(address.to_owned()),
            ca: ca.map(|name| stage.path(name)),
            token_file: token.map(|name| stage.path(name)),
        };
        let failure = Failure::from(Dial::from_args(&args).expect_err("it cannot be called"));
        let told = failure.to_string();
        assert_eq!(failure.exit, exit, "{told}");
        assert!(told.contains(expected) && told.contains("would be right"), "{address}: {told}");
    }
    assert!(Dial::from_args(&DialArgs::default()).expect("nothing is asked").is_none());
    for address in
        ["http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1", "http://[::ffff:127.0.0.1]:1"]
    {
        stage.dial(address, None, Some("viewer"));
    }
}

/// A line that is connected when it is first used.
fn lazy_line(dial: &Dial) -> Line {
    dial.credentials.over(dial.endpoint.connect_lazy())
}

#[tokio::test]
async fn a_coordinator_that_falls_silent_is_given_up() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    // It greets, as HTTP/2 does, and then never says another word.
    let silent = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"\0\0\0\x04\0\0\0\0\0").await.unwrap();
        let mut heard = Vec::new();
        let _ = stream.read_to_end(&mut heard).await;
        heard
    });
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    let endpoint = kept_alive(endpoint, Duration::from_millis(50), Duration::from_millis(100));
    let channel = endpoint.connect().await.unwrap();
    let answered =
        timeout(Duration::from_secs(60), answers(channel)).await.expect("it is waited for for ever");
    assert!(answered.is_err());
    assert!(!silent.await.unwrap().is_empty());
}
