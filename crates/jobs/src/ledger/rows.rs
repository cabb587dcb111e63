//! What a store must be able to read and write within one transaction.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use super::{
    Answer, Call, CallId, Deadline, Doubt, Enrolment, Finding, Lease, Refusal, Run, Standing, Worker,
};
use crate::{Attempt, RunId, Submission, WorkerId};

/// What a finding is worth, without what was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// The unit.
    pub unit: u32,
    /// The lease under which it was found.
    pub attempt: Attempt,
    /// What it is worth.
    pub standing: Standing,
}

/// The rows of a store, inside one transaction.
///
/// A read locks what it returns until the transaction ends, where the database does not lock more anyway.
/// Every verb reads its run before anything else of that run, so that the run's row is the lock on all of
/// them. To `put` is to insert or replace by key.
pub trait Rows {
    /// The result of a unit.
    type Answer: Answer;
    /// Why a row cannot be read or written.
    type Error: From<Refusal>;

    /// A number for a run that no run had before, and what was asked under it from now on.
    fn new_run(&mut self, submission: &Submission) -> Result<RunId, Self::Error>;
    /// The run of this number.
    fn run(&mut self, id: RunId) -> Result<Option<Run<Self::Answer>>, Self::Error>;
    /// Writes a run.
    fn put_run(&mut self, run: &Run<Self::Answer>) -> Result<(), Self::Error>;
    /// The runs whose state is open, oldest first. Not locked.
    fn open_runs(&mut self) -> Result<Vec<RunId>, Self::Error>;
    /// The cores that the live leases of each run ask for, together. Not locked; a run may be left out that
    /// has none.
    fn cores_by_run(&mut self) -> Result<BTreeMap<RunId, u32>, Self::Error>;

    /// A number for a worker that none had before, and who it is from now on.
    fn new_worker(&mut self, enrolment: &Enrolment) -> Result<WorkerId, Self::Error>;
    /// The number of the worker that enrolled so.
    fn enrolled(&mut self, enrolment: &Enrolment) -> Result<Option<WorkerId>, Self::Error>;
    /// Who answers for a worker; `None` if there is no such worker.
    fn owner(&mut self, worker: WorkerId) -> Result<Option<String>, Self::Error>;
    /// The worker of this number.
    fn worker(&mut self, id: WorkerId) -> Result<Option<Worker>, Self::Error>;
    /// Writes a worker.
    fn put_worker(&mut self, worker: &Worker) -> Result<(), Self::Error>;

    /// The lease of this number, live or not.
    fn lease(&mut self, run: RunId, attempt: Attempt) -> Result<Option<Lease>, Self::Error>;
    /// Writes a lease.
    fn put_lease(&mut self, lease: &Lease) -> Result<(), Self::Error>;
    /// The live leases of a run, by attempt.
    fn live_of_run(&mut self, run: RunId) -> Result<Vec<Lease>, Self::Error>;
    /// The live leases of a worker.
    fn live_of_worker(&mut self, worker: WorkerId) -> Result<Vec<Lease>, Self::Error>;
    /// The live leases whose deadline is missing or has passed.
    fn due(&mut self, now: Duration) -> Result<Vec<Lease>, Self::Error>;

    /// The deadline of a lease.
    fn deadline(&mut self, run: RunId, attempt: Attempt) -> Result<Option<Deadline>, Self::Error>;
    /// Writes a deadline. It may be lost later, together with others.
    fn put_deadline(&mut self, deadline: &Deadline) -> Result<(), Self::Error>;
    /// Forgets a deadline.
    fn remove_deadline(&mut self, run: RunId, attempt: Attempt) -> Result<(), Self::Error>;

    /// The slices of units of a run that wait, in order. None is empty, and no two touch.
    fn queue(&mut self, run: RunId) -> Result<Vec<Range<u32>>, Self::Error>;
    /// Adds a slice.
    fn put_slice(&mut self, run: RunId, slice: Range<u32>) -> Result<(), Self::Error>;
    /// Removes the slice that begins at `first`.
    fn remove_slice(&mut self, run: RunId, first: u32) -> Result<(), Self::Error>;

    /// The findings about some units, by unit and attempt.
    fn findings(&mut self, run: RunId, units: Range<u32>) -> Result<Vec<Finding<Self::Answer>>, Self::Error>;
    /// What the findings about some units are worth, by unit and attempt: the same without the results, which
    /// may be large.
    fn worths(&mut self, run: RunId, units: Range<u32>) -> Result<Vec<Worth>, Self::Error>;
    /// The units of a run that failed on a worker, in order, one for each time. Needs an index: these are few, and
    /// are asked for at each grant.
    fn failed_on(&mut self, run: RunId, worker: WorkerId) -> Result<Vec<u32>, Self::Error>;
    /// All that a worker found, by run and unit. Needs an index; read only to quarantine.
    fn findings_by(&mut self, worker: WorkerId) -> Result<Vec<Finding<Self::Answer>>, Self::Error>;
    /// Writes a finding.
    fn put_finding(&mut self, finding: &Finding<Self::Answer>) -> Result<(), Self::Error>;

    /// The doubts about a run that are not settled, by unit.
    fn doubts(&mut self, run: RunId) -> Result<Vec<Doubt>, Self::Error>;
    /// The doubt about a unit, settled or not.
    fn doubt(&mut self, run: RunId, unit: u32) -> Result<Option<Doubt>, Self::Error>;
    /// Writes a doubt.
    fn put_doubt(&mut self, doubt: &Doubt) -> Result<(), Self::Error>;

    /// In how many results of a run that were looked at again others agreed with a worker; 0 at first.
    fn trust(&mut self, run: RunId, worker: WorkerId) -> Result<u32, Self::Error>;
    /// Writes that number.
    fn put_trust(&mut self, run: RunId, worker: WorkerId, agreed: u32) -> Result<(), Self::Error>;

    /// The call of this id, if it was answered.
    fn call(&mut self, id: CallId) -> Result<Option<Call>, Self::Error>;
    /// Writes a call.
    fn put_call(&mut self, call: &Call) -> Result<(), Self::Error>;
}
