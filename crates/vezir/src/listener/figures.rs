//! What becomes of connections, counted.

use std::sync::atomic::{AtomicU64, Ordering};

/// What may become of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Figure {
    /// It was accepted.
    Accepted,
    /// It is served.
    Opened,
    /// Its handshake failed.
    Failed,
    /// Its handshake took too long.
    Slow,
    /// Its handshake was slow while others waited.
    Crowded,
}

/// How many connections had each fate since the listener was opened.
#[derive(Default, Debug)]
pub(crate) struct Figures([AtomicU64; 5]);

impl Figures {
    /// Counts one.
    pub(super) fn count(&self, figure: Figure) {
        self.0[figure as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// How many there were.
    pub(crate) fn get(&self, figure: Figure) -> u64 {
        self.0[figure as usize].load(Ordering::Relaxed)
    }
}
