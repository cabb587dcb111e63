//! What went on, so that nobody believes in a simulation in which nothing did.

use std::collections::BTreeMap;
use std::fmt;

/// How often each thing happened.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Seen(BTreeMap<&'static str, u64>);

/// What must have happened somewhere when many worlds have ended.
const MUST: [&str; 37] = [
    "worlds",
    "commits",
    "slow links",
    "lost messages",
    "worker to coordinator cut",
    "coordinator to worker cut",
    "partitions",
    "pauses",
    "user cut off",
    "worker crashes",
    "coordinator crashes",
    "drains",
    "drain orders",
    "wall clock set",
    "doubled calls",
    "swallowed answers",
    "doubled submissions",
    "commits that were not told",
    "commits that did not happen",
    "late commits",
    "liars",
    "told a vote",
    "told too late",
    "expired",
    "runs that were right",
    "runs that were cancelled",
    "counted",
    "votes",
    "void",
    "cut",
    "again",
    "opinion",
    "checks",
    "conflicts",
    "replaced",
    "released",
    "quarantined",
];

impl Seen {
    pub(crate) fn count(&mut self, what: &'static str, times: u64) {
        *self.0.entry(what).or_default() += times;
    }

    pub(crate) fn add(&mut self, other: &Seen) {
        other.0.iter().for_each(|(what, times)| self.count(what, *times));
    }

    pub(crate) fn assert_everything_happened(&self) {
        let missing: Vec<&str> = MUST.into_iter().filter(|what| !self.0.contains_key(what)).collect();
        assert!(missing.is_empty(), "in no world was there: {}", missing.join(", "));
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(|(what, times)| format!("{times} {what}")).collect();
        f.write_str(&all.join(", "))
    }
}
