//! The worker: leases jobs, counts them on all its threads, and reports unit by unit.
//!
//! **Owns** the three stages of a job (fetch, count, report), which overlap, and the hash table, which
//! outlives jobs and runs.
//!
//! **Never** decides which units it gets or whether a result counts, and never lets counting hold up what
//! talks to the coordinator.
//!
//! **Start reading at** [`Worker`] (`worker.rs`), which joins the stages.

mod counting;
mod fetching;
pub mod metrics;
mod reporting;
mod stops;
mod worker;

pub use worker::{Settings, Worker, WorkerError};
