//! The worker: leases jobs, counts or examines engines on all its threads, and reports unit by unit.
//!
//! **Owns** the three stages of a job (fetch, count, report), which overlap, the renewal of leases beside them,
//! the one policy by which calls are repeated, and the hash table, which outlives jobs and runs.
//!
//! **Never** decides which units it gets or whether a result counts, never lets counting, reports or pages hold
//! up a renewal, and never takes a coordinator that is gone for an end: it goes on with what it holds.
//!
//! **Start reading at** [`Worker`] (`worker.rs`), which joins the stages `fetching.rs`, `counting.rs` and
//! `reporting.rs` (a verification is worked on by `examining.rs`); what they share is a `Lease` (`lease.rs`) and the `Link` to the coordinator (`link.rs`).

mod asking;
mod counting;
mod engines;
mod examining;
mod failure;
#[cfg(test)]
mod fake;
mod fetching;
mod held;
mod lease;
mod link;
pub mod metrics;
mod movement;
mod orders;
mod paging;
mod pretending;
mod renewing;
mod reporting;
mod retry;
mod settings;
mod worker;

pub use engines::{EngineSettings, InPlace};
pub use failure::WorkerError;
pub use settings::{Rehearsal, Settings};
pub use worker::Worker;
