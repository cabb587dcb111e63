//! The process of a worker.

use std::time::Duration;

use super::figures::figure;
use super::{Process, Said};
use crate::executable;

/// How long it may take to start or to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running worker. It is killed when dropped.
pub struct Worker {
    process: Process,
}

impl Worker {
    /// Starts one that works for the coordinator at `address`, with these words besides.
    ///
    /// # Panics
    /// If it does not say within half a minute that it works.
    pub fn start(address: &str, name: &str, words: &[&str]) -> Worker {
        let mut command = executable::vezir();
        command.args(["worker", "--coordinator", address, "--name", name]).args(words);
        let mut process = Process::start(name, command);
        process.told("that it works", PATIENCE, |line| line.contains(" works for ").then_some(()));
        Worker { process }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.process.name()
    }

    /// The sum of the series of `metric` whose labels hold `label`; it was started with `--metrics 127.0.0.1:0`.
    ///
    /// # Panics
    /// If it does not show its metrics within a minute.
    pub fn figure(&self, metric: &str, label: &str) -> u64 {
        figure(&self.process, metric, label)
    }

    /// Kills it, as `kill -9` does.
    ///
    /// # Panics
    /// If it had ended.
    pub fn kill(self) {
        self.process.kill();
    }

    /// Stops it, as a machine that sleeps.
    ///
    /// # Panics
    /// If it had ended.
    pub fn stop(&self) {
        self.process.signal("STOP");
    }

    /// Has it go on after it was stopped.
    ///
    /// # Panics
    /// If it had ended.
    pub fn go_on(&self) {
        self.process.signal("CONT");
    }

    /// Has it finish what it has begun, and end.
    ///
    /// # Panics
    /// If it does not end well within half a minute.
    pub fn drain(self) {
        self.process.signal("TERM");
        Said::of(&["worker"], self.process, PATIENCE).code(0);
    }
}
