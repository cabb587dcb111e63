//! What is shown, by the rules of Prometheus, and that it says what happened.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::time::Duration;

use http_body_util::{BodyExt, Empty};
use tonic::Status;
use tonic::codegen::http::{Request, Response};
use tower::{Layer, ServiceExt};
use vezir_jobs::RunId;
use vezir_jobs::ledger::{Renewed, Reported, Told};
use vezir_telemetry::Registry;

use super::{
    ActiveRun, CoreState, End, Failure, MAX_RUNS_SHOWN, MeasuringLayer, Method, Metrics, Place, Purpose,
    RunKind, Source, Survey, UnitState, Verb,
};

fn metrics() -> (Registry, Metrics) {
    let registry = Registry::new("0").expect("a registry");
    let metrics = Metrics::new(&registry).expect("new names");
    (registry, metrics)
}

fn shows(registry: &Registry, line: &str) {
    let text = registry.text().expect("a text");
    assert!(text.lines().any(|it| it == line), "`{line}` is not in\n{text}");
}

fn active(run: u64) -> ActiveRun {
    ActiveRun { run: RunId(run), progress: Some(0.5), leaves: 1 << 70 }
}

#[test]
fn names_keep_the_rules() {
    let (registry, metrics) = metrics();
    metrics.surveyed(&Survey { active: vec![active(1)], ..Survey::default() });
    metrics.measured_disk(Place::Store, 1, 2);
    let text = registry.text().expect("a text");
    let mut explained = BTreeSet::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("#"), Some("HELP"), Some(name), Some(_)) => drop(explained.insert(name)),
            (Some("#"), Some("TYPE"), Some(name), Some(kind)) => {
                let ours = name.starts_with("vezir_") || name.starts_with("process_");
                assert!(ours && explained.contains(name), "{name} has no help, or a strange name");
                assert_eq!(kind == "counter", name.ends_with("_total"), "{name} is a {kind}");
                assert!(!name.ends_with("_ms") && !name.contains("milli"), "{name} has no base unit");
            }
            _ => {}
        }
    }
    assert!(explained.len() > 25, "{explained:?}");
}

#[test]
fn what_happened_is_counted() {
    let (registry, metrics) = metrics();
    metrics.counted(1 << 64);
    metrics.granted(Purpose::Count);
    metrics.granted(vezir_jobs::ledger::Purpose::Again);
    metrics.cut();
    metrics.lease_ended(End::Expired, Duration::from_secs(3));
    metrics.reported(&Reported {
        told: vec![Told::Counted, Told::Counted, Told::Stale],
        lease: Renewed::Ended,
        conflicts: vec![3],
        suspects: Vec::new(),
    });
    metrics.transaction(Verb::named("lease").expect("a verb"), Duration::from_millis(2));
    metrics.committed(3);
    metrics.store_failed(Failure::Full);
    metrics.had_frontier(Source::Read);
    for line in [
        "vezir_leaves_counted_total 18446744073709552000",
        "vezir_leases_granted_total{purpose=\"count\"} 1",
        "vezir_leases_granted_total{purpose=\"again\"} 1",
        "vezir_jobs_cut_total 1",
        "vezir_leases_ended_total{end=\"expired\"} 1",
        "vezir_job_duration_seconds_sum 3",
        "vezir_reports_total{standing=\"counted\"} 2",
        "vezir_reports_total{standing=\"stale\"} 1",
        "vezir_reports_total{standing=\"vote\"} 0",
        "vezir_conflicts_total 1",
        "vezir_workers_outvoted_total 0",
        "vezir_store_transaction_seconds_sum{verb=\"lease\"} 0.002",
        "vezir_store_batch_size_sum 3",
        "vezir_store_commits_total 1",
        "vezir_store_failures_total{cause=\"full\"} 1",
        "vezir_frontiers_total{source=\"grown\"} 0",
        "vezir_frontiers_total{source=\"read\"} 1",
    ] {
        shows(&registry, line);
    }
}

#[test]
fn a_survey_replaces_the_one_before() {
    let (registry, metrics) = metrics();
    let mut survey = Survey { leases: 2, ..Survey::default() };
    survey.units.insert((RunKind::Perft, UnitState::Queued), 7);
    survey.cores.insert(CoreState::Busy, 4);
    metrics.surveyed(&survey);
    shows(&registry, "vezir_units{kind=\"perft\",state=\"queued\"} 7");
    shows(&registry, "vezir_worker_cores{state=\"busy\"} 4");
    shows(&registry, "vezir_leases_live 2");
    metrics.surveyed(&Survey::default());
    shows(&registry, "vezir_units{kind=\"perft\",state=\"queued\"} 0");
    shows(&registry, "vezir_leases_live 0");
}

