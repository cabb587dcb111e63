//! The executable as a user meets it: answers, exit codes, sentences, and how it behaves in pipes.

#[path = "cli/access.rs"]
mod access;
#[path = "cli/artifacts.rs"]
mod artifacts;
#[path = "cli/bench.rs"]
mod bench;
#[path = "cli/ending.rs"]
mod ending;
#[path = "cli/means.rs"]
mod means;
#[path = "cli/perft.rs"]
mod perft;
#[path = "cli/settings.rs"]
mod settings;
#[path = "cli/suite.rs"]
mod suite;

use assert_cmd::Command;
use assert_cmd::assert::Assert;

/// Runs `vezir` with these words to its end.
fn vezir(words: &[&str]) -> Assert {
    Command::from_std(vezir_tests::executable::vezir()).args(words).assert()
}

/// What a run printed as its answer.
fn answer(run: &Assert) -> String {
    String::from_utf8_lossy(&run.get_output().stdout).into_owned()
}

/// What a run told beside it.
fn talk(run: &Assert) -> String {
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

/// The JSON object that a run printed.
fn json(run: &Assert) -> serde_json::Value {
    serde_json::from_str(&answer(run)).unwrap_or_else(|error| panic!("{error}: {}", answer(run)))
}

/// The number that a decimal string holds.
fn number(value: &serde_json::Value) -> u128 {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} is no string"));
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}
