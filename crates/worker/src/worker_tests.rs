//! A whole worker against a coordinator that does what each test wants.

use std::num::NonZero;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::Status;
use vezir_jobs::WorkerId;
use vezir_jobs::ledger::{CallId, Found, HELD, Refusal};
use vezir_perft::{Counter, Isa};
use vezir_proto::wire::types::v1 as types;
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::wire::workers::v1::orders_response::Order;
use vezir_proto::{IntoStatus, read_call, read_unit_report};
use vezir_telemetry::Registry;

use super::{Settings, Worker, WorkerError};
use crate::fake::{Fake, Standing, name};
use crate::metrics::{Method, Metrics};
use crate::settings::Rehearsal;

/// A term that no test outlives.
const LONG: Duration = Duration::from_secs(600);

/// A worker at work.
struct AtWork {
    registry: Registry,
    drain: Option<oneshot::Sender<()>>,
    stop: Option<oneshot::Sender<()>>,
    ended: JoinHandle<Result<(), WorkerError>>,
}

impl AtWork {
    fn on(fake: &Fake, threads: usize, unit_at_least: Duration) -> AtWork {
        let settings = Settings {
            name: "otto".to_owned(),
            incarnation: 7,
            threads: NonZero::new(threads).expect("some threads"),
            hash_bytes: 0,
            isa: Isa::detect(),
            seed: Counter::SEED,
            version: "1.2.3".to_owned(),
            engines: crate::EngineSettings::default(),
            rehearsal: Rehearsal { unit_at_least, ..Rehearsal::default() },
        };
        let registry = Registry::new("0").expect("a registry");
        let metrics = Metrics::new(&registry).expect("new names");
        let worker = Worker::new(settings, metrics).expect("threads");
        let ((drain, drained), (stop, stopped)) = (oneshot::channel::<()>(), oneshot::channel::<()>());
        let run = worker.run(fake.line(), async { drop(drained.await) }, async { drop(stopped.await) });
        AtWork { registry, drain: Some(drain), stop: Some(stop), ended: tokio::spawn(run) }
    }

    fn drain(&mut self) {
        self.drain.take().expect("once").send(()).expect("a worker");
    }

    async fn stop(mut self) {
        self.stop.take().expect("once").send(()).expect("a worker");
        self.end().await.expect("a good end");
    }

    async fn end(self) -> Result<(), WorkerError> {
        self.ended.await.expect("no panic")
    }

    fn shows(&self, line: &str) {
        let text = self.registry.text().expect("a text");
        assert!(text.lines().any(|it| it == line), "`{line}` is not in\n{text}");
    }
}

fn id(call: Option<types::CallId>) -> CallId {
    read_call(call).expect("an id")
}

/// The sum of all units reported under an attempt.
fn nodes(fake: &Fake, attempt: u64) -> u128 {
    let script = fake.script();
    let reports = script.reports.iter().filter(|report| report.attempt == attempt);
    let units = reports.flat_map(|report| report.units.clone());
    units
        .map(|unit| match read_unit_report(unit).expect("a report") {
            (_, Found::Answer(tally)) => tally.counted.answer.nodes,
            (unit, Found::Failed(why)) => panic!("unit {unit} failed: {why}"),
        })
        .sum()
}

#[tokio::test]
async fn a_job_is_counted_unit_by_unit() {
    let fake = Fake::start();
    fake.grant(1, 0..8, LONG);
    let worker = AtWork::on(&fake, 2, Duration::ZERO);
    fake.until("all units", |script| script.reported(1).len() == 8).await;
    assert_eq!(nodes(&fake, 1), 197_281);
    // The fake says that the lease goes on: a worker without a unit of it gives it back.
    fake.until("a release", |script| script.is_released(1)).await;
    let settled = fake.script().leases.len();
    fake.until("questions", |script| script.leases.len() > settled + 1).await;
    {
        let script = fake.script();
        let register = &script.registers[0];
        assert_eq!((&*register.name, register.incarnation, register.cores), ("otto", 7, 2));
        assert_eq!((&*register.version, script.registers.len()), ("1.2.3", 1));
        assert!(script.leases.len() > 1, "one to work on, one to wait");
        let asked = |lease: &wire::LeaseRequest| (lease.cores, lease.most_units, lease.incarnation);
        assert!(script.leases.iter().all(|lease| asked(lease) == (2, 8, 7)), "{:?}", script.leases);
    }
    worker.shows("vezir_units_reported_total{result=\"counted\"} 8");
    worker.shows("vezir_units_finished_total{result=\"counted\"} 8");
    worker.stop().await;
}

