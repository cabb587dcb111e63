//! What a worker is told when it starts.

use std::num::NonZero;
use std::time::Duration;

use vezir_perft::Isa;

use crate::EngineSettings;

/// Who a worker is, and what it may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Its name, which no other worker of its owner has.
    pub name: String,
    /// The number of its life: larger each time that its process starts.
    pub incarnation: u64,
    /// Threads to count on.
    pub threads: NonZero<usize>,
    /// The largest hash table, in bytes; 0 for none.
    pub hash_bytes: u64,
    /// The instructions to count with.
    pub isa: Isa,
    /// What the keys of the hash table grow from.
    pub seed: u64,
    /// The version of the program.
    pub version: String,
    /// What engines are allowed.
    pub engines: EngineSettings,
    /// What is only pretended.
    pub rehearsal: Rehearsal,
}

impl Settings {
    /// The cores that the worker offers.
    pub(crate) fn cores(&self) -> u32 {
        u32::try_from(self.threads.get()).unwrap_or(u32::MAX)
    }
}

/// What a worker pretends. For tests of clusters only; a worker that works has the default, which is nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rehearsal {
    /// Each unit takes at least so long, on its thread.
    pub unit_at_least: Duration,
    /// With `Some(n)`, the count of every n-th unit is too large by one, in the sum and in one root move.
    pub lies_every: Option<u32>,
    /// With `Some`, chance says which units these are, from this seed: each with the same odds, whatever was
    /// said of others.
    pub lies_seed: Option<u64>,
}
