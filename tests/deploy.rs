//! What is in `deploy/` for systemd: its units are looked at by systemd itself, and their settings by `vezir`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use vezir_tests::{executable, house};

/// Where the units expect the executable.
const INSTALLED: &str = "/usr/local/bin/vezir";

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{:?}: {error}", command.get_program()))
}

fn told(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

/// Everything that systemd has to say about a unit.
fn verify(unit: &str) -> Output {
    let folder = tempfile::tempdir().expect("there is room");
    let built = executable::vezir();
    let text = house::read(&Path::new("deploy/systemd").join(unit));
    assert!(text.contains(INSTALLED), "{unit} starts something else");
    let path = folder.path().join(unit);
    let built = built.get_program().to_string_lossy();
    fs::write(&path, text.replace(INSTALLED, &built)).expect("there is room");
    run(Command::new("systemd-analyze").args(["verify", "--man=no", "--recursive-errors=no"]).arg(path))
}

#[test]
fn systemd_finds_nothing_wrong_with_the_units() {
    let units = house::entries("deploy/systemd");
    let units: Vec<_> = units.iter().filter(|name| name.ends_with(".service")).collect();
    assert!(units.len() >= 2, "{units:?}");
    for unit in units {
        let output = verify(unit);
        assert!(output.status.success() && told(&output).is_empty(), "{unit}: {}", told(&output));
    }
}

#[test]
fn the_settings_of_the_units_are_settings() {
    let path = house::root().join("deploy/systemd/vezir.toml");
    for (command, line) in [
        ("coordinator", "listen = \"0.0.0.0:6464\" # file"),
        ("worker", "coordinator = \"https://chess.example.org:6464\" # file"),
    ] {
        let output = run(executable::vezir().args([command, "--print-settings", "--config"]).arg(&path));
        assert!(output.status.success(), "{}", told(&output));
        assert!(told(&output).contains(line), "{}", told(&output));
    }
}
