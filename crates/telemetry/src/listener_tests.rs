//! The listener as clients meet it, good and bad ones.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use super::{CONNECTION_TIMEOUT, HEADER_TIMEOUT, MAX_CONNECTIONS, MAX_REQUEST_BYTES, serve};
use crate::{Readiness, Registry};

/// A listener that runs.
struct Running {
    address: SocketAddr,
    registry: Registry,
    readiness: Readiness,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl Running {
    async fn start() -> Running {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let registry = Registry::new("0").expect("a registry");
        let readiness = Readiness::default();
        let (stop, stopped) = oneshot::channel();
        let shutdown = async { drop(stopped.await) };
        let served = tokio::spawn(serve(listener, registry.clone(), readiness.clone(), shutdown));
        Running { address, registry, readiness, stop, served }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("a connection")
    }

    /// What the listener sends back for `request`, until it hangs up.
    async fn ask(&self, request: &str) -> String {
        let mut stream = self.connect().await;
        stream.write_all(request.as_bytes()).await.expect("the request can be sent");
        read(&mut stream).await.expect("an answer")
    }

    async fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nhost: here\r\n\r\n")).await
    }
}

/// What comes until the listener hangs up, which it must do in time.
async fn read(stream: &mut TcpStream) -> io::Result<String> {
    let mut answer = String::new();
    let read = timeout(3 * CONNECTION_TIMEOUT, stream.read_to_string(&mut answer)).await;
    read.expect("the listener hangs up").map(|_| answer)
}

#[tokio::test]
async fn pages_are_shown() {
    let running = Running::start().await;
    running.registry.counter("vezir_seen_total", "Things seen.").expect("a new name").inc_by(3);
    let metrics = running.get("/metrics").await;
    assert!(metrics.starts_with("HTTP/1.1 200 OK\r\n"), "{metrics}");
    assert!(metrics.contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"), "{metrics}");
    assert!(metrics.contains("connection: close\r\n"), "a connection brings one request: {metrics}");
    assert!(metrics.contains("# HELP vezir_seen_total Things seen.\n"), "{metrics}");
    assert!(metrics.contains("vezir_seen_total 3\n"), "{metrics}");
    assert!(running.get("/healthz").await.starts_with("HTTP/1.1 200 OK\r\n"));
    assert!(running.get("/metrics?name=x").await.starts_with("HTTP/1.1 200 OK\r\n"));
    for path in ["/", "/metrics/", "/other"] {
        assert!(running.get(path).await.starts_with("HTTP/1.1 404 "), "{path}");
    }
}

#[tokio::test]
async fn a_process_is_ready_when_its_parts_are() {
    let running = Running::start().await;
    let store = running.readiness.part("store");
    let waiting = running.get("/readyz").await;
    assert!(waiting.starts_with("HTTP/1.1 503 "), "{waiting}");
    assert!(waiting.ends_with("\r\n\r\nnot ready: store has not started yet\n"), "{waiting}");
    assert!(running.get("/healthz").await.starts_with("HTTP/1.1 200 "));
    store.ready();
    assert!(running.get("/readyz").await.starts_with("HTTP/1.1 200 "));
}

#[tokio::test]
async fn only_reading_is_allowed() {
    let running = Running::start().await;
    let head = running.ask("HEAD /healthz HTTP/1.1\r\nhost: here\r\n\r\n").await;
    assert!(head.starts_with("HTTP/1.1 200 ") && head.ends_with("\r\n\r\n"), "{head}");
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let refused = running.ask(&format!("{method} /metrics HTTP/1.1\r\nhost: here\r\n\r\n")).await;
        assert!(
            refused.starts_with("HTTP/1.1 405 ") && refused.contains("allow: GET, HEAD\r\n"),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn large_requests_are_refused() {
    let running = Running::start().await;
    let mut stream = running.connect().await;
    let request = format!("GET /healthz HTTP/1.1\r\nx: {}\r\n\r\n", "y".repeat(2 * MAX_REQUEST_BYTES));
    // It may be cut off before it has said everything.
    let sent = stream.write_all(request.as_bytes()).await;
    let answer = read(&mut stream).await;
    assert!(
        sent.is_err() || answer.as_ref().map_or(true, |it| it.starts_with("HTTP/1.1 431 ")),
        "{answer:?}"
    );
    let many = running.ask(&format!("GET /healthz HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(40))).await;
    assert!(many.starts_with("HTTP/1.1 431 "), "{many}");
}

// Time stands still and leaps when nobody has anything to do.
#[tokio::test(start_paused = true)]
async fn whoever_says_nothing_is_cut_off() {
    let running = Running::start().await;
    let begin = Instant::now();
    for said in ["", "GET /metr"] {
        let mut stream = running.connect().await;
        stream.write_all(said.as_bytes()).await.expect("a few bytes");
        let answer = read(&mut stream).await.expect("an end");
        assert!(!answer.contains("200 OK"), "{answer}");
    }
    assert!(begin.elapsed() <= 2 * CONNECTION_TIMEOUT);
}

#[tokio::test(start_paused = true)]
async fn silent_connections_do_not_keep_others_away_for_long() {
    let running = Running::start().await;
    let begin = Instant::now();
    let mut silent = Vec::new();
    for _ in 0..2 * MAX_CONNECTIONS {
        silent.push(running.connect().await);
    }
    assert!(running.get("/healthz").await.starts_with("HTTP/1.1 200 "));
    // It had to wait for its turn, and not for more than that.
    assert!((HEADER_TIMEOUT..=2 * CONNECTION_TIMEOUT).contains(&begin.elapsed()), "{:?}", begin.elapsed());
    drop(silent);
}

#[tokio::test]
async fn it_stops_when_it_is_told_to() {
    let running = Running::start().await;
    let mut silent = running.connect().await;
    assert!(running.get("/healthz").await.starts_with("HTTP/1.1 200 "));
    let begin = Instant::now();
    running.stop.send(()).expect("it runs");
    running.served.await.expect("it ends");
    assert_eq!(read(&mut silent).await.expect("an end"), "");
    assert!(begin.elapsed() < HEADER_TIMEOUT, "it waits for nobody: {:?}", begin.elapsed());
    assert!(TcpStream::connect(running.address).await.is_err());
}
