//! What a coordinator shows of itself to whoever runs it.

use vezir_telemetry::{Part, Readiness};

use crate::metrics::Metrics;

/// Metrics, and whether the coordinator is ready.
#[derive(Clone, Debug)]
pub struct Signals {
    /// What happens is counted here.
    pub metrics: Metrics,
    /// Ready while the coordinator serves and its store can be used.
    pub readiness: Part,
}

impl From<Metrics> for Signals {
    /// Nobody asks whether it is ready.
    fn from(metrics: Metrics) -> Signals {
        Signals { metrics, readiness: Readiness::default().part("coordinator") }
    }
}
