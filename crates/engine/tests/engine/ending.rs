//! How programs end: told to, or by force, with all their children.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::killpg;
use nix::unistd::Pid;
use vezir_engine::{Confinement, Dialect, Ended, Foreign, Limits, Process, Program, Settings, Silence};

use crate::alone::copy;
use crate::built::{START, example, query, quick, toy, uci_toy};

/// Starts a toy with a manner by a first question; returns its group.
async fn running(foreign: &mut Foreign) -> Pid {
    foreign.ask(&query(START, 1)).await.expect("an answer");
    Pid::from_raw(foreign.process_id().expect("it runs").cast_signed())
}

fn is_gone(group: Pid) -> bool {
    killpg(group, None) == Err(Errno::ESRCH)
}

#[tokio::test]
async fn quit_is_heard_or_enforced() {
    for (arguments, least, most) in [(vec![], 0, 900), (vec!["--misbehave", "ignore-quit"], 1000, 3000)] {
        let mut foreign = uci_toy(&arguments);
        let group = running(&mut foreign).await;
        let begun = Instant::now();
        foreign.quit().await;
        let took = begun.elapsed();
        let range = Duration::from_millis(least)..Duration::from_millis(most);
        assert!(range.contains(&took), "{arguments:?} took {took:?}");
        assert!(is_gone(group), "{arguments:?}");
    }
}

#[tokio::test]
async fn a_child_does_not_outlive_its_group() {
    let mut foreign = uci_toy(&["--misbehave", "orphan"]);
    let group = running(&mut foreign).await;
    drop(foreign);
    assert!(is_gone(group));
    let mut foreign = uci_toy(&["--misbehave", "orphan"]);
    let group = running(&mut foreign).await;
    foreign.quit().await;
    assert!(is_gone(group), "the toy has quit, its child must go too");
}

#[tokio::test]
async fn a_question_that_is_dropped_takes_its_process_along() {
    let mut foreign = toy(Dialect::Uci, &["--misbehave", "hang@2"], quick());
    let group = running(&mut foreign).await;
    let second = query(START, 2);
    let asked = tokio::time::timeout(Duration::from_millis(300), foreign.ask(&second));
    assert!(asked.await.is_err(), "it hangs");
    assert!(is_gone(group));
    assert_eq!(foreign.process_id(), None);
}

#[tokio::test]
async fn no_line_break_reaches_a_program() {
    let settings = Settings::default();
    let started = Process::start(&Program::new(example("toy")), &settings.limits, settings.confinement).await;
    let mut process = started.expect("a process");
    let until = tokio::time::Instant::now() + Duration::from_secs(2);
    for broken in ["uci\nquit", "uci\r", "a\0b"] {
        let said = process.say(&["isready", broken], until).await;
        assert!(matches!(said, Err(Silence::Broken(_))), "{broken:?}");
    }
    process.say(&["isready"], until).await.expect("one line");
    assert_eq!(process.line(until).await.expect("an answer").text, "readyok");
    let soon = tokio::time::Instant::now() + Duration::from_millis(200);
    assert_eq!(process.line(soon).await, Err(Silence::Hung), "nothing else was sent");
}

#[tokio::test]
async fn processor_time_has_an_end() {
    let limits = Limits { cpu_seconds: Some(1), ..Limits::default() };
    let program = Program::new("sh").with_arguments(["-c", "while :; do :; done"]);
    let mut process = Process::start(&program, &limits, Confinement::Tier1).await.expect("a process");
    let until = tokio::time::Instant::now() + Duration::from_secs(20);
    let ended = process.line(until).await.expect_err("it says nothing");
    assert!(matches!(ended, Silence::Ended(Ended::Killed { name: "SIGKILL" | "SIGXCPU", .. })), "{ended:?}");
}

/// As root a program runs as another user, who may not be let in where it lies.
#[tokio::test]
async fn a_program_in_a_closed_folder_runs() {
    let folder = tempfile::tempdir().expect("a folder that only its owner may enter");
    let closed = folder.path().join("toy");
    copy(&example("toy"), &closed);
    let mut foreign = Foreign::new(Program::new(&closed), Dialect::Uci, quick());
    assert_eq!(foreign.ask(&query(START, 2)).await.expect("an answer").total, Some(400));
}

#[tokio::test]
async fn a_program_reads_what_it_is_allowed_and_nothing_beside() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("open to all");
    for name in ["net", "secret"] {
        fs::write(folder.path().join(name), format!("the {name}\n")).expect("a file");
    }
    let script = "cd \"$0\" 2>/dev/null; cat \"$0/net\"; cat \"$0/secret\" || echo refused";
    let place = folder.path().display().to_string();
    let mut program = Program::new("sh").with_arguments(["-c", script, &place]);
    program.readable.push(folder.path().join("net"));
    let mut process =
        Process::start(&program, &Limits::default(), Confinement::Tier1).await.expect("a process");
    let until = tokio::time::Instant::now() + Duration::from_secs(5);
    assert_eq!(process.line(until).await.expect("a line").text, "the net");
    assert_eq!(process.line(until).await.expect("a line").text, "refused");
    program.readable.push(folder.path().join("no-such-net"));
    let missing =
        Process::start(&program, &Limits::default(), Confinement::Tier1).await.expect_err("missing");
    assert!(missing.to_string().contains("no-such-net, which is not there"), "{missing}");
}
