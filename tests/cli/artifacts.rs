//! Frontiers that are kept beside a store: read back when a run goes on, and looked at by the doctor.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{answer, json, talk, vezir};

/// What no wait should come near to.
const PATIENCE: Duration = Duration::from_secs(120);

/// A store with a run that was planned and then lost its process, and the artifact of its frontier.
struct Interrupted {
    folder: TempDir,
    artifact: PathBuf,
}

impl Interrupted {
    fn new() -> Interrupted {
        let folder = tempfile::tempdir().expect("there is room");
        let mut command = vezir_tests::executable::vezir();
        command.args([
            "perft",
            "6",
            "--split",
            "4",
            "--hash",
            "0",
            "--threads",
            "1",
            "--breakdown",
            "--store",
        ]);
        let mut counting = command
            .arg(folder.path().join("runs.sqlite"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let artifact = wait(&mut counting, &folder.path().join("runs.sqlite.artifacts"));
        let planned = || {
            let shown = vezir(&["doctor", "--json", "--store", &store(&folder)]);
            json(&shown)["artifacts"]["sound"] == 1
        };
        let begun = Instant::now();
        while !planned() {
            assert!(begun.elapsed() < PATIENCE, "the run is not planned");
        }
        counting.kill().expect("it was still counting");
        counting.wait().expect("it can be waited for");
        Interrupted { folder, artifact }
    }

    fn doctor(&self, code: i32) -> String {
        answer(&vezir(&["doctor", "--store", &store(&self.folder)]).code(code))
    }

    /// Goes on with the run; what it logs of its frontier.
    fn resume(&self) -> String {
        let mut command = assert_cmd::Command::from_std(vezir_tests::executable::vezir());
        let run = command.env("VEZIR_LOG", "vezir_coordinator=info").args(["runs", "resume", "1", "--store"]);
        let run = run.arg(store(&self.folder)).assert().code(0);
        assert!(answer(&run).starts_with("Nodes searched: 119060324\n"), "{}", answer(&run));
        talk(&run)
    }
}

fn store(folder: &TempDir) -> String {
    folder.path().join("runs.sqlite").display().to_string()
}

/// The first artifact of a folder, once it is there.
fn wait(counting: &mut Child, folder: &Path) -> PathBuf {
    let begun = Instant::now();
    loop {
        let entries =
            |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
        let halves = entries(folder).filter(|path| path.file_name().is_some_and(|name| name.len() == 2));
        if let Some(artifact) = halves.flat_map(|half| entries(&half).collect::<Vec<_>>()).next() {
            return artifact;
        }
        assert!(begun.elapsed() < PATIENCE, "no frontier is kept");
        assert_eq!(counting.try_wait().expect("it can be asked"), None, "it ended too early");
        // A look takes no time, and the other process needs some.
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_run_goes_on_with_the_frontier_that_was_kept() {
    let interrupted = Interrupted::new();
    assert!(interrupted.doctor(0).contains("1 sound artifacts"), "{}", interrupted.doctor(0));
    let told = interrupted.resume();
    assert!(told.contains("frontier read back"), "{told}");
}

#[test]
fn a_run_tells_which_frontier_is_its_own() {
    let interrupted = Interrupted::new();
    let name = interrupted.artifact.file_name().expect("a name").to_string_lossy().into_owned();
    let said = |words: &[&str]| {
        answer(&vezir(&[words, &["1", "--store", &store(&interrupted.folder)]].concat()).code(0))
    };
    assert!(said(&["runs", "show"]).contains(&format!("\nfrontier   {name}\n")));
    let exported = said(&["runs", "export"]);
    for text in [said(&["runs", "show", "--json"]).as_str(), exported.lines().next().expect("a line")] {
        let run: serde_json::Value = serde_json::from_str(text).expect("each line is JSON");
        assert_eq!(run["frontier"], name);
    }
}

#[test]
fn a_damaged_frontier_is_found_and_grows_again() {
    let interrupted = Interrupted::new();
    let mut bytes = fs::read(&interrupted.artifact).expect("an artifact");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&interrupted.artifact, bytes).expect("there is room");
    let found = interrupted.doctor(1);
    assert!(found.contains("is damaged") && !found.contains("the file is sound"), "{found}");
    let told = interrupted.resume();
    assert!(told.contains("it grows again") && !told.contains("frontier read back"), "{told}");
    assert!(interrupted.doctor(0).contains("1 sound artifacts"), "it was not healed");
}

#[test]
fn a_missing_frontier_is_noted() {
    let interrupted = Interrupted::new();
    fs::remove_file(&interrupted.artifact).expect("an artifact");
    let found = interrupted.doctor(0);
    assert!(found.contains("the frontier of run 1 will grow again"), "{found}");
}