#[tokio::test]
async fn jobs_whose_last_word_is_on_its_way_are_held_as_well() {
    let fake = Fake::start();
    let term = Duration::from_millis(150);
    (0..8).for_each(|unit| fake.grant(u64::from(unit), unit..unit + 1, term));
    fake.script().holds_reports = true;
    let worker = AtWork::on(&fake, 2, Duration::ZERO);
    let most = u64::from(HELD);
    fake.until("a report", |script| !script.reports.is_empty()).await;
    // Renewals tell that time has passed in which it could have asked.
    fake.until("renewals", |script| (0..most).all(|held| script.renewed(held) > 5)).await;
    assert_eq!(fake.script().leases.len() as u64, most, "it asks in vain");
    fake.script().holds_reports = false;
    fake.until("all units", |script| (0..8).all(|unit| script.reported(unit).len() == 1)).await;
    worker.stop().await;
}

#[tokio::test]
async fn renewals_wait_for_nothing() {
    let fake = Fake::start();
    let term = Duration::from_millis(150);
    fake.grant(1, 0..4, term);
    fake.grant(2, 4..8, term);
    // Nothing is ever finished, and reports would not be answered either.
    let worker = AtWork::on(&fake, 1, LONG);
    fake.until("renewals of both jobs", |script| script.renewed(1) > 5 && script.renewed(2) > 5).await;
    {
        let script = fake.script();
        assert!(script.reports.is_empty());
        assert!(script.renewals.iter().any(|renewal| renewal.movement > 1_000), "leaves were walked");
        let mut ids: Vec<u128> = script.renewals.iter().map(|renewal| id(renewal.call).0).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), script.renewals.len(), "each is a call of its own");
    }
    worker.shows("vezir_worker_leases_held 2");
    worker.stop().await;
    let script = fake.script();
    assert!(script.is_released(1) && script.is_released(2), "what is held is given back");
}

#[tokio::test]
async fn a_cut_ends_units_that_have_not_begun() {
    let unit = Duration::from_millis(200);
    let fake = Fake::start();
    fake.script().standing.insert(1, Standing::LiveUntil(2));
    fake.grant(1, 0..8, LONG);
    let worker = AtWork::on(&fake, 1, unit);
    fake.until("a release", |script| script.is_released(1)).await;
    let reported = fake.script().reported(1);
    assert!(reported.starts_with(&[0, 1]) && reported.len() < 6, "{reported:?}");
    // The same, heard earlier.
    fake.grant(2, 0..8, LONG);
    fake.until("a unit", |script| !script.reported(2).is_empty()).await;
    fake.order(Order::Cut(wire::Cut { run: 1, attempt: 2, end: 0 })).await;
    fake.until("a release", |script| script.is_released(2)).await;
    let reported = fake.script().reported(2);
    assert!(reported.len() < 6, "{reported:?}");
    worker.stop().await;
}

