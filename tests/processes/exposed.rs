//! A coordinator that other machines can reach: only with TLS and tokens, and each way in that is shut says why.

use std::fs;
use std::path::PathBuf;

use vezir_tests::cluster::{Coordinator, Count, Said, StoreFile, Worker, vezir};

/// A coordinator on every address, and what is needed to call it.
struct Exposed {
    store: StoreFile,
    coordinator: Coordinator,
    address: String,
    ca: String,
}

impl Exposed {
    fn start() -> Exposed {
        let store = StoreFile::new();
        let certs = make_certs(&store, "certs");
        let tokens = file(&store, "tokens");
        token(&store, "ada", &["view", "submit"]);
        token(&store, "rack", &["work"]);
        let [cert, key, ca] = ["coordinator.pem", "coordinator-key.pem", "ca.pem"]
            .map(|name| certs.join(name).display().to_string());
        let words = ["--tls-cert", &cert, "--tls-key", &key, "--tokens", &tokens];
        let coordinator = Coordinator::listen(&store, "0.0.0.0:0", &words);
        let address = format!("https://127.0.0.1:{}", coordinator.port());
        Exposed { store, coordinator, address, ca }
    }

    /// The words with which an owner calls.
    fn call(&self, owner: &str) -> [String; 6] {
        let token = file(&self.store, &format!("{owner}.token"));
        ["--coordinator", &self.address, "--ca", &self.ca, "--token-file", &token].map(str::to_owned)
    }

    /// Runs a command as `owner`.
    fn vezir(&self, owner: &str, words: &[&str]) -> Said {
        let call = self.call(owner);
        let call: Vec<&str> = call.iter().map(String::as_str).collect();
        vezir(&[words, &call].concat())
    }

    fn worker(&self, name: &str) -> Worker {
        let [_, address, words @ ..] = self.call("rack");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let means = ["--threads", "1", "--hash", "16MiB"];
        Worker::start(&address, name, &[&means[..], &words].concat())
    }
}

fn file(store: &StoreFile, name: &str) -> String {
    store.folder().join(name).display().to_string()
}

fn make_certs(store: &StoreFile, folder: &str) -> PathBuf {
    let folder = store.folder().join(folder);
    vezir(&["certs", "--folder", &folder.display().to_string()]).code(0);
    folder
}

/// Makes a token, in a file that is called like its owner.
fn token(store: &StoreFile, owner: &str, roles: &[&str]) {
    let (roles, tokens) = (roles.join(","), file(store, "tokens"));
    let made = vezir(&["tokens", "add", "--owner", owner, "--role", &roles, "--file", &tokens]).code(0);
    fs::write(file(store, &format!("{owner}.token")), made.answer).expect("there is room");
}

#[test]
fn what_others_could_reach_is_refused_without_tls_and_tokens() {
    let store = StoreFile::new();
    let refused = vezir(&["coordinator", "--listen", "0.0.0.0:0", "--store", &store.word()]).code(2);
    let sentence = refused.sentence();
    for part in ["0.0.0.0:0", "--tls-cert", "--tls-key", "--tokens", "would be right"] {
        assert!(sentence.contains(part), "{part} in {sentence}");
    }
    assert!(!store.path().exists(), "it was refused before it did anything");
}

#[test]
fn three_workers_count_behind_tls_and_tokens() {
    let exposed = Exposed::start();
    let _workers = ["one", "two", "three"].map(|name| exposed.worker(name));
    let said = exposed.vezir("ada", &["perft", "7", "--units", "60", "--json", "--divide"]).code(0);
    let count = Count::read(&said.json());
    assert_eq!((count.nodes, count.divided()), (3_195_901_860, 3_195_901_860));
    let shown = exposed.vezir("ada", &["runs", "show", "1", "--json"]).code(0).json();
    assert_eq!((shown["owner"].as_str(), shown["state"].as_str()), (Some("ada"), Some("done")));
    let listed = exposed.vezir("ada", &["workers", "list", "--json"]).code(0).json();
    let owners =
        listed["workers"].as_array().map(|all| all.iter().map(|worker| worker["owner"].clone()).collect());
    assert_eq!(owners, Some(vec!["rack".into(); 3]), "{listed}");
}

#[test]
fn each_way_that_is_shut_is_told_in_a_sentence() {
    let exposed = Exposed::start();
    let shut = |what: &str, said: Said, parts: &[&str]| {
        let said = said.code(4);
        let sentence = said.sentence();
        assert!(parts.iter().all(|part| sentence.contains(part)), "{what}: {sentence}");
        assert!(said.answer.is_empty(), "{what}: {}", said.answer);
    };
    let other = make_certs(&exposed.store, "other").join("ca.pem").display().to_string();
    let plain = format!("http://127.0.0.1:{}", exposed.coordinator.port());
    let stranger = token_of_another_place(&exposed);
    let (ada, call) = (file(&exposed.store, "ada.token"), exposed.address.as_str());
    for words in [&["perft", "4"][..], &["worker", "--threads", "1"], &["runs", "list"]] {
        let with = |more: &[&str]| vezir(&[words, more].concat());
        let wrong = with(&["--coordinator", call, "--ca", &exposed.ca, "--token-file", &stranger]);
        shut("a wrong token", wrong, &["the coordinator refuses", "the token is not known"]);
        let wrong = with(&["--coordinator", call, "--ca", &other, "--token-file", &ada]);
        shut("a wrong CA", wrong, &["not signed by a CA of yours", "--ca"]);
        shut("plain text", with(&["--coordinator", &plain]), &["https://"]);
    }
}

#[test]
fn a_workers_token_only_works() {
    let exposed = Exposed::start();
    for (owner, words, role) in [
        ("rack", &["perft", "4"][..], "submit"),
        ("rack", &["runs", "list"], "view"),
        ("rack", &["workers", "pause", "1"], "operate"),
        ("ada", &["workers", "pause", "1"], "operate"),
        ("ada", &["worker", "--threads", "1"], "work"),
    ] {
        let refused = exposed.vezir(owner, words).code(4);
        let sentence = refused.sentence();
        let parts = ["the coordinator refuses", &format!("needs the role {role}")];
        assert!(parts.iter().all(|part| sentence.contains(part)), "{owner}: {sentence}");
    }
    let listed = exposed.vezir("ada", &["runs", "list", "--json"]).code(0).json();
    assert_eq!(listed["runs"].as_array().map(Vec::len), Some(0), "{listed}");
}

/// A good token, of another coordinator.
fn token_of_another_place(exposed: &Exposed) -> String {
    let elsewhere = StoreFile::new();
    token(&elsewhere, "ada", &["view", "submit", "work"]);
    let here = file(&exposed.store, "stranger.token");
    fs::copy(file(&elsewhere, "ada.token"), &here).expect("there is room");
    here
}