#[test]
fn runs_are_few_and_vanish_when_they_end() {
    let (registry, metrics) = metrics();
    let shown = || registry.text().expect("a text").matches("{run=\"").count();
    let many = (1..=3 * MAX_RUNS_SHOWN as u64).map(active).collect();
    metrics.surveyed(&Survey { active: many, ..Survey::default() });
    assert_eq!(shown(), 2 * MAX_RUNS_SHOWN);
    let open = ActiveRun { progress: None, ..active(5) };
    metrics.surveyed(&Survey { active: vec![active(7), open], ..Survey::default() });
    assert_eq!(shown(), 3);
    shows(&registry, "vezir_run_progress_ratio{run=\"7\"} 0.5");
    shows(&registry, "vezir_run_leaves_counted{run=\"5\"} 1180591620717411300000");
    metrics.surveyed(&Survey::default());
    assert_eq!(shown(), 0);
}

#[test]
fn whoever_is_there_is_shown_until_gone() {
    let (registry, metrics) = metrics();
    let present = [metrics.watching(), metrics.watching(), metrics.connected()];
    shows(&registry, "vezir_watchers 2");
    shows(&registry, "vezir_connections 1");
    drop(present);
    shows(&registry, "vezir_watchers 0");
    shows(&registry, "vezir_connections 0");
}

#[test]
fn a_call_is_in_flight_until_it_ends() {
    let (registry, metrics) = metrics();
    let (ended, dropped) = (metrics.call(Method::Renew), metrics.call(Method::Renew));
    shows(&registry, "vezir_rpc_in_flight{lane=\"liveness\",method=\"Workers/Renew\"} 2");
    ended.ended(tonic::Code::NotFound);
    drop(dropped);
    shows(&registry, "vezir_rpc_in_flight{lane=\"liveness\",method=\"Workers/Renew\"} 0");
    for code in ["not_found", "cancelled"] {
        let labels = format!("code=\"{code}\",lane=\"liveness\",method=\"Workers/Renew\"");
        shows(&registry, &format!("vezir_rpc_requests_total{{{labels}}} 1"));
    }
    shows(&registry, "vezir_rpc_duration_seconds_count{method=\"Workers/Renew\"} 2");
}

/// Sends a request through the layer, which answers `response`, and reads the answer to its end if asked to.
async fn pass<B>(metrics: &Metrics, response: Response<B>, read: bool)
where
    B: http_body::Body + Unpin + Clone + Send + 'static,
{
    let answer = move |_: Request<()>| {
        let response = response.clone();
        async move { Ok::<_, Infallible>(response) }
    };
    let service = MeasuringLayer::new(metrics.clone()).layer(tower::service_fn(answer));
    let request = Request::builder().uri("http://here/vezir.workers.v1.Workers/Lease").body(());
    let answer = service.oneshot(request.expect("a request")).await.expect("an answer");
    if read {
        let _ = answer.into_body().collect().await;
    }
}

#[tokio::test]
async fn the_layer_sees_how_calls_end() {
    let (registry, metrics) = metrics();
    let mut head: Response<Empty<&[u8]>> = Response::new(Empty::new());
    let refused = Status::unavailable("later").add_header(head.headers_mut());
    refused.expect("a status fits into headers");
    pass(&metrics, head, false).await;
    let mut trailers = tonic::codegen::http::HeaderMap::new();
    Status::ok("").add_header(&mut trailers).expect("a status fits into headers");
    let body = Trailed(Some(trailers));
    pass(&metrics, Response::new(body.clone()), true).await;
    pass(&metrics, Response::new(body), false).await;
    pass(&metrics, Response::new(Empty::<&[u8]>::new()), true).await;
    for code in ["unavailable", "ok", "cancelled", "unknown"] {
        let labels = format!("code=\"{code}\",lane=\"work\",method=\"Workers/Lease\"");
        shows(&registry, &format!("vezir_rpc_requests_total{{{labels}}} 1"));
    }
    shows(&registry, "vezir_rpc_in_flight{lane=\"work\",method=\"Workers/Lease\"} 0");
}

/// A body of trailers alone.
#[derive(Clone)]
struct Trailed(Option<tonic::codegen::http::HeaderMap>);

impl http_body::Body for Trailed {
    type Data = &'static [u8];
    type Error = Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<&'static [u8]>, Infallible>>> {
        std::task::Poll::Ready(self.0.take().map(|trailers| Ok(http_body::Frame::trailers(trailers))))
    }
}
