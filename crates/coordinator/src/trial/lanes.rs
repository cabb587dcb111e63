//! Renewals and reports pass, whoever else waits.

use tokio::task::JoinSet;
use tonic::transport::Channel;
use vezir_proto::wire::runs::v1 as runs;
use vezir_proto::wire::runs::v1::runs_client::RunsClient;
use vezir_proto::wire::types::v1 as types;
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::wire::workers::v1::workers_client::WorkersClient;

use super::store::Willful;
use super::{Served, drawn, perft, until};
use crate::Limits;
use crate::turns::{LEASES, PAGES, USERS};

/// How many of each kind wait: workers for jobs, workers for pages, users for lists, and users for news.
const WAITING: u64 = 150;

async fn register(client: &mut WorkersClient<Channel>, name: &str) -> u64 {
    let request = wire::RegisterRequest {
        call: drawn(),
        name: name.to_owned(),
        incarnation: 1,
        cores: 1,
        version: String::new(),
    };
    client.register(request).await.unwrap().into_inner().worker
}

fn lease(worker: u64) -> wire::LeaseRequest {
    wire::LeaseRequest { call: drawn(), worker, incarnation: 1, cores: 1, most_units: 2 }
}

/// Calls that the store holds, each until the end of the test.
async fn crowd(served: &Served, run: u64) -> JoinSet<()> {
    let mut waiting = JoinSet::new();
    let mut workers = WorkersClient::new(served.line());
    let pages = WorkersClient::new(served.line());
    let (lists, watchers) = (RunsClient::new(served.line()), RunsClient::new(served.line()));
    let mut names = Vec::new();
    for number in 0..WAITING {
        names.push(register(&mut workers, &format!("waits-{number}")).await);
    }
    for worker in names {
        let (mut workers, mut pages) = (workers.clone(), pages.clone());
        let (mut lists, mut watchers) = (lists.clone(), watchers.clone());
        waiting.spawn(async move { drop(workers.lease(lease(worker)).await) });
        waiting.spawn(async move {
            let request = wire::PageRequest { run, first_unit: 0, units: 1, skip: 0, most_bytes: 0 };
            drop(pages.page(request).await);
        });
        waiting.spawn(async move { drop(lists.list(runs::ListRequest::default()).await) });
        waiting.spawn(async move { drop(watchers.watch(runs::WatchRequest { run }).await) });
    }
    waiting
}

#[tokio::test(flavor = "multi_thread")]
async fn renewals_and_reports_wait_for_few() {
    let store = Willful::new();
    let served = Served::start(store.clone(), Limits::default()).await;
    let mut client = WorkersClient::new(served.line());
    let worker = register(&mut client, "works").await;
    let run = served.runs().submit(perft(3)).await.unwrap().into_inner().run;
    let job = client.lease(lease(worker)).await.unwrap().into_inner().job.expect("it waits for the plan");

    // From here on the store answers no lease and no read.
    store.hold(true);
    let waiting = crowd(&served, run).await;
    let in_flight = |method| served.shown(&format!("vezir_rpc_in_flight{{lane={method}}}"));
    until("everybody to wait", || {
        in_flight("\"work\",method=\"Workers/Lease\"") >= WAITING as f64
            && in_flight("\"work\",method=\"Workers/Page\"") >= WAITING as f64
            && in_flight("\"users\",method=\"Runs/List\"") >= WAITING as f64
            && in_flight("\"users\",method=\"Runs/Watch\"") >= WAITING as f64
    })
    .await;
    until("the store to be crowded", || store.inside().0 >= LEASES + PAGES + USERS).await;

    let answer =
        wire::RenewRequest { call: drawn(), worker, run, attempt: job.attempt, movement: 1, incarnation: 1 };
    let renewed = client.renew(answer).await.unwrap().into_inner();
    assert!(renewed.lease.is_some());
    let answer = types::Answer { nodes: Some(5_u128.into()), ..types::Answer::default() };
    let counted = types::Counted { answer: Some(answer), figures: Some(types::Figures::default()) };
    let finding = Some(wire::unit_report::Finding::Counted(counted));
    let units = vec![wire::UnitReport { unit: job.first_unit, finding, survey: None }];
    let report =
        wire::ReportRequest { call: drawn(), worker, run, attempt: job.attempt, units, incarnation: 1 };
    let told = client.report(report.clone()).await.unwrap().into_inner();
    assert_eq!(told.told, [i32::from(wire::Told::Counted)]);
    // The same again, as after an answer that was lost: it is told again, and nothing is counted.
    assert_eq!(client.report(report).await.unwrap().into_inner().told, told.told);
    assert_eq!(served.shown("vezir_leaves_counted_total"), 5.0);
    assert_eq!(served.shown("vezir_calls_repeated_total"), 1.0);

    // What a renewal can ever stand behind in the store's queue.
    assert_eq!(store.inside().1, LEASES + PAGES + USERS);
    assert!(waiting.len() as u64 == 4 * WAITING, "somebody was answered");
    store.hold(false);
    drop(waiting);
    served.stop().await;
}
