//! What is asked and checked when a store is opened, and why one cannot be.

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::batch::Batch;
use super::file::APPLICATION;
use super::lock::{Lock, Locked};
use crate::Fault;

/// How a database of SQLite begins, and how much of it there is up to the number of its application.
///
/// Source: "Database File Format", section 1.3.
const MAGIC: &[u8] = b"SQLite format 3\0";
const HEAD: usize = 72;

/// How a store is opened.
pub struct Opening {
    /// Told of each batch, from the thread that writes: it should only count.
    pub observer: Box<dyn Fn(&Batch) + Send>,
    /// What only tests change.
    #[doc(hidden)]
    pub trial: Trial,
}

/// What only tests change, so that little work shows much.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Whether a commit waits for the disk. `false` is for the test that shows what is lost then.
    pub synced: bool,
    /// How many ended runs stay in memory with all their findings: the last that were asked for.
    pub remembered: usize,
    /// Pages in the write-ahead log after which they are carried over into the file.
    pub log_pages: u32,
}

impl Default for Trial {
    fn default() -> Trial {
        // The log has 16 MiB then.
        Trial { synced: true, remembered: 64, log_pages: 4096 }
    }
}

impl Default for Opening {
    fn default() -> Opening {
        Opening { observer: Box::new(|_| ()), trial: Trial::default() }
    }
}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening").field("trial", &self.trial).finish_non_exhaustive()
    }
}

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Its folder is not there.
    #[error("{}: there is no such folder; one that exists would be right", .folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// It is a folder itself, or something else that is no file.
    #[error("{}: that is no file; the name of a file would be right", .path.display())]
    NoFile {
        /// What was named.
        path: PathBuf,
    },
    /// Another process has it.
    #[error(
        "{}: {} has this store open; its end, or another file, would be right",
        .path.display(), Process(*.holder)
    )]
    InUse {
        /// The file.
        path: PathBuf,
        /// The number of the process, where it could be read.
        holder: Option<u32>,
    },
    /// The lock beside it cannot be had.
    #[error("{}: cannot be locked ({error}); {} would be right", .path.display(), room(.error))]
    Lock {
        /// The lock's file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is no SQLite database.
    #[error("{}: that is no SQLite database; a store of Vezir's, or a new name, would be right", .path.display())]
    NoDatabase {
        /// The file.
        path: PathBuf,
    },
    /// It is another program's database.
    #[error("{}: that is another program's database; a store of Vezir's, or a new name, would be right", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Another version of Vezir has changed it.
    #[error(
        "{}: another Vezir has written it (step {step} of its schema); that one, or a newer one, would be right",
        .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The step of the schema that is not known here.
        step: i64,
    },
    /// It may not be written.
    #[error("{}: cannot be written: {what}", .path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// What the database says.
        what: String,
    },
    /// It cannot be read or written.
    #[error("{}: {what}", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What kind of fault it is.
        fault: Fault,
        /// Why.
        what: String,
    },
}

impl OpenError {
    /// What kind of fault it is.
    pub const fn fault(&self) -> Fault {
        match self {
            OpenError::ReadOnly { .. } => Fault::ReadOnly,
            OpenError::InUse { .. } => Fault::Busy,
            OpenError::NoFolder { .. } | OpenError::NoFile { .. } => Fault::Unreachable,
            OpenError::NoDatabase { .. } | OpenError::Foreign { .. } => Fault::Damaged,
            OpenError::Unusable { fault, .. } => *fault,
            OpenError::Lock { .. } | OpenError::Newer { .. } => Fault::Other,
        }
    }
}

/// What a lock lacks.
fn room(error: &std::io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free space",
        _ => "a folder where this user may write",
    }
}

/// A process in a sentence.
struct Process(Option<u32>);

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(id) => write!(f, "process {id}"),
            None => f.write_str("another process"),
        }
    }
}

/// The folder of a file.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Locks a store whose file is there or may be made.
pub(super) fn lock(path: &Path) -> Result<Lock, OpenError> {
    let folder = folder(path);
    if !folder.is_dir() {
        return Err(OpenError::NoFolder { folder: folder.to_owned() });
    }
    if path.exists() && !path.is_file() {
        return Err(OpenError::NoFile { path: path.to_owned() });
    }
    // Whoever closes a file that SQLite has open in the same process takes its locks away: one that is in use is
    // not looked at.
    if matches!(Lock::ask(path), Ok(None)) {
        look_before(path)?;
    }
    Lock::take(path).map_err(|why| locked(path, why))
}

/// Why a store cannot be locked.
pub(super) fn locked(path: &Path, why: Locked) -> OpenError {
    match why {
        Locked::By(holder) => OpenError::InUse { path: path.to_owned(), holder },
        Locked::Never(error) => OpenError::Lock { path: Lock::beside(path), error },
    }
}

/// Refuses what cannot be a store before anything is written beside it. SQLite tells the rest.
fn look_before(path: &Path) -> Result<(), OpenError> {
    let mut head = [0; HEAD];
    let Ok(mut file) = File::open(path) else { return Ok(()) };
    let path = path.to_owned();
    match file.read_exact(&mut head) {
        Ok(()) if !head.starts_with(MAGIC) => Err(OpenError::NoDatabase { path }),
        Ok(()) => {
            let owner = head.last_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes));
            let known = owner == 0 || i64::from(owner) == APPLICATION;
            if known { Ok(()) } else { Err(OpenError::Foreign { path }) }
        }
        Err(_) if file.metadata().is_ok_and(|it| it.len() > 0) => Err(OpenError::NoDatabase { path }),
        Err(_) => Ok(()),
    }
}
