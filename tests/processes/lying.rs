//! A worker that lies now and then is found, trusted no longer, and what it brought is counted again.

use std::time::Duration;

use serde_json::Value;
use vezir_tests::cluster::{Coordinator, Count, Export, StoreFile, Worker, until, vezir};

/// How long a run of many small units may take.
const LIMIT: Duration = Duration::from_secs(60);

/// What is counted: hundreds of units, each with two plies left.
const NODES: u128 = 4_865_609;

/// Units long enough that every worker gets its share.
const EVEN: [&str; 6] = ["--threads", "2", "--hash", "0", "--rehearse-unit-at-least", "10ms"];

fn honest(coordinator: &Coordinator, name: &str) -> Worker {
    Worker::start(coordinator.address(), name, &EVEN)
}

fn liar(coordinator: &Coordinator) -> Worker {
    let words = [&EVEN[..], &["--rehearse-lies-every", "50"]].concat();
    Worker::start(coordinator.address(), "liar", &words)
}

/// Counts; what `perft --json` prints, with its exit code.
fn count(coordinator: &Coordinator, verify: &str) -> (Option<i32>, Count) {
    let words = ["perft", "5", "--split", "3", "--units", "600", "--json", "--divide", "--verify", verify];
    let said = vezir(&[&words[..], &["--coordinator", coordinator.address()]].concat());
    (said.code, Count::read(&said.json()))
}

fn right() -> Count {
    Count::read(&vezir(&["perft", "5", "--json", "--divide"]).code(0).json())
}

/// The liar is quarantined, nothing that it brought stands, and all is counted by others.
fn assert_found_out(coordinator: &Coordinator, export: &Export) {
    let worker = coordinator.worker("liar");
    assert_eq!(worker["state"], "quarantined");
    let number = worker["worker"].as_u64();
    let brought = || export.findings.iter().filter(|found| Some(found.worker) == number);
    assert!(brought().count() >= 50, "it lies in one unit of fifty, and brought {}", brought().count());
    assert!(brought().all(|found| found.standing == "void"), "a finding of the liar stands");
    export.assert_whole();
    for name in ["honest", "upright"] {
        assert_eq!(coordinator.worker(name)["state"], "active");
    }
}

fn is_found_by(verify: &str) {
    let store = StoreFile::new();
    let coordinator = Coordinator::start(&store, &[]);
    let _workers = [liar(&coordinator), honest(&coordinator, "honest"), honest(&coordinator, "upright")];
    let (code, count) = count(&coordinator, verify);
    assert_eq!((code, &count), (Some(0), &right()));
    let export = Export::from_coordinator(&coordinator, 1);
    assert_found_out(&coordinator, &export);
    assert_eq!(export.sum(), count);
    coordinator.stop();
    store.check();
}

#[test]
fn a_liar_is_found_where_all_is_verified() {
    is_found_by("all");
}

#[test]
fn a_liar_is_found_where_a_sample_is_verified() {
    is_found_by("sample");
}

#[test]
fn a_finished_run_is_disputed_until_it_is_right() {
    let store = StoreFile::new();
    let coordinator = Coordinator::start(&store, &[]);
    // Alone, so that nobody contradicts it by chance.
    let liar = liar(&coordinator);
    let (code, wrong) = count(&coordinator, "no");
    assert_eq!(code, Some(1), "a published count differs");
    assert_eq!((wrong.nodes, wrong.divided()), (NODES + 12, NODES + 12), "it lies in one of fifty units");
    assert_eq!(state(&coordinator), "done");
    liar.drain();

    let number = coordinator.worker("liar")["worker"].to_string();
    vezir(&["workers", "quarantine", &number, "--coordinator", coordinator.address()]).code(0);
    assert_eq!(state(&coordinator), "disputed");
    let watched = ["runs", "watch", "1", "--json", "--divide", "--coordinator", coordinator.address()];
    let _workers = [honest(&coordinator, "honest"), honest(&coordinator, "upright")];
    let watched = vezir(&watched).code(0);
    until("the run to be done again", LIMIT, || (state(&coordinator) == "done").then_some(()));
    assert_eq!(Count::read(&watched.json()), right());
    let export = Export::from_coordinator(&coordinator, 1);
    assert_found_out(&coordinator, &export);
    assert_eq!((export.sum(), right().nodes), (right(), NODES));
    coordinator.stop();
    store.check();
}

fn state(coordinator: &Coordinator) -> String {
    let shown: Value = vezir(&["runs", "show", "1", "--json", "--coordinator", coordinator.address()]).json();
    shown["state"].as_str().unwrap_or_default().to_owned()
}
