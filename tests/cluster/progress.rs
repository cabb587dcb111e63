//! How far a run is, as `vezir runs show --json` tells it.

use std::time::Duration;

use super::{Coordinator, Said, until};

/// How far a run is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Its state, in one word.
    pub state: String,
    /// How many units it has; none while it is being planned.
    pub units: Option<u64>,
    /// How many of them count.
    pub done: u64,
    /// How many of them somebody holds.
    pub leased: u64,
    /// How many leaves were counted.
    pub nodes: u128,
}

impl Progress {
    /// What `runs show --json` said.
    ///
    /// # Panics
    /// If it said something else.
    pub fn read(said: &Said) -> Progress {
        let shown = said.clone().code(0).json();
        let number = |key: &str| shown[key].as_u64().unwrap_or_else(|| panic!("{key} of {shown}"));
        let nodes = shown["nodes"].as_str().and_then(|nodes| nodes.parse().ok());
        Progress {
            state: shown["state"].as_str().unwrap_or_default().to_owned(),
            units: shown["units"].as_u64(),
            done: number("done"),
            leased: number("leased"),
            nodes: nodes.unwrap_or_else(|| panic!("nodes of {shown}")),
        }
    }

    /// Which part of the units is done, in percent.
    pub fn percent(&self) -> u64 {
        self.units.map_or(0, |units| self.done * 100 / units.max(1))
    }

    /// Waits until at least `percent` of a run's units are done while a lease is out.
    ///
    /// # Panics
    /// If that is not so within `limit`, or if more than nine tenths are done by then.
    pub fn await_midst(coordinator: &Coordinator, run: u64, percent: u64, limit: Duration) -> Progress {
        let found = until(&format!("{percent} % of run {run}"), limit, || {
            Some(coordinator.progress(run)).filter(|now| now.percent() >= percent && now.leased > 0)
        });
        found.assert_midst();
        found
    }

    /// Whoever is killed now is killed in the midst of the work.
    ///
    /// # Panics
    /// If no lease is out, or if less than one tenth or more than nine tenths of the units are done.
    pub fn assert_midst(&self) {
        assert!(self.leased > 0, "no lease is out: {self:?}");
        assert!((10..=90).contains(&self.percent()), "it is not in the midst of the work: {self:?}");
    }
}
