//! Whether a file is sound: by SQLite's own check, by its references, and by the laws of the ledger.

use std::path::{Path, PathBuf};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use vezir_jobs::laws;
use vezir_jobs::ledger::{Run, Tables};
use vezir_jobs::{RunId, Tally};

use super::Sqlite;
use super::file::{is_store, options};
use super::lock::{Lock, Locked};
use super::select;
use super::trouble::Trouble;

/// The most faults that SQLite is asked to name.
const FAULTS: &str = "PRAGMA integrity_check(100)";

/// What was found in a file.
#[derive(Debug)]
pub struct Inspection {
    /// Whether a process has the store open, and its number where it could be read.
    pub in_use: Option<Option<u32>>,
    /// What SQLite finds wrong with the file, by its integrity check and its check of references.
    pub faults: Vec<String>,
    /// Which laws are broken, and by what.
    pub violations: Vec<String>,
    /// How many rows each table has.
    pub rows: Vec<(&'static str, usize)>,
    /// All rows, without deadlines: those are in no file.
    pub tables: Tables<Tally>,
}

impl Inspection {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty() && self.violations.is_empty()
    }
}

/// Why a file cannot be inspected.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    /// There is no such file.
    #[error("{}: there is no such file; a store of Vezir's would be right", .path.display())]
    NoFile {
        /// The file.
        path: PathBuf,
    },
    /// It is no store.
    #[error("{}: that is no store; a file that Vezir has made would be right", .path.display())]
    NoStore {
        /// The file.
        path: PathBuf,
    },
    /// Its lock cannot be read.
    #[error("{}: the lock beside it cannot be read ({error}); leave to read it would be right", .path.display())]
    Lock {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It cannot be read.
    #[error("{}: {what}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        what: String,
    },
}

impl Sqlite {
    /// Looks for faults in a file, as it is after the last commit. Nothing is written, and a coordinator that
    /// has it open goes on meanwhile.
    ///
    /// # Errors
    /// [`InspectError`] where it cannot be read at all.
    pub async fn inspect(path: impl Into<PathBuf>) -> Result<Inspection, InspectError> {
        let path = path.into();
        let (in_use, Seen { faults, tables }) = see(&path, Look::Thorough).await?;
        let violations = laws::broken(&tables).iter().map(ToString::to_string).collect();
        Ok(Inspection { in_use, faults, violations, rows: rows(&tables), tables })
    }

    /// The rows of a file, as they are after the last commit, unchecked; of runs that have ended, what was found
    /// and decided is left out but of the one that is named. Nothing is written, and a coordinator that has it
    /// open goes on meanwhile. Tells as well whether there is one.
    ///
    /// # Errors
    /// [`InspectError`] where it cannot be read.
    pub async fn glance(
        path: impl Into<PathBuf>,
        run: Option<RunId>,
    ) -> Result<(Tables<Tally>, bool), InspectError> {
        let (in_use, seen) = see(&path.into(), Look::Passing(run)).await?;
        Ok((seen.tables, in_use.is_some()))
    }
}

/// How closely a file is looked at.
#[derive(Clone, Copy)]
enum Look {
    /// What stands is read, and all that is known of runs that go on, and of this one.
    Passing(Option<RunId>),
    /// All rows are read, and the file is checked.
    Thorough,
}

impl Look {
    /// Whether all that is known of a run is read.
    fn reads(self, run: &Run<Tally>) -> bool {
        match self {
            Look::Passing(named) => !run.state.has_ended() || named == Some(run.id),
            Look::Thorough => true,
        }
    }
}

/// What SQLite finds wrong, and every row.
struct Seen {
    faults: Vec<String>,
    tables: Tables<Tally>,
}

/// Reads a file, and asks who has it open.
async fn see(path: &Path, look: Look) -> Result<(Option<Option<u32>>, Seen), InspectError> {
    let path = path.to_owned();
    if !path.is_file() {
        return Err(InspectError::NoFile { path });
    }
    let in_use = match Lock::ask(&path) {
        Ok(Some(Locked::By(holder))) => Some(holder),
        Ok(_) => None,
        Err(error) => return Err(InspectError::Lock { path, error }),
    };
    match read(&path, look, in_use.is_some()).await {
        Ok(Some(seen)) => Ok((in_use, seen)),
        Ok(None) => Err(InspectError::NoStore { path }),
        Err(trouble) if trouble.is_foreign() => Err(InspectError::NoStore { path }),
        Err(trouble) => Err(InspectError::Unreadable { path, what: trouble.to_string() }),
    }
}

/// Reads a file and leaves nothing beside it, unless somebody has it open or died with it.
async fn read(path: &Path, look: Look, in_use: bool) -> Result<Option<Seen>, Trouble> {
    let is_at_rest = || !log(path).exists() && matches!(Lock::ask(path), Ok(None));
    if !in_use && is_at_rest() {
        let seen = read_with(options(path).read_only(true).immutable(true), look).await;
        // Else somebody has begun to write, and something may have been read halfway.
        if is_at_rest() {
            return seen;
        }
    }
    // What SQLite puts beside the file to read it, it never takes away again.
    read_with(options(path).read_only(true), look).await
}

/// The log of what is not yet carried over into a file.
fn log(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

async fn read_with(options: SqliteConnectOptions, how: Look) -> Result<Option<Seen>, Trouble> {
    let mut connection = options.connect().await?;
    let seen = match is_store(&mut connection).await {
        Ok(true) => look(&mut connection, how).await.map(Some),
        other => other.map(|_| None),
    };
    connection.close().await?;
    seen
}

/// Everything, as of one moment.
async fn look(connection: &mut SqliteConnection, how: Look) -> Result<Seen, Trouble> {
    sqlx::query("BEGIN").execute(&mut *connection).await?;
    let faults = if matches!(how, Look::Thorough) { faults(connection).await? } else { Vec::new() };
    let mut tables = select::standing(connection).await?;
    let runs: Vec<_> = tables.runs.values().filter(|run| how.reads(run)).map(|run| run.id).collect();
    for run in runs {
        select::history(connection, run, &mut tables).await?;
        select::ended_leases(connection, run, &mut tables).await?;
    }
    Ok(Seen { faults, tables })
}

/// What SQLite finds wrong.
async fn faults(connection: &mut SqliteConnection) -> Result<Vec<String>, Trouble> {
    let mut faults: Vec<String> = sqlx::query_scalar(FAULTS).fetch_all(&mut *connection).await?;
    faults.retain(|it| it != "ok");
    let references: Vec<(String, Option<i64>, String, i64)> =
        sqlx::query_as("PRAGMA foreign_key_check").fetch_all(&mut *connection).await?;
    let missing = references
        .into_iter()
        .map(|(table, _, parent, _)| format!("a row of {table} names a row of {parent} that is not there"));
    faults.extend(missing);
    Ok(faults)
}

fn rows(tables: &Tables<Tally>) -> Vec<(&'static str, usize)> {
    vec![
        ("submissions", tables.submissions.len()),
        ("runs", tables.runs.len()),
        ("enrolments", tables.enrolments.len()),
        ("workers", tables.workers.len()),
        ("leases", tables.leases.len()),
        ("queue", tables.queue.len()),
        ("findings", tables.findings.len()),
        ("doubts", tables.doubts.len()),
        ("trust", tables.trust.len()),
        ("calls", tables.calls.len()),
    ]
}
