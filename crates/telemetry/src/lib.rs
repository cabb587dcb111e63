//! What an operator sees of a process: its log, its metrics, and whether it is ready.
//!
//! **Owns** how log lines look and where they go, the registry of metrics and what a label may be, and the
//! listener that shows `/metrics`, `/healthz` and `/readyz`.
//!
//! **Never** writes to stdout, which belongs to answers, nor decides what is worth a line or a metric.
//!
//! **Start reading at** [`start`] (`log.rs`) for the log, and [`Registry`] (`registry.rs`) for metrics;
//! [`serve`] (`listener.rs`) shows them.

mod family;
mod labels;
mod listener;
mod log;
mod readiness;
mod registry;

pub use family::{Counters, Gauges, Histograms, NumberedGauges};
pub use labels::Labels;
pub use listener::serve;
pub use log::{Format, LogError, start};
pub use prometheus::{Counter, Gauge, Histogram, IntCounter};
pub use readiness::{Part, Readiness};
pub use registry::{Registry, RegistryError};
