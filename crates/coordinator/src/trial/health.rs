//! What a coordinator says of itself: whether it serves, and which services there are.

use futures::StreamExt;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
use tonic_reflection::pb::{v1, v1alpha};
use vezir_proto::wire::runs::v1::WatchRequest;
use vezir_store::Memory;

use super::store::Willful;
use super::{Served, perft};
use crate::Limits;

const SERVING: i32 = 1;
const NOT_SERVING: i32 = 2;

const SERVICES: [&str; 4] = ["", "vezir.runs.v1.Runs", "vezir.workers.v1.Fleet", "vezir.workers.v1.Workers"];

async fn statuses(served: &Served) -> [i32; 4] {
    let mut client = HealthClient::new(served.line());
    let mut found = [0; 4];
    for (service, found) in SERVICES.into_iter().zip(&mut found) {
        let answer = client.check(HealthCheckRequest { service: service.to_owned() }).await;
        *found = answer.unwrap().into_inner().status;
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn health_follows_the_store() {
    let store = Willful::new();
    let served = Served::start(store.clone(), Limits::default()).await;
    let watching = HealthClient::new(served.line()).watch(HealthCheckRequest::default()).await;
    let told = watching.unwrap().into_inner().map(|it: Result<HealthCheckResponse, _>| it.unwrap().status);
    // The first status is told twice to whoever begins to watch while the coordinator starts.
    let mut last = None;
    let news = told.filter(|status| std::future::ready(last.replace(*status) != Some(*status)));
    let mut watching = std::pin::pin!(news);
    assert_eq!(watching.next().await, Some(SERVING));
    served.runs().submit(perft(3)).await.unwrap();
    assert_eq!((statuses(&served).await, served.readiness.check()), ([SERVING; 4], Ok(())));

    store.fill(true);
    let refused = served.runs().submit(perft(3)).await.expect_err("it cannot be kept");
    assert_eq!(refused.code(), tonic::Code::Unavailable);
    assert_eq!(watching.next().await, Some(NOT_SERVING));
    assert_eq!(statuses(&served).await, [NOT_SERVING; 4]);
    let why = served.readiness.check().expect_err("it is not ready");
    assert!(why.contains("coordinator cannot use its store: the disk is full"), "{why}");
    assert!(served.shown("vezir_store_failures_total{cause=\"full\"}") >= 1.0);

    store.fill(false);
    served.runs().submit(perft(3)).await.unwrap();
    assert_eq!(watching.next().await, Some(SERVING));
    assert_eq!((statuses(&served).await, served.readiness.check()), ([SERVING; 4], Ok(())));

    let readiness = served.readiness.clone();
    served.stop().await;
    assert_eq!((watching.next().await, watching.next().await), (Some(NOT_SERVING), None));
    assert!(readiness.check().is_err_and(|why| why.contains("stopping")));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_watches_a_run_is_told_what_is_in_its_way() {
    let store = Willful::new();
    let served = Served::start(store.clone(), Limits::default()).await;
    let run = served.runs().submit(perft(3)).await.unwrap().into_inner().run;
    let mut watching = served.runs().watch(WatchRequest { run }).await.unwrap().into_inner();
    for (full, why) in [(true, "the disk is full; free space would be right"), (false, "")] {
        store.fill(full);
        let submitted = served.runs().submit(perft(3)).await;
        assert_eq!(submitted.is_err(), full);
        // What was told before may still be on its way.
        while watching.message().await.unwrap().expect("the run goes on").trouble != why {}
    }
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn services_are_listed_and_declared_to_old_and_new_clients() {
    let served = Served::start(Memory::new(), Limits::default()).await;
    let known = |names: Vec<String>| {
        let wanted =
            ["grpc.health.v1.Health"].into_iter().chain(SERVICES.into_iter().filter(|it| !it.is_empty()));
        for service in wanted {
            assert!(names.iter().any(|name| name == service), "{service} is not in {names:?}");
        }
    };
    {
        use v1::server_reflection_request::MessageRequest;
        use v1::server_reflection_response::MessageResponse;
        let ask = |what| v1::ServerReflectionRequest { host: String::new(), message_request: Some(what) };
        let asked = [
            ask(MessageRequest::ListServices(String::new())),
            ask(MessageRequest::FileContainingSymbol("vezir.runs.v1.Runs".to_owned())),
        ];
        let mut client = v1::server_reflection_client::ServerReflectionClient::new(served.line());
        let answers = client.server_reflection_info(futures::stream::iter(asked)).await.unwrap().into_inner();
        let answers: Vec<_> = answers.map(|it| it.unwrap().message_response.unwrap()).collect().await;
        let [MessageResponse::ListServicesResponse(list), MessageResponse::FileDescriptorResponse(files)] =
            &answers[..]
        else {
            panic!("{answers:?}")
        };
        known(list.service.iter().map(|it| it.name.clone()).collect());
        assert!(!files.file_descriptor_proto.is_empty());
    }
    {
        use v1alpha::server_reflection_request::MessageRequest;
        use v1alpha::server_reflection_response::MessageResponse;
        let what = Some(MessageRequest::ListServices(String::new()));
        let asked = [v1alpha::ServerReflectionRequest { host: String::new(), message_request: what }];
        let mut client = v1alpha::server_reflection_client::ServerReflectionClient::new(served.line());
        let answers = client.server_reflection_info(futures::stream::iter(asked)).await.unwrap().into_inner();
        let answers: Vec<_> = answers.map(|it| it.unwrap().message_response.unwrap()).collect().await;
        let [MessageResponse::ListServicesResponse(list)] = &answers[..] else { panic!("{answers:?}") };
        known(list.service.iter().map(|it| it.name.clone()).collect());
    }
    served.stop().await;
}
