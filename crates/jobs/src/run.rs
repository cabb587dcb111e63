//! A run: its units, who holds them, what they counted, and how it ends.

use std::collections::{BTreeMap, BTreeSet};

use vezir_perft::{Answer, Breakdown, Figures, Overflow};

use crate::queue::Queue;
use crate::{
    Attempt, Finding, Job, Outcome, Outline, PerftRequest, Place, Progress, RunId, Standing, UnitReport,
    WorkerId,
};

/// A run, from its submission to its end.
///
/// Each unit waits in the queue, is held under one attempt, or has one standing result, and never two of
/// these. The answer is the sum of the standing results.
#[derive(Clone, Debug)]
pub struct Run {
    id: RunId,
    request: PerftRequest,
    outline: Option<Outline>,
    outcome: Option<Outcome>,
    queue: Queue,
    leases: BTreeMap<Attempt, Lease>,
    last_attempt: Attempt,
    standing: BTreeMap<u32, Record>,
    /// The sum of the standing nodes, for watchers: the answer is added up again.
    nodes: u128,
    figures: Figures,
}

/// Who holds which units.
#[derive(Clone, Debug)]
struct Lease {
    worker: WorkerId,
    units: BTreeSet<u32>,
}

/// A standing result, and the attempt that brought it.
#[derive(Clone, Debug)]
struct Record {
    attempt: Attempt,
    answer: Answer,
}

impl Run {
    /// A run as submitted, still without a plan.
    pub fn new(id: RunId, request: PerftRequest) -> Run {
        Run {
            id,
            request,
            outline: None,
            outcome: None,
            queue: Queue::default(),
            leases: BTreeMap::new(),
            last_attempt: Attempt::default(),
            standing: BTreeMap::new(),
            nodes: 0,
            figures: Figures::default(),
        }
    }

    /// Whether it has ended.
    pub const fn has_ended(&self) -> bool {
        self.outcome.is_some()
    }

    /// Whether some of its units wait for a worker.
    pub fn has_work(&self) -> bool {
        !self.has_ended() && !self.queue.is_empty()
    }

    /// What its watchers see.
    pub fn progress(&self) -> Progress {
        Progress {
            units: self.outline.map(|outline| outline.units),
            done: self.standing.len() as u32,
            nodes: self.nodes,
            figures: self.figures,
            outcome: self.outcome.clone(),
        }
    }

    /// Opens the run to workers. One that is open or has ended stays as it is.
    pub fn plan(&mut self, outline: Outline) {
        if self.outline.is_none() && !self.has_ended() {
            self.outline = Some(outline);
            self.queue = Queue::new(0..outline.units);
            self.finish_if_done();
        }
    }

    /// Grants a worker at most `most` units under a new attempt, if any wait: after its last ones, where it
    /// can be.
    pub fn lease(&mut self, worker: WorkerId, near: Option<Place>, most: u32) -> Option<Job> {
        let outline = self.outline.filter(|_| !self.has_ended())?;
        let near = near.filter(|place| place.run == self.id).map(|place| place.unit);
        let units = self.queue.take(near, !self.leases.is_empty(), most)?;
        self.last_attempt.0 += 1;
        let attempt = self.last_attempt;
        self.leases.insert(attempt, Lease { worker, units: units.clone().collect() });
        Some(Job { run: self.id, attempt, units, task: self.request.task(&outline) })
    }

    /// Takes in what the holder of a lease found out about some units, and says what became of each; the
    /// last unit ends the run.
    ///
    /// A repeated report changes nothing and is answered as the first time.
    ///
    /// # Errors
    /// [`Refusal::NoSuchUnit`]; nothing is then taken in.
    pub fn report(&mut self, attempt: Attempt, reports: Vec<UnitReport>) -> Result<Vec<Standing>, Refusal> {
        let units = self.outline.map_or(0, |outline| outline.units);
        if let Some(UnitReport { unit, .. }) = reports.iter().find(|report| report.unit >= units) {
            return Err(Refusal::NoSuchUnit { run: self.id, unit: *unit, units });
        }
        Ok(reports.into_iter().map(|report| self.take_in(attempt, report)).collect())
    }

    /// Ends all leases of a worker: what it has not reported waits again.
    pub fn release(&mut self, worker: WorkerId) {
        let (lost, kept) =
            std::mem::take(&mut self.leases).into_iter().partition(|(_, it)| it.worker == worker);
        self.leases = kept;
        let lost: BTreeMap<Attempt, Lease> = lost;
        for unit in lost.into_values().flat_map(|lease| lease.units) {
            self.queue.put_back(unit..unit + 1);
        }
    }

    /// Ends the run without an answer. One that has ended stays as it is.
    pub fn cancel(&mut self) {
        self.end(Outcome::Cancelled);
    }

    /// Ends the run because it cannot be answered. One that has ended stays as it is.
    pub fn fail(&mut self, reason: String) {
        self.end(Outcome::Failed(reason));
    }

    fn take_in(&mut self, attempt: Attempt, report: UnitReport) -> Standing {
        if self.standing.get(&report.unit).is_some_and(|record| record.attempt == attempt) {
            return Standing::Counted;
        }
        if self.has_ended() || !self.give_up(attempt, report.unit) {
            return Standing::Stale;
        }
        match report.finding {
            Finding::Failed(reason) => self.end(Outcome::Failed(reason)),
            Finding::Counted(counted) => {
                self.nodes = self.nodes.saturating_add(counted.answer.nodes);
                self.figures = self.figures.plus(counted.figures);
                self.standing.insert(report.unit, Record { attempt, answer: counted.answer });
                self.finish_if_done();
            }
        }
        Standing::Counted
    }

    /// Takes one unit from a lease; tells whether the lease held it.
    fn give_up(&mut self, attempt: Attempt, unit: u32) -> bool {
        let Some(lease) = self.leases.get_mut(&attempt) else { return false };
        let held = lease.units.remove(&unit);
        if lease.units.is_empty() {
            self.leases.remove(&attempt);
        }
        held
    }

    fn finish_if_done(&mut self) {
        if self.outline.is_some_and(|outline| self.standing.len() == outline.units as usize) {
            let outcome =
                self.tally().map_or_else(|overflow| Outcome::Failed(overflow.to_string()), Outcome::Done);
            self.end(outcome);
        }
    }

    fn end(&mut self, outcome: Outcome) {
        if !self.has_ended() {
            self.outcome = Some(outcome);
            self.queue = Queue::default();
            self.leases.clear();
        }
    }

    /// The sum of the standing results. Every root move is in it, also those below which no line reaches
    /// the last ply.
    fn tally(&self) -> Result<Answer, Overflow> {
        let moves = if self.request.depth == 0 { Vec::new() } else { self.request.position.legal_moves() };
        let mut sum = Answer {
            nodes: 0,
            divide: moves.into_iter().map(|root| (root, 0)).collect(),
            breakdown: self.request.breakdown.then(Breakdown::default),
        };
        for result in self.standing.values() {
            sum.add(&result.answer)?;
        }
        Ok(sum)
    }
}

/// Why a call about a run or worker is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no such run.
    #[error("there is no run {0}; a number that a submission gave would be right")]
    UnknownRun(RunId),
    /// The worker has not registered, or was given up.
    #[error("worker {0} is not registered, or no longer; registering again would be right")]
    UnknownWorker(WorkerId),
    /// The run has no such unit.
    #[error("run {run} has no unit {unit}; one below {units} would be right")]
    NoSuchUnit {
        /// The run.
        run: RunId,
        /// The unit that was named.
        unit: u32,
        /// How many the run has.
        units: u32,
    },
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