#[tokio::test]
async fn what_has_ended_or_is_dropped_is_stopped() {
    let fake = Fake::start();
    fake.script().standing.insert(1, Standing::Ended(wire::Ended {}));
    fake.grant(1, 0..8, Duration::from_millis(150));
    let worker = AtWork::on(&fake, 2, LONG);
    fake.until("a renewal", |script| script.renewed(1) > 0).await;
    // Not held any longer: all cores are free.
    let before = fake.script().leases.len();
    fake.until("a question", |script| script.leases[before..].iter().any(|lease| lease.cores == 2)).await;
    assert!(!fake.script().is_released(1), "it has ended: there is nothing to give back");
    fake.grant(2, 0..8, Duration::from_millis(150));
    fake.until("a renewal", |script| script.renewed(2) > 0).await;
    fake.order(Order::DropRun(1)).await;
    fake.until("a release", |script| script.is_released(2)).await;
    assert!(fake.script().reports.is_empty());
    worker.shows("vezir_worker_renewals_total{result=\"ended\"} 1");
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_that_drains_finishes_and_gives_back() {
    // It may hear it from its own process, with an answer, or as an order.
    for way in 0..3 {
        let fake = Fake::start();
        fake.grant(1, 0..4, LONG);
        fake.grant(2, 4..8, LONG);
        let mut worker = AtWork::on(&fake, 1, Duration::from_millis(100));
        fake.until("a unit", |script| script.jobs.is_empty() && !script.reported(1).is_empty()).await;
        match way {
            0 => worker.drain(),
            1 => fake.script().drain = true,
            _ => fake.order(Order::Drain(wire::Drain {})).await,
        }
        fake.until("a release", |script| script.is_released(2)).await;
        fake.grant(3, 0..8, LONG);
        worker.end().await.expect("a good end");
        let script = fake.script();
        assert_eq!(script.reported(1), [0, 1, 2, 3], "what was begun is finished");
        assert!(script.reported(2).is_empty());
        assert!(script.jobs.len() == 1 || script.is_released(3), "no other job is kept");
    }
}

#[tokio::test]
async fn lost_answers_are_asked_for_again_under_the_same_id() {
    let fake = Fake::start();
    {
        let mut script = fake.script();
        for method in [Method::Register, Method::Lease, Method::Report, Method::Release, Method::Page] {
            script.lost.insert(name(method), 2);
        }
    }
    fake.grant(1, 0..8, LONG);
    let worker = AtWork::on(&fake, 1, Duration::ZERO);
    fake.until("releases", |script| script.releases.len() == 3).await;
    {
        let script = fake.script();
        let registers: Vec<CallId> = script.registers.iter().map(|it| id(it.call)).collect();
        let leases: Vec<CallId> = script.leases[..3].iter().map(|it| id(it.call)).collect();
        let reports: Vec<CallId> = script.reports[..3].iter().map(|it| id(it.call)).collect();
        let releases: Vec<CallId> = script.releases.iter().map(|it| id(it.call)).collect();
        for ids in [registers, leases, reports, releases] {
            assert!(ids.len() == 3 && ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        }
        assert_eq!(script.reports[0].units, script.reports[2].units);
        assert_ne!(id(script.leases[2].call), id(script.leases[3].call), "another question");
        assert_eq!(script.reported(1).len(), 8);
    }
    worker.shows("vezir_worker_retries_total{method=\"Workers/Report\"} 2");
    worker.stop().await;
}

#[tokio::test]
async fn a_coordinator_that_vanishes_is_waited_for() {
    let fake = Fake::start();
    fake.vanish();
    fake.grant(1, 0..8, LONG);
    let worker = AtWork::on(&fake, 1, Duration::from_millis(50));
    fake.come_back();
    fake.until("a unit", |script| !script.reported(1).is_empty()).await;
    fake.vanish();
    // It goes on counting meanwhile.
    while !worker
        .registry
        .text()
        .expect("a text")
        .contains("vezir_units_finished_total{result=\"counted\"} 8")
    {
        tokio::task::yield_now().await;
    }
    fake.come_back();
    fake.until("all units", |script| script.reported(1).len() == 8).await;
    fake.until("a release", |script| script.is_released(1)).await;
    fake.grant(2, 0..8, LONG);
    fake.until("another job", |script| script.reported(2).len() == 8).await;
    worker.stop().await;
}

#[tokio::test]
async fn pages_are_as_large_as_the_line_bears() {
    let fake = Fake::start();
    fake.script().lost.insert(name(Method::Page), 2);
    fake.grant(1, 0..8, LONG);
    let worker = AtWork::on(&fake, 1, Duration::ZERO);
    fake.until("all units", |script| script.reported(1).len() == 8).await;
    {
        let script = fake.script();
        let asked: Vec<(u32, u32)> = script.pages.iter().map(|page| (page.skip, page.most_bytes)).collect();
        let first: Vec<u32> =
            asked.iter().take_while(|(skip, _)| *skip == 0).map(|(_, most)| *most).collect();
        assert_eq!(first, [64 << 10, 32 << 10, 16 << 10], "less after each that brought nothing");
        assert_eq!(asked[3].1, 32 << 10, "more after one that came at once");
    }
    worker.stop().await;
}

#[tokio::test]
async fn a_job_whose_positions_come_slowly_moves() {
    let fake = Fake::start();
    fake.script().holds_pages = true;
    fake.grant(1, 0..8, Duration::from_millis(150));
    let worker = AtWork::on(&fake, 1, Duration::ZERO);
    fake.until("a renewal that tells of a page", |script| {
        script.renewals.iter().any(|renewal| renewal.movement == 1)
    })
    .await;
    assert!(fake.script().reports.is_empty(), "nothing is counted");
    fake.script().holds_pages = false;
    fake.until("all units", |script| script.reported(1).len() == 8).await;
    worker.stop().await;
}

#[tokio::test]
async fn jobs_without_their_positions_are_given_back() {
    let fake = Fake::start();
    {
        let mut script = fake.script();
        script.spoiled.push_back(|page| page.slots = None);
        script.spoiled.push_back(|page| page.slots.get_or_insert_default().positions.truncate(31));
        script.spoiled.push_back(|page| {
            let slots = page.slots.get_or_insert_default();
            let copy = slots.clone();
            slots.positions.extend(copy.positions);
            slots.shares.extend(copy.shares);
            slots.roots.extend(copy.roots);
            slots.paths.extend(copy.paths);
        });
    }
    (1..=3).for_each(|attempt| fake.grant(attempt, 0..8, LONG));
    let worker = AtWork::on(&fake, 2, Duration::ZERO);
    for attempt in 1..=3 {
        fake.until("a release", |script| script.is_released(attempt)).await;
    }
    let over =
        [Status::not_found("gone"), Status::failed_precondition("ended"), Status::out_of_range("none")];
    fake.script().refused.insert(name(Method::Page), over.into());
    (4..=7).for_each(|attempt| fake.grant(attempt, 0..8, LONG));
    for attempt in 4..=6 {
        fake.until("a release", |script| script.is_released(attempt)).await;
    }
    fake.until("all units", |script| script.reported(7).len() == 8).await;
    assert!((1..=6).all(|attempt| fake.script().reported(attempt).is_empty()));
    worker.stop().await;
}

#[tokio::test]
async fn answers_that_mean_nothing_cost_the_job_alone() {
    let fake = Fake::start();
    {
        let mut script = fake.script();
        script.spoiled_reports.push_back(|answer| answer.lease = None);
        script.spoiled_reports.push_back(|answer| answer.told.truncate(0));
        script.spoiled_reports.push_back(|answer| answer.told[0] = 99);
        let mut beyond = wire::Job { run: 1, attempt: 9, first_unit: u32::MAX, ..wire::Job::default() };
        beyond.lengths = vec![1, 1];
        script.jobs.push_back(beyond);
        script.jobs.push_back(wire::Job { run: 1, attempt: 8, ..wire::Job::default() });
    }
    (1..=4).for_each(|attempt| fake.grant(attempt, 0..8, LONG));
    let worker = AtWork::on(&fake, 2, Duration::from_millis(20));
    for attempt in [9, 8, 1, 2, 3] {
        fake.until("a release", |script| script.is_released(attempt)).await;
    }
    fake.until("all units", |script| script.reported(4).len() == 8).await;
    worker.stop().await;
}

#[tokio::test]
async fn a_coordinator_that_has_lost_everything_is_told_again() {
    let fake = Fake::start();
    // While the first report waits to be repeated, the other results come to wait behind it.
    let lost = Refusal::UnknownWorker(WorkerId(1)).into_status();
    fake.script().refused.insert(name(Method::Report), [Status::unavailable("going down"), lost].into());
    fake.grant(1, 0..8, LONG);
    let worker = AtWork::on(&fake, 1, Duration::from_millis(5));
    fake.until("a registration", |script| script.registers.len() == 2).await;
    fake.grant(2, 0..8, LONG);
    fake.until("all units", |script| script.reported(2).len() == 8).await;
    {
        let script = fake.script();
        // The fake numbers workers by their registrations, and the jobs are numbered alike.
        let mixed = script.reports.iter().find(|report| report.attempt != report.worker);
        assert_eq!(mixed, None, "what was found for the lost one means nothing to the other");
        assert!(!script.is_released(1));
    }
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_that_is_not_wanted_ends_with_a_sentence() {
    let old = Refusal::OldIncarnation { worker: WorkerId(1), now: 8 }.into_status();
    let quarantined = Refusal::Quarantined(WorkerId(1)).into_status();
    let unknown = Status::unauthenticated("no such token");
    let sentences = ["another process has registered", "quarantined", "no such token"];
    for method in [Method::Register, Method::Orders, Method::Lease, Method::Renew] {
        for (status, sentence) in [&old, &quarantined, &unknown].into_iter().zip(sentences) {
            let fake = Fake::start();
            fake.grant(1, 0..8, Duration::from_millis(150));
            if method == Method::Register || sentence != sentences[0] {
                fake.script().refused.insert(name(method), [status.clone()].into());
            }
            let worker = AtWork::on(&fake, 1, LONG);
            if method != Method::Register && sentence == sentences[0] {
                // Whose number another has registers again; that it was replaced is what it then hears.
                fake.until("a registration", |script| !script.registers.is_empty()).await;
                for method in [method, Method::Register] {
                    fake.script().refused.insert(name(method), [status.clone()].into());
                }
                // The stream of orders is opened again.
                fake.vanish();
                fake.come_back();
            }
            let error = worker.end().await.expect_err("an end").to_string();
            assert!(error.contains(sentence), "{error}");
        }
    }
}

#[tokio::test]
async fn a_worker_whose_number_is_another_s_registers_again() {
    let another = Refusal::OldIncarnation { worker: WorkerId(1), now: 8 }.into_status();
    for method in [Method::Orders, Method::Lease, Method::Report, Method::Renew] {
        let fake = Fake::start();
        fake.script().refused.insert(name(method), [another.clone()].into());
        fake.grant(1, 0..8, Duration::from_millis(150));
        let worker = AtWork::on(&fake, 1, Duration::from_millis(20));
        fake.until("a registration", |script| script.registers.len() == 2).await;
        fake.grant(2, 0..8, LONG);
        fake.until("all units", |script| script.reported(2).len() == 8).await;
        worker.stop().await;
    }
}

#[tokio::test]
async fn a_worker_that_holds_jobs_enough_asks_again() {
    let fake = Fake::start();
    let refused = Refusal::NoCores { worker: WorkerId(1), free: 0 }.into_status();
    fake.script().refused.insert(name(Method::Lease), [refused].into());
    let worker = AtWork::on(&fake, 2, Duration::ZERO);
    fake.until("questions", |script| script.leases.len() > 1).await;
    let asked: Vec<_> = fake.script().leases.iter().map(|lease| (id(lease.call), lease.cores)).collect();
    assert_eq!((asked[0].1, asked[1].1), (2, 2), "for all its cores");
    assert_ne!(asked[0].0, asked[1].0, "another question");
    worker.stop().await;
}

#[tokio::test]
async fn a_paused_worker_asks_again() {
    let fake = Fake::start();
    let paused = Refusal::Paused(WorkerId(1)).into_status();
    fake.script().refused.insert(name(Method::Lease), [paused].into());
    fake.grant(1, 0..8, LONG);
    let worker = AtWork::on(&fake, 1, Duration::ZERO);
    fake.until("all units", |script| script.reported(1).len() == 8).await;
    let asked: Vec<CallId> = fake.script().leases.iter().map(|lease| id(lease.call)).collect();
    assert_ne!(asked[0], asked[1], "another question");
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_can_be_stopped_before_it_is_known() {
    let fake = Fake::start();
    fake.vanish();
    AtWork::on(&fake, 1, Duration::ZERO).stop().await;
    let mut worker = AtWork::on(&fake, 1, Duration::ZERO);
    worker.drain();
    worker.end().await.expect("a good end");
    assert!(fake.script().registers.is_empty());
}
