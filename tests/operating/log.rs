//! What services tell: a line of JSON for each event, with the numbers of what it is about as fields.

use serde_json::Value;
use vezir_tests::serving::{Service, answer};

fn lines(talk: &str) -> Vec<Value> {
    let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    talk.lines().map(read).collect()
}

/// The line with this message.
fn line<'lines>(lines: &'lines [Value], message: &str) -> &'lines Value {
    let found = lines.iter().find(|line| line["fields"]["message"] == message);
    found.unwrap_or_else(|| panic!("no `{message}` in {lines:?}"))
}

#[test]
fn every_line_is_json_with_ids_as_fields() {
    let json = ["--log-format", "json"];
    let coordinator = Service::coordinator(&json);
    let address = coordinator.address();
    let worker = Service::worker(&address, &[&json[..], &["--name", "rack7"]].concat());
    answer(&["perft", "5", "--coordinator", &address]);
    worker.signal("TERM");
    let (status, told) = worker.end();
    assert!(status.success(), "{told}");
    let of_worker = lines(&told);
    assert!(of_worker.iter().all(|line| line["timestamp"].is_string() && line["level"].is_string()));
    let registered = line(&of_worker, "registered");
    assert_eq!((&registered["fields"]["name"], &registered["level"]), (&"rack7".into(), &"INFO".into()));
    assert!(registered["fields"]["worker"].is_u64(), "{registered}");

    coordinator.signal("TERM");
    let (status, told) = coordinator.end();
    assert!(status.success(), "{told}");
    let of_coordinator = lines(&told);
    let registered = line(&of_coordinator, "worker registered");
    assert_eq!(registered["fields"]["name"], "rack7");
    // It was told while a call was answered, whose span says which.
    assert_eq!(registered["span"]["method"], "Workers/Register", "{registered}");
    assert!(registered["span"]["worker"].is_string(), "{registered}");
    assert_eq!(line(&of_coordinator, "run submitted")["fields"]["run"], "1");
    assert_eq!(line(&of_coordinator, "run ended")["fields"]["run"], "1");
}

#[test]
fn a_service_tells_what_it_does_and_a_command_only_what_goes_wrong() {
    let coordinator = Service::coordinator(&[]);
    let address = coordinator.address();
    let worker = Service::worker(&address, &[]);
    answer(&["perft", "4", "--coordinator", &address]);
    assert!(coordinator.talk().contains("run submitted"), "{}", coordinator.talk());
    assert!(worker.talk().contains("registered"), "{}", worker.talk());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = folder.path().join("runs.sqlite").display().to_string();
    let mut command = vezir_tests::executable::vezir();
    let output = command.args(["perft", "4", "--store", &store]).output().expect("vezir can be started");
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!talk.contains("INFO") && !talk.contains("submitted"), "{talk}");
}
