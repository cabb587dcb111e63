//! The coordinator: plans runs into units, and serves users and workers.
//!
//! **Owns** the two services, who may call them, the frontiers of runs that go on, and who is told what when
//! something changes.
//!
//! **Never** counts, decides what may happen to a run, opens a listener or listens for a signal of its own:
//! connections and the wish to stop are given to it.
//!
//! **Start reading at** [`serve`] (`serve.rs`), then `planner.rs`, which sees a run from its submission to
//! its end.

pub mod access;
mod clearing;
mod coordinator;
mod courses;
mod describing;
mod exporting;
mod fleet;
mod frontiers;
mod granting;
mod hall;
mod health;
mod lasting;
mod limits;
pub mod metrics;
mod outlines;
mod planner;
mod plans;
mod runs;
mod serve;
mod settings;
mod signals;
mod spans;
mod suspects;
mod sweeping;
#[cfg(test)]
mod trial;
mod turns;
mod watching;
mod workers;

pub use limits::Limits;
pub use serve::{ServeError, serve};
pub use settings::Settings;
pub use signals::Signals;
