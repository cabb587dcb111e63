//! Tests of the listener: silent, slow, wrong and many peers, and that others never suffer for them.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tonic::Code;

use super::*;
use crate::open_files;
use crate::staged::{Stage, call};

/// How long anything in these tests may take: long enough for any machine.
const AGES: Duration = Duration::from_secs(60);

/// How soon somebody is served whom others must not disturb, far below the limits that they run into.
const SOON: Duration = Duration::from_secs(5);

/// The first bytes of a TLS handshake that never goes on.
const BEGUN: [u8; 3] = [0x16, 0x03, 0x01];

/// The preface of HTTP/2, of which any part may be sent.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

async fn connect(address: SocketAddr, first: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(first).await.expect("it reads");
    stream
}

/// Waits until the other side ends the connection.
async fn ended(mut stream: TcpStream) {
    let mut said = [0; 256];
    let end = async { while stream.read(&mut said).await.is_ok_and(|read| read > 0) {} };
    timeout(AGES, end).await.expect("it is ended");
}

async fn counted(figures: &Figures, figure: Figure, times: u64) {
    let reached = async {
        while figures.get(figure) < times {
            tokio::task::yield_now().await;
        }
    };
    timeout(AGES, reached).await.unwrap_or_else(|_| panic!("{figure:?} is {}", figures.get(figure)));
}

async fn is_served(stage: &Stage, address: SocketAddr) {
    let dial = stage.dial(&format!("https://localhost:{}", address.port()), Some("certs"), Some("viewer"));
    let line = timeout(SOON, dial.connect()).await.expect("it is soon").expect("it is reached");
    let status = timeout(SOON, call(line)).await.expect("it is soon");
    assert_eq!(status.code(), Code::Unimplemented, "{status}");
}

fn patient() -> Limits {
    Limits { handshake: AGES * 2, crowded: Duration::from_millis(100), ..Limits::default() }
}

