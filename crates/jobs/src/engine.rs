//! An engine of somebody else's as a run names it: its file, and how it is spoken to.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Hash;

/// A program that workers are to start.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Engine {
    /// What people call it: the name of its file, unless they say otherwise.
    pub name: String,
    /// The BLAKE3 hash of its file. Wherever it is started it is this file, or it is not.
    pub hash: Hash,
    /// Where its file is found.
    pub place: EnginePlace,
    /// Its arguments, one each; never read by a shell.
    pub arguments: Vec<String>,
    /// How it is asked for perft.
    pub dialect: Dialect,
    /// Files and folders that it may read besides itself and the system's libraries.
    pub readable: Vec<String>,
    /// Whether it runs without a sandbox: only on workers that allow it, and every result says so.
    pub unsandboxed: bool,
    /// How long it may take for one answer.
    pub query_limit: Duration,
    /// Address space of one of its processes, in bytes.
    pub memory_bytes: u64,
}

/// Where an engine's file is found.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum EnginePlace {
    /// Among the coordinator's artifacts, under its hash.
    Artifact,
    /// At this path of the worker's machine, where the worker allows that.
    Path(String),
}

/// How a program is asked for perft.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// As a UCI engine, with `go perft N`.
    Uci,
    /// By commands that bring a total only, as a profile of this name has them.
    Profile(String),
    /// By commands that bring a total only.
    Totals {
        /// Sent once, when it has started.
        init: Vec<String>,
        /// Tells it a position; has `{fen}` in it.
        position: String,
        /// Asks it; has `{depth}` in it.
        perft: String,
        /// Finds the total in a line: a regular expression with one group.
        total: String,
    },
    /// In perftree's form: started once for each question, with depth, FEN and moves.
    Script,
    /// Started once for each question, with arguments made of these words.
    Template(String),
}

impl Engine {
    /// The artifact that it takes, if it takes one.
    pub fn artifact(&self) -> Option<Hash> {
        (self.place == EnginePlace::Artifact).then_some(self.hash)
    }
}
