//! Why an artifact could not be kept or found.

use std::error::Error;
use std::io;
use std::sync::Arc;

use vezir_jobs::Hash;

/// The storage itself failed.
#[derive(Debug, thiserror::Error)]
#[error("the artifacts in {place} cannot be reached: {source}")]
pub struct StorageError {
    place: Arc<str>,
    source: Box<dyn Error + Send + Sync>,
}

impl StorageError {
    pub(super) fn new(place: &Arc<str>, source: impl Into<Box<dyn Error + Send + Sync>>) -> StorageError {
        StorageError { place: Arc::clone(place), source: source.into() }
    }
}

/// Why an artifact was not kept. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum PutError {
    /// The storage has no room for it.
    #[error("no room is left for an artifact in {place}; a disk with more room would be right")]
    Full {
        /// Where the artifacts are kept.
        place: Arc<str>,
    },
    /// It is longer than any artifact may be.
    #[error("the artifact is too large; at most {most} bytes would be right")]
    TooLarge {
        /// The most bytes that it may have.
        most: u64,
    },
    /// Whoever wrote it failed.
    #[error("the artifact could not be written to its end: {0}")]
    Writing(io::Error),
    /// The storage failed in another way.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl PutError {
    pub(super) fn storage(place: &Arc<str>, error: object_store::Error) -> PutError {
        if is_full(&error) {
            return PutError::Full { place: Arc::clone(place) };
        }
        StorageError::new(place, error).into()
    }
}

/// Why the bytes of an artifact were not found as they were put.
#[derive(Debug, thiserror::Error)]
pub enum GetError {
    /// No artifact has this name.
    #[error("there is no artifact {hash} in {place}")]
    Missing {
        /// The name.
        hash: Hash,
        /// Where it was looked for.
        place: Arc<str>,
    },
    /// The bytes do not have the hash that they are named by.
    #[error("artifact {hash} in {place} is damaged: its bytes have another hash")]
    Damaged {
        /// The name.
        hash: Hash,
        /// Where it is kept.
        place: Arc<str>,
    },
    /// The storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Whether room is what lacks, however deep that is said.
fn is_full(error: &(dyn Error + 'static)) -> bool {
    let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded, io::ErrorKind::FileTooLarge];
    match error.downcast_ref::<io::Error>() {
        Some(error) if full.contains(&error.kind()) => true,
        _ => error.source().is_some_and(is_full),
    }
}
