//! The rows as a transaction sees them: what it writes is noted, and can be taken back.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;

use vezir_jobs::ledger::{
    Call, CallId, Deadline, Doubt, Enrolment, Finding, Lease, Marked, Refusal, Rows, Run, Table, Tables,
    Worker, Worth,
};
use vezir_jobs::{Attempt, RunId, Submission, Tally, WorkerId};

/// The name of a row that lasts. Whether the row is there is seen in the tables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Key {
    Submission(RunId),
    Run(RunId),
    Enrolment(WorkerId),
    Worker(WorkerId),
    Lease(RunId, Attempt),
    Slice(RunId, u32),
    Finding(RunId, u32, Attempt),
    Doubt(RunId, u32),
    Trust(RunId, WorkerId),
    Call(CallId),
}

impl Key {
    /// The run whose progress a change of this row is.
    pub(crate) const fn run(&self) -> Option<RunId> {
        match self {
            Key::Run(run) => Some(*run),
            _ => None,
        }
    }
}

/// What the rows were that a transaction has written, each as it was first met.
#[derive(Default)]
pub(crate) struct Undo {
    submissions: BTreeMap<RunId, Option<Submission>>,
    runs: BTreeMap<RunId, Option<Run<Tally>>>,
    enrolments: BTreeMap<WorkerId, Option<Enrolment>>,
    workers: BTreeMap<WorkerId, Option<Worker>>,
    leases: BTreeMap<(RunId, Attempt), Option<Lease>>,
    deadlines: BTreeMap<(RunId, Attempt), Option<Deadline>>,
    queue: BTreeMap<(RunId, u32), Option<u32>>,
    findings: BTreeMap<(RunId, u32, Attempt), Option<Finding<Tally>>>,
    doubts: BTreeMap<(RunId, u32), Option<Doubt>>,
    trust: BTreeMap<(RunId, WorkerId), Option<u32>>,
    calls: BTreeMap<CallId, Option<Call>>,
}

impl Undo {
    /// The names of the rows that last.
    pub(crate) fn changed(&self) -> BTreeSet<Key> {
        let mut keys = BTreeSet::new();
        keys.extend(self.submissions.keys().map(|run| Key::Submission(*run)));
        keys.extend(self.runs.keys().map(|run| Key::Run(*run)));
        keys.extend(self.enrolments.keys().map(|worker| Key::Enrolment(*worker)));
        keys.extend(self.workers.keys().map(|worker| Key::Worker(*worker)));
        keys.extend(self.leases.keys().map(|(run, attempt)| Key::Lease(*run, *attempt)));
        keys.extend(self.queue.keys().map(|(run, first)| Key::Slice(*run, *first)));
        keys.extend(self.findings.keys().map(|(run, unit, attempt)| Key::Finding(*run, *unit, *attempt)));
        keys.extend(self.doubts.keys().map(|(run, unit)| Key::Doubt(*run, *unit)));
        keys.extend(self.trust.keys().map(|(run, worker)| Key::Trust(*run, *worker)));
        keys.extend(self.calls.keys().map(|call| Key::Call(*call)));
        keys
    }

    /// Makes every row what it was.
    pub(crate) fn revert(self, tables: &mut Tables<Tally>) {
        restore(&mut tables.submissions, self.submissions);
        restore(&mut tables.runs, self.runs);
        restore(&mut tables.enrolments, self.enrolments);
        restore(&mut tables.workers, self.workers);
        restore(&mut tables.leases, self.leases);
        restore(&mut tables.deadlines, self.deadlines);
        restore(&mut tables.queue, self.queue);
        restore(&mut tables.findings, self.findings);
        restore(&mut tables.doubts, self.doubts);
        restore(&mut tables.trust, self.trust);
        restore(&mut tables.calls, self.calls);
    }
}

fn restore<K, V>(rows: &mut impl Rewritable<K, V>, before: BTreeMap<K, Option<V>>) {
    for (key, row) in before {
        rows.rewrite(key, row);
    }
}

/// Rows by key, with or without an index.
trait Rewritable<K, V> {
    /// Writes a row, or removes it.
    fn rewrite(&mut self, key: K, row: Option<V>);
}

impl<K: Ord, V> Rewritable<K, V> for BTreeMap<K, V> {
    fn rewrite(&mut self, key: K, row: Option<V>) {
        match row {
            Some(row) => drop(self.insert(key, row)),
            None => drop(self.remove(&key)),
        }
    }
}

impl<K: Ord + Copy, V: Marked> Rewritable<K, V> for Table<K, V> {
    fn rewrite(&mut self, key: K, row: Option<V>) {
        match row {
            Some(row) => drop(self.insert(key, row)),
            None => drop(self.remove(&key)),
        }
    }
}

/// Notes what a row is before it is written for the first time.
fn note<K: Ord + Copy, V: Clone>(before: &mut BTreeMap<K, Option<V>>, key: K, rows: &BTreeMap<K, V>) {
    before.entry(key).or_insert_with(|| rows.get(&key).cloned());
}

/// Rows under a transaction.
pub(crate) struct Journal<'tables> {
    tables: &'tables mut Tables<Tally>,
    undo: &'tables mut Undo,
}

impl<'tables> Journal<'tables> {
    pub(crate) const fn new(tables: &'tables mut Tables<Tally>, undo: &'tables mut Undo) -> Journal<'tables> {
        Journal { tables, undo }
    }
}

