//! All rows in memory: what a store in memory keeps, what the laws are read from.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use super::{
    Answer, Call, CallId, Deadline, Doubt, Enrolment, Finding, Found, Lease, Marked, Refusal, Rows, Run,
    Table, Worker, WorkerState, Worth,
};
use crate::{Attempt, RunId, Submission, WorkerId};

/// Every table of a store, by key. It has no transactions: whoever needs one copies it.
#[derive(Clone, Debug)]
pub struct Tables<A> {
    /// What was asked.
    pub submissions: BTreeMap<RunId, Submission>,
    /// The runs; those that have not ended are found at once.
    pub runs: Table<RunId, Run<A>>,
    /// Who the workers are.
    pub enrolments: BTreeMap<WorkerId, Enrolment>,
    /// The workers.
    pub workers: BTreeMap<WorkerId, Worker>,
    /// All leases; those that live are found at once.
    pub leases: Table<(RunId, Attempt), Lease>,
    /// The deadlines of live leases: volatile.
    pub deadlines: BTreeMap<(RunId, Attempt), Deadline>,
    /// The waiting slices: ends by beginnings.
    pub queue: BTreeMap<(RunId, u32), u32>,
    /// All findings; the failures of a worker are found at once.
    pub findings: Table<(RunId, u32, Attempt), Finding<A>>,
    /// All doubts; those that are not settled are found at once.
    pub doubts: Table<(RunId, u32), Doubt>,
    /// In how many results of a run others agreed with a worker.
    pub trust: BTreeMap<(RunId, WorkerId), u32>,
    /// The answered calls; the oldest are found at once.
    pub calls: Table<CallId, Call>,
}

impl<A> Marked for Run<A> {
    type Mark = ();

    fn mark(&self) -> Option<()> {
        (!self.state.has_ended()).then_some(())
    }
}

impl Marked for Lease {
    type Mark = ();

    fn mark(&self) -> Option<()> {
        self.is_live().then_some(())
    }
}

impl<A> Marked for Finding<A> {
    type Mark = WorkerId;

    fn mark(&self) -> Option<WorkerId> {
        matches!(self.found, Found::Failed(_)).then_some(self.worker)
    }
}

impl Marked for Doubt {
    type Mark = ();

    fn mark(&self) -> Option<()> {
        (!self.settled).then_some(())
    }
}

impl Marked for Call {
    type Mark = Duration;

    fn mark(&self) -> Option<Duration> {
        Some(self.at)
    }
}

impl<A> Default for Tables<A> {
    fn default() -> Tables<A> {
        Tables {
            submissions: BTreeMap::new(),
            runs: Table::default(),
            enrolments: BTreeMap::new(),
            workers: BTreeMap::new(),
            leases: Table::default(),
            deadlines: BTreeMap::new(),
            queue: BTreeMap::new(),
            findings: Table::default(),
            doubts: Table::default(),
            trust: BTreeMap::new(),
            calls: Table::default(),
        }
    }
}

impl<A> Tables<A> {
    /// The runs that have not ended, the oldest first.
    pub fn going_on(&self) -> impl Iterator<Item = &Run<A>> {
        self.runs.marked(..)
    }

    /// The leases that have not ended.
    pub fn live(&self) -> impl Iterator<Item = &Lease> {
        self.leases.marked(..)
    }

    /// The leases of a run that have not ended, by attempt.
    pub fn live_of(&self, run: RunId) -> impl Iterator<Item = &Lease> {
        self.leases.marked(((), (run, Attempt(0)))..=((), (run, Attempt(u64::MAX))))
    }

    /// The findings about one unit.
    pub fn of_unit(&self, run: RunId, unit: u32) -> impl Iterator<Item = &Finding<A>> {
        self.findings.range((run, unit, Attempt(0))..=(run, unit, Attempt(u64::MAX))).map(|(_, it)| it)
    }

