//! What becomes of connections, counted.

use vezir_telemetry::{Counters, Registry, RegistryError, label};

label! {
    /// What may become of a connection.
    pub(crate) enum Figure as "fate" {
        /// It was accepted.
        Accepted = "accepted",
        /// It is served.
        Opened = "opened",
        /// Its handshake failed.
        Failed = "failed",
        /// Its handshake took too long.
        Slow = "slow",
        /// Its handshake was slow while others waited.
        Crowded = "crowded",
    }
}

/// How many connections had each fate since the listener was opened. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Figures(Counters<Figure>);

impl Figures {
    /// Figures that are shown in `registry`.
    ///
    /// # Errors
    /// Where the registry has them already.
    pub(crate) fn new(registry: &Registry) -> Result<Figures, RegistryError> {
        let help = "Connections of workers and users, by what became of them; each is accepted first.";
        registry.counters("vezir_listener_connections_total", help).map(Figures)
    }

    /// Counts one.
    pub(super) fn count(&self, figure: Figure) {
        self.0.of(figure).inc();
    }

    /// How many there were.
    #[cfg(test)]
    pub(crate) fn get(&self, figure: Figure) -> u64 {
        self.0.of(figure).get()
    }
}