fn impatient() -> Limits {
    Limits { handshake: Duration::from_millis(300), ..Limits::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_idle_connections_disturb_nobody() {
    const SILENT: usize = 1600;
    const BEGINNERS: usize = 300;
    const CALLERS: usize = 100;
    let needed = 2 * (SILENT + BEGINNERS + CALLERS) + 100;
    assert!(open_files::room_for(needed) >= needed, "the limit on open files is too low for this test");
    let stage = Stage::new();
    let limits = Limits { crowded: Duration::from_millis(500), ..patient() };
    let (address, figures) = stage.serve(Some(stage.tls()), limits).await;
    let dial = stage.dial(&format!("https://{address}"), Some("certs"), Some("viewer"));
    let mut idle = Vec::new();
    let mut lines = Vec::new();
    for _ in 0..CALLERS {
        lines.push(dial.connect().await.expect("it is reached"));
    }
    for _ in 0..SILENT {
        idle.push(connect(address, &[]).await);
    }
    counted(&figures, Figure::Accepted, (CALLERS + SILENT) as u64).await;
    is_served(&stage, address).await;
    assert_eq!(figures.get(Figure::Crowded), 0, "the silent take no place");
    for _ in 0..BEGINNERS {
        idle.push(connect(address, &BEGUN).await);
    }
    counted(&figures, Figure::Accepted, (CALLERS + SILENT + 1 + BEGINNERS) as u64).await;
    is_served(&stage, address).await;
    // Those who were there before are served as well, and the silent ones are still let be.
    for line in lines {
        assert_eq!(call(line).await.code(), Code::Unimplemented);
    }
    assert_eq!(figures.get(Figure::Slow) + figures.get(Figure::Failed), 0);
    assert_eq!(idle.len(), SILENT + BEGINNERS);
}

#[tokio::test]
async fn who_is_silent_or_slow_is_cut_off() {
    let stage = Stage::new();
    let (address, figures) = stage.serve(Some(stage.tls()), impatient()).await;
    for first in [&[][..], &BEGUN] {
        ended(connect(address, first).await).await;
    }
    counted(&figures, Figure::Slow, 2).await;
    is_served(&stage, address).await;
}

#[tokio::test]
async fn who_does_not_begin_to_speak_is_cut_off_with_and_without_tls() {
    let stage = Stage::new();
    let (plain, _) = stage.serve(None, impatient()).await;
    for part in [0, 1, PREFACE.len() - 1, PREFACE.len()] {
        ended(connect(plain, &PREFACE[..part]).await).await;
    }
    let (safe, _) = stage.serve(Some(stage.tls()), impatient()).await;
    let mut silent = shaken(&stage, safe).await;
    let end = async { while silent.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {} };
    timeout(AGES, end).await.expect("it is ended");
}

/// A connection with its TLS handshake done, on which nothing was said.
async fn shaken(stage: &Stage, address: SocketAddr) -> tokio_rustls::client::TlsStream<TcpStream> {
    use tokio_rustls::rustls::{ClientConfig, RootCertStore};
    let mut roots = RootCertStore::empty();
    for ca in crate::tls::read_certificates(&stage.path("certs").join("ca.pem")).expect("it is right") {
        roots.add(ca).expect("it is right");
    }
    let mut config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols.push(b"h2".to_vec());
    let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
    let name = "localhost".try_into().expect("it is a name");
    connector.connect(name, connect(address, &[]).await).await.expect("hands are shaken")
}

#[tokio::test]
async fn who_waits_in_a_crowd_gets_the_place_of_the_slow() {
    let stage = Stage::new();
    let (address, figures) = stage.serve(Some(stage.tls()), Limits { handshakes: 1, ..patient() }).await;
    let slow = connect(address, &BEGUN).await;
    counted(&figures, Figure::Accepted, 1).await;
    is_served(&stage, address).await;
    ended(slow).await;
    counted(&figures, Figure::Crowded, 1).await;
    // Where nobody waits, the slow have all the time they need.
    let (address, figures) = stage.serve(Some(stage.tls()), Limits { handshakes: 2, ..patient() }).await;
    let _slow = connect(address, &BEGUN).await;
    counted(&figures, Figure::Accepted, 1).await;
    is_served(&stage, address).await;
    assert_eq!(figures.get(Figure::Crowded), 0);
}

#[tokio::test]
async fn there_are_only_so_many_connections() {
    let stage = Stage::new();
    let (address, figures) = stage.serve(Some(stage.tls()), Limits { connections: 2, ..patient() }).await;
    let (first, second) = (connect(address, &[]).await, connect(address, &[]).await);
    counted(&figures, Figure::Accepted, 2).await;
    let dial = stage.dial(&format!("https://{address}"), Some("certs"), Some("viewer"));
    let third = tokio::spawn(async move { dial.connect().await.map(drop) });
    assert_eq!(figures.get(Figure::Accepted), 2, "the third waits outside");
    drop(first);
    third.await.expect("it does not fail").expect("there is room now");
    counted(&figures, Figure::Accepted, 3).await;
    drop(second);
    // Room comes back as connections end, however often.
    for _ in 0..5 {
        is_served(&stage, address).await;
    }
}

#[tokio::test]
async fn nonsense_is_dropped_at_once_and_counted() {
    let stage = Stage::new();
    let (address, figures) = stage.serve(Some(stage.tls()), patient()).await;
    for nonsense in [PREFACE, b"GET / HTTP/1.1\r\n\r\n", &[0; 64]] {
        ended(connect(address, nonsense).await).await;
    }
    counted(&figures, Figure::Failed, 3).await;
    // One who leaves in the middle is no different.
    drop(connect(address, &BEGUN).await);
    counted(&figures, Figure::Failed, 4).await;
    is_served(&stage, address).await;
}

#[tokio::test]
async fn requests_know_their_peer() {
    use futures::StreamExt;
    use tonic::transport::server::Connected;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    let mut incoming = std::pin::pin!(incoming(listener, None, patient(), crate::staged::figures()));
    let caller = connect(address, &[]).await;
    let connection = incoming.next().await.expect("it never ends").expect("it never fails");
    assert_eq!(connection.connect_info().address, caller.local_addr().ok());
    assert!(!connection.connect_info().tls);
}
