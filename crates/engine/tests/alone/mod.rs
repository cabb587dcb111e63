//! A test in a process of its own, wherever it may be run by another user.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names the folder of the examples to a test that runs elsewhere.
const EXAMPLES: &str = "VEZIR_TEST_EXAMPLES";

/// The path of an example. Cargo builds them beside the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let beside = || {
        let own = env::current_exe().expect("our own path");
        own.parent().and_then(Path::parent).expect("the build folder").join("examples")
    };
    let path = env::var_os(EXAMPLES).map_or_else(beside, PathBuf::from).join(name);
    assert!(path.is_file(), "{} is not built: `cargo test` without `--test` builds it", path.display());
    path
}

#[allow(dead_code, reason = "each file of tests takes what it needs")]
/// Copies this test and the examples to `folder`, and makes the command that runs the test called `name` there.
pub(crate) fn again(folder: &Path, name: &str) -> Command {
    let own = folder.join("test");
    copy(&env::current_exe().expect("our own path"), &own);
    for name in ["probe", "toy"] {
        copy(&example(name), &folder.join(name));
    }
    let mut command = Command::new(own);
    command.args(["--exact", name, "--nocapture"]).env(EXAMPLES, folder).current_dir(folder);
    command
}

/// Copies a program by another process: a child that is forked beside us meanwhile would hold our copy open, and
/// what is open to be written cannot be run.
#[allow(dead_code, reason = "each file of tests takes what it needs")]
pub(crate) fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp").arg(from).arg(to).status().expect("cp");
    assert!(done.success(), "{} cannot be copied", from.display());
}
