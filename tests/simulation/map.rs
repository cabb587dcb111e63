//! What all of a world share: names, times, and whether things still go wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use vezir_jobs::ledger::Terms;

use crate::judge::Judge;

/// The coordinator's host, and the port that it listens on.
pub(crate) const COORDINATOR: &str = "coordinator";
pub(crate) const PORT: u16 = 7000;

/// The user's host.
pub(crate) const USER: &str = "user";

/// The times that leases are given.
pub(crate) const TERMS: Terms =
    Terms { lease: Duration::from_secs(4), progress: Duration::from_secs(16), unit: Duration::from_secs(2) };

/// Whether things go wrong. Its clones are one.
#[derive(Clone, Default)]
pub(crate) struct Weather(Arc<AtomicBool>);

impl Weather {
    /// Nothing goes wrong any longer.
    pub(crate) fn calm_down(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_calm(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether something that goes wrong once in `times` does so now.
    pub(crate) fn strikes(&self, once_in: u32) -> bool {
        !self.is_calm() && fastrand::u32(0..once_in) == 0
    }
}

/// What everybody in a world has at hand.
#[derive(Clone)]
pub(crate) struct Map {
    pub(crate) weather: Weather,
    pub(crate) judge: Judge,
}

/// How long a world has lasted.
pub(crate) fn now() -> Duration {
    turmoil::sim_elapsed().unwrap_or_default()
}
