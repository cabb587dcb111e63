//! The file of a store: how it is opened and known, and how a batch of changes is committed to it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection, SqlSafeStr};
use vezir_jobs::Tally;
use vezir_jobs::ledger::Tables;

use super::open::folder;
use super::trouble::Trouble;
use super::{OpenError, Trial, write};
use crate::journal::Key;

/// The number by which a file is known as a store of Vezir's: "VEZR".
pub(super) const APPLICATION: i64 = 0x5645_5A52;

/// How long a statement waits for the lock of another program, which may look into the file beside us.
const PATIENCE: Duration = Duration::from_secs(5);

/// The statements that are kept prepared: more than there are different ones.
const STATEMENTS: usize = 256;

/// The size to which the log is cut after it had to grow beyond: 64 MiB.
const LOG_BYTES: u32 = 64 << 20;

/// The schema, step by step. Steps that were released are never changed.
const STEPS: [(i64, &str, &str); 2] = [
    (1, "ledger", include_str!("../../migrations/sqlite/0001_ledger.sql")),
    (2, "surveys", include_str!("../../migrations/sqlite/0002_surveys.sql")),
];

/// An open file, written by nobody else.
pub(super) struct File {
    pub(super) connection: SqliteConnection,
}

impl File {
    /// Opens a file, or makes it, and brings its schema up to date.
    pub(super) async fn open(path: &Path, trial: Trial) -> Result<File, OpenError> {
        let options = options(path).create_if_missing(true).foreign_keys(true);
        let connection = options.connect().await.map_err(|error| OpenError::of(path, error.into()))?;
        let mut file = File { connection };
        match file.prepare(path, trial).await {
            Ok(()) => Ok(file),
            Err(error) => {
                file.close().await;
                Err(error)
            }
        }
    }

    async fn prepare(&mut self, path: &Path, trial: Trial) -> Result<(), OpenError> {
        let unusable = |trouble| OpenError::of(path, trouble);
        let known = application(&mut self.connection).await.map_err(unusable)?;
        if known != APPLICATION && (known != 0 || tables(&mut self.connection).await.map_err(unusable)? > 0) {
            return Err(OpenError::Foreign { path: path.to_owned() });
        }
        for pragma in [
            "PRAGMA journal_mode = WAL".to_owned(),
            format!("PRAGMA synchronous = {}", if trial.synced { "FULL" } else { "OFF" }),
            format!("PRAGMA wal_autocheckpoint = {}", trial.log_pages),
            format!("PRAGMA journal_size_limit = {LOG_BYTES}"),
            "PRAGMA trusted_schema = OFF".to_owned(),
        ] {
            self.say(pragma).await.map_err(unusable)?;
        }
        match migrator().run(&mut self.connection).await {
            Ok(()) => {}
            Err(MigrateError::VersionMissing(step) | MigrateError::VersionMismatch(step)) => {
                return Err(OpenError::Newer { path: path.to_owned(), step });
            }
            Err(MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) => {
                return Err(unusable(error.into()));
            }
            Err(error) => return Err(unusable(sqlx::Error::Migrate(Box::new(error)).into())),
        }
        // A file that may only be read shows it when it is to be written.
        self.say("BEGIN IMMEDIATE").await.map_err(unusable)?;
        self.say("COMMIT").await.map_err(unusable)?;
        let synced = if trial.synced { sync_names(path) } else { Ok(()) };
        synced.map_err(|error| unusable(sqlx::Error::Io(error).into()))
    }

    /// Writes changed rows, all or none of them. After an error it is not known which: the file is then to be
    /// closed.
    pub(super) async fn commit(
        &mut self,
        tables: &Tables<Tally>,
        keys: &BTreeSet<Key>,
    ) -> Result<(), Trouble> {
        self.say("BEGIN IMMEDIATE").await?;
        write::changed(&mut self.connection, tables, keys).await?;
        self.say("COMMIT").await
    }

    /// Carries the whole log over into the file itself. What the log held when a sync failed may be in memory
    /// only, whatever later syncs say; this writes it anew.
    pub(super) async fn carry_over(&mut self) -> Result<(), Trouble> {
        let (busy, _, _): (i64, i64, i64) =
            sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut self.connection).await?;
        if busy != 0 {
            return Err(Trouble::Read);
        }
        // A commit that changes nothing syncs the log that is now empty: what the disk has of the old one may
        // be a part that must not be replayed over the file.
        self.say("PRAGMA user_version = 0").await
    }

    /// Closes the file, which rolls back what is not committed.
    pub(super) async fn close(self) {
        // What cannot be carried over now stays in the log, and is read at the next start.
        drop(self.connection.close().await);
    }

    async fn say(&mut self, statement: impl Into<Cow<'static, str>>) -> Result<(), Trouble> {
        let statement = sqlx::AssertSqlSafe(statement.into());
        sqlx::query(statement).execute(&mut self.connection).await?;
        Ok(())
    }
}

/// Makes the names of a store's files safe, its log's among them. SQLite does so as well, but does not say when
/// it cannot; without its name a log is lost whose every commit was synced.
fn sync_names(path: &Path) -> std::io::Result<()> {
    if cfg!(unix) { std::fs::File::open(folder(path))?.sync_all() } else { Ok(()) }
}

/// Whose file it is, by its own account; 0 if it does not say.
async fn application(connection: &mut SqliteConnection) -> Result<i64, Trouble> {
    Ok(sqlx::query_scalar("PRAGMA application_id").fetch_one(connection).await?)
}

/// How many tables and indexes there are.
async fn tables(connection: &mut SqliteConnection) -> Result<i64, Trouble> {
    // A start that was cut short may have left the table that says which steps of the schema were made.
    let tables = "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> '_sqlx_migrations'";
    Ok(sqlx::query_scalar(tables).fetch_one(connection).await?)
}

/// Whether a file is a store of Vezir's.
pub(super) async fn is_store(connection: &mut SqliteConnection) -> Result<bool, Trouble> {
    Ok(application(connection).await? == APPLICATION)
}

/// How any connection to a store is made.
pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new().filename(path).busy_timeout(PATIENCE);
    options.statement_cache_capacity(STATEMENTS).disable_statement_logging()
}

fn migrator() -> Migrator {
    let step = |(version, name, text): (i64, &'static str, &'static str)| {
        Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, text.into_sql_str(), false)
    };
    Migrator::with_migrations(STEPS.map(step).to_vec())
}

impl OpenError {
    /// What this trouble means for whoever wants to open the file.
    pub(super) fn of(path: &Path, trouble: Trouble) -> OpenError {
        let path: PathBuf = path.to_owned();
        if trouble.is_foreign() {
            OpenError::NoDatabase { path }
        } else if trouble.is_read_only() {
            OpenError::ReadOnly { path, what: trouble.to_string() }
        } else {
            OpenError::Unusable { path, fault: trouble.fault(), what: trouble.to_string() }
        }
    }
}
