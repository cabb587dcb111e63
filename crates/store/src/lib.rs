//! The memory of a cluster, behind one contract.
//!
//! **Owns** the [`Store`] trait, what it promises, the suite that holds every store to it, the stores,
//! and the [`Artifacts`] beside their rows.
//!
//! **Never** decides what may happen to a run: that is `vezir-jobs`'s. It hands its rows to the ledger, and
//! keeps what came of it.
//!
//! **Start reading at** [`Store`] (`store.rs`), then `contract.rs`, which says by examples what it promises.
//! `shelf.rs` holds the rows, `journal.rs` notes which of them a transaction changes; `sqlite/writer.rs` is how
//! they come into a file.

pub mod artifacts;
mod bell;
mod clock;
mod contract;
mod journal;
mod memory;
mod shelf;
mod sqlite;
mod store;
mod view;

pub use artifacts::Artifacts;
pub use contract::exercise;
pub use memory::Memory;
pub use sqlite::{Batch, InspectError, Inspection, OpenError, Opening, Sqlite, Trial};
pub use store::{Expired, Fault, Store, StoreError, Unusable};
pub use view::{RunView, Stock, WorkerView};
