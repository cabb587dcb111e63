//! How changed rows go into a file.

use std::collections::BTreeSet;

use sqlx::AssertSqlSafe;
use sqlx::sqlite::SqliteConnection;
use vezir_jobs::ledger::{Call, Doubt, Enrolment, Finding, Lease, Run, Tables, Worker};
use vezir_jobs::{RunId, Submission, Tally, WorkerId};

use super::row::{self, Values};
use super::trouble::Trouble;
use crate::journal::Key;

/// The most rows of one statement: a statement costs more than a row.
const ROWS_PER_STATEMENT: usize = 32;

/// A statement about any number of rows.
struct Form {
    head: &'static str,
    /// The place of one row.
    row: &'static str,
    tail: &'static str,
}

impl Form {
    fn of(&self, rows: usize) -> String {
        let mut text = String::with_capacity(self.head.len() + rows * (self.row.len() + 2) + self.tail.len());
        text.push_str(self.head);
        for place in 0..rows {
            text.push_str(if place == 0 { "" } else { ", " });
            text.push_str(self.row);
        }
        text.push_str(self.tail);
        text
    }
}

const SUBMISSIONS: Form = Form {
    head: "INSERT INTO submissions (run, request, owner, verify, seed) VALUES ",
    row: "(?, ?, ?, ?, ?)",
    tail: "",
};

const RUNS: Form = Form {
    head: "INSERT INTO runs (run, kind, verify, seed, submitted, ended, planned_units, split, remaining, positions, hash_bytes, \
           frontier, again, failure, units, state, attempt, done, aside, doubts, conflicts, prefix, nodes, divide, breakdown, \
           figures, survey, term_lease, term_progress, term_unit) VALUES ",
    row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    tail: " ON CONFLICT (run) DO UPDATE SET ended = excluded.ended, planned_units = excluded.planned_units, \
           split = excluded.split, remaining = excluded.remaining, \
           positions = excluded.positions, hash_bytes = excluded.hash_bytes, frontier = excluded.frontier, \
           again = excluded.again, \
           failure = excluded.failure, units = excluded.units, state = excluded.state, \
           attempt = excluded.attempt, done = excluded.done, aside = excluded.aside, doubts = excluded.doubts, \
           conflicts = excluded.conflicts, prefix = excluded.prefix, nodes = excluded.nodes, \
           divide = excluded.divide, breakdown = excluded.breakdown, figures = excluded.figures, \
           survey = excluded.survey, \
           term_lease = excluded.term_lease, term_progress = excluded.term_progress, \
           term_unit = excluded.term_unit",
};

const ENROLMENTS: Form =
    Form { head: "INSERT INTO enrolments (worker, owner, name) VALUES ", row: "(?, ?, ?)", tail: "" };

const WORKERS: Form = Form {
    head: "INSERT INTO workers (worker, incarnation, cores, busy, state, failed, near_run, near_unit) VALUES ",
    row: "(?, ?, ?, ?, ?, ?, ?, ?)",
    tail: " ON CONFLICT (worker) DO UPDATE SET incarnation = excluded.incarnation, cores = excluded.cores, \
           busy = excluded.busy, state = excluded.state, failed = excluded.failed, \
           near_run = excluded.near_run, near_unit = excluded.near_unit",
};

const LEASES: Form = Form {
    head: "INSERT INTO leases (run, attempt, worker, first_unit, end_unit, granted_end, purpose, cores, ended) \
           VALUES ",
    row: "(?, ?, ?, ?, ?, ?, ?, ?, ?)",
    tail: " ON CONFLICT (run, attempt) DO UPDATE SET end_unit = excluded.end_unit, ended = excluded.ended",
};

const QUEUE: Form = Form {
    head: "INSERT INTO queue (run, first_unit, end_unit) VALUES ",
    row: "(?, ?, ?)",
    tail: " ON CONFLICT (run, first_unit) DO UPDATE SET end_unit = excluded.end_unit",
};

const NO_LONGER_QUEUED: Form =
    Form { head: "DELETE FROM queue WHERE (run, first_unit) IN (VALUES ", row: "(?, ?)", tail: ")" };

const FINDINGS: Form = Form {
    head: "INSERT INTO findings (run, unit, attempt, worker, standing, evidence, nodes, divide, breakdown, figures, survey) \
           VALUES ",
    row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    tail: " ON CONFLICT (run, unit, attempt) DO UPDATE SET standing = excluded.standing",
};

const DOUBTS: Form = Form {
    head: "INSERT INTO doubts (run, unit, cause, settled) VALUES ",
    row: "(?, ?, ?, ?)",
    tail: " ON CONFLICT (run, unit) DO UPDATE SET cause = excluded.cause, settled = excluded.settled",
};

const TRUST: Form = Form {
    head: "INSERT INTO trust (run, worker, agreed) VALUES ",
    row: "(?, ?, ?)",
    tail: " ON CONFLICT (run, worker) DO UPDATE SET agreed = excluded.agreed",
};

const CALLS: Form =
    Form { head: "INSERT INTO calls (id, verb, reply, answered) VALUES ", row: "(?, ?, ?, ?)", tail: "" };

const FORGOTTEN: Form = Form { head: "DELETE FROM calls WHERE id IN (", row: "?", tail: ")" };

