//! What one peer may take of a coordinator.

use std::time::Duration;

/// How much, how often and how long. The defaults are for work; tests take smaller ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most bytes of a message, in both directions.
    pub message_bytes: usize,
    /// Calls that one connection may have open.
    pub streams: u32,
    /// What may be under way to a peer that does not read, by call and by connection, in bytes.
    pub stream_window_bytes: u32,
    /// The same by connection.
    pub connection_window_bytes: u32,
    /// The most that the headers of a call may take, in bytes.
    pub header_bytes: u32,
    /// Streams that a peer may reset before its connection is closed.
    pub reset_streams: usize,
    /// How often a silent peer is asked whether it is there.
    pub keepalive_every: Duration,
    /// How long it may take to say so before its connection is closed.
    pub keepalive_patience: Duration,
    /// How long a call may take to its answer, or to the beginning of one that comes bit by bit: longer than
    /// any lease is waited for. A call that never sends its message ends by this.
    pub call: Duration,
    /// How old a connection gets before its peer is asked to open another. What it is busy with goes on, but
    /// no stream of orders outlives it for long. The server takes one age for all connections, so that peers
    /// which came together are asked together; what each does then it does when its next call or its stream of
    /// orders is due, and the latter is up to chance.
    pub connection_age: Duration,
    /// How long calls may take to end when the coordinator stops.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            message_bytes: vezir_proto::MAX_MESSAGE_BYTES,
            streams: 1024,
            stream_window_bytes: 2 << 20,
            connection_window_bytes: 8 << 20,
            header_bytes: 16 << 10,
            reset_streams: 64,
            keepalive_every: Duration::from_secs(10),
            keepalive_patience: Duration::from_secs(20),
            call: Duration::from_secs(90),
            connection_age: Duration::from_secs(3600),
            farewell: Duration::from_secs(10),
        }
    }
}

impl Limits {
    /// How long one stream of orders lasts: by chance up to a connection's age, so that workers which came
    /// together do not come again together.
    pub(crate) fn orders_age(&self) -> Duration {
        self.connection_age.mul_f64(0.5 + fastrand::f64() / 2.0)
    }
}
