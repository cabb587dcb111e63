//! The rules of work: what a run is, how its units are leased and counted, and how it ends.
//!
//! **Owns** runs, units, leases, attempts, workers and tallies as plain rows, every decision about them
//! (which units are granted, which results count, when a run has ended and what it answers), and the laws
//! that the rows must keep.
//!
//! **Never** keeps anything beyond the call, waits, reads a clock, or knows of a database or a network.
//!
//! **Start reading at** `README.md`, which lists the verbs, then [`ledger::Ledger`] (`ledger.rs`) and the
//! rows that it works on (`ledger/row.rs`); `laws.rs` says what is always true. [`Run`] (`run.rs`) serves
//! the stores that do not keep rows yet.

mod artifact;
mod ids;
mod job;
pub mod laws;
pub mod ledger;
mod progress;
mod queue;
mod request;
mod run;

pub use artifact::{Hash, NotAHash};
pub use ids::{Attempt, RunId, WorkerId};
pub use job::{Finding, Job, Place, Standing, Task, UnitReport};
pub use progress::{Outcome, Progress};
pub use request::{Outline, PerftRequest};
pub use run::{Refusal, Run};
