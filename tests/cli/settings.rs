//! Settings from a file, the environment and the command line, and what is shown of them.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use tempfile::TempDir;

use super::{answer, talk};

fn vezir(words: &[&str], variables: &[(&str, &Path)]) -> Assert {
    let mut command = Command::from_std(vezir_tests::executable::vezir());
    command.envs(variables.iter().copied()).args(words).assert()
}

fn file(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("vezir.toml");
    std::fs::write(&path, text).expect("there is room");
    (folder, path)
}

fn has_line(shown: &str, line: &str) {
    assert!(shown.lines().any(|it| it == line), "`{line}` is not in\n{shown}");
}

#[test]
fn the_command_line_goes_before_the_environment_before_the_file() {
    let (_folder, path) =
        file("[worker]\nthreads = 3\nhash = \"16MiB\"\nname = \"rack7\"\nlog-format = \"json\"\n");
    let config = path.display().to_string();
    let words = ["worker", "--config", &config, "--print-settings", "--threads", "5"];
    let run = vezir(&words, &[("VEZIR_HASH", Path::new("32MiB")), ("VEZIR_THREADS", Path::new("4"))]).code(0);
    let shown = answer(&run);
    has_line(&shown, "threads = 5 # command line");
    has_line(&shown, "hash = \"32MiB\" # environment, VEZIR_HASH");
    has_line(&shown, &format!("log-format = \"json\" # file {config}"));
    has_line(&shown, &format!("name = \"rack7\" # file {config}"));
    has_line(&shown, "# coordinator: not set (VEZIR_COORDINATOR)");
    assert!(!shown.contains("rehearse"), "{shown}");
}

#[test]
fn what_is_shown_is_a_file_of_the_same_settings() {
    for command in ["coordinator", "worker", "standalone"] {
        let first = answer(&vezir(&[command, "--print-settings"], &[]).code(0));
        let (_folder, path) = file(&first);
        let second = answer(&vezir(&[command, "--print-settings"], &[("VEZIR_CONFIG", &path)]).code(0));
        assert_eq!(second.replace(&format!("# file {}", path.display()), "# default"), first);
        assert!(second.contains("# file "), "{second}");
    }
}

#[test]
fn every_fault_of_a_file_is_told_at_once() {
    let (_folder, path) = file("[worker]\nthreads = 0\nspeed = 9\n[perft]\nhash = \"lots\"\n");
    let run = vezir(&["perft", "1"], &[("VEZIR_CONFIG", &path)]).code(3);
    let told = talk(&run);
    assert_eq!(told.lines().count(), 3, "{told}");
    assert!(
        told.lines().all(|line| line.contains("vezir.toml:") && line.ends_with("would be right")),
        "{told}"
    );
    let run = vezir(&["worker", "--config", "/no/such.toml", "--print-settings"], &[]).code(3);
    assert!(talk(&run).contains("/no/such.toml: "), "{}", talk(&run));
}

#[test]
fn a_variable_that_is_wrong_is_named_and_one_that_is_empty_is_not_set() {
    let run = vezir(&["perft", "1"], &[("VEZIR_THREADS", Path::new("many"))]).code(2);
    let told = talk(&run);
    assert_eq!(told, "vezir: VEZIR_THREADS many: a whole number from 1 to 1024 would be right\n");
    let run = vezir(&["perft", "1", "--threads", "many"], &[("VEZIR_THREADS", Path::new("many"))]).code(2);
    assert!(talk(&run).starts_with("vezir: --threads many: "), "{}", talk(&run));
    let run = vezir(&["perft", "1"], &[("VEZIR_TRHEADS", Path::new("2")), ("VEZIR_LOG", Path::new("warn"))]);
    let run = run.code(0);
    assert!(talk(&run).contains("VEZIR_TRHEADS is no setting"), "{}", talk(&run));
    let empty = ["VEZIR_THREADS", "VEZIR_HASH", "VEZIR_CA", "VEZIR_COORDINATOR", "VEZIR_CONFIG"];
    let empty = empty.map(|variable| (variable, Path::new("")));
    vezir(&["perft", "1"], &empty).code(0);
    let shown = answer(&vezir(&["worker", "--print-settings"], &empty).code(0));
    has_line(&shown, "# ca: not set (VEZIR_CA)");
}

