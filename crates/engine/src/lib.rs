//! Other people's chess programs: started, fenced in, asked for perft, and ended for certain.
//!
//! **Owns** the process of one program (its group, limits, sandbox and streams), the dialects in which programs
//! are asked for perft, and the closed list of what may go wrong with them.
//!
//! **Never** trusts a program, sends it a text that was not made from a checked position, runs a shell, judges
//! whether an answer is right, or leaves a process, a folder or a descriptor behind.
//!
//! **Start reading at** [`Foreign`] (`foreign.rs`), which asks a [`Query`] and gets what was [`Said`]; below it is
//! [`Process`] (`process.rs`), which `launcher.rs` forks, `sandbox.rs` fences in and `group.rs` ends.

pub mod dialect;
mod failure;
mod foreign;
mod group;
mod home;
mod launcher;
mod limits;
mod lines;
mod process;
mod program;
mod query;
mod said;
mod sandbox;
mod stderr;

pub use dialect::Dialect;
pub use failure::{Ended, Failure, StartError};
pub use foreign::{Foreign, Settings};
pub use limits::{LINE_BYTES, Limits};
pub use lines::Line;
pub use process::{Process, Silence};
pub use program::Program;
pub use query::{MAX_DEPTH, Query, QueryError};
pub use said::{Note, Said};
pub use sandbox::Confinement;