    /// The findings about some units, by unit and attempt.
    pub fn of_units(&self, run: RunId, units: Range<u32>) -> impl Iterator<Item = &Finding<A>> {
        // A range that ends before it begins may not be asked for.
        let end = units.end.max(units.start);
        self.findings.range((run, units.start, Attempt(0))..(run, end, Attempt(0))).map(|(_, it)| it)
    }

    /// The leases of a run.
    pub fn of_run(&self, run: RunId) -> impl Iterator<Item = &Lease> {
        self.leases.range((run, Attempt(0))..=(run, Attempt(u64::MAX))).map(|(_, it)| it)
    }

    /// Whether a worker is quarantined.
    pub fn distrusts(&self, worker: WorkerId) -> bool {
        self.workers.get(&worker).is_some_and(|it| it.state == WorkerState::Quarantined)
    }
}

impl<A: Answer> Rows for Tables<A> {
    type Answer = A;
    type Error = Refusal;

    fn new_run(&mut self, submission: &Submission) -> Result<RunId, Refusal> {
        let id = RunId(self.submissions.last_key_value().map_or(0, |(last, _)| last.0) + 1);
        self.submissions.insert(id, submission.clone());
        Ok(id)
    }

    fn run(&mut self, id: RunId) -> Result<Option<Run<A>>, Refusal> {
        Ok(self.runs.get(&id).cloned())
    }

    fn put_run(&mut self, run: &Run<A>) -> Result<(), Refusal> {
        self.runs.insert(run.id, run.clone());
        Ok(())
    }

    fn open_runs(&mut self) -> Result<Vec<RunId>, Refusal> {
        Ok(self.going_on().filter(|run| run.state.is_open()).map(|run| run.id).collect())
    }

    fn cores_by_run(&mut self) -> Result<BTreeMap<RunId, u32>, Refusal> {
        let mut cores = BTreeMap::new();
        for lease in self.live() {
            *cores.entry(lease.run).or_insert(0) += lease.cores;
        }
        Ok(cores)
    }

    fn new_worker(&mut self, enrolment: &Enrolment) -> Result<WorkerId, Refusal> {
        let id = WorkerId(self.enrolments.last_key_value().map_or(0, |(last, _)| last.0) + 1);
        self.enrolments.insert(id, enrolment.clone());
        Ok(id)
    }

    fn enrolled(&mut self, enrolment: &Enrolment) -> Result<Option<WorkerId>, Refusal> {
        Ok(self.enrolments.iter().find(|(_, it)| *it == enrolment).map(|(id, _)| *id))
    }

    fn owner(&mut self, worker: WorkerId) -> Result<Option<String>, Refusal> {
        Ok(self.enrolments.get(&worker).map(|it| it.owner.clone()))
    }

    fn worker(&mut self, id: WorkerId) -> Result<Option<Worker>, Refusal> {
        Ok(self.workers.get(&id).copied())
    }

    fn put_worker(&mut self, worker: &Worker) -> Result<(), Refusal> {
        self.workers.insert(worker.id, *worker);
        Ok(())
    }

    fn lease(&mut self, run: RunId, attempt: Attempt) -> Result<Option<Lease>, Refusal> {
        Ok(self.leases.get(&(run, attempt)).copied())
    }

    fn put_lease(&mut self, lease: &Lease) -> Result<(), Refusal> {
        self.leases.insert((lease.run, lease.attempt), *lease);
        Ok(())
    }

    fn live_of_run(&mut self, run: RunId) -> Result<Vec<Lease>, Refusal> {
        Ok(self.live_of(run).copied().collect())
    }

    fn live_of_worker(&mut self, worker: WorkerId) -> Result<Vec<Lease>, Refusal> {
        Ok(self.live().filter(|lease| lease.worker == worker).copied().collect())
    }

    fn due(&mut self, now: Duration) -> Result<Vec<Lease>, Refusal> {
        let passed = |lease: &&Lease| {
            let deadline = self.deadlines.get(&(lease.run, lease.attempt));
            deadline.is_none_or(|deadline| deadline.passed(now).is_some())
        };
        Ok(self.live().filter(passed).copied().collect())
    }