#[test]
fn a_count_takes_its_settings_from_the_file() {
    let (_folder, path) = file("[perft]\ncoordinator = \"http://127.0.0.1:1\"\n");
    vezir(&["perft", "1"], &[("VEZIR_CONFIG", &path)]).code(4);
    vezir(&["perft", "1"], &[]).code(0);
}

#[test]
fn whoever_looks_after_runs_takes_settings_from_the_file() {
    let nowhere = "coordinator = \"http://127.0.0.1:1\"\n";
    let (folder, path) = file(&format!("[runs]\n{nowhere}[workers]\n{nowhere}[doctor]\nstore = \"none\"\n"));
    let config = path.display().to_string();
    let said = [
        (&["runs", "list"][..], 4, "http://127.0.0.1:1: "),
        (&["runs", "watch", "1"], 4, "http://127.0.0.1:1: "),
        (&["workers", "pause", "1"], 4, "http://127.0.0.1:1: "),
        (&["doctor"], 3, "none: there is no such file"),
    ];
    for (words, code, sentence) in said {
        for run in
            [vezir(&[words, &["--config", &config]].concat(), &[]), vezir(words, &[("VEZIR_CONFIG", &path)])]
        {
            let told = talk(&run.code(code));
            assert!(told.contains(sentence), "{words:?}: {told}");
        }
    }
    let store = folder.path().join("runs.sqlite").display().to_string();
    vezir(&["perft", "1", "--store", &store], &[]).code(0);
    let run = vezir(&["runs", "list", "--store", &store], &[]).code(0);
    assert!(answer(&run).trim_start().starts_with("RUN"), "{}", answer(&run));
}

#[test]
fn a_certificate_without_its_key_is_told_wherever_it_comes_from() {
    let (_folder, path) = file("[coordinator]\ntls-cert = \"a.pem\"\nlisten = \"127.0.0.1:0\"\n");
    let run = vezir(&["coordinator"], &[("VEZIR_CONFIG", &path)]).code(2);
    assert!(talk(&run).contains("--tls-key as well would be right"), "{}", talk(&run));
}

#[test]
fn what_is_of_no_use_alone_is_told() {
    let (_folder, path) = file("[coordinator]\nmetrics-exposed = true\nlisten = \"127.0.0.1:0\"\n");
    let run = vezir(&["coordinator"], &[("VEZIR_CONFIG", &path)]).code(2);
    assert!(talk(&run).contains("--metrics as well would be right"), "{}", talk(&run));
}

#[test]
fn what_is_about_this_machine_is_of_no_use_to_a_coordinator_elsewhere() {
    let elsewhere = ["--coordinator", "http://127.0.0.1:1"];
    for (words, option) in [
        (&["perft", "1", "--threads", "2"][..], "--threads"),
        (&["perft", "1", "--store", "none"], "--store"),
        (&["runs", "list", "--store", "none"], "--store"),
        (&["workers", "list", "--store", "none"], "--store"),
    ] {
        let told = talk(&vezir(&[words, &elsewhere].concat(), &[]).code(4));
        let warning = format!("warning: {option} is of no use: it is about this machine, and http://");
        assert!(told.lines().count() == 2 && told.starts_with(&warning), "{told}");
    }
    // These may be meant for others.
    let run =
        vezir(&[&["perft", "1"][..], &elsewhere].concat(), &[("VEZIR_THREADS", Path::new("2"))]).code(4);
    assert_eq!(talk(&run).lines().count(), 1, "{}", talk(&run));
    // A worker's threads are its own. One that nobody listens to would wait: this one has no CA.
    let nobody = ["worker", "--threads", "1", "--coordinator", "https://127.0.0.1:1"];
    let run = vezir(&nobody, &[]).code(2);
    assert_eq!(talk(&run).lines().count(), 1, "{}", talk(&run));
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let (folder, _) = file("");
    let pages = folder.path().join("man1");
    vezir(&["man", &pages.display().to_string()], &[]).code(0);
    for name in ["vezir", "vezir-perft", "vezir-coordinator", "vezir-runs-resume"] {
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).expect("there is a page");
        assert!(page.contains(".SH NAME") && page.contains("vezir"), "{name}: {page}");
    }
}
