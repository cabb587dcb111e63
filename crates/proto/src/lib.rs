//! The wire between users, coordinators and workers.
//!
//! **Owns** the types and services generated from `proto/`, the only conversions between them and the
//! values of the other crates, the limits of a message, and the one map from errors to gRPC codes.
//!
//! **Never** opens a socket, decides anything about a run, or lets a malformed message through.
//!
//! **Start reading at** `proto/README.md`, then `count.rs`, the simplest of the conversions.

mod count;
mod credentials;
mod export;
mod fleet;
mod ids;
mod malformed;
mod perft;
mod retry;
mod runs;
mod status;
mod survey;
mod tally;
mod verify;
mod workers;

pub use credentials::{Credentials, Line};
pub use export::read_finding;
pub use ids::read_call;
pub use malformed::Malformed;
pub use perft::page;
pub use retry::{LAST_WAIT, is_passing, waits};
pub use runs::read_request;
pub use status::{IntoStatus, NotYours, Refused, Unavailable, Unexpected};
pub use verify::{places, read_places};
pub use workers::{check_worker_name, read_unit_report, unit_report};

/// The most that a message may take, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 4 << 20;

/// The most that a page of positions may take, in bytes.
pub const MAX_PAGE_BYTES: usize = 1 << 20;

/// Every declaration of `proto/`, as an encoded set of file descriptors: for reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// What `proto/` generates.
#[allow(missing_docs, reason = "the generator writes services without a word on some of their parts")]
#[allow(unreachable_pub, reason = "the generator knows nothing of the crate that it writes for")]
#[allow(
    clippy::large_enum_variant,
    reason = "the generator knows nothing of sizes, and a message lives for one call"
)]
pub mod wire {
    pub mod types {
        pub mod v1 {
            tonic::include_proto!("vezir.types.v1");
        }
    }
    pub mod runs {
        pub mod v1 {
            tonic::include_proto!("vezir.runs.v1");
        }
    }
    pub mod workers {
        pub mod v1 {
            tonic::include_proto!("vezir.workers.v1");
        }
    }
}
