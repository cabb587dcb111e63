//! The executable, built afresh from this tree before a test starts it.

use std::env::{self, consts::EXE_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::house;

/// A command that starts `vezir` of this tree, in the profile of the test that asks, undisturbed by settings of
/// the user's environment, and with a folder of its own for what it remembers.
///
/// # Panics
/// If it cannot be built.
pub fn vezir() -> Command {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let program = BUILT.get_or_init(|| build(&["--package", "vezir"]).join(format!("vezir{EXE_SUFFIX}")));
    let mut command = Command::new(program);
    command.env("XDG_STATE_HOME", program.with_file_name("state"));
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("VEZIR_")) {
        command.env_remove(name);
    }
    command
}

/// The toy engine, whose generator has any fault that it is told to have.
///
/// # Panics
/// If it cannot be built.
pub fn toy() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let words = ["--package", "vezir-engine", "--example", "toy"];
    BUILT.get_or_init(|| build(&words).join("examples").join(format!("toy{EXE_SUFFIX}")))
}

/// Builds what `words` name, and tells the folder of the profile: Cargo does not build another package's
/// executable for a test, and one that lies about may be stale.
fn build(words: &[&str]) -> PathBuf {
    let test = env::current_exe().expect("a test knows where it is");
    let folder = test.ancestors().nth(2).expect("tests lie in <profile>/deps");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let target = folder.parent().map(Path::as_os_str).expect("profiles lie in the target folder");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--profile", profile]).args(words);
    let status = cargo.current_dir(house::root()).env("CARGO_TARGET_DIR", target).status();
    assert!(status.expect("cargo can be started").success(), "{words:?} cannot be built");
    folder.to_owned()
}
