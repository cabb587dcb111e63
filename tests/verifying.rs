//! `vezir verify` as a user meets it: real engines, the toy with its faults and bad manners, reports and exit codes.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;
use vezir_tests::executable::{toy, vezir};

/// What came of a verification.
struct Told {
    code: i32,
    answer: String,
    talk: String,
}

/// Runs `vezir verify` on a store of its own.
fn verify(engine: &str, words: &[&str], arguments: &[&str]) -> Told {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::from_std(vezir());
    command
        .env("XDG_STATE_HOME", folder.path())
        .args(["verify", engine])
        .args(words)
        .arg("--")
        .args(arguments);
    let run = command.assert();
    let output = run.get_output();
    Told {
        code: output.status.code().expect("it ended by itself"),
        answer: String::from_utf8_lossy(&output.stdout).into_owned(),
        talk: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The same with the toy, and its result as JSON.
fn toy_told(words: &[&str], arguments: &[&str]) -> (i32, Value) {
    let toy = toy().to_str().expect("a path");
    let told = verify(toy, &[words, &["--json"]].concat(), arguments);
    let value = serde_json::from_str(&told.answer);
    (told.code, value.unwrap_or_else(|error| panic!("{error}: {}{}", told.answer, told.talk)))
}

fn has_tag(fault: &Value, tag: &str) -> bool {
    fault["example"]["tags"].as_array().is_some_and(|tags| tags.iter().any(|known| known == tag))
}

/// The built-in positions, in standard chess and Chess960 where the engine knows it, and a tree.
#[test]
fn real_engines_are_right() {
    for (engine, words) in [
        ("/usr/games/stockfish", &[][..]),
        ("/usr/games/fairy-stockfish", &[]),
        ("/usr/games/ethereal-chess", &["--dialect", "ethereal-chess"]),
    ] {
        let told = verify(engine, words, &[]);
        assert_eq!(told.code, 0, "{engine}: {}{}", told.answer, told.talk);
        assert!(told.answer.contains(" is right at "), "{}", told.answer);
    }
    let tree = ["--dialect", "sjeng", "--unsandboxed", "--depth", "5"];
    let told = verify("/usr/games/sjeng", &tree, &[]);
    assert!(told.code == 0 && told.answer.contains("4865609 of ours, 4865609 of theirs"), "{}", told.answer);
    let told = verify("/usr/games/stockfish", &["--depth", "6", "--position", "kiwipete"], &[]);
    assert!(told.code == 0 && told.answer.contains("8031647685 of theirs"), "{}{}", told.answer, told.talk);
}

#[test]
fn faults_of_the_toy_are_found_with_their_kind_and_move() {
    for (fault, tag) in [
        ("en-passant-missing", "en-passant"),
        ("en-passant-rank-pin", "en-passant-rank"),
        ("castling-through-check", "castling-through-check"),
        ("castling-missing", "castling"),
        ("promotion-missing", "promotion-missing"),
        ("double-push-over-man", "pawn-double-push"),
        ("wrap-around", "wrap-around"),
    ] {
        let (code, told) = toy_told(&["--all", "--shrink"], &["--fault", fault]);
        assert_eq!((code, &told["right"]), (1, &Value::Bool(false)), "{fault}: {told:#}");
        let faults = told["faults"].as_array().expect("faults");
        let found = faults.iter().find(|found| has_tag(found, tag));
        let found = found.unwrap_or_else(|| panic!("{fault}: {told:#}"));
        assert!(found["example"]["chosen"].is_string(), "{found:#}");
        let smallest = found["example"]["smallest"].as_str().expect("it was shrunk");
        let men = smallest.split(' ').next().expect("a board").chars().filter(char::is_ascii_alphabetic);
        assert!(men.count() <= 6, "{fault}: {smallest}");
    }
}

#[test]
fn three_faults_at_once_are_all_told() {
    let planted =
        ["--fault", "castling-missing", "--fault", "promotion-missing", "--fault", "double-push-over-man"];
    let (code, told) = toy_told(&["--all"], &planted);
    assert_eq!(code, 1);
    let tags = told["tags"].as_object().expect("tags");
    for tag in ["castling", "promotion-missing", "pawn-double-push"] {
        assert!(tags.get(tag).is_some_and(|places| places.as_u64() > Some(0)), "{tag}: {told:#}");
    }
}

#[test]
fn an_honest_toy_is_never_blamed() {
    let words = ["--fuzz", "--variant", "mixed", "--games", "30", "--seed", "7", "--fuzz-depth", "1"];
    let (code, told) = toy_told(&words, &[]);
    assert_eq!((code, &told["differing"]), (0, &Value::from(0)), "{told:#}");
    assert!(told["places"].as_u64() > Some(2_000), "{told:#}");
    let (_, again) = toy_told(&words, &[]);
    assert_eq!(
        (&told["places"], &told["ours"]),
        (&again["places"], &again["ours"]),
        "another seed was played"
    );
}

#[test]
fn bad_manners_are_told_and_the_run_goes_on() {
    for (manner, kind, words) in [
        ("crash@5", "crashed", &[][..]),
        ("abort@5", "crashed", &[]),
        ("exit@5", "exited", &[]),
        ("hang@5", "hung", &["--query-limit", "300ms"]),
        ("garbage@5", "garbage", &["--query-limit", "300ms"]),
        ("flood@5", "flood", &[]),
    ] {
        let (code, told) = toy_told(&[words, &["--threads", "1"]].concat(), &["--misbehave", manner]);
        let troubles = told["troubles"].as_array().expect("troubles");
        assert!(troubles.iter().any(|it| it["kind"] == kind), "{manner}: {told:#}");
        assert_eq!((code, &told["differing"]), (6, &Value::from(0)), "{manner}: {told:#}");
        // It begins to count its questions anew each time that it is started. One that takes all its time again and
        // again is given up.
        let [unanswered, places] = ["unanswered", "places"].map(|key| told[key].as_u64().expect("a number"));
        let left = if words.is_empty() { places / 4 } else { places };
        assert!(unanswered > 0 && unanswered < left, "{manner}: {told:#}");
    }
    let (code, told) = toy_told(&[], &["--misbehave", "wrong-sum@5"]);
    assert!(code == 1 && told["tags"]["sum"].as_u64() > Some(0), "{told:#}");
}

/// The child that the toy leaves when it starts would sleep for ten minutes.
#[test]
fn nothing_is_left_of_an_engine_that_leaves_children() {
    let (code, told) = toy_told(&["--threads", "1"], &["--misbehave", "orphan"]);
    assert_eq!(code, 0, "{told:#}");
    let until = Instant::now() + Duration::from_secs(10);
    while sleeper() {
        assert!(Instant::now() < until, "a child of the engine is still there");
        std::thread::yield_now();
    }
}

/// Whether some process sleeps for as long as the toy's child would.
fn sleeper() -> bool {
    let Ok(processes) = fs::read_dir("/proc") else { return false };
    processes.flatten().any(|process| {
        fs::read(process.path().join("cmdline")).is_ok_and(|words| words == b"sleep\x00600\x00")
    })
}

#[test]
fn reports_are_for_people_and_for_build_servers() {
    let folder = tempfile::tempdir().expect("a folder");
    let junit = folder.path().join("report.xml");
    let path = junit.to_str().expect("a path");
    let toy = toy().to_str().expect("a path");
    let told = verify(toy, &["--all", "--junit", path], &["--fault", "castling-missing"]);
    assert_eq!(told.code, 1);
    assert!(told.answer.contains("fault 1: the legal move `"), "{}", told.answer);
    assert!(
        told.answer.contains("kind: castling\n") && told.answer.contains("8  . k . . . . . ."),
        "{}",
        told.answer
    );
    let xml = fs::read_to_string(&junit).expect("a report");
    let python = "import sys, xml.etree.ElementTree as tree\nroot = tree.parse(sys.argv[1]).getroot()\n\
                  print(len(root.findall('.//testcase')), len(root.findall('.//failure')))";
    let read = std::process::Command::new("python3").args(["-c", python, path]).output().expect("python");
    let counts = String::from_utf8_lossy(&read.stdout).into_owned();
    let numbers: Vec<usize> = counts.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(
        matches!(numbers[..], [cases, failures] if cases == failures + 1 && failures > 0),
        "{counts}: {xml}"
    );
}

#[test]
fn what_cannot_be_asked_is_told_in_a_sentence() {
    for (engine, words, code, sentence) in [
        ("/no/such/engine", &[][..], 3, "/no/such/engine"),
        ("/tmp", &[], 3, "it is a folder"),
        ("/usr/games/stockfish", &["--depth", "0"], 2, "at depth 0 there is nothing to ask"),
        ("/usr/games/stockfish", &["--depth", "3", "--split", "3"], 2, "split"),
        ("/usr/games/stockfish", &["--suite", "/no/such/file"], 3, "/no/such/file"),
        ("/usr/games/stockfish", &["--depth", "2", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], 3, "king"),
        ("/bin/true", &["--threads", "1"], 6, "it ended before it answered `uci`"),
    ] {
        let told = verify(engine, words, &[]);
        let said = format!("{}{}", told.answer, told.talk);
        assert!(told.code == code && said.contains(sentence), "{engine} {words:?}: {} {said}", told.code);
    }
}

/// Others' tools may ask Vezir: as Stockfish is asked, and as perftree asks its scripts.
#[test]
fn vezir_answers_as_others_do() {
    let mut engine = Command::from_std(vezir());
    let commands = "uci\nposition startpos moves e2e4\ngo perft 3\nisready\nquit\n";
    let run = engine.arg("uci").write_stdin(commands).assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(said.contains("uciok\n") && said.ends_with("\n\nNodes searched: 13160\n\nreadyok\n"), "{said}");
    let own = Command::from_std(vezir()).get_program().to_owned();
    let own = own.to_str().expect("a path");
    let told = verify(own, &["--all"], &["uci", "--threads", "1", "--hash", "0"]);
    assert_eq!(told.code, 0, "{}{}", told.answer, told.talk);
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("perftree.sh");
    let text = format!("#!/bin/sh\nexec '{own}' perft \"$1\" --fen \"$2\" --moves \"$3\" --like perftree\n");
    fs::write(&script, text).expect("a script");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&script, executable).expect("a script");
    let words = ["--dialect", "perftree", "--unsandboxed", "--depth", "4"];
    let told = verify(script.to_str().expect("a path"), &words, &[]);
    assert!(told.code == 0 && told.answer.contains("197281 of theirs"), "{}{}", told.answer, told.talk);
}
