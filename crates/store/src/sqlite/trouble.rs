//! What goes wrong with a file while it is read or written, as sentences for whoever must mend it.

use std::fmt;
use std::io::ErrorKind;

use crate::{Fault, Unusable};

/// Why rows could not be read or written.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The database says so.
    Database(sqlx::Error),
    /// Another program reads the file, and what was written cannot be carried over meanwhile.
    Read,
    /// A row holds what this program never wrote.
    Damaged {
        /// The table.
        table: &'static str,
        /// The column, counted from 0 in the order of the query.
        column: usize,
        /// What is wrong with it.
        what: String,
    },
}

impl From<sqlx::Error> for Trouble {
    fn from(error: sqlx::Error) -> Trouble {
        Trouble::Database(error)
    }
}

/// Primary result codes of SQLite, from its documentation, "Result and Error Codes".
mod code {
    pub(super) const BUSY: u32 = 5;
    pub(super) const READ_ONLY: u32 = 8;
    pub(super) const IO_ERROR: u32 = 10;
    pub(super) const CORRUPT: u32 = 11;
    pub(super) const FULL: u32 = 13;
    pub(super) const CANNOT_OPEN: u32 = 14;
    pub(super) const NOT_A_DATABASE: u32 = 26;
}

impl Trouble {
    /// SQLite's primary result code, where it gave one.
    fn code(&self) -> Option<u32> {
        let Trouble::Database(sqlx::Error::Database(error)) = self else { return None };
        error.code()?.parse::<u32>().ok().map(|extended| extended & 0xff)
    }

    /// What kind of fault it is.
    pub(super) fn fault(&self) -> Fault {
        match self {
            Trouble::Read => Fault::Busy,
            Trouble::Damaged { .. } => Fault::Damaged,
            Trouble::Database(sqlx::Error::Io(error)) => match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Fault::Full,
                ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => Fault::ReadOnly,
                _ => Fault::Unreachable,
            },
            Trouble::Database(_) => match self.code() {
                Some(code::FULL) => Fault::Full,
                Some(code::READ_ONLY) => Fault::ReadOnly,
                Some(code::BUSY) => Fault::Busy,
                Some(code::IO_ERROR | code::CANNOT_OPEN) => Fault::Unreachable,
                Some(code::CORRUPT | code::NOT_A_DATABASE) => Fault::Damaged,
                _ => Fault::Other,
            },
        }
    }

    /// The same for whoever asked.
    pub(super) fn unusable(&self) -> Unusable {
        Unusable { fault: self.fault(), why: self.to_string() }
    }

    /// Whether the file is no database at all.
    pub(super) fn is_foreign(&self) -> bool {
        self.code() == Some(code::NOT_A_DATABASE)
    }

    /// Whether the file may not be written.
    pub(super) fn is_read_only(&self) -> bool {
        matches!(self.code(), Some(code::READ_ONLY | code::CANNOT_OPEN))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Damaged { table, column, what } => {
                write!(f, "a row of {table} is damaged, column {column}: {what}; ")?;
                f.write_str("the file as it was saved before would be right")
            }
            Trouble::Read => f.write_str("another program reads the file; its end would be right"),
            Trouble::Database(sqlx::Error::Io(error)) => {
                write!(f, "the disk does not read or write; one that does would be right ({error})")
            }
            Trouble::Database(error) => {
                let advice = match self.code() {
                    Some(code::FULL) => "the disk is full; free space would be right",
                    Some(code::READ_ONLY) => {
                        "the file is read-only; one that this user may write would be right"
                    }
                    Some(code::IO_ERROR) => "the disk does not read or write; one that does would be right",
                    Some(code::CORRUPT) => "the file is damaged; as it was saved before, it would be right",
                    Some(code::BUSY) => "another program keeps the file locked; its end would be right",
                    Some(code::CANNOT_OPEN) => {
                        "the file, or one beside it, cannot be opened; leave to read and write there would be right"
                    }
                    _ => return write!(f, "{error}"),
                };
                write!(f, "{advice} ({})", Said(error))
            }
        }
    }
}

/// What the database said, in its own words.
struct Said<'error>(&'error sqlx::Error);

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            sqlx::Error::Database(error) => {
                write!(f, "{}, code {}", error.message(), error.code().unwrap_or_default())
            }
            other => write!(f, "{other}"),
        }
    }
}
