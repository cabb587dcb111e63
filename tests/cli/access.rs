//! `vezir certs` and `vezir tokens`: what they make, what they refuse, and what other programs think of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::assert::Assert;
use tempfile::TempDir;

use super::{answer, talk};

/// A folder in which commands are run.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("there is room"))
    }

    fn vezir(&self, words: &[&str]) -> Assert {
        let command = assert_cmd::Command::from_std(vezir_tests::executable::vezir());
        { command }.args(words).current_dir(self.0.path()).assert()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("it is there")
    }

    /// What openssl, another program altogether, says of a file.
    fn openssl(&self, words: &[&str]) -> String {
        let run = Command::new("openssl").args(words).current_dir(self.0.path()).output();
        let run = run.expect("openssl is installed (tests/run sees to it)");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8_lossy(&run.stdout).into_owned()
    }
}

/// One sentence on standard error that says what would be right, and nothing on standard output.
fn sentence(run: &Assert) -> String {
    let told = talk(run);
    assert_eq!(answer(run), "");
    assert!(told.starts_with("vezir: ") && told.lines().count() == 1, "{told}");
    assert!(told.contains("would be right"), "{told}");
    told
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    let metadata = fs::metadata(path).expect("it is there");
    std::os::unix::fs::MetadataExt::mode(&metadata) & 0o777
}

#[test]
fn certificates_are_made_and_another_program_trusts_them() {
    let place = Place::new();
    let run = place.vezir(&["certs", "chess.example.org", "10.0.0.7"]).code(0);
    let files = ["certs/ca.pem", "certs/ca-key.pem", "certs/coordinator.pem", "certs/coordinator-key.pem"];
    assert_eq!(answer(&run).lines().collect::<Vec<_>>(), files);
    assert!(
        talk(&run).contains("for chess.example.org, 10.0.0.7, localhost, 127.0.0.1, ::1"),
        "{}",
        talk(&run)
    );
    for (check, name) in [
        ("-verify_hostname", "chess.example.org"),
        ("-verify_hostname", "localhost"),
        ("-verify_ip", "10.0.0.7"),
        ("-verify_ip", "::1"),
    ] {
        let words =
            ["verify", "-purpose", "sslserver", "-x509_strict", check, name, "-CAfile", files[0], files[2]];
        assert!(place.openssl(&words).contains("OK"), "{name}");
    }
    let key = place.openssl(&["pkey", "-in", files[3], "-pubout"]);
    assert_eq!(place.openssl(&["x509", "-in", files[2], "-pubkey", "-noout"]), key);
    #[cfg(unix)]
    for secret in [files[1], files[3]] {
        assert_eq!(mode(&place.path(secret)), 0o600, "{secret}");
    }
}

#[test]
fn certificates_are_replaced_only_by_force_and_the_ca_never() {
    let place = Place::new();
    place.vezir(&["certs", "chess.example.org"]).code(0);
    let (ca, leaf) = (place.read("certs/ca.pem"), place.read("certs/coordinator.pem"));
    let told = sentence(&place.vezir(&["certs", "chess.example.org"]).code(2));
    assert!(told.contains("certs/coordinator.pem: it is there already; --force"), "{told}");
    let run = place.vezir(&["certs", "--force"]).code(0);
    assert!(talk(&run).contains("certs/ca.pem is kept"), "{}", talk(&run));
    assert!(talk(&run).contains("for chess.example.org, localhost"), "{}", talk(&run));
    assert_eq!(place.read("certs/ca.pem"), ca);
    assert_ne!(place.read("certs/coordinator.pem"), leaf);
    let told = sentence(&place.vezir(&["certs", "--folder", "others", "no name"]).code(2));
    assert!(told.contains("\"no name\" is no host name or address"), "{told}");
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let place = Place::new();
    fs::write(place.path("certs"), "a file").expect("there is room");
    let told = sentence(&place.vezir(&["certs"]).code(4));
    assert!(told.contains("certs: "), "{told}");
}

