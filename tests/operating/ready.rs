//! Whether services are ready, and to whom they show their metrics.

use vezir_tests::serving::{Service, answer, await_some};

fn becomes(service: &Service, status: u16, word: &str) {
    await_some(&format!("{status} {word}"), || {
        let (is, said) = service.page("/readyz");
        (is == status && said.contains(word)).then_some(())
    });
    assert_eq!(service.page("/healthz").0, 200);
}

#[test]
fn services_are_ready_while_they_can_work() {
    let coordinator = Service::coordinator(&["--lease", "3s"]);
    let address = coordinator.address();
    becomes(&coordinator, 200, "ready");
    let worker = Service::worker(&address, &[]);
    becomes(&worker, 200, "ready");
    answer(&["perft", "4", "--coordinator", &address]);
    await_some("the disk to be measured", || {
        let [used, free] = ["used", "free"]
            .map(|what| coordinator.shown(&format!("vezir_disk_{what}_bytes{{place=\"store\"}}")));
        (used > 0.0 && free > 0.0).then_some(())
    });
    assert!(coordinator.shown("vezir_store_commits_total") > 0.0);
    assert!(coordinator.shown("vezir_connections") >= 1.0);
    // Its coordinator sleeps: it answers nothing, but its port is there.
    coordinator.signal("STOP");
    becomes(&worker, 503, "worker has not heard of its coordinator");
    coordinator.signal("CONT");
    becomes(&worker, 200, "ready");
}

#[test]
fn metrics_are_shown_to_other_machines_only_where_that_is_meant() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = folder.path().join("runs.sqlite").display().to_string();
    let words = ["coordinator", "--listen", "127.0.0.1:0", "--store", &store, "--metrics", "0.0.0.0:0"];
    let (status, told) = Service::start(&words).end();
    assert_eq!(status.code(), Some(2), "{told}");
    assert!(told.trim_end().lines().count() == 1 && told.contains("--metrics-exposed"), "{told}");
    let exposed = Service::start(&[&words[..], &["--metrics-exposed"]].concat());
    exposed.told("metrics on http://0.0.0.0:", &['/']);
}
