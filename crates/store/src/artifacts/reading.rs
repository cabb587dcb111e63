//! An artifact while it is read: fetched in parts, and hashed before anyone believes it.

use std::io::{self, Read};
use std::sync::Arc;

use bytes::Bytes;
use object_store::{ObjectStore, ObjectStoreExt};
use tokio::runtime::Handle;
use vezir_jobs::Hash;

use super::{GetError, PART, StorageError, path};

/// Gives the bytes of one artifact, on a thread that may block.
pub(super) struct Reading {
    storage: Arc<dyn ObjectStore>,
    runtime: Handle,
    place: Arc<str>,
    hash: Hash,
    hasher: blake3::Hasher,
    size: u64,
    /// How many bytes have been fetched.
    fetched: u64,
    /// Those of them that have not been given on.
    part: Bytes,
    /// Why no more can be read: a reader is told so as an input or output error, which says less.
    failed: Option<GetError>,
}

impl Reading {
    pub(super) fn new(
        storage: &Arc<dyn ObjectStore>,
        runtime: Handle,
        place: &Arc<str>,
        hash: Hash,
    ) -> Result<Reading, GetError> {
        let mut reading = Reading {
            storage: Arc::clone(storage),
            runtime,
            place: Arc::clone(place),
            hash,
            hasher: blake3::Hasher::new(),
            size: 0,
            fetched: 0,
            part: Bytes::new(),
            failed: None,
        };
        let head = reading.runtime.block_on(storage.head(&path(hash)));
        reading.size = head.map_err(|error| reading.failure(error))?.size;
        Ok(reading)
    }

    /// Reads what is left, and tells whether all of it was as it was put.
    pub(super) fn finish(mut self) -> Result<(), GetError> {
        if let Some(failed) = self.failed.take() {
            return Err(failed);
        }
        while self.fetch()? {}
        Ok(())
    }

    /// Fetches the next part; `false` at the end, where all were right.
    fn fetch(&mut self) -> Result<bool, GetError> {
        if self.fetched == self.size {
            let right = self.hasher.finalize().as_bytes() == &self.hash.0;
            return if right { Ok(false) } else { Err(self.damaged()) };
        }
        let range = self.fetched..self.size.min(self.fetched + PART as u64);
        let wanted = range.end - range.start;
        let fetched = self.runtime.block_on(self.storage.get_range(&path(self.hash), range));
        self.part = fetched.map_err(|error| self.failure(error))?;
        if self.part.len() as u64 != wanted {
            // It has become shorter since it was opened.
            return Err(self.damaged());
        }
        self.hasher.update(&self.part);
        self.fetched += wanted;
        Ok(true)
    }

    fn damaged(&self) -> GetError {
        GetError::Damaged { hash: self.hash, place: Arc::clone(&self.place) }
    }

    fn failure(&self, error: object_store::Error) -> GetError {
        match error {
            object_store::Error::NotFound { .. } => {
                GetError::Missing { hash: self.hash, place: Arc::clone(&self.place) }
            }
            error => StorageError::new(&self.place, error).into(),
        }
    }
}

impl Read for Reading {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.failed.is_none() && self.part.is_empty() {
            self.failed = self.fetch().err();
        }
        if let Some(failed) = &self.failed {
            return Err(io::Error::other(failed.to_string()));
        }
        let count = out.len().min(self.part.len());
        out[..count].copy_from_slice(&self.part.split_to(count));
        Ok(count)
    }
}
