//! An artifact while it is written: hashed, counted and handed to the storage in parts.

use std::io::{self, Write};
use std::sync::Arc;

use object_store::{MultipartUpload, WriteMultipart};
use tokio::runtime::Handle;
use vezir_jobs::Hash;

use super::{PART, PutError};

/// Parts that may be on their way to the storage at once.
const PARTS_AT_ONCE: usize = 2;

/// Takes the bytes of one artifact, on a thread that may block.
pub(super) struct Writing {
    parts: WriteMultipart,
    runtime: Handle,
    hasher: blake3::Hasher,
    room: u64,
    most: u64,
    place: Arc<str>,
    /// Why a write was refused: a writer is told so as an input or output error, which says less.
    refused: Option<PutError>,
}

impl Writing {
    pub(super) fn new(
        upload: Box<dyn MultipartUpload>,
        runtime: Handle,
        place: &Arc<str>,
        most: u64,
    ) -> Writing {
        let parts = WriteMultipart::new_with_chunk_size(upload, PART);
        let (hasher, place) = (blake3::Hasher::new(), Arc::clone(place));
        Writing { parts, runtime, hasher, room: most, most, place, refused: None }
    }

    /// Ends the artifact, which is then in its staging place with all its bytes.
    pub(super) fn finish(mut self) -> Result<Hash, PutError> {
        if let Some(refused) = self.refused.take() {
            // The writer took no notice.
            self.abandon();
            return Err(refused);
        }
        let finished = self.runtime.block_on(self.parts.finish());
        finished.map_err(|error| PutError::storage(&self.place, error))?;
        Ok(Hash(self.hasher.finalize().into()))
    }

    /// Removes what has been written, and tells why it was not more.
    pub(super) fn give_up(mut self, error: io::Error) -> PutError {
        let reason = self.refused.take().unwrap_or(PutError::Writing(error));
        self.abandon();
        reason
    }

    fn abandon(self) {
        // Where even this fails, the next start sweeps up.
        let _ = self.runtime.block_on(self.parts.abort());
    }

    fn hand_over(&mut self, bytes: &[u8]) -> Result<(), PutError> {
        self.room =
            self.room.checked_sub(bytes.len() as u64).ok_or(PutError::TooLarge { most: self.most })?;
        let ready = self.runtime.block_on(self.parts.wait_for_capacity(PARTS_AT_ONCE));
        ready.map_err(|error| PutError::storage(&self.place, error))?;
        self.hasher.update(bytes);
        self.parts.write(bytes);
        Ok(())
    }
}

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // One large write would be in memory as a whole.
        let bytes = &bytes[..bytes.len().min(PART)];
        if self.refused.is_none() {
            self.refused = self.hand_over(bytes).err();
        }
        match &self.refused {
            None => Ok(bytes.len()),
            Some(refused) => Err(io::Error::other(refused.to_string())),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        // What is written is safe only at the end.
        Ok(())
    }
}
