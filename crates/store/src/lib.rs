//! The memory of a cluster, behind one contract.
//!
//! **Owns** the [`Store`] trait, what it promises, the suite that holds every store to it, the stores,
//! and the [`Artifacts`] beside their rows.
//!
//! **Never** decides what may happen to a run: that is `vezir-jobs`'s. It finds a run, asks it, and keeps
//! what came of it.
//!
//! **Start reading at** [`Store`] (`store.rs`), then `contract.rs`, which says by examples what it promises.

pub mod artifacts;
mod contract;
mod memory;
mod store;

pub use artifacts::Artifacts;
pub use contract::exercise;
pub use memory::Memory;
pub use store::{Store, StoreError};
