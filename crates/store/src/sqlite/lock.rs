//! One coordinator for one file: a lock that goes with the process that holds it, however that ends.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often the lock is tried, and how long between: an inspection holds it for a moment.
const TRIES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(25);

/// The lock on a store. Dropping it sets the store free.
#[derive(Debug)]
pub(super) struct Lock {
    _beside: File,
    /// The store itself, locked as well: it may have other names. `None` until it is there.
    store: Option<File>,
}

/// Why there is no lock.
#[derive(Debug)]
pub(super) enum Locked {
    /// Another process has it, with this number if it could be read.
    By(Option<u32>),
    /// There can be none.
    Never(io::Error),
}

impl Lock {
    /// The file that holds the lock and the number of its process. It lies beside the store, whatever the name
    /// is by which that was found.
    pub(super) fn beside(store: &Path) -> PathBuf {
        let store = std::fs::canonicalize(store).unwrap_or_else(|_| store.to_owned());
        let mut name = OsString::from(store);
        name.push(".lock");
        PathBuf::from(name)
    }

    /// Locks a store for this process, and writes its number into the lock's file.
    pub(super) fn take(store: &Path) -> Result<Lock, Locked> {
        let path = Lock::beside(store);
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.map_err(Locked::Never)?;
        for tried in 1..=TRIES {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(error)) => return Err(Locked::Never(error)),
                Err(TryLockError::WouldBlock) if tried == TRIES => return Err(Locked::By(holder(&mut file))),
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            }
        }
        sign(&mut file).map_err(Locked::Never)?;
        let mut lock = Lock { _beside: file, store: None };
        lock.hold(store)?;
        Ok(lock)
    }

    /// Locks the store's own file too, if it is there: it may have other names, or have lost the file beside it.
    /// SQLite's locks are of another kind, and do not meet this one.
    pub(super) fn hold(&mut self, store: &Path) -> Result<(), Locked> {
        if self.store.is_some() {
            return Ok(());
        }
        match File::open(store) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Locked::Never(error)),
            Ok(file) => match file.try_lock() {
                Ok(()) => self.store = Some(file),
                Err(TryLockError::WouldBlock) => return Err(Locked::By(None)),
                // A file system without such locks has the one beside.
                Err(TryLockError::Error(_)) => {}
            },
        }
        Ok(())
    }

    /// Who has the lock on a store: `None` if nobody has. Nothing is changed by asking.
    pub(super) fn ask(store: &Path) -> Result<Option<Locked>, io::Error> {
        let mut file = match File::open(Lock::beside(store)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(None),
            Err(TryLockError::WouldBlock) => Ok(Some(Locked::By(holder(&mut file)))),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// The number of the process that has locked a file.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn sign(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}
