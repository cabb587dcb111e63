//! A cluster of real processes: a coordinator, workers, and the commands of users, each killed when it is dropped.

mod command;
mod coordinator;
mod export;
mod figures;
mod patience;
mod process;
mod progress;
mod store;
mod worker;

pub use command::{Said, python, vezir};
pub use coordinator::Coordinator;
pub use export::{Count, Export, Finding, Lease};
pub use patience::until;
pub use process::Process;
pub use progress::Progress;
pub use store::StoreFile;
pub use worker::Worker;
