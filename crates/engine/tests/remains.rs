//! After every bad manner nothing is left: no process, no folder, no descriptor.

mod alone;

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::{Pid, geteuid};
use vezir_engine::{Dialect, Foreign, Program, Query, Settings};

/// Set where the test is run again, in a folder and a process of its own.
const INSIDE: &str = "VEZIR_TEST_INSIDE";

const MANNERS: [&str; 12] = [
    "crash",
    "abort",
    "exit",
    "hang",
    "garbage",
    "wrong-sum",
    "flood",
    "orphan",
    "ignore-quit",
    "bytes",
    "crash@2",
    "twice",
];

/// One question after another in both kinds of dialect; a third of all quit, the others are dropped.
async fn misbehave() {
    let settings = Settings { query_limit: Duration::from_millis(700), ..Settings::default() };
    let asked = Query::at(vezir_chess::Position::startpos(), 2).expect("a question");
    for (turn, manner) in MANNERS.iter().enumerate() {
        for (how, dialect) in [("uci", Dialect::Uci), ("script", Dialect::Script)] {
            let arguments = ["--speak", how, "--misbehave", manner, "--misbehave", "orphan"];
            let program = Program::new(alone::example("toy")).with_arguments(arguments);
            let mut foreign = Foreign::new(program, dialect, settings);
            for _ in 0..2 {
                // What comes of it is another test's.
                let _ = foreign.ask(&asked).await;
            }
            if turn % 3 == 0 {
                foreign.quit().await;
            }
        }
    }
}

fn descriptors() -> Vec<String> {
    let open = fs::read_dir("/proc/self/fd").expect("our descriptors").flatten();
    let mut open: Vec<String> =
        open.filter_map(|entry| Some(fs::read_link(entry.path()).ok()?.display().to_string())).collect();
    // The one that reads this very folder.
    open.retain(|target| !target.contains("/proc/"));
    open.sort();
    open
}

/// The processes that call us their parent, as their names.
fn children() -> Vec<String> {
    let own = std::process::id().to_string();
    let stats = fs::read_dir("/proc").expect("processes").flatten();
    let stats = stats.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats
        .filter(|stat| stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)) == Some(&own))
        .collect()
}

/// Runs a test again in a process of its own, as `user` if that is not ours, and looks at its temporary folder.
fn alone_as(user: Option<u32>, name: &str) {
    let (copies, temporary) =
        (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    for folder in [copies.path(), temporary.path()] {
        fs::set_permissions(folder, Permissions::from_mode(0o777)).expect("open to all");
    }
    let mut command = alone::again(copies.path(), name);
    command.env(INSIDE, "1").env("TMPDIR", temporary.path());
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    let done = command.output().expect("the same test");
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && out.contains("1 passed"), "{user:?}: {out}\n{err}");
    let left: Vec<_> = fs::read_dir(temporary.path()).expect("the folder").flatten().collect();
    assert!(left.is_empty(), "{user:?}: {left:?}");
}

#[tokio::test]
async fn nothing_is_left_behind() {
    if std::env::var_os(INSIDE).is_none() {
        alone_as(None, "nothing_is_left_behind");
        if geteuid().is_root() {
            alone_as(Some(65_534), "nothing_is_left_behind");
        }
        return;
    }
    let before = descriptors();
    misbehave().await;
    // The readers of standard error are let go by the runtime, in its own time.
    let until = Instant::now() + Duration::from_secs(2);
    let extra = || descriptors().into_iter().filter(|target| !is_ours(target, &before)).collect::<Vec<_>>();
    while !extra().is_empty() && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(extra(), [] as [String; 0]);
    assert_eq!(children(), [] as [String; 0]);
    assert_eq!(waitpid(None::<Pid>, Some(WaitPidFlag::WNOHANG)), Err(Errno::ECHILD));
}

/// Whether a descriptor was there before, or is the runtime's own.
fn is_ours(target: &str, before: &[String]) -> bool {
    before.iter().any(|known| known == target) || target.contains("eventpoll") || target.contains("eventfd")
}

/// A host that is killed at once takes its programs along: Disservin/fastchess #94, #343.
#[tokio::test]
async fn a_program_does_not_outlive_a_host_that_is_killed() {
    let program = Program::new(alone::example("toy")).with_arguments(["--misbehave", "ignore-quit"]);
    if std::env::var_os(INSIDE).is_some() {
        let mut foreign = Foreign::new(program, Dialect::Uci, Settings::default());
        let asked = Query::at(vezir_chess::Position::startpos(), 1).expect("a question");
        foreign.ask(&asked).await.expect("an answer");
        println!("\nruns: {}", foreign.process_id().expect("it runs"));
        return std::future::pending().await;
    }
    let copies = tempfile::tempdir().expect("a folder");
    fs::set_permissions(copies.path(), Permissions::from_mode(0o755)).expect("open to all");
    let mut command = alone::again(copies.path(), "a_program_does_not_outlive_a_host_that_is_killed");
    command.env(INSIDE, "1").env("TMPDIR", copies.path()).stdout(Stdio::piped());
    let mut host = command.spawn().expect("the host");
    let mut lines = BufReader::new(host.stdout.take().expect("its output")).lines().map_while(Result::ok);
    let pid: u32 =
        lines.find_map(|line| line.strip_prefix("runs: ")?.parse().ok()).expect("a program's number");
    assert!(is_alive(pid));
    host.kill().expect("killed");
    host.wait().expect("gone");
    let until = Instant::now() + Duration::from_secs(2);
    while is_alive(pid) && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(!is_alive(pid));
}

/// Whether a process runs; one that is only waited for does not.
fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}
