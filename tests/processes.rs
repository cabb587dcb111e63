//! Clusters of real processes as users and operators run them: killed, stopped, interrupted, lied to and exposed.

#[path = "processes/exposed.rs"]
mod exposed;
#[path = "processes/immense.rs"]
mod immense;
#[path = "processes/lying.rs"]
mod lying;
#[path = "processes/recompute.rs"]
mod recompute;
#[path = "processes/resuming.rs"]
mod resuming;
#[path = "processes/rounds.rs"]
mod rounds;
#[path = "processes/waiting.rs"]
mod waiting;
