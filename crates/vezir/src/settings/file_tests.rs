//! What files of settings may say, and what is said of those that are wrong.

use clap::CommandFactory;

use super::*;
use crate::args::CommandLine;

fn read_text(text: &str, name: &str) -> Result<Vec<Setting>, Vec<String>> {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("vezir.toml");
    std::fs::write(&path, text).expect("there is room");
    let place = format!("{}", path.display());
    let read = read(&path, &CommandLine::command(), name);
    read.map_err(|faults| faults.iter().map(|fault| fault.replace(&place, "vezir.toml")).collect())
}

fn setting(option: &str, value: &str) -> Setting {
    Setting { option: option.to_owned(), value: value.to_owned() }
}

#[test]
fn each_command_has_its_table() {
    let text =
        "[worker]\nthreads = 0x10\nhash = \"2GiB\"\n[coordinator]\nlease = \"3s\"\nno-second-leases = true\n";
    let mut worker = read_text(text, "worker").expect("it is right");
    worker.sort_by(|one, other| one.option.cmp(&other.option));
    assert_eq!(worker, [setting("hash", "2GiB"), setting("threads", "16")]);
    let coordinator = read_text(text, "coordinator").expect("it is right");
    assert!(coordinator.contains(&setting("lease", "3s")));
    assert!(coordinator.contains(&setting("no_second_leases", "true")));
    assert_eq!(read_text(text, "perft"), Ok(Vec::new()));
    assert_eq!(read_text("", "perft"), Ok(Vec::new()));
}

#[test]
fn every_fault_is_told_with_its_place_and_what_would_be_right() {
    let text = "listen = \"127.0.0.1:1\"\n\
                [coordinator]\n\
                tls_cert = \"a\"\n\
                lease = \"soon\"\n\
                metrics = \"here\"\n\
                [worker]\n\
                threads = 1.5\n\
                hash = 7\n\
                speed = 3\n\
                [perft]\n\
                verify = \"twice\"\n\
                depth = 3\n\
                [cordinator]\n";
    let mut faults = read_text(text, "worker").expect_err("it is wrong");
    faults.sort_by_key(|fault| fault.split(':').nth(1).and_then(|line| line.parse::<u32>().ok()));
    let expected = [
        "vezir.toml:1: listen is in no command's table",
        "vezir.toml:3: [coordinator] tls_cert is no setting; tls-cert would be right",
        "vezir.toml:4: [coordinator] lease = \"soon\": `soon` is no length of time; `30s`",
        "vezir.toml:5: [coordinator] metrics = \"here\": ADDRESS:PORT, as 127.0.0.1:6465, would",
        "vezir.toml:7: [worker] threads = 1.5: text in quotes or a whole number would be right",
        "vezir.toml:8: [worker] hash = 7: `7` has no unit; `7MiB` or `7GiB` would be right",
        "vezir.toml:9: [worker] speed is no setting; ",
        "vezir.toml:11: [perft] verify = \"twice\": no, sample or all would be right",
        "vezir.toml:12: [perft] depth is no setting; ",
        "vezir.toml:13: [cordinator] is no command with settings; [coordinator], [worker]",
    ];
    assert_eq!(faults.len(), expected.len(), "{faults:#?}");
    for (fault, expected) in faults.iter().zip(expected) {
        assert!(fault.starts_with(expected), "{fault}\n{expected}");
        assert!(fault.ends_with("would be right") && !fault.contains("rehearse"), "{fault}");
    }
}

#[test]
fn what_is_not_toml_is_told_line_by_line() {
    let faults = read_text("threads = = 1\nhash = \n[worker\n", "worker").expect_err("it is wrong");
    assert!(faults.len() >= 2, "{faults:?}");
    assert!(faults[0].starts_with("vezir.toml:1: this is not TOML: "), "{faults:?}");
    assert!(faults.iter().all(|fault| !fault.contains('\n')), "{faults:?}");
}

#[test]
fn a_file_that_cannot_be_read_is_told() {
    let missing = read(Path::new("/no/such.toml"), &CommandLine::command(), "worker");
    let missing = missing.expect_err("it is not there");
    assert!(missing[0].starts_with("/no/such.toml: No such file"), "{missing:?}");
    let folder = tempfile::tempdir().expect("there is room");
    let large = folder.path().join("large.toml");
    std::fs::write(&large, vec![b'#'; MAX_FILE_BYTES as usize + 1]).expect("there is room");
    let faults = read(&large, &CommandLine::command(), "worker").expect_err("it is too large");
    assert!(faults[0].contains("more than"), "{faults:?}");
}