/// Writes the rows of these keys as they are in memory; one that is not there any more is removed. The order
/// is such that what a row refers to is written before it.
pub(super) async fn changed(
    to: &mut SqliteConnection,
    tables: &Tables<Tally>,
    keys: &BTreeSet<Key>,
) -> Result<(), Trouble> {
    let rows = Changed::of(tables, keys);
    each(to, &SUBMISSIONS, &rows.submissions, |to, it| row::write_submission(to, *it)).await?;
    each(to, &RUNS, &rows.runs, |to, it| row::write_run(to, it)).await?;
    each(to, &ENROLMENTS, &rows.enrolments, |to, it| row::write_enrolment(to, *it)).await?;
    each(to, &WORKERS, &rows.workers, |to, it| row::write_worker(to, it)).await?;
    each(to, &LEASES, &rows.leases, |to, it| row::write_lease(to, it)).await?;
    let unqueued = |to: &mut Values, (run, first): &(u64, u32)| {
        to.number(*run);
        to.number(*first);
    };
    each(to, &NO_LONGER_QUEUED, &rows.unqueued, unqueued).await?;
    each(to, &QUEUE, &rows.queue, |to, it| row::write_slice(to, *it)).await?;
    // Where another finding comes to stand, the one that stood must be written first: a unit has only one.
    each(to, &FINDINGS, &rows.lying, |to, it| row::write_finding(to, it)).await?;
    each(to, &FINDINGS, &rows.standing, |to, it| row::write_finding(to, it)).await?;
    each(to, &DOUBTS, &rows.doubts, |to, it| row::write_doubt(to, it)).await?;
    each(to, &TRUST, &rows.trust, |to, it| row::write_trust(to, *it)).await?;
    each(to, &FORGOTTEN, &rows.forgotten, |to, it| to.bytes(it.to_be_bytes())).await?;
    each(to, &CALLS, &rows.calls, |to, it| row::write_call(to, it)).await
}

/// Changed rows by table.
#[derive(Default)]
struct Changed<'tables> {
    submissions: Vec<(RunId, &'tables Submission)>,
    runs: Vec<&'tables Run<Tally>>,
    enrolments: Vec<(WorkerId, &'tables Enrolment)>,
    workers: Vec<&'tables Worker>,
    leases: Vec<&'tables Lease>,
    queue: Vec<((RunId, u32), u32)>,
    unqueued: Vec<(u64, u32)>,
    /// Findings that close their unit.
    standing: Vec<&'tables Finding<Tally>>,
    /// All others.
    lying: Vec<&'tables Finding<Tally>>,
    doubts: Vec<&'tables Doubt>,
    trust: Vec<((RunId, WorkerId), u32)>,
    calls: Vec<&'tables Call>,
    forgotten: Vec<u128>,
}

impl<'tables> Changed<'tables> {
    fn of(tables: &'tables Tables<Tally>, keys: &BTreeSet<Key>) -> Changed<'tables> {
        let mut rows = Changed::default();
        for key in keys {
            rows.add(tables, *key);
        }
        rows
    }

    fn add(&mut self, tables: &'tables Tables<Tally>, key: Key) {
        match key {
            Key::Submission(run) => {
                self.submissions.extend(tables.submissions.get(&run).map(|it| (run, it)));
            }
            Key::Run(run) => self.runs.extend(tables.runs.get(&run)),
            Key::Enrolment(worker) => {
                self.enrolments.extend(tables.enrolments.get(&worker).map(|it| (worker, it)));
            }
            Key::Worker(worker) => self.workers.extend(tables.workers.get(&worker)),
            Key::Lease(run, attempt) => self.leases.extend(tables.leases.get(&(run, attempt))),
            Key::Slice(run, first) => match tables.queue.get(&(run, first)) {
                Some(end) => self.queue.push(((run, first), *end)),
                None => self.unqueued.push((run.0, first)),
            },
            Key::Finding(run, unit, attempt) => {
                let Some(finding) = tables.findings.get(&(run, unit, attempt)) else { return };
                let group = if finding.standing.closes() { &mut self.standing } else { &mut self.lying };
                group.push(finding);
            }
            Key::Doubt(run, unit) => self.doubts.extend(tables.doubts.get(&(run, unit))),
            Key::Trust(run, worker) => {
                self.trust.extend(tables.trust.get(&(run, worker)).map(|it| ((run, worker), *it)));
            }
            Key::Call(id) => match tables.calls.get(&id) {
                Some(call) => self.calls.push(call),
                None => self.forgotten.push(id.0),
            },
        }
    }
}

/// Executes a form for all rows. How many go into a statement is always a power of two, the largest that can be:
/// so there are few statements, and few different ones.
async fn each<T>(
    to: &mut SqliteConnection,
    form: &Form,
    mut rows: &[T],
    write: impl Fn(&mut Values, &T),
) -> Result<(), Trouble> {
    let mut size = ROWS_PER_STATEMENT;
    while !rows.is_empty() {
        while size > rows.len() {
            size /= 2;
        }
        let (now, later) = rows.split_at(size);
        let mut values = Values::default();
        for row in now {
            write(&mut values, row);
        }
        let text = AssertSqlSafe(form.of(size));
        sqlx::query_with(text, values.finish()?).execute(&mut *to).await?;
        rows = later;
    }
    Ok(())
}
