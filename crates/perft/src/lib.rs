//! Counting move trees: how many sequences of legal moves of a given length a position has.
//!
//! **Owns** the count itself (bulk at the last ply, hashed, in parallel), divide, breakdown, the frontier
//! that splits a tree into distinct positions, its bytes, how it is cut into units, the published numbers,
//! and the reading of perft suites.
//!
//! **Never** opens files or sockets, reads a clock, or knows rules of chess of its own: those are
//! `vezir-chess`'s. It may use rayon's threads, processor detection and anonymous memory.
//!
//! **Start reading at** [`Counter`] (`counter.rs`), then `tree.rs`, the recursion itself.

mod answer;
mod armies;
mod army;
mod artifact;
mod breakdown;
mod castling;
mod column;
mod counted;
mod counter;
mod drawer;
mod fork;
mod frontier;
mod growth;
mod isa;
mod keys;
mod kinds;
mod large;
mod last_two;
mod leaf;
mod machine;
mod moved;
mod plan;
mod published;
mod shares;
mod signature;
mod slot;
mod solo;
pub mod suite;
mod table;
mod tree;

pub use answer::{Answer, Overflow};
pub use artifact::ReadError;
pub use breakdown::Breakdown;
pub use counted::{Counted, Figures};
pub use counter::{CountError, Counter, StartError};
pub use frontier::{Frontier, GrowError, Limits};
pub use isa::{Isa, IsaError};
pub use plan::{MAX_DEPTH, Plan, PlanError, Wish, slice};
pub use published::{NAMED, Named, SHUFFLED, published};
pub use signature::{SignatureError, signature};
pub use slot::{Share, Slot};
pub use solo::Solo;
pub use table::Table;
