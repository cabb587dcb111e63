//! How a run ends when its reader or its user has had enough, and what help there is.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use vezir_tests::executable;

use super::{answer, vezir};

/// How long a test waits for what should come at once.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long an interrupted run may take to end.
const PROMPT: Duration = Duration::from_secs(3);

fn start(words: &[&str]) -> Child {
    let mut command = executable::vezir();
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("vezir can be started")
}

/// The exit code and what was told.
fn end(mut child: Child) -> (Option<i32>, String) {
    let mut talk = String::new();
    let told = child.stderr.take().expect("it was piped").read_to_string(&mut talk);
    told.expect("it is text");
    (child.wait().expect("it can be waited for").code(), talk)
}

/// Waits until the process catches a signal, so that the signal cannot come too early.
fn wait_until_caught(child: &Child, signal: u32) {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
        if mask >> (signal - 1) & 1 == 1 {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("signal {signal} was never caught");
}

#[test]
fn a_reader_that_goes_is_no_fault() {
    for words in
        [&["perft", "4", "--divide"][..], &["perft", "4", "--json"], &["completions", "bash"], &["suite"]]
    {
        let mut child = start(words);
        drop(child.stdout.take());
        let (code, talk) = end(child);
        assert_eq!(code, Some(0), "{words:?}: {talk}");
        assert!(!talk.contains("panicked"), "{words:?}: {talk}");
    }
}

#[test]
fn a_listener_that_goes_is_no_fault() {
    let mut child = start(&["perft", "4"]);
    drop(child.stderr.take());
    let mut answer = String::new();
    child.stdout.take().expect("it was piped").read_to_string(&mut answer).expect("it is text");
    assert_eq!(child.wait().expect("it can be waited for").code(), Some(0));
    assert_eq!(answer, "Nodes searched: 197281\n");
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_told() {
    for words in [&["perft", "3"][..], &["--help"], &["perft", "--help"], &["--version"]] {
        let full = fs::File::create("/dev/full").expect("Linux has it");
        let mut command = executable::vezir();
        let output = command.args(words).stdout(full).output().expect("vezir can be started");
        assert_eq!(output.status.code(), Some(4), "{words:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"), "{words:?}");
    }
}

/// Sends a signal and checks that the run then ends at once, saying how to go on with it.
fn interrupt(child: Child, name: &str) {
    let talk = stop(child, name);
    assert!(talk.contains("`vezir runs resume "), "{name}: {talk}");
}

/// Sends a signal and checks that the command then ends at once; gives what it told.
fn stop(child: Child, name: &str) -> String {
    let kill = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(kill.expect("kill can be started").success());
    let begun = Instant::now();
    let (code, talk) = end(child);
    assert_eq!(code, Some(5), "{name}: {talk}");
    assert!(begun.elapsed() < PROMPT, "{name}: it took {:?}", begun.elapsed());
    talk
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_a_run_while_it_is_planned_and_while_it_counts() {
    for (name, signal) in [("INT", 2), ("TERM", 15)] {
        for split in ["4", "8"] {
            let child = start(&["perft", "13", "--hash", "16MiB", "--split", split]);
            wait_until_caught(&child, signal);
            thread::sleep(Duration::from_millis(500));
            interrupt(child, name);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_a_measurement() {
    for (name, signal) in [("INT", 2), ("TERM", 15)] {
        let child = start(&["bench", "--rounds", "1000", "--hash", "16MiB"]);
        wait_until_caught(&child, signal);
        thread::sleep(Duration::from_millis(1500));
        let talk = stop(child, name);
        assert!(talk.contains("nothing was saved"), "{name}: {talk}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_run_in_a_pipe_tells_how_far_it_is() {
    let mut child = start(&["perft", "13", "--hash", "16MiB", "--split", "5"]);
    let mut talk = BufReader::new(child.stderr.take().expect("it was piped"));
    let mut line = String::new();
    talk.read_line(&mut line).expect("it is text");
    assert!(line.contains(" %, ") && line.contains(" nodes/s"), "{line}");
    child.stderr = Some(talk.into_inner());
    interrupt(child, "INT");
}

#[test]
fn help_has_examples() {
    for words in
        [&["--help"][..], &["perft", "--help"], &["suite", "--help"], &["bench", "--help"], &["perft", "-h"]]
    {
        let run = vezir(words).code(0);
        assert!(answer(&run).contains("Examples:"), "{words:?}");
    }
}
