//! `vezir suite`: both formats, wrong counts, and faults with their place.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use tempfile::TempDir;

use super::{answer, json, talk, vezir};

const RIGHT: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;D3 1197\n";

fn file(name: &str, text: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("a file can be written");
    (folder, path)
}

fn suite(text: impl AsRef<[u8]>, words: &[&str]) -> assert_cmd::assert::Assert {
    let (folder, path) = file("a.epd", text);
    let path = path.display().to_string();
    let run = vezir(&[&["suite", &path], words].concat());
    drop(folder);
    run
}

#[test]
fn a_right_suite_is_all_right() {
    let run = suite(RIGHT, &[]).code(0);
    assert_eq!(answer(&run), "1 position, 3 counts, 1,278 nodes: all right\n");
}

#[test]
fn our_own_suite_is_all_right() {
    let run = vezir(&["suite", "--max-nodes", "200k"]).code(0);
    assert!(answer(&run).ends_with(": all right\n"), "{}", answer(&run));
}

#[test]
fn the_other_format_is_read_too() {
    let text = "# one rook\r\nid rook\r\nepd 4k3/8/8/8/8/8/8/4K2R w K -\r\nperft 1 15\r\nperft 2 66\r\n\r\n";
    let run = suite(text, &[]).code(0);
    assert_eq!(answer(&run), "1 position, 2 counts, 81 nodes: all right\n");
}

#[test]
fn a_wrong_count_is_named_with_its_place() {
    let text = format!("# a comment\n\n{}", RIGHT.replace("66", "67"));
    let run = suite(&text, &[]).code(1);
    let said = answer(&run);
    assert!(said.contains("a.epd:3: 4k3/8/8/8/8/8/8/4K2R w K - 0 1: depth 2: wanted 67, got 66\n"), "{said}");
    assert!(said.ends_with(": 1 differs\n"), "{said}");
    let object = json(&suite(&text, &["--json"]).code(1));
    let wrong = &object["wrong"][0];
    assert_eq!((wrong["line"].as_u64(), wrong["depth"].as_u64()), (Some(3), Some(2)));
    assert_eq!((wrong["wanted"].as_str(), wrong["got"].as_str()), (Some("67"), Some("66")));
}

#[test]
fn limits_leave_counts_out() {
    let run = suite(RIGHT, &["--max-nodes", "66"]).code(0);
    assert!(answer(&run).contains("2 counts"), "{}", answer(&run));
    let run = suite(RIGHT, &["--max-depth", "1"]).code(0);
    assert!(answer(&run).contains("1 count,"), "{}", answer(&run));
    let run = suite(RIGHT, &["--max-nodes", "14"]).code(6);
    assert!(talk(&run).contains("nothing to check"), "{}", talk(&run));
}

#[test]
fn faults_are_named_with_line_and_column() {
    let faults: [(&[u8], &str); 11] = [
        (b"\n4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;E2 25\n", "a.epd:2:38: "),
        (b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 five\n", "a.epd:1:35: "),
        (b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;Dx 5\n", "a.epd:1:33: "),
        (b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D99 5\n", "a.epd:1:33: "),
        (b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D1 5\n", "a.epd:1:39: "),
        (b"4k3/8/8/8/8/8/8/4K3 w - - 0 1\n", "a.epd:1:30: "),
        (b"4k3/8/8/8/8/8/8/8 w - - 0 1 ;D1 5\n", "a.epd:1:"),
        (b"perft 1 20\n", "a.epd:1:1: "),
        (b"id lonely\nepd 4k3/8/8/8/8/8/8/4K3 w - -\n", "a.epd:2:1: "),
        (b"# \xff\n", "a.epd:1:3: "),
        (b"# nothing\n", "a.epd: "),
    ];
    for (text, place) in faults {
        let run = suite(text, &[]).code(3);
        let said = talk(&run);
        let shown = String::from_utf8_lossy(text);
        assert!(said.contains(place), "{shown}: {said}");
        assert!(said.contains("right") && said.lines().count() == 1, "{shown}: {said}");
    }
}

#[test]
fn a_line_without_end_is_refused() {
    let run = suite("x".repeat(100_000), &[]).code(3);
    assert!(talk(&run).contains("65536"), "{}", talk(&run));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let run = vezir(&["suite", "nowhere.epd", "nor-here.epd"]).code(3);
    let said = talk(&run);
    assert!(said.contains("nowhere.epd: ") && said.contains("nor-here.epd: "), "{said}");
}

#[test]
fn standard_input_is_read_where_a_dash_stands() {
    let mut command = Command::from_std(vezir_tests::executable::vezir());
    let run = command.args(["suite", "-"]).write_stdin(RIGHT).assert().code(0);
    assert!(answer(&run).ends_with(": all right\n"), "{}", answer(&run));
}
