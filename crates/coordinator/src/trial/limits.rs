//! Every limit that one peer can run into, with somebody beside it whom that does not disturb.

use std::net::TcpStream as Plain;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Endpoint;
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_prost::ProstCodec;
use vezir_proto::wire::runs::v1 as runs;
use vezir_store::Memory;

use super::{AGES, Served, perft};
use crate::Limits;

/// How HTTP/2 begins, with settings that ask for nothing.
const GREETING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

async fn lists(served: &Served) {
    served.runs().list(runs::ListRequest::default()).await.expect("somebody else is disturbed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_too_large_costs_only_itself() {
    let limits = Limits { message_bytes: 4 << 10, ..Limits::default() };
    let served = Served::start(Memory::new(), limits).await;
    let mut client = served.runs();
    let run = client.submit(perft(3)).await.unwrap().into_inner().run;
    let mut watching = client.watch(runs::WatchRequest { run }).await.unwrap().into_inner();
    watching.message().await.unwrap().expect("news");
    let mut large = perft(3);
    let Some(runs::submit_request::Kind::Perft(asked)) = &mut large.kind else { panic!() };
    asked.fen = "8/".repeat(1 << 20);
    let refused = client.submit(large).await.expect_err("it is too large");
    assert_eq!(refused.code(), Code::OutOfRange);
    assert!(refused.message().contains("too large") && refused.message().lines().count() == 1, "{refused:?}");
    // The other way: a list of many runs.
    for _ in 0..60 {
        client.submit(perft(3)).await.unwrap();
    }
    let refused = client.list(runs::ListRequest::default()).await.expect_err("it is too large");
    assert_eq!(refused.code(), Code::OutOfRange);
    assert_eq!(
        client.list(runs::ListRequest { before: None, most: 5 }).await.unwrap().into_inner().runs.len(),
        5
    );
    client.cancel(runs::CancelRequest { run, call: super::drawn() }).await.unwrap();
    while let Some(told) = watching.message().await.expect("the stream beside it lives") {
        drop(told);
    }
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_has_so_many_calls_and_no_more() {
    let served = Served::start(Memory::new(), Limits { streams: 3, ..Limits::default() }).await;
    let mut client = HealthClient::new(served.line());
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(client.watch(HealthCheckRequest::default()).await.unwrap().into_inner());
    }
    let waits = tokio::spawn(async move { client.check(HealthCheckRequest::default()).await });
    for _ in 0..20 {
        lists(&served).await;
    }
    assert!(!waits.is_finished(), "a fourth call was answered");
    open.pop();
    timeout(AGES, waits).await.expect("its turn does not come").unwrap().unwrap();
    drop(open);
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_have_a_limit() {
    let served = Served::start(Memory::new(), Limits { header_bytes: 4 << 10, ..Limits::default() }).await;
    let mut client = served.runs();
    let with_header = |bytes: usize| {
        let mut request = Request::new(runs::ListRequest::default());
        request.metadata_mut().insert("padding", "x".repeat(bytes).parse().unwrap());
        request
    };
    client.list(with_header(1 << 10)).await.unwrap();
    client.list(with_header(8 << 10)).await.expect_err("its headers are too large");
    client.list(with_header(1 << 10)).await.unwrap();
    lists(&served).await;
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_never_says_what_it_wants_ends() {
    let served =
        Served::start(Memory::new(), Limits { call: Duration::from_millis(200), ..Limits::default() }).await;
    let mut grpc = Grpc::new(served.line());
    grpc.ready().await.unwrap();
    let path = PathAndQuery::from_static("/vezir.runs.v1.Runs/List");
    let silent = Request::new(futures::stream::pending::<runs::ListRequest>());
    let codec = ProstCodec::<runs::ListRequest, runs::ListResponse>::default();
    let answer = timeout(AGES, grpc.client_streaming(silent, path, codec)).await.expect("it does not end");
    let code = answer.expect_err("it asked for nothing").code();
    assert!(matches!(code, Code::Cancelled | Code::DeadlineExceeded), "{code:?}");
    lists(&served).await;
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_that_answers_no_ping_is_cut_off() {
    let limits = Limits {
        keepalive_every: Duration::from_millis(50),
        keepalive_patience: Duration::from_millis(200),
        ..Limits::default()
    };
    let served = Served::start(Memory::new(), limits).await;
    let mut silent = TcpStream::connect(served.address).await.unwrap();
    silent.write_all(GREETING).await.unwrap();
    let mut said = Vec::new();
    // It may be reset, too.
    let _ = timeout(AGES, silent.read_to_end(&mut said)).await.expect("it is never cut off");
    assert!(!said.is_empty(), "it was not even greeted");
    lists(&served).await;
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_connection_makes_way_and_loses_nothing() {
    let served = Served::start(
        Memory::new(),
        Limits { connection_age: Duration::from_millis(100), ..Limits::default() },
    )
    .await;
    let made = Arc::new(AtomicUsize::new(0));
    let (counter, address) = (made.clone(), served.address);
    let line =
        Endpoint::from_static("http://counted").connect_with_connector_lazy(tower::service_fn(move |_| {
            counter.fetch_add(1, Ordering::SeqCst);
            async move { TcpStream::connect(address).await.map(hyper_util::rt::TokioIo::new) }
        }));
    let mut client = runs::runs_client::RunsClient::new(line.clone());
    let mut watching =
        HealthClient::new(line).watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    watching.message().await.unwrap().expect("news");
    let age = async {
        while made.load(Ordering::SeqCst) < 4 {
            // One that was under way to a connection that closes was never looked at, and may be repeated.
            match client.list(runs::ListRequest::default()).await {
                Err(status) if !vezir_proto::is_passing(&status) => panic!("a call is lost: {status:?}"),
                _ => {}
            }
        }
    };
    timeout(AGES, age).await.expect("connections do not age");
    // What an old connection is busy with goes on.
    served.stop().await;
    watching.message().await.expect("the stream lives on its old connection").expect("it stops");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_never_leaves_does_not_keep_it_from_stopping() {
    let limits = Limits { farewell: Duration::from_millis(200), ..Limits::default() };
    let served = Served::start(Memory::new(), limits).await;
    let asked = futures::stream::pending::<tonic_reflection::pb::v1::ServerReflectionRequest>();
    let mut client =
        tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient::new(served.line());
    let stays = client.server_reflection_info(asked).await.unwrap();
    let half_open = Plain::connect(served.address).unwrap();
    served.stop().await;
    drop((stays, half_open));
}
