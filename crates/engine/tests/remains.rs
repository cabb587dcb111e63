//! After every bad manner nothing is left: no process, no folder, no descriptor.

mod alone;

use std::fs;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
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

#[tokio::test]
async fn nothing_is_left_behind() {
    if std::env::var_os(INSIDE).is_none() {
        let (copies, temporary) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let mut command = alone::again(copies.path(), "nothing_is_left_behind");
        let done = command.env(INSIDE, "1").env("TMPDIR", temporary.path()).output().expect("the same test");
        let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success() && out.contains("1 passed"), "{out}\n{err}");
        let left: Vec<_> = fs::read_dir(temporary.path()).expect("the folder").flatten().collect();
        assert!(left.is_empty(), "{left:?}");
        return;
    }
    let before = descriptors();
    misbehave().await;
    // The readers of standard error are let go by the runtime, in its own time.
    let until = Instant::now() + Duration::from_secs(2);
    while descriptors() != before && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let extra: Vec<String> = descriptors().into_iter().filter(|target| !before.contains(target)).collect();
    assert!(
        extra.iter().all(|target| target.contains("eventpoll") || target.contains("eventfd")),
        "{extra:?}"
    );
    assert_eq!(children(), [] as [String; 0]);
    assert_eq!(waitpid(None::<Pid>, Some(WaitPidFlag::WNOHANG)), Err(Errno::ECHILD));
}
