//! A run as `vezir runs export` tells it: findings, leases, and what they come to.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Coordinator, Said, StoreFile, vezir};

/// A number of leaves with the part of each root move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// All leaves.
    pub nodes: u128,
    /// Those below each root move.
    pub divide: BTreeMap<String, u128>,
}

/// What was found out about a unit under a lease.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The unit.
    pub unit: u64,
    /// The number of the lease.
    pub lease: u64,
    /// Who found it.
    pub worker: u64,
    /// What it is worth: `counted`, `vote`, `failed`, `aside` or `void`.
    pub standing: String,
    /// What was counted, unless it is a failure.
    pub count: Option<Count>,
}

/// A lease.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lease {
    /// Its number.
    pub number: u64,
    /// Who held it.
    pub worker: u64,
    /// What it was granted for: `count`, `again` or `opinion`.
    pub purpose: String,
    /// How it ended, if it has.
    pub ended: Option<String>,
}

/// A run, told whole.
#[derive(Clone, Debug)]
pub struct Export {
    /// The lines as they were printed.
    pub text: String,
    /// The run itself, as JSON.
    pub run: Value,
    /// What was found out.
    pub findings: Vec<Finding>,
    /// Who held what.
    pub leases: Vec<Lease>,
}

impl Count {
    /// What JSON tells.
    ///
    /// # Panics
    /// If it does not tell a count with its numbers as decimal strings.
    pub fn read(value: &Value) -> Count {
        let number = |value: &Value| value.as_str().and_then(|text| text.parse::<u128>().ok());
        let whole = |at: &Value| number(at).unwrap_or_else(|| panic!("{at} is no decimal string in {value}"));
        let divide = value["divide"].as_object().unwrap_or_else(|| panic!("no divide in {value}"));
        let divide = divide.iter().map(|(name, nodes)| (name.clone(), whole(nodes)));
        Count { nodes: whole(&value["nodes"]), divide: divide.collect() }
    }

    /// The sum of the parts.
    pub fn divided(&self) -> u128 {
        self.divide.values().sum()
    }

    fn add(&mut self, other: &Count) {
        self.nodes += other.nodes;
        for (name, nodes) in &other.divide {
            *self.divide.entry(name.clone()).or_default() += nodes;
        }
    }
}

impl Export {
    /// A run of a coordinator.
    ///
    /// # Panics
    /// If it cannot be exported.
    pub fn from_coordinator(coordinator: &Coordinator, run: u64) -> Export {
        Export::of(vezir(&["runs", "export", &run.to_string(), "--coordinator", coordinator.address()]))
    }

    /// A run of a store that nobody has open.
    ///
    /// # Panics
    /// If it cannot be exported.
    pub fn from_store(store: &StoreFile, run: u64) -> Export {
        Export::of(vezir(&["runs", "export", &run.to_string(), "--store", &store.word()]))
    }

    fn of(said: Said) -> Export {
        let text = said.code(0).answer;
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON"));
        let lines: Vec<Value> = lines.collect();
        let findings = lines.iter().filter(|line| line["unit"].is_u64()).map(finding).collect();
        let leases = lines.iter().filter(|line| line["purpose"].is_string()).map(lease).collect();
        let run = lines.first().cloned().unwrap_or_default();
        Export { text, run, findings, leases }
    }

    /// Writes it where another program can read it.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn write(&self, path: &Path) {
        fs::write(path, &self.text).expect("there is room");
    }

    /// The sum of what counts.
    pub fn sum(&self) -> Count {
        let mut sum = Count::default();
        self.counted().filter_map(|found| found.count.as_ref()).for_each(|count| sum.add(count));
        sum
    }

    /// The findings that count.
    pub fn counted(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|found| found.standing == "counted")
    }

    /// The number of units.
    ///
    /// # Panics
    /// If the run has not been planned.
    pub fn units(&self) -> u64 {
        self.run["units"].as_u64().expect("the run is planned")
    }

    /// Every unit counts, and once.
    ///
    /// # Panics
    /// If that is not so.
    pub fn assert_whole(&self) {
        let units: Vec<u64> = self.counted().map(|found| found.unit).collect();
        let distinct: BTreeSet<u64> = units.iter().copied().collect();
        assert_eq!(units.len(), distinct.len(), "a unit counts twice");
        assert!(distinct.iter().copied().eq(0..self.units()), "units that do not count, or that are not");
        let attempts: BTreeSet<u64> = self.leases.iter().map(|lease| lease.number).collect();
        assert_eq!(attempts.len(), self.leases.len(), "two leases have one number");
        assert!(self.findings.iter().all(|found| attempts.contains(&found.lease)), "found under no lease");
    }

    /// The leases that ended in this way, as `expired`.
    pub fn ended(&self, end: &str) -> impl Iterator<Item = &Lease> {
        self.leases.iter().filter(move |lease| lease.ended.as_deref() == Some(end))
    }

    /// What `worker` reported of leases that had expired: it is compared and counts for nothing.
    pub fn late(&self, worker: u64) -> impl Iterator<Item = &Finding> {
        let expired: BTreeSet<u64> = self.ended("expired").map(|lease| lease.number).collect();
        self.findings.iter().filter(move |found| {
            found.worker == worker
                && expired.contains(&found.lease)
                && ["vote", "void"].contains(&found.standing.as_str())
        })
    }
}

fn finding(line: &Value) -> Finding {
    let number = |key: &str| line[key].as_u64().unwrap_or_else(|| panic!("no {key} in {line}"));
    Finding {
        unit: number("unit"),
        lease: number("lease"),
        worker: number("worker"),
        standing: line["standing"].as_str().unwrap_or_default().to_owned(),
        count: line.get("answer").map(Count::read),
    }
}

fn lease(line: &Value) -> Lease {
    let number = |key: &str| line[key].as_u64().unwrap_or_else(|| panic!("no {key} in {line}"));
    Lease {
        number: number("lease"),
        worker: number("worker"),
        purpose: line["purpose"].as_str().unwrap_or_default().to_owned(),
        ended: line["ended"].as_str().map(str::to_owned),
    }
}