impl Rows for Journal<'_> {
    type Answer = Tally;
    type Error = Refusal;

    fn new_run(&mut self, submission: &Submission) -> Result<RunId, Refusal> {
        let run = self.tables.new_run(submission)?;
        self.undo.submissions.insert(run, None);
        Ok(run)
    }

    fn run(&mut self, id: RunId) -> Result<Option<Run<Tally>>, Refusal> {
        self.tables.run(id)
    }

    fn put_run(&mut self, run: &Run<Tally>) -> Result<(), Refusal> {
        note(&mut self.undo.runs, run.id, &self.tables.runs);
        self.tables.put_run(run)
    }

    fn open_runs(&mut self) -> Result<Vec<RunId>, Refusal> {
        self.tables.open_runs()
    }

    fn cores_by_run(&mut self) -> Result<BTreeMap<RunId, u32>, Refusal> {
        self.tables.cores_by_run()
    }

    fn new_worker(&mut self, enrolment: &Enrolment) -> Result<WorkerId, Refusal> {
        let worker = self.tables.new_worker(enrolment)?;
        self.undo.enrolments.insert(worker, None);
        Ok(worker)
    }

    fn enrolled(&mut self, enrolment: &Enrolment) -> Result<Option<WorkerId>, Refusal> {
        self.tables.enrolled(enrolment)
    }

    fn owner(&mut self, worker: WorkerId) -> Result<Option<String>, Refusal> {
        self.tables.owner(worker)
    }

    fn worker(&mut self, id: WorkerId) -> Result<Option<Worker>, Refusal> {
        self.tables.worker(id)
    }

    fn put_worker(&mut self, worker: &Worker) -> Result<(), Refusal> {
        note(&mut self.undo.workers, worker.id, &self.tables.workers);
        self.tables.put_worker(worker)
    }

    fn lease(&mut self, run: RunId, attempt: Attempt) -> Result<Option<Lease>, Refusal> {
        self.tables.lease(run, attempt)
    }

    fn put_lease(&mut self, lease: &Lease) -> Result<(), Refusal> {
        note(&mut self.undo.leases, (lease.run, lease.attempt), &self.tables.leases);
        self.tables.put_lease(lease)
    }

    fn live_of_run(&mut self, run: RunId) -> Result<Vec<Lease>, Refusal> {
        self.tables.live_of_run(run)
    }

    fn live_of_worker(&mut self, worker: WorkerId) -> Result<Vec<Lease>, Refusal> {
        self.tables.live_of_worker(worker)
    }

    fn due(&mut self, now: Duration) -> Result<Vec<Lease>, Refusal> {
        self.tables.due(now)
    }

    fn deadline(&mut self, run: RunId, attempt: Attempt) -> Result<Option<Deadline>, Refusal> {
        self.tables.deadline(run, attempt)
    }

    fn put_deadline(&mut self, deadline: &Deadline) -> Result<(), Refusal> {
        note(&mut self.undo.deadlines, (deadline.run, deadline.attempt), &self.tables.deadlines);
        self.tables.put_deadline(deadline)
    }

    fn remove_deadline(&mut self, run: RunId, attempt: Attempt) -> Result<(), Refusal> {
        note(&mut self.undo.deadlines, (run, attempt), &self.tables.deadlines);
        self.tables.remove_deadline(run, attempt)
    }

    fn queue(&mut self, run: RunId) -> Result<Vec<Range<u32>>, Refusal> {
        self.tables.queue(run)
    }

    fn put_slice(&mut self, run: RunId, slice: Range<u32>) -> Result<(), Refusal> {
        note(&mut self.undo.queue, (run, slice.start), &self.tables.queue);
        self.tables.put_slice(run, slice)
    }

    fn remove_slice(&mut self, run: RunId, first: u32) -> Result<(), Refusal> {
        note(&mut self.undo.queue, (run, first), &self.tables.queue);
        self.tables.remove_slice(run, first)
    }

    fn findings(&mut self, run: RunId, units: Range<u32>) -> Result<Vec<Finding<Tally>>, Refusal> {
        self.tables.findings(run, units)
    }

    fn worths(&mut self, run: RunId, units: Range<u32>) -> Result<Vec<Worth>, Refusal> {
        self.tables.worths(run, units)
    }

    fn failed_on(&mut self, run: RunId, worker: WorkerId) -> Result<Vec<u32>, Refusal> {
        self.tables.failed_on(run, worker)
    }

    fn findings_by(&mut self, worker: WorkerId) -> Result<Vec<Finding<Tally>>, Refusal> {
        self.tables.findings_by(worker)
    }

    fn put_finding(&mut self, finding: &Finding<Tally>) -> Result<(), Refusal> {
        let key = (finding.run, finding.unit, finding.attempt);
        note(&mut self.undo.findings, key, &self.tables.findings);
        self.tables.put_finding(finding)
    }

    fn doubts(&mut self, run: RunId) -> Result<Vec<Doubt>, Refusal> {
        self.tables.doubts(run)
    }

    fn doubt(&mut self, run: RunId, unit: u32) -> Result<Option<Doubt>, Refusal> {
        self.tables.doubt(run, unit)
    }

    fn put_doubt(&mut self, doubt: &Doubt) -> Result<(), Refusal> {
        note(&mut self.undo.doubts, (doubt.run, doubt.unit), &self.tables.doubts);
        self.tables.put_doubt(doubt)
    }

    fn trust(&mut self, run: RunId, worker: WorkerId) -> Result<u32, Refusal> {
        Rows::trust(self.tables, run, worker)
    }

    fn put_trust(&mut self, run: RunId, worker: WorkerId, agreed: u32) -> Result<(), Refusal> {
        note(&mut self.undo.trust, (run, worker), &self.tables.trust);
        self.tables.put_trust(run, worker, agreed)
    }

    fn call(&mut self, id: CallId) -> Result<Option<Call>, Refusal> {
        self.tables.call(id)
    }

    fn put_call(&mut self, call: &Call) -> Result<(), Refusal> {
        note(&mut self.undo.calls, call.id, &self.tables.calls);
        self.tables.put_call(call)
    }
}