#[test]
fn a_token_is_shown_once_and_only_its_hash_is_kept() {
    let place = Place::new();
    let ada = place.vezir(&["tokens", "add", "--owner", "ada", "--role", "submit", "--role", "view"]).code(0);
    let rack = place.vezir(&["tokens", "add", "--owner", "rack7", "--role", "work"]).code(0);
    assert!(talk(&ada).contains("ada may now: view,submit"), "{}", talk(&ada));
    let tokens = [answer(&ada), answer(&rack)].map(|token| token.trim_end().to_owned());
    assert_ne!(tokens[0], tokens[1]);
    let file = place.read("tokens");
    for (token, line) in tokens.iter().zip(file.lines()) {
        let body = token.strip_prefix("vezir_").expect("it is known by how it begins");
        assert_eq!(body.len(), 43);
        assert!(!file.contains(body));
        fs::write(place.path("token"), token).expect("there is room");
        let digest = place.openssl(&["dgst", "-sha256", "-r", "token"]);
        let digest = digest.split(' ').next().expect("it begins with the digest");
        assert!(line.ends_with(&format!(" sha256:{digest}")), "{line}");
    }
    let list = answer(&place.vezir(&["tokens", "list"]).code(0));
    let lines: Vec<&str> = list.lines().collect();
    assert!(lines[0].starts_with("ada view,submit sha256:") && lines[1].starts_with("rack7 work sha256:"));
    assert!(lines.iter().zip(file.lines()).all(|(short, whole)| whole.starts_with(short)), "{list}");
    #[cfg(unix)]
    assert_eq!(mode(&place.path("tokens")), 0o600);
}

#[test]
fn a_token_goes_into_a_new_file_of_its_owners_alone() {
    let place = Place::new();
    let add = ["tokens", "add", "--owner", "rack7", "--role", "work", "--out", "rack7.token"];
    let run = place.vezir(&add).code(0);
    assert_eq!(answer(&run), "");
    assert!(talk(&run).contains("rack7 may now: work; the token is in rack7.token"), "{}", talk(&run));
    let token = place.read("rack7.token");
    assert!(token.starts_with("vezir_") && token.ends_with('\n') && !talk(&run).contains(token.trim_end()));
    #[cfg(unix)]
    assert_eq!(mode(&place.path("rack7.token")), 0o600);
    let known = place.read("tokens");
    let told = sentence(&place.vezir(&add).code(2));
    assert!(told.contains("rack7.token: it is there already"), "{told}");
    assert_eq!((place.read("rack7.token"), place.read("tokens")), (token, known));
    sentence(&place.vezir(&["tokens", "add", "--owner", "bob", "--role", "view", "--out", "no/bob"]).code(4));
    assert_eq!(answer(&place.vezir(&["tokens", "list"]).code(0)).lines().count(), 1);
}

#[test]
fn a_file_without_a_last_newline_is_added_to_all_the_same() {
    let place = Place::new();
    place.vezir(&["tokens", "add", "--owner", "ada", "--role", "view"]).code(0);
    let file = place.read("tokens");
    fs::write(place.path("tokens"), format!("# those who may\n{}", file.trim_end())).expect("there is room");
    place.vezir(&["tokens", "add", "--owner", "bob", "--role", "view"]).code(0);
    assert_eq!(answer(&place.vezir(&["tokens", "list"]).code(0)).lines().count(), 2);
    assert!(place.read("tokens").starts_with("# those who may\n"));
}

#[test]
fn what_is_wrong_with_a_token_file_is_told_all_at_once_and_nothing_is_added() {
    let place = Place::new();
    let wrong = "ada wrok sha256:12\nbob\n";
    fs::write(place.path("tokens"), wrong).expect("there is room");
    for words in [&["tokens", "list"][..], &["tokens", "add", "--owner", "eve", "--role", "view"]] {
        let run = place.vezir(words).code(3);
        let told = talk(&run);
        assert_eq!(answer(&run), "");
        assert_eq!(told.lines().count(), 3, "{told}");
        for place in ["line 1, column 5: `wrok`", "line 1, column 10: ", "line 2, column 4: "] {
            assert!(told.contains(place), "{told}");
        }
    }
    assert_eq!(place.read("tokens"), wrong);
    let told = sentence(&place.vezir(&["tokens", "list", "--file", "none"]).code(3));
    assert!(told.contains("none: "), "{told}");
}

#[test]
fn owners_and_roles_are_what_they_must_be() {
    let place = Place::new();
    for (owner, role, said) in [
        ("local", "view", "another name would be right"),
        ("a b", "view", "names no owner"),
        ("ada", "admin", "view, submit, work or operate would be right"),
    ] {
        let run = place.vezir(&["tokens", "add", "--owner", owner, "--role", role]).code(2);
        assert!(talk(&run).contains(said), "{}", talk(&run));
    }
    place.vezir(&["tokens", "add", "--owner", "ada"]).code(2);
    assert!(!place.path("tokens").exists());
}
