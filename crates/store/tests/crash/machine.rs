//! A machine whose power fails: the driver under the shim, what it said, and what is left of its files.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::SystemTime;

use serde_json::Value;
use tempfile::TempDir;

/// How many calls the script has.
const CALLS: u32 = 160;

/// What is to go wrong with the disk: calls `from..to` of one kind fail.
#[derive(Clone, Copy)]
pub(crate) struct Fault {
    /// "write", "sync" or "open".
    pub(crate) kind: &'static str,
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// The number of the error.
    pub(crate) errno: u32,
}

/// What is to happen to the driver.
#[derive(Clone, Copy, Default)]
pub(crate) struct Fate {
    pub(crate) seed: u64,
    /// The write or sync that it does not survive.
    pub(crate) kill: Option<u64>,
    pub(crate) unsynced: bool,
    pub(crate) fault: Option<Fault>,
}

/// A machine, before or after.
pub(crate) struct Machine {
    folder: TempDir,
}

/// What the driver said.
pub(crate) struct Said {
    pub(crate) status: ExitStatus,
    /// What it acknowledged.
    pub(crate) calls: Vec<Value>,
    /// Why the store could not be used.
    pub(crate) unusable: Vec<String>,
    /// Why it could not be opened.
    pub(crate) refused: Option<String>,
}

impl Said {
    pub(crate) fn was_killed(&self) -> bool {
        self.status.signal() == Some(9)
    }
}

impl Machine {
    pub(crate) fn new() -> Machine {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder for a machine");
        for part in ["disk", "safe", "cut"] {
            fs::create_dir(folder.path().join(part)).expect("a folder of the machine");
        }
        Machine { folder }
    }

    /// The store on its disk.
    pub(crate) fn store(&self) -> PathBuf {
        self.folder.path().join("disk/vezir.sqlite")
    }

    /// Lets the driver live until it ends.
    pub(crate) fn drive(&self, fate: Fate) -> Said {
        let mut command = Command::new(driver());
        command.arg(self.store()).arg(fate.seed.to_string()).arg(CALLS.to_string());
        command.env("LD_PRELOAD", shim()).env("VEZIR_SHIM_STORE", self.store());
        command.env("VEZIR_SHIM_SAFE", self.folder.path().join("safe"));
        if fate.unsynced {
            command.env("VEZIR_DRIVE_UNSYNCED", "1");
        }
        if let Some(kill) = fate.kill {
            command.env("VEZIR_SHIM_KILL", kill.to_string());
        }
        if let Some(fault) = fate.fault {
            command.env("VEZIR_SHIM_FAIL", fault.kind).env("VEZIR_SHIM_ERRNO", fault.errno.to_string());
            command.env("VEZIR_SHIM_FROM", fault.from.to_string()).env("VEZIR_SHIM_TO", fault.to.to_string());
        }
        let output = command.stdin(Stdio::null()).output().expect("a driver that starts");
        let talk = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!talk.contains("panicked"), "the driver has panicked: {talk}");
        let mut said = Said { status: output.status, calls: Vec::new(), unusable: Vec::new(), refused: None };
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            // Whoever was killed while speaking has said nothing.
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            if let Some(why) = line["unusable"].as_str() {
                said.unusable.push(why.to_owned());
            } else if let Some(why) = line["refused"].as_str() {
                said.refused = Some(why.to_owned());
            } else if line["id"].is_string() {
                said.calls.push(line);
            }
        }
        said
    }

    /// How many writes and syncs the driver made, if it came to its end; then how many of each kind.
    pub(crate) fn counts(&self) -> Vec<u64> {
        let text = fs::read_to_string(self.folder.path().join("safe/count")).expect("a count");
        text.split_whitespace().map(|number| number.parse().expect("a number")).collect()
    }

    /// The store as it is after a power cut: every file as it was at its last sync, under the name that its
    /// folder had for it when that was last synced.
    pub(crate) fn cut(&self) -> PathBuf {
        let (safe, cut) = (self.folder.path().join("safe"), self.folder.path().join("cut"));
        // Before anything was synced there are no names.
        for line in fs::read_to_string(safe.join("names")).unwrap_or_default().lines() {
            let (number, name) = line.split_once(' ').expect("a number and a name");
            fs::copy(safe.join(number), cut.join(name)).expect("a file that was kept");
        }
        cut.join("vezir.sqlite")
    }
}

/// The driver, which is built with the tests of this crate.
fn driver() -> &'static Path {
    static DRIVER: OnceLock<PathBuf> = OnceLock::new();
    DRIVER.get_or_init(|| {
        let test = std::env::current_exe().expect("the name of this test");
        let folder = test.ancestors().nth(2).expect("the folder of what was built");
        let driver = folder.join("examples/drive");
        let built = changed(&driver).expect("no driver is built; `cargo test -p vezir-store` does it");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(newest(&sources) <= built, "the driver is old; `cargo test -p vezir-store` builds it anew");
        driver
    })
}

fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|it| it.modified()).ok()
}

/// When the newest file in a folder was changed.
fn newest(folder: &Path) -> SystemTime {
    let entries = fs::read_dir(folder).expect("a folder").map(|it| it.expect("a file").path());
    let changed = entries.map(|it| if it.is_dir() { newest(&it) } else { changed(&it).expect("a file") });
    changed.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The shim, built by the C compiler of this machine.
fn shim() -> &'static Path {
    static SHIM: OnceLock<PathBuf> = OnceLock::new();
    SHIM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crash/shim.c");
        let shim = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shim.so");
        let mut command = Command::new("cc");
        command.args(["-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o"]).arg(&shim);
        let built = command.arg(source).arg("-ldl").status().expect("a C compiler");
        assert!(built.success(), "the shim cannot be built");
        shim
    })
}
