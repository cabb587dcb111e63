//! Counts beyond what a lifetime allows are planned, watched and cancelled, and numbers beyond 64 bits stay exact.

use std::collections::BTreeMap;
use std::time::Duration;

use vezir_tests::cluster::{Coordinator, Count, Export, Process, Said, StoreFile, Worker, until, vezir};
use vezir_tests::executable;

/// How long it may take to plan.
const LIMIT: Duration = Duration::from_secs(120);

/// Two lone kings: few positions, and many ways to each.
const KINGS: &str = "8/8/8/8/8/8/8/K1k5 w - - 0 1";

fn start(name: &str, words: &[&str]) -> Process {
    let mut command = executable::vezir();
    command.args(words);
    Process::start(name, command)
}

#[test]
fn perft_14_is_planned_watched_and_cancelled() {
    let store = StoreFile::new();
    let coordinator = Coordinator::start(&store, &[]);
    let _worker = Worker::start(coordinator.address(), "one", &["--threads", "1", "--hash", "16MiB"]);
    let call = ["--coordinator", coordinator.address()];
    let words = [&["perft", "14"][..], &call].concat();
    let user = start("the user", &words);
    let planned = until("perft 14 to be planned", LIMIT, || {
        let listed = vezir(&[&["runs", "list", "--open", "--json"][..], &call].concat()).code(0).json();
        Some(listed["runs"][0].clone()).filter(|run| run["units"].is_u64())
    });
    assert_eq!(
        (planned["depth"].as_u64(), planned["state"].as_str()),
        (Some(14), Some("running")),
        "{planned}"
    );
    assert!(planned["units"].as_u64() > Some(10_000), "{planned}");
    assert!(planned["nodes"].is_string(), "{planned}");

    let watch = [&["runs", "watch", "1"][..], &call].concat();
    let mut watcher = start("a watcher", &watch);
    watcher.told("how far it is", LIMIT, |line| line.contains(" nodes/s").then_some(()));
    let cancelled = vezir(&[&["runs", "cancel", "1", "--json"][..], &call].concat()).code(0).json();
    assert_eq!(cancelled["state"], "cancelled");
    for (words, process) in [(words, user), (watch, watcher)] {
        let ended = Said::of(&words, process, LIMIT).code(6);
        assert!(ended.talk.ends_with("the run was cancelled; a new one would be right\n"), "{}", ended.talk);
    }
    coordinator.stop();
    store.check();
}

#[test]
fn numbers_beyond_64_bits_stay_exact() {
    let store = StoreFile::new();
    let coordinator = Coordinator::start(&store, &[]);
    let _worker = Worker::start(coordinator.address(), "one", &["--threads", "2", "--hash", "16MiB"]);
    let call = ["--coordinator", coordinator.address()];
    let words = ["perft", "40", "--fen", KINGS, "--split", "28", "--units", "50", "--json", "--divide"];
    let count = Count::read(&vezir(&[&words[..], &call].concat()).code(0).json());
    let wanted = two_kings(40);
    assert!(wanted > u128::from(u64::MAX) << 32, "{wanted}");
    assert_eq!((count.nodes, count.divided()), (wanted, wanted));
    let shown = vezir(&[&["runs", "show", "1", "--json"][..], &call].concat()).code(0).json();
    assert_eq!(shown["nodes"].as_str(), Some(wanted.to_string().as_str()));
    let export = Export::from_coordinator(&coordinator, 1);
    assert_eq!(export.sum(), count);
    let alone = export.counted().filter_map(|found| found.count.as_ref()).map(|count| count.nodes).max();
    assert!(alone > Some(u128::from(u64::MAX)), "one unit alone is beyond 64 bits: {alone:?}");
    coordinator.stop();
    store.check();
}

/// How many sequences of so many king moves there are from [`KINGS`], by a table of its own.
fn two_kings(depth: u32) -> u128 {
    // The king that moves, the king that waits, and the number of ways.
    let mut ways = BTreeMap::from([((0, 2), 1_u128)]);
    for _ in 0..depth {
        let mut next = BTreeMap::new();
        for ((moves, waits), number) in ways {
            let squares = (0..64).filter(|to| distance(moves, *to) == 1 && distance(waits, *to) > 1);
            squares.for_each(|to| *next.entry((waits, to)).or_default() += number);
        }
        ways = next;
    }
    ways.values().sum()
}

/// The moves of a king from one square to another.
fn distance(one: i32, other: i32) -> i32 {
    (one % 8 - other % 8).abs().max((one / 8 - other / 8).abs())
}
