//! Times that were taken, and what is said of many of them.

use std::time::Duration;

/// Times of one kind of call.
#[derive(Clone, Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    pub(crate) fn append(&mut self, mut others: Times) {
        self.0.append(&mut others.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The median, the 99th percentile and the longest, in milliseconds.
    pub(crate) fn told(&self) -> String {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let at = |part: f64| {
            let place = (sorted.len().saturating_sub(1) as f64 * part).round() as usize;
            sorted.get(place).copied().unwrap_or_default().as_secs_f64() * 1_000.0
        };
        format!("{:>8.2} {:>8.2} {:>8.2}", at(0.5), at(0.99), at(1.0))
    }
}

/// So many bytes in MiB.
pub(crate) fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
