//! What is too large for a row: bytes kept under the hash of what they are.
//!
//! An artifact is written to a name of its own below `staging`, made safe on the disk, and only then renamed
//! to its hash: whoever finds a hash finds all of its bytes, whatever was killed when. The same code serves a
//! folder, memory and, where it is asked for, a bucket.

mod error;
mod reading;
mod writing;

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::path::Path as Folder;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures::TryStreamExt;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use tokio::runtime::Handle;
use vezir_jobs::Hash;

pub use error::{GetError, PutError, StorageError};
use reading::Reading;
use writing::Writing;

/// The most bytes that one artifact may have: those of the largest frontier, 16 GiB.
pub const MAX_BYTES: u64 = 16 << 30;

/// How many bytes are handed to the storage, or asked of it, at once: 8 MiB. A bucket takes no less than 5,
/// and no more than 10,000 such parts.
const PART: usize = 8 << 20;

/// The folder of what is still being written.
const STAGING: &str = "staging";

/// What has been in [`STAGING`] for longer was left behind by a process that was killed.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// Artifacts in a folder or in memory. Clones are the same place.
#[derive(Clone)]
pub struct Artifacts {
    storage: Arc<dyn ObjectStore>,
    place: Arc<str>,
    most: u64,
}

impl fmt::Debug for Artifacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Artifacts").field("place", &self.place).finish_non_exhaustive()
    }
}

/// What [`Artifacts::remove_unused`] took away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Removed {
    /// How many artifacts.
    pub artifacts: u64,
    /// How many bytes they had.
    pub bytes: u64,
}

impl Artifacts {
    /// The artifacts in a folder, which is made if it is not there. What a killed process left half written
    /// more than a day ago is removed.
    ///
    /// # Errors
    /// [`StorageError`] where the folder cannot be made or read.
    pub fn in_folder(folder: &Folder) -> Result<Artifacts, StorageError> {
        let place: Arc<str> = folder.display().to_string().into();
        let failed = |source: io::Error| StorageError::new(&place, source);
        std::fs::create_dir_all(folder.join(STAGING)).map_err(failed)?;
        sweep(&folder.join(STAGING)).map_err(failed)?;
        let storage = LocalFileSystem::new_with_prefix(folder).map_err(|it| StorageError::new(&place, it))?;
        Ok(Artifacts { storage: Arc::new(storage.with_fsync(true)), place, most: MAX_BYTES })
    }

    /// The artifacts in a folder, if it is there. Nothing is made, and nothing removed.
    ///
    /// # Errors
    /// [`StorageError`] where the folder cannot be read.
    pub fn if_in_folder(folder: &Folder) -> Result<Option<Artifacts>, StorageError> {
        if !folder.is_dir() {
            return Ok(None);
        }
        let place: Arc<str> = folder.display().to_string().into();
        let storage = LocalFileSystem::new_with_prefix(folder).map_err(|it| StorageError::new(&place, it))?;
        Ok(Some(Artifacts { storage: Arc::new(storage.with_fsync(true)), place, most: MAX_BYTES }))
    }

    /// Artifacts that are forgotten with the last clone.
    pub fn in_memory() -> Artifacts {
        Artifacts { storage: Arc::new(InMemory::new()), place: "memory".into(), most: MAX_BYTES }
    }

    /// Keeps what `write` writes, and names it. Nothing is kept where this fails; where the same bytes are
    /// there already, they are replaced by themselves, which makes them young and heals them.
    ///
    /// `write` runs on a thread that may block. At most some parts of 8 MiB are in memory at once.
    ///
    /// # Errors
    /// [`PutError`]: `write` failed, wrote more than [`MAX_BYTES`], or the storage is full or failed.
    pub async fn put(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'static,
    ) -> Result<Hash, PutError> {
        let this = self.clone();
        let written = tokio::task::spawn_blocking(move || this.put_here(write, &Handle::current()));
        written.await.map_err(|error| PutError::Writing(error.into()))?
    }

