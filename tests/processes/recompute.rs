//! A stranger's script recomputes a run from its export, and sees where one was tampered with.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use vezir_tests::cluster::{Coordinator, Export, Said, StoreFile, Worker, python, vezir};
use vezir_tests::house;

/// The script.
const SCRIPT: &str = "tests/recompute.py";

/// A real run of two workers, as its coordinator exports it.
fn real(store: &StoreFile) -> Export {
    let coordinator = Coordinator::start(store, &[]);
    let means = ["--threads", "2", "--hash", "0", "--rehearse-unit-at-least", "5ms"];
    let _workers = ["one", "two"].map(|name| Worker::start(coordinator.address(), name, &means));
    let words =
        ["perft", "5", "--position", "kiwipete", "--split", "2", "--units", "200", "--verify", "sample"];
    vezir(&[&words[..], &["--coordinator", coordinator.address()]].concat()).code(0);
    Export::from_coordinator(&coordinator, 1)
}

fn recompute(path: &Path) -> Said {
    python(&house::root().join(SCRIPT), &[&path.display().to_string()])
}

/// The export with one line changed: the first that `is` true of.
fn tampered(text: &str, is: impl Fn(&Value) -> bool, change: impl Fn(&mut Value)) -> String {
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    change(lines.iter_mut().find(|line| is(line)).expect("there is such a line"));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The same export in every way that must be seen to be damaged, each with its name.
fn damaged(text: &str) -> Vec<(&'static str, String)> {
    let counted = |line: &Value| line["standing"] == "counted";
    let lease = |line: &Value| line["purpose"].is_string();
    let without = |is: &dyn Fn(&str) -> bool| -> String {
        let at = text.lines().position(is).expect("there is such a line");
        text.lines().enumerate().filter(|(nth, _)| *nth != at).map(|(_, line)| format!("{line}\n")).collect()
    };
    let is_counted = |line: &str| line.contains("\"counted\"");
    let twice = text.lines().find(|line| is_counted(line)).map(|line| format!("{text}{line}\n"));
    vec![
        ("a number changed", tampered(text, counted, |line| line["answer"]["nodes"] = "1".into())),
        ("a part changed", tampered(text, |line| line["run"].is_u64(), change_part)),
        ("a unit left out", without(&is_counted)),
        ("a unit twice", twice.expect("something counts")),
        (
            "a vote that counts",
            tampered(text, |line| line["standing"] == "vote", |vote| vote["standing"] = "counted".into()),
        ),
        ("a lease left out", without(&|line| line.contains("\"purpose\""))),
        ("another's lease", tampered(text, lease, |line| line["worker"] = 99.into())),
        ("a lease of nothing", tampered(text, lease, |line| line["granted"] = 0.into())),
        ("the end left out", text[..text.len() - 5].to_owned()),
        ("nothing", String::new()),
    ]
}

fn change_part(run: &mut Value) {
    let divide = run["answer"]["divide"].as_object_mut().expect("a run that is done has a divide");
    *divide.values_mut().next().expect("there are root moves") = "7".into();
}

#[test]
fn a_real_export_is_recomputed_and_a_damaged_one_is_seen() {
    let store = StoreFile::new();
    let export = real(&store);
    let path: PathBuf = store.folder().join("export.jsonl");
    export.write(&path);
    let said = recompute(&path).code(0);
    assert_eq!(said.talk, "");
    let alone = vezir(&["perft", "5", "--position", "kiwipete", "--divide"]).code(0);
    assert_eq!(said.answer, alone.answer, "it prints what Stockfish prints");
    let going_on = tampered(
        &export.text,
        |line| line["run"].is_u64(),
        |run| {
            (run["state"], run["nodes"]) = ("running".into(), "7".into());
        },
    );
    fs::write(&path, going_on).expect("there is room");
    let said = recompute(&path).code(0);
    assert!(said.talk.contains("the run goes on: 200 of its 200 units"), "{}", said.talk);
    let short = tampered(
        &export.text,
        |line| line["run"].is_u64(),
        |run| {
            (run["state"], run["done"]) = ("running".into(), 201.into());
        },
    );
    fs::write(&path, short).expect("there is room");
    let said = recompute(&path).code(1);
    assert!(said.talk.contains("had 201 units done already, only 200 count"), "{}", said.talk);
    for (what, text) in damaged(&export.text) {
        fs::write(&path, text).expect("there is room");
        let said = recompute(&path);
        assert!(said.code == Some(1) && !said.talk.contains("Traceback"), "{what}: {said:?}");
        assert!(!said.talk.is_empty(), "{what}: it does not say why");
    }
}
