//! The process of a coordinator, on a port that the system chose.

use std::time::Duration;

use super::figures::figure;
use super::{Process, Progress, Said, StoreFile, until, vezir};
use crate::executable;

/// How long it may take to start or to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running coordinator. It is killed when dropped.
pub struct Coordinator {
    process: Process,
    address: String,
    words: Vec<String>,
}

impl Coordinator {
    /// Starts one on loopback, with these words besides.
    ///
    /// # Panics
    /// If it does not say within half a minute that it listens.
    pub fn start(store: &StoreFile, words: &[&str]) -> Coordinator {
        Coordinator::listen(store, "127.0.0.1:0", words)
    }

    /// The same on another address.
    ///
    /// # Panics
    /// If it does not say within half a minute that it listens.
    pub fn listen(store: &StoreFile, listen: &str, words: &[&str]) -> Coordinator {
        let words = words.iter().map(|word| (*word).to_owned());
        let store = ["--store".to_owned(), store.word()];
        Coordinator::start_with(listen, words.chain(store).collect())
    }

    fn start_with(listen: &str, words: Vec<String>) -> Coordinator {
        let mut command = executable::vezir();
        command.args(["coordinator", "--listen", listen]).args(&words);
        let mut process = Process::start("the coordinator", command);
        let address = process.told("where it listens", PATIENCE, |line| {
            line.strip_prefix("listening on ")?.split_once(',').map(|(address, _)| address.to_owned())
        });
        Coordinator { process, address, words }
    }

    /// Its address, as those who call it write it.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Its port.
    ///
    /// # Panics
    /// If its address has none.
    pub fn port(&self) -> &str {
        self.address.rsplit_once(':').map(|(_, port)| port).expect("an address has a port")
    }

    /// Kills it, as `kill -9` does, and starts it again on its store and its port.
    ///
    /// # Panics
    /// If it does not listen again within half a minute.
    pub fn kill_and_start_again(self) -> Coordinator {
        self.kill_and_start_again_after(|_| {})
    }

    /// The same, with something happening while nobody is at its address.
    ///
    /// # Panics
    /// If it does not listen again within half a minute.
    pub fn kill_and_start_again_after(self, meanwhile: impl FnOnce(&str)) -> Coordinator {
        let Coordinator { process, address, words } = self;
        process.kill();
        meanwhile(&address);
        let listen = address.split_once("://").map_or(address.as_str(), |(_, listen)| listen);
        let again = Coordinator::start_with(listen, words);
        assert_eq!(again.address, address);
        again
    }

    /// Has it end as operators do, so that its store is free.
    ///
    /// # Panics
    /// If it does not end well within half a minute.
    pub fn stop(self) {
        self.process.signal("TERM");
        Said::of(&["coordinator"], self.process, PATIENCE).code(0);
    }

    /// The sum of the series of `metric` whose labels hold `label`; it was started with `--metrics 127.0.0.1:0`.
    ///
    /// # Panics
    /// If it does not show its metrics within a minute.
    pub fn figure(&self, metric: &str, label: &str) -> u64 {
        figure(&self.process, metric, label)
    }

    /// How far a run is.
    ///
    /// # Panics
    /// If it does not answer.
    pub fn progress(&self, run: u64) -> Progress {
        let run = run.to_string();
        Progress::read(&vezir(&["runs", "show", &run, "--json", "--coordinator", &self.address]))
    }

    /// Waits until a run is submitted.
    ///
    /// # Panics
    /// If that takes longer than half a minute.
    pub fn await_run(&self, run: u64) {
        let run = run.to_string();
        let words = ["runs", "show", &run, "--coordinator", &self.address];
        until(&format!("run {run}"), PATIENCE, || (vezir(&words).code == Some(0)).then_some(()));
    }

    /// The workers that ever registered, as JSON.
    ///
    /// # Panics
    /// If it does not answer.
    pub fn workers(&self) -> Vec<serde_json::Value> {
        let listed = vezir(&["workers", "list", "--json", "--coordinator", &self.address]).code(0).json();
        listed["workers"].as_array().cloned().unwrap_or_default()
    }

    /// The worker of this name, as JSON.
    ///
    /// # Panics
    /// If there is none.
    pub fn worker(&self, name: &str) -> serde_json::Value {
        let all = self.workers();
        let found = all.iter().find(|worker| worker["name"] == name).cloned();
        found.unwrap_or_else(|| panic!("there is no worker {name}: {all:?}"))
    }
}
