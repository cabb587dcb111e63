//! A count in one process that is interrupted or killed goes on where it was, and two at once do not disturb each
//! other.

use std::path::Path;
use std::time::Duration;

use vezir_tests::cluster::{Count, Export, Process, Said, StoreFile, until, vezir};
use vezir_tests::executable;

/// How long a count may take.
const LIMIT: Duration = Duration::from_secs(180);

/// What is counted: slow enough without a table to be interrupted.
const SLOW: [&str; 10] = ["perft", "8", "--hash", "0", "--threads", "2", "--split", "3", "--units", "320"];

/// Its answer.
const NODES: u128 = 84_998_978_956;

/// How many units are counted before it is interrupted, at least.
const ENOUGH: u64 = 20;

fn start(name: &str, words: &[&str], store: &StoreFile) -> Process {
    let mut command = executable::vezir();
    command.args(words).arg("--store").arg(store.path());
    Process::start(name, command)
}

/// What `vezir doctor` says of a store that may be in use.
fn inspect(path: &Path) -> Option<serde_json::Value> {
    let said = vezir(&["doctor", "--json", "--store", &path.display().to_string()]);
    (said.code == Some(0)).then(|| said.json())
}

/// Waits until some units are counted, as a look into the store that is in use shows.
fn await_findings(store: &StoreFile) {
    until("units to be counted", LIMIT, || {
        let found = inspect(&store.path())?;
        found["rows"]["findings"].as_u64().filter(|rows| *rows >= ENOUGH)
    });
}

/// Goes on with run 1, and checks that what was counted before was not counted again.
fn resume(store: &StoreFile) {
    let before = Export::from_store(store, 1);
    let done = before.counted().count() as u64;
    assert!((ENOUGH..before.units()).contains(&done), "{done} of {} units are done", before.units());
    let words = ["runs", "resume", "1", "--json", "--divide"];
    let said = Said::of(&words, start("the second process", &words, store), LIMIT).code(0);
    let count = Count::read(&said.json());
    assert_eq!((count.nodes, count.divided()), (NODES, NODES));
    assert!(said.talk.contains(&format!("{done} units were counted before")), "{}", said.talk);
    let after = Export::from_store(store, 1);
    after.assert_whole();
    assert_eq!(after.findings.len() as u64, after.units(), "each unit was counted once");
    assert!(before.findings.iter().all(|found| after.findings.contains(found)), "one was counted again");
    assert_eq!(after.sum(), count);
    store.check();
}

#[test]
fn an_interrupted_count_is_resumed() {
    let store = StoreFile::new();
    let process = start("the first process", &SLOW, &store);
    await_findings(&store);
    process.signal("INT");
    let said = Said::of(&SLOW, process, LIMIT).code(5);
    let wanted = format!("`vezir runs resume 1 --store {}` goes on", store.word());
    assert!(
        said.talk.lines().any(|line| line.contains("interrupted") && line.contains(&wanted)),
        "{}",
        said.talk
    );
    resume(&store);
}

#[test]
fn the_end_of_the_terminal_interrupts_as_well() {
    let store = StoreFile::new();
    let process = start("the first process", &SLOW, &store);
    await_findings(&store);
    process.signal("HUP");
    let said = Said::of(&SLOW, process, LIMIT).code(5);
    assert!(said.talk.contains("`vezir runs resume 1 "), "{}", said.talk);
}

#[test]
fn a_store_that_trusts_this_machine_no_longer_says_so() {
    let store = StoreFile::new();
    let word = store.word();
    let words = ["perft", "5", "--store", &word];
    vezir(&words).code(0);
    vezir(&["workers", "quarantine", "1", "--store", &word]).code(0);
    let said = vezir(&words).code(4);
    let told = said.sentence();
    assert!(told.contains("quarantined") && told.contains("another store would be right"), "{told}");
    let said = vezir(&["workers", "drain", "1", "--store", &word]).code(2);
    let told = said.sentence();
    assert!(told.contains("--coordinator"), "{told}");
}

#[test]
fn whoever_only_looks_makes_nothing() {
    let store = StoreFile::new();
    for words in
        [&["runs", "list"][..], &["runs", "show", "1"], &["runs", "cancel", "1"], &["workers", "list"]]
    {
        let said = vezir(&[words, &["--store", &store.word()]].concat()).code(3);
        assert!(said.sentence().contains("there is no such file"), "{}", said.talk);
    }
    assert_eq!(std::fs::read_dir(store.folder()).expect("a folder").count(), 0);
}

#[test]
fn a_killed_count_is_resumed() {
    let store = StoreFile::new();
    let process = start("the first process", &SLOW, &store);
    await_findings(&store);
    process.kill();
    let listed = vezir(&["runs", "list", "--store", &store.word()]).code(0);
    let wanted = format!("nobody works on run 1; `vezir runs resume 1 --store {}`", store.word());
    assert!(listed.talk.contains(&wanted), "{}", listed.talk);
    resume(&store);
}

#[test]
fn two_counts_at_once_keep_out_of_each_others_way() {
    let store = StoreFile::new();
    let list = ["runs", "list", "--json", "--store", &store.word()];
    let first = start("the first process", &SLOW, &store);
    until("the store to be in use", LIMIT, || {
        inspect(&store.path())?["in_use"].as_bool().filter(|used| *used)
    });
    let words = ["perft", "6", "--json", "--threads", "1"];
    let second = Said::of(&words, start("the second process", &words, &store), LIMIT).code(0);
    assert_eq!(Count::read(&second.json()).nodes, 119_060_324);
    let listed = vezir(&list).code(0);
    assert_eq!(listed.json()["runs"][0]["state"].as_str(), Some("running"), "{}", listed.answer);
    let beside = store.folder().join("runs-2.sqlite").display().to_string();
    assert!(listed.talk.contains(&format!("--store {beside}")), "{}", listed.talk);
    let refused = vezir(&["runs", "cancel", "1", "--store", &store.word()]).code(4);
    let told = refused.sentence();
    assert!(told.contains("has this store open") && told.contains("--coordinator"), "{told}");
    let first = Said::of(&SLOW, first, LIMIT).code(0);
    assert_eq!(first.answer, format!("Nodes searched: {NODES}\n"));
    for (word, depth) in [(store.word(), 8), (beside, 6)] {
        let listed = vezir(&["runs", "list", "--json", "--store", &word]).code(0).json();
        let runs = listed["runs"].as_array().cloned().unwrap_or_default();
        assert_eq!(runs.len(), 1, "{listed}");
        assert_eq!((runs[0]["depth"].as_u64(), runs[0]["state"].as_str()), (Some(depth), Some("done")));
    }
}
