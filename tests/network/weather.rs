//! What a network does to bytes on their way.

use std::time::Duration;

/// What happens in both directions, and to whole connections.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Weather {
    /// From workers and users to the coordinator.
    pub(crate) up: Way,
    /// From the coordinator to workers and users.
    pub(crate) down: Way,
    /// How likely an open connection is to be reset within a second.
    pub(crate) resets: f64,
    /// Whether new connections are reset at once.
    pub(crate) refuses: bool,
}

/// What happens in one direction.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Way {
    /// Nothing arrives; what is sent waits.
    pub(crate) held: bool,
    /// How many bits of a connection pass in a second; `None` for as many as are sent.
    pub(crate) bits_per_second: Option<u32>,
    /// How long each byte is under way.
    pub(crate) delay: Duration,
    /// How likely a segment is to be lost, and sent again.
    pub(crate) loss: f64,
}

impl Way {
    /// Nothing arrives.
    pub(crate) const HELD: Way = Way { held: true, ..Way::FREE };

    /// Nothing happens.
    pub(crate) const FREE: Way = Way { held: false, bits_per_second: None, delay: Duration::ZERO, loss: 0.0 };

    /// How long so many bytes take to be sent.
    pub(crate) fn sending(&self, bytes: usize) -> Duration {
        let seconds = self.bits_per_second.map(|rate| bytes as f64 * 8.0 / f64::from(rate));
        Duration::from_secs_f64(seconds.unwrap_or(0.0))
    }
}

impl Weather {
    /// The same in both directions.
    pub(crate) fn both(way: Way) -> Weather {
        Weather { up: way, down: way, ..Weather::default() }
    }
}