    fn deadline(&mut self, run: RunId, attempt: Attempt) -> Result<Option<Deadline>, Refusal> {
        Ok(self.deadlines.get(&(run, attempt)).copied())
    }

    fn put_deadline(&mut self, deadline: &Deadline) -> Result<(), Refusal> {
        self.deadlines.insert((deadline.run, deadline.attempt), *deadline);
        Ok(())
    }

    fn remove_deadline(&mut self, run: RunId, attempt: Attempt) -> Result<(), Refusal> {
        self.deadlines.remove(&(run, attempt));
        Ok(())
    }

    fn queue(&mut self, run: RunId) -> Result<Vec<Range<u32>>, Refusal> {
        let slices = self.queue.range((run, 0)..=(run, u32::MAX));
        Ok(slices.map(|((_, first), end)| *first..*end).collect())
    }

    fn put_slice(&mut self, run: RunId, slice: Range<u32>) -> Result<(), Refusal> {
        self.queue.insert((run, slice.start), slice.end);
        Ok(())
    }

    fn remove_slice(&mut self, run: RunId, first: u32) -> Result<(), Refusal> {
        self.queue.remove(&(run, first));
        Ok(())
    }

    fn findings(&mut self, run: RunId, units: Range<u32>) -> Result<Vec<Finding<A>>, Refusal> {
        Ok(self.of_units(run, units).cloned().collect())
    }

    fn worths(&mut self, run: RunId, units: Range<u32>) -> Result<Vec<Worth>, Refusal> {
        let worth = |it: &Finding<A>| Worth { unit: it.unit, attempt: it.attempt, standing: it.standing };
        Ok(self.of_units(run, units).map(worth).collect())
    }

    fn failed_on(&mut self, run: RunId, worker: WorkerId) -> Result<Vec<u32>, Refusal> {
        let (first, last) = ((run, 0, Attempt(0)), (run, u32::MAX, Attempt(u64::MAX)));
        let failures = self.findings.marked((worker, first)..=(worker, last));
        Ok(failures.map(|it| it.unit).collect())
    }

    fn findings_by(&mut self, worker: WorkerId) -> Result<Vec<Finding<A>>, Refusal> {
        Ok(self.findings.values().filter(|it| it.worker == worker).cloned().collect())
    }

    fn put_finding(&mut self, finding: &Finding<A>) -> Result<(), Refusal> {
        self.findings.insert((finding.run, finding.unit, finding.attempt), finding.clone());
        Ok(())
    }

    fn doubts(&mut self, run: RunId) -> Result<Vec<Doubt>, Refusal> {
        Ok(self.doubts.marked(((), (run, 0))..=((), (run, u32::MAX))).copied().collect())
    }

    fn doubt(&mut self, run: RunId, unit: u32) -> Result<Option<Doubt>, Refusal> {
        Ok(self.doubts.get(&(run, unit)).copied())
    }

    fn put_doubt(&mut self, doubt: &Doubt) -> Result<(), Refusal> {
        self.doubts.insert((doubt.run, doubt.unit), *doubt);
        Ok(())
    }

    fn trust(&mut self, run: RunId, worker: WorkerId) -> Result<u32, Refusal> {
        Ok(self.trust.get(&(run, worker)).copied().unwrap_or(0))
    }

    fn put_trust(&mut self, run: RunId, worker: WorkerId, agreed: u32) -> Result<(), Refusal> {
        self.trust.insert((run, worker), agreed);
        Ok(())
    }

    fn call(&mut self, id: CallId) -> Result<Option<Call>, Refusal> {
        Ok(self.calls.get(&id).cloned())
    }

    fn put_call(&mut self, call: &Call) -> Result<(), Refusal> {
        self.calls.insert(call.id, call.clone());
        Ok(())
    }
}
