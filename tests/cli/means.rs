//! `--isa` and `--seed`: the same counts with any, everywhere, and what a machine lacks is refused.

use vezir_perft::Isa;
use vezir_tests::cluster::{Coordinator, StoreFile, Worker};

use super::{answer, json, number, talk, vezir};

const SEEDS: [&str; 3] = ["0", "7", "18446744073709551615"];

/// Every command that counts, with words that let it begin.
const COMMANDS: [&[&str]; 6] = [
    &["perft", "1"],
    &["suite"],
    &["bench"],
    &["standalone"],
    &["worker", "--coordinator", "http://127.0.0.1:1"],
    &["runs", "resume", "1"],
];

#[test]
fn every_instruction_set_and_every_seed_count_the_same() {
    let line = ["perft", "5", "--position", "position3", "--json", "--threads", "2"];
    let usual = json(&vezir(&line).code(0));
    assert_eq!(number(&usual["nodes"]), 674_624);
    for isa in Isa::available().map(Isa::name) {
        for (seed, hash) in SEEDS.into_iter().flat_map(|seed| [(seed, "0"), (seed, "64KiB")]) {
            let means = ["--isa", isa, "--seed", seed, "--hash", hash];
            let counted = json(&vezir(&[&line[..], &means].concat()).code(0));
            assert_eq!(counted["divide"], usual["divide"], "{means:?}");
        }
        let run = vezir(&["suite", "--max-nodes", "5k", "--isa", isa, "--seed", "3"]).code(0);
        assert!(answer(&run).ends_with(": all right\n"), "{isa}: {}", answer(&run));
    }
}

#[test]
fn workers_with_different_means_agree() {
    let store = StoreFile::new();
    let coordinator = Coordinator::start(&store, &[]);
    let best = Isa::detect().name();
    let plain = ["--threads", "1", "--isa", "baseline", "--seed", "1", "--hash", "1MiB"];
    let fast = ["--threads", "1", "--isa", best, "--seed", "2", "--hash", "1MiB"];
    let workers = [
        Worker::start(coordinator.address(), "plain", &plain),
        Worker::start(coordinator.address(), "fast", &fast),
    ];
    let words = ["perft", "5", "--verify", "all", "--units", "8", "--coordinator", coordinator.address()];
    let run = vezir(&words).code(0);
    assert_eq!(answer(&run), "Nodes searched: 4865609\n");
    for name in ["plain", "fast"] {
        assert_eq!(coordinator.worker(name)["state"], "active");
    }
    workers.into_iter().for_each(Worker::drain);
    coordinator.stop();
}

/// That these words are refused, in one sentence that names what this machine has.
fn refused(words: &[&str], isa: &str) {
    let line = [words, &["--isa", isa]].concat();
    let run = vezir(&line).code(2);
    let told = talk(&run);
    assert_eq!((answer(&run).as_str(), told.lines().count()), ("", 1), "{line:?}: {told}");
    assert!(told.starts_with(&format!("vezir: --isa {isa}: ")), "{line:?}: {told}");
    assert!(Isa::available().all(|isa| told.contains(isa.name())), "{line:?}: {told}");
    assert!(told.ends_with("would be right\n"), "{line:?}: {told}");
}

#[test]
fn instructions_that_are_none_or_that_the_machine_lacks_are_refused() {
    let lacking = Isa::ALL.into_iter().filter(|isa| !isa.is_available()).map(Isa::name);
    for isa in ["avx9", "Haswell", "best"].into_iter().chain(lacking) {
        COMMANDS.iter().for_each(|words| refused(words, isa));
    }
}

#[test]
fn a_seed_that_is_no_number_is_refused() {
    for seed in ["x", "-1", "18446744073709551616", "1.5"] {
        for words in COMMANDS {
            let run = vezir(&[words, &["--seed", seed]].concat()).code(2);
            let wanted = format!(
                "vezir: --seed {seed}: a whole number from 0 to 18446744073709551615 would be right\n"
            );
            assert_eq!(talk(&run), wanted, "{words:?}");
        }
    }
}

#[test]
fn means_are_settings() {
    let shown = answer(&vezir(&["worker", "--isa", "BASELINE", "--print-settings"]).code(0));
    assert!(shown.contains("isa = \"BASELINE\" # command line\nseed = 0 # default\n"), "{shown}");
    let shown = answer(&vezir(&["standalone", "--print-settings"]).code(0));
    assert!(shown.contains(&format!("isa = \"{}\" # default\n", Isa::detect())), "{shown}");
    let help = answer(&vezir(&["perft", "--help"]).code(0));
    assert!(Isa::ALL.into_iter().all(|isa| help.contains(isa.name())), "{help}");
}
