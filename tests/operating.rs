//! Services as operators meet them: crowded, watched, logged, and asked how they are.

#[path = "operating/idle.rs"]
mod idle;
#[path = "operating/log.rs"]
mod log;
#[path = "operating/ready.rs"]
mod ready;
