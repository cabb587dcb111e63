//! A real run, a real Prometheus: what it scrapes is what happens, and every panel has something to show.

use std::env;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use vezir_tests::dashboard::Dashboard;
use vezir_tests::executable;
use vezir_tests::scraper::Prometheus;
use vezir_tests::serving::{Service, answer, await_some};

use super::{INTERVAL, PATIENCE, WINDOW, promtool};

/// Seconds over which rates are compared, unless the environment says something else.
const SECONDS: u64 = 10;

/// The environment variable with another number of seconds.
const SECONDS_VARIABLE: &str = "VEZIR_TESTS_SCRAPED_SECONDS";

/// How long each unit takes at least, in milliseconds: both workers then need a known time for a run.
const UNIT_MILLIS: u64 = 50;

/// Workers, each of one thread.
const WORKERS: u64 = 2;

/// By which part the rates may differ.
const TOLERANCE: f64 = 0.05;

/// How many times as long as the comparison the run goes on: before it there is a beginning, after it every
/// query is asked while the run's own gauges are there.
const LONGER: u64 = 4;

/// A command of a user, ended when dropped.
struct User(Child);

impl User {
    fn start(words: &[&str]) -> User {
        let mut command: Command = executable::vezir();
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        User(command.spawn().expect("vezir can be started"))
    }
}

impl Drop for User {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How many leaves of a run the command line says are counted, and when it said so.
fn counted(address: &str, run: &str) -> (f64, Instant) {
    let begun = Instant::now();
    let shown: Value =
        serde_json::from_str(&answer(&["runs", "show", run, "--json", "--coordinator", address]))
            .expect("JSON");
    let leaves = shown["nodes"].as_str().and_then(|leaves| leaves.parse().ok());
    assert_eq!(shown["state"], "running", "{shown}");
    // The middle of the call is as good a guess as any of when it was so.
    (leaves.unwrap_or_else(|| panic!("{shown}")), begun + begun.elapsed() / 2)
}

#[test]
fn what_is_scraped_is_what_happens() {
    let seconds = env::var(SECONDS_VARIABLE).map_or(SECONDS, |it| it.parse().expect("a number of seconds"));
    let coordinator = Service::coordinator(&[]);
    let address = coordinator.address();
    let unit = format!("{UNIT_MILLIS}ms");
    let worker = || Service::worker(&address, &["--rehearse-unit-at-least", &unit]);
    let workers = [worker(), worker()];
    let targets = workers.each_ref().map(Service::metrics);
    let prometheus = Prometheus::start(&[coordinator.metrics()], &targets, INTERVAL);
    let units = (LONGER * seconds * 1000 / UNIT_MILLIS * WORKERS).to_string();
    let perft = ["perft", "7", "--split", "4", "--units", &units, "--coordinator", &address];
    let _user = User::start(&perft);
    let leaves = "sum(vezir_leaves_counted_total)";
    await_some("the run to begin", || {
        let found = prometheus.query(leaves).expect("a query");
        found.iter().any(|it| it.value > 1e6).then_some(())
    });

    let (before, begun) = counted(&address, "1");
    let window = Duration::from_secs(seconds);
    // This is what is measured, and no waiting for something.
    thread::sleep(window);
    let (after, ended) = counted(&address, "1");
    let took = ended - begun;
    let ours = (after - before) / took.as_secs_f64();
    let rate = format!("sum(rate(vezir_leaves_counted_total[{}ms]))", took.as_millis());
    let scraped = prometheus.await_numbers(&rate, PATIENCE).expect("a rate")[0].value;
    println!("over {took:?}: {ours:.0} leaves a second by the command line, {scraped:.0} by Prometheus");
    assert!((scraped / ours - 1.0).abs() <= TOLERANCE, "{scraped} is scraped, {ours} is true");

    every_query_finds_something(&prometheus, &address);
    for service in [&coordinator, &workers[0], &workers[1]] {
        assert_eq!(promtool(&["check", "metrics"], &service.page("/metrics").1), Ok(String::new()));
    }
    let up = prometheus.query("up").expect("a query");
    assert!(up.len() == 3 && up.iter().all(|it| it.value == 1.0), "{up:?}");
    let wrong: Vec<_> = prometheus.alerts().into_iter().filter(|(_, wrong)| wrong.is_some()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Asks every query of every panel while runs begin and end.
fn every_query_finds_something(prometheus: &Prometheus, address: &str) {
    let mut empty = Vec::new();
    for query in Dashboard::all().iter().flat_map(|it| it.queries(WINDOW)) {
        let begun = Instant::now();
        while let Err(nothing) = prometheus.await_numbers(&query, Duration::ZERO) {
            if begun.elapsed() > PATIENCE {
                empty.push(nothing);
                break;
            }
            // It may be about what begins: something does now. Its end is not waited for.
            let user = User::start(&["perft", "3", "--coordinator", address]);
            thread::sleep(2 * INTERVAL);
            drop(user);
        }
    }
    assert!(empty.is_empty(), "\n{}\n", empty.join("\n"));
}
