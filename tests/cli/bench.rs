//! `vezir bench`: its table, its JSON, its signature, and what is refused.

use std::sync::atomic::AtomicBool;

use serde_json::Value;
use vezir_perft::{Isa, signature};

use super::{answer, json, number, talk, vezir};

/// One position, counted quickly.
fn quick(words: &[&str]) -> Value {
    json(&vezir(&[&["bench", "--quick", "--json", "--rounds", "1"], words].concat()).code(0))
}

/// The rows of the object, each as position, depth, mode and threads.
fn rows(object: &Value) -> Vec<(&str, u64, &str, u64)> {
    let counts = object["counts"].as_array().expect("a list");
    counts
        .iter()
        .map(|count| {
            let text = |key: &str| count[key].as_str().expect("text");
            let whole = |key: &str| count[key].as_u64().expect("a number");
            (text("position"), whole("depth"), text("mode"), whole("threads"))
        })
        .collect()
}

#[test]
fn the_table_has_every_position_in_every_mode() {
    let run = vezir(&["bench", "--quick", "--rounds", "1", "--threads", "2"]).code(0);
    let text = answer(&run);
    let heads = ["POSITION", "DEPTH", "NODES", "MODE", "THREADS", "SECONDS", "LEAVES/S", "HITS"];
    let first = text.lines().next().expect("a line");
    assert_eq!(first.split_whitespace().collect::<Vec<_>>(), heads);
    for name in
        ["startpos", "kiwipete", "position3", "position4", "position5", "position6", "chess960", "fischer"]
    {
        for mode in ["unhashed", "hashed"] {
            let rows = text.lines().filter(|line| {
                let words: Vec<&str> = line.split_whitespace().collect();
                words.first() == Some(&name) && words.get(3) == Some(&mode)
            });
            assert_eq!(rows.count(), 2, "{name} {mode}: {text}");
        }
    }
    assert!(
        text.contains("4,865,609") && text.lines().last().is_some_and(|it| it.starts_with("Signature: ")),
        "{text}"
    );
    assert!(talk(&run).contains(Isa::detect().name()), "{}", talk(&run));
}

#[test]
fn the_json_object_tells_everything() {
    let object = quick(&["startpos", "--threads", "2", "--hash", "1MiB", "--seed", "9"]);
    let keys: Vec<&String> = object.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["version", "isa", "seed", "rounds", "counts", "wrong", "signature"]);
    assert_eq!((object["seed"].as_u64(), object["rounds"].as_u64()), (Some(9), Some(1)));
    let wanted = [
        ("startpos", 5, "unhashed", 1),
        ("startpos", 5, "unhashed", 2),
        ("startpos", 6, "hashed", 1),
        ("startpos", 6, "hashed", 2),
    ];
    assert_eq!(rows(&object), wanted);
    for count in object["counts"].as_array().expect("a list") {
        assert_eq!(count["nodes"], count["published"]);
        let is_hashed = count["mode"] == "hashed";
        assert_eq!(number(&count["nodes"]), if is_hashed { 119_060_324 } else { 4_865_609 });
        assert_eq!(count["hit_rate"].is_number(), is_hashed);
        assert_eq!(count["hash_bytes"].as_u64(), Some(if is_hashed { 1 << 20 } else { 0 }));
        assert!(count["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
        assert!(is_hashed || count["walked"].as_u64() == Some(4_865_609));
    }
    assert_eq!(object["wrong"].as_array().map(Vec::len), Some(0));
}

#[test]
fn one_thread_and_no_table_leave_one_mode() {
    let object = quick(&["position3", "KIWIPETE", "--threads", "1", "--hash", "0"]);
    assert_eq!(rows(&object), [("kiwipete", 4, "unhashed", 1), ("position3", 6, "unhashed", 1)]);
}

#[test]
fn the_signature_is_the_same_whatever_the_options() {
    let usual = signature(Isa::Baseline, &AtomicBool::new(false)).expect("a signature");
    for isa in Isa::available().map(Isa::name) {
        for means in [
            ["--seed", "0", "--hash", "0", "--threads", "1"],
            ["--seed", "5", "--hash", "2MiB", "--threads", "3"],
        ] {
            let object = quick(&[&["position3", "--isa", isa][..], &means].concat());
            assert_eq!(object["isa"], isa);
            assert_eq!(object["signature"].as_u64(), Some(usual.into()), "{isa} {means:?}");
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (words, hint) in [
        (
            &["bench", "start"][..],
            "startpos, kiwipete, position3, position4, position5, position6, chess960 or fischer",
        ),
        (&["bench", "kiwi"], "POSITION kiwi: startpos, kiwipete"),
        (&["bench", "kiwipete", "--isa", "none"], "--isa none: that is no instruction set; baseline"),
        (&["bench", "--rounds", "0"], "from 1 to 1000"),
        (&["bench", "--rounds", "1001"], "from 1 to 1000"),
        (&["bench", "--threads", "0"], "from 1 to 1024"),
        (&["bench", "--depth", "3"], "--depth is not understood"),
    ] {
        let told = talk(&vezir(words).code(2));
        assert!(told.contains(hint) && told.lines().count() == 1, "{words:?}: {told}");
    }
}
