//! Chance that a printed number brings back.

use std::env;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fastrand::Rng;

/// The environment variable that holds the number.
const SEED: &str = "SEED";

/// Dice that are thrown by many.
pub(crate) struct Dice(Mutex<Rng>);

impl Dice {
    /// Those of the number in `SEED`, or of a new one, which is printed.
    ///
    /// # Panics
    /// If `SEED` is no number.
    pub(crate) fn new() -> Dice {
        let given = env::var(SEED).ok();
        let given = given.map(|text| text.parse().unwrap_or_else(|error| panic!("{SEED}={text}: {error}")));
        let seed = given.unwrap_or_else(|| fastrand::u64(..));
        println!("{SEED}={seed} throws the same dice again, if not at the same moments");
        Dice(Mutex::new(Rng::with_seed(seed)))
    }

    /// Whether something happens that is so likely.
    pub(crate) fn strikes(&self, chance: f64) -> bool {
        self.rng().f64() < chance
    }

    /// A time between two.
    pub(crate) fn between(&self, least: Duration, most: Duration) -> Duration {
        least + most.saturating_sub(least).mul_f64(self.rng().f64())
    }

    /// One of several.
    pub(crate) fn one_of<T: Copy>(&self, all: &[T]) -> Option<T> {
        self.rng().choice(all).copied()
    }

    fn rng(&self) -> MutexGuard<'_, Rng> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
