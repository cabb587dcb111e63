//! What is shown, by the rules of Prometheus, and that it says what happened.

use std::collections::BTreeSet;
use std::time::Duration;

use vezir_jobs::ledger::{Renewed, Told};
use vezir_telemetry::Registry;

use super::{Method, Metrics, Renewal, UnitEnd};

fn metrics() -> (Registry, Metrics) {
    let registry = Registry::new("0").expect("a registry");
    let metrics = Metrics::new(&registry).expect("new names");
    (registry, metrics)
}

fn shows(registry: &Registry, line: &str) {
    let text = registry.text().expect("a text");
    assert!(text.lines().any(|it| it == line), "`{line}` is not in\n{text}");
}

#[test]
fn names_keep_the_rules() {
    let (registry, _metrics) = metrics();
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
            }
            _ => {}
        }
    }
    assert!(explained.len() > 12, "{explained:?}");
}

#[test]
fn what_happened_is_counted() {
    let (registry, metrics) = metrics();
    metrics.walked(5);
    metrics.probed(10, 4);
    metrics.table(1 << 20, 0.25);
    metrics.unit_finished(UnitEnd::Counted, Duration::from_secs(2));
    metrics.unit_finished(UnitEnd::Stopped, Duration::from_secs(9));
    metrics.threads(3, 4);
    metrics.holds(2);
    metrics.results_waiting(6);
    metrics.renewed(Renewed::Live { end: 9 });
    metrics.renewed(Renewal::Failed);
    metrics.told(Told::Vote);
    metrics.reconnected();
    metrics.retried(Method::Report);
    for line in [
        "vezir_leaves_walked_total 5",
        "vezir_hash_probes_total 10",
        "vezir_hash_hits_total 4",
        "vezir_hash_bytes 1048576",
        "vezir_hash_fill_ratio 0.25",
        "vezir_units_finished_total{result=\"counted\"} 1",
        "vezir_units_finished_total{result=\"stopped\"} 1",
        "vezir_unit_work_seconds_sum 2",
        "vezir_worker_threads{state=\"busy\"} 3",
        "vezir_worker_threads{state=\"idle\"} 1",
        "vezir_worker_leases_held 2",
        "vezir_worker_results_waiting 6",
        "vezir_worker_renewals_total{result=\"live\"} 1",
        "vezir_worker_renewals_total{result=\"failed\"} 1",
        "vezir_units_reported_total{result=\"vote\"} 1",
        "vezir_worker_reconnects_total 1",
        "vezir_worker_retries_total{method=\"Workers/Report\"} 1",
    ] {
        shows(&registry, line);
    }
}

#[test]
fn a_silent_coordinator_grows_old() {
    let (registry, metrics) = metrics();
    let age = || -> f64 {
        let text = registry.text().expect("a text");
        let line = text.lines().find_map(|line| line.strip_prefix("vezir_worker_contact_age_seconds "));
        line.and_then(|value| value.parse().ok()).expect("a value")
    };
    let before = age();
    let mut old = age();
    while old < before + 0.01 {
        old = age();
    }
    metrics.contacted();
    assert!(age() < old);
}
