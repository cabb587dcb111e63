//! How rows come out of a file: what stays in memory all the time, and the history of one run.

use futures::TryStreamExt;
use sqlx::sqlite::SqliteConnection;
use vezir_jobs::ledger::Tables;
use vezir_jobs::{Attempt, RunId, Tally, WorkerId};

use super::row::{self, Columns};
use super::trouble::Trouble;

const SUBMISSIONS: &str = "SELECT run, request, owner, verify, seed FROM submissions";

const RUNS: &str = "SELECT run, kind, verify, seed, submitted, ended, planned_units, split, remaining, positions, hash_bytes, \
     frontier, again, failure, units, state, attempt, done, aside, doubts, conflicts, prefix, nodes, divide, breakdown, figures, \
     survey, term_lease, term_progress, term_unit FROM runs";

const ENROLMENTS: &str = "SELECT worker, owner, name FROM enrolments";

const WORKERS: &str =
    "SELECT worker, incarnation, cores, busy, state, failed, near_run, near_unit FROM workers";

const QUEUE: &str = "SELECT run, first_unit, end_unit FROM queue";

const CALLS: &str = "SELECT id, verb, reply, answered FROM calls";

const LIVE_LEASES: &str = "SELECT run, attempt, worker, first_unit, end_unit, granted_end, purpose, cores, ended \
     FROM leases WHERE run = ? AND ended IS NULL";

const ENDED_LEASES: &str = "SELECT run, attempt, worker, first_unit, end_unit, granted_end, purpose, cores, ended \
     FROM leases WHERE run = ? AND ended IS NOT NULL";

const LEASE: &str = "SELECT run, attempt, worker, first_unit, end_unit, granted_end, purpose, cores, ended \
     FROM leases WHERE run = ? AND attempt = ?";

const FINDINGS: &str = "SELECT run, unit, attempt, worker, standing, evidence, nodes, divide, breakdown, figures, survey \
     FROM findings WHERE run = ?";

const DOUBTS: &str = "SELECT run, unit, cause, settled FROM doubts WHERE run = ?";

const TRUST: &str = "SELECT run, worker, agreed FROM trust WHERE run = ?";

const RUNS_WITH_LIVE_LEASES: &str = "SELECT DISTINCT run FROM leases WHERE ended IS NULL";

const RUNS_OF_WORKER: &str = "SELECT DISTINCT run FROM findings WHERE worker = ?";

/// Reads what stays in memory as long as the store is open: of every run what was asked and how it stands, who
/// works, what waits, and the answered calls. What waits is only of open runs.
pub(super) async fn standing(from: &mut SqliteConnection) -> Result<Tables<Tally>, Trouble> {
    let mut tables = Tables::default();
    tables.submissions.extend(rows(from, "submissions", SUBMISSIONS, &[], row::read_submission).await?);
    let runs = rows(from, "runs", RUNS, &[], row::read_run).await?;
    tables.runs.extend(runs.into_iter().map(|it| (it.id, it)));
    tables.enrolments.extend(rows(from, "enrolments", ENROLMENTS, &[], row::read_enrolment).await?);
    let workers = rows(from, "workers", WORKERS, &[], row::read_worker).await?;
    tables.workers.extend(workers.into_iter().map(|it| (it.id, it)));
    tables.queue.extend(rows(from, "queue", QUEUE, &[], row::read_slice).await?);
    let calls = rows(from, "calls", CALLS, &[], row::read_call).await?;
    tables.calls.extend(calls.into_iter().map(|it| (it.id, it)));
    Ok(tables)
}

/// Reads the history of a run: its live leases, findings, doubts and trust.
pub(super) async fn history(
    from: &mut SqliteConnection,
    run: RunId,
    tables: &mut Tables<Tally>,
) -> Result<(), Trouble> {
    let key = [run.0];
    let leases = rows(from, "leases", LIVE_LEASES, &key, row::read_lease).await?;
    tables.leases.extend(leases.into_iter().map(|it| ((it.run, it.attempt), it)));
    let findings = rows(from, "findings", FINDINGS, &key, row::read_finding).await?;
    tables.findings.extend(findings.into_iter().map(|it| ((it.run, it.unit, it.attempt), it)));
    let doubts = rows(from, "doubts", DOUBTS, &key, row::read_doubt).await?;
    tables.doubts.extend(doubts.into_iter().map(|it| ((it.run, it.unit), it)));
    tables.trust.extend(rows(from, "trust", TRUST, &key, row::read_trust).await?);
    Ok(())
}

/// Reads the leases of a run that have ended.
pub(super) async fn ended_leases(
    from: &mut SqliteConnection,
    run: RunId,
    tables: &mut Tables<Tally>,
) -> Result<(), Trouble> {
    let leases = rows(from, "leases", ENDED_LEASES, &[run.0], row::read_lease).await?;
    tables.leases.extend(leases.into_iter().map(|it| ((it.run, it.attempt), it)));
    Ok(())
}

/// Reads one lease, if there is such a lease.
pub(super) async fn lease(
    from: &mut SqliteConnection,
    run: RunId,
    attempt: Attempt,
    tables: &mut Tables<Tally>,
) -> Result<(), Trouble> {
    let leases = rows(from, "leases", LEASE, &[run.0, attempt.0], row::read_lease).await?;
    tables.leases.extend(leases.into_iter().map(|it| ((it.run, it.attempt), it)));
    Ok(())
}

/// The runs that have live leases.
pub(super) async fn runs_with_live_leases(from: &mut SqliteConnection) -> Result<Vec<RunId>, Trouble> {
    rows(from, "leases", RUNS_WITH_LIVE_LEASES, &[], row::read_number_of_run).await
}

/// The runs in which a worker found anything.
pub(super) async fn runs_of_worker(
    from: &mut SqliteConnection,
    worker: WorkerId,
) -> Result<Vec<RunId>, Trouble> {
    rows(from, "findings", RUNS_OF_WORKER, &[worker.0], row::read_number_of_run).await
}

/// All rows that a query finds, where `key` is its parameters.
async fn rows<T>(
    from: &mut SqliteConnection,
    table: &'static str,
    query: &'static str,
    key: &[u64],
    read: impl Fn(&mut Columns<'_>) -> Result<T, Trouble>,
) -> Result<Vec<T>, Trouble> {
    let mut query = sqlx::query(query);
    for &number in key {
        // Nothing has a number beyond these: nothing is found.
        query = query.bind(i64::try_from(number).unwrap_or(i64::MAX));
    }
    let mut found = Vec::new();
    let mut rows = query.fetch(from);
    while let Some(row) = rows.try_next().await? {
        found.push(read(&mut Columns::new(table, &row))?);
    }
    Ok(found)
}
