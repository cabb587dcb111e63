//! The rules of work: what a run is, how its units are leased and counted, and how it ends.
//!
//! **Owns** runs, units, jobs, attempts and tallies as plain values, and every decision about them: which
//! units are granted, which results count, when a run has ended and what it answers.
//!
//! **Never** keeps anything beyond the call, waits, reads a clock, or knows of a database or a network.
//!
//! **Start reading at** [`Run`] (`run.rs`), then `queue.rs`, which chooses what is leased next.

mod ids;
mod job;
mod progress;
mod queue;
mod request;
mod run;

pub use ids::{Attempt, RunId, WorkerId};
pub use job::{Finding, Job, Place, Standing, Task, UnitReport};
pub use progress::{Outcome, Progress};
pub use request::{Outline, PerftRequest};
pub use run::{Refusal, Run};