    fn put_here(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        runtime: &Handle,
    ) -> Result<Hash, PutError> {
        let staged = Path::from_iter([STAGING, &unique()]);
        let upload = runtime.block_on(self.storage.put_multipart(&staged));
        let upload = upload.map_err(|error| PutError::storage(&self.place, error))?;
        let mut writing = Writing::new(upload, runtime.clone(), &self.place, self.most);
        let hash = match write(&mut writing) {
            Ok(()) => writing.finish()?,
            Err(error) => return Err(writing.give_up(error)),
        };
        runtime.block_on(async {
            if let Err(error) = self.storage.rename(&staged, &path(hash)).await {
                // The first error is the one to be told.
                let _ = self.storage.delete(&staged).await;
                return Err(PutError::storage(&self.place, error));
            }
            Ok(hash)
        })
    }

    /// Hands the bytes of an artifact to `read`, and hands out what that makes of them if they are all right.
    ///
    /// `read` runs on a thread that may block, and sees damage as an error before the end; what it made of
    /// damaged bytes is thrown away.
    ///
    /// # Errors
    /// [`GetError`]: there is no such artifact, its bytes are not those that were put, or the storage failed.
    pub async fn get<T: Send + 'static>(
        &self,
        hash: Hash,
        read: impl FnOnce(&mut (dyn Read + Send)) -> T + Send + 'static,
    ) -> Result<T, GetError> {
        let this = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            let mut reading = Reading::new(&this.storage, Handle::current(), &this.place, hash)?;
            let made = read(&mut reading);
            reading.finish()?;
            Ok(made)
        });
        done.await
            .map_err(|error| GetError::Storage(StorageError::new(&self.place, io::Error::from(error))))?
    }

    /// Reads an artifact to its end, for nothing but its hash.
    ///
    /// # Errors
    /// Those of [`Artifacts::get`].
    pub async fn check(&self, hash: Hash) -> Result<(), GetError> {
        // What stops the copying is told by the hash, or by what failed, with more words.
        self.get(hash, |input| drop(io::copy(input, &mut io::sink()))).await
    }

    /// Whether there is an artifact of this name. Its bytes are not looked at.
    ///
    /// # Errors
    /// [`StorageError`] where the storage failed.
    pub async fn has(&self, hash: Hash) -> Result<bool, StorageError> {
        match self.storage.head(&path(hash)).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(StorageError::new(&self.place, error)),
        }
    }

    /// Removes the artifacts that `keep` does not want, except those put less than `age` ago: an artifact is
    /// put before the row that names it.
    ///
    /// # Errors
    /// [`StorageError`] where the storage failed, perhaps after some were removed.
    pub async fn remove_unused(
        &self,
        age: Duration,
        keep: impl Fn(&Hash) -> bool,
    ) -> Result<Removed, StorageError> {
        let failed = |error| StorageError::new(&self.place, error);
        let now = SystemTime::now();
        let unused = |meta: &ObjectMeta| named(&meta.location).is_some_and(|hash| !keep(&hash));
        let old =
            |meta: &ObjectMeta| now.duration_since(meta.last_modified.into()).unwrap_or_default() >= age;
        let found: Vec<ObjectMeta> = self.storage.list(None).try_collect().await.map_err(failed)?;
        let mut removed = Removed::default();
        for meta in found.iter().filter(|meta| unused(meta) && old(meta)) {
            match self.storage.delete(&meta.location).await {
                Ok(()) => {
                    removed.artifacts += 1;
                    removed.bytes += meta.size;
                }
                // Somebody else was faster.
                Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(removed)
    }
}

/// The name that [`Artifacts::put`] would give to what `write` writes.
///
/// # Errors
/// Those of `write`.
pub fn name(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Hash> {
    let mut hasher = blake3::Hasher::new();
    write(&mut hasher)?;
    Ok(Hash(hasher.finalize().into()))
}

/// Where an artifact is kept. The first two digits are a folder, so that none gets too long.
fn path(hash: Hash) -> Path {
    let name = hash.to_string();
    Path::from_iter([&name[..2], &name])
}

/// The artifact that is kept there, if one is.
fn named(location: &Path) -> Option<Hash> {
    let hash = location.filename()?.parse().ok()?;
    (path(hash) == *location).then_some(hash)
}

/// A name that no other process takes, on whatever machine.
fn unique() -> String {
    // The standard library takes its keys from the system's randomness.
    let half = || RandomState::new().hash_one(SystemTime::now());
    format!("{:016x}{:016x}", half(), half())
}

/// Removes what was left in a staging folder long ago: a listing of the storage hides unfinished files.
fn sweep(staging: &Folder) -> io::Result<()> {
    for entry in std::fs::read_dir(staging)? {
        let entry = entry?;
        let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
        if age > STALE {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
