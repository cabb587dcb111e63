//! The rules of work: what a run is, how its units are leased and counted, and how it ends.
//!
//! **Owns** runs, units, leases, attempts, workers and tallies as plain rows, every decision about them
//! (which units are granted, which results count, when a run has ended and what it answers), and the laws
//! that the rows must keep.
//!
//! **Never** keeps anything beyond the call, waits, reads a clock, or knows of a database or a network.
//!
//! **Start reading at** `README.md`, which lists the verbs, then [`ledger::Ledger`] (`ledger.rs`) and the
//! rows that it works on (`ledger/row.rs`); `laws.rs` says what is always true.

mod artifact;
mod engine;
mod ids;
mod job;
pub mod laws;
pub mod ledger;
mod progress;
mod request;
mod submission;
mod summary;
mod tally;
mod verification;

pub use artifact::{Hash, NotAHash};
pub use engine::{Dialect, Engine, EnginePlace};
pub use ids::{Attempt, RunId, WorkerId};
pub use job::Job;
pub use progress::{Checks, Outcome, Progress};
pub use request::{CountTask, Outline, PerftRequest, Task};
pub use submission::{Kind, Request, Submission, Verify};
pub use summary::{Brief, RunSummary, WorkerSummary};
pub use tally::Tally;
pub use verification::{Examination, VerifyRequest};
