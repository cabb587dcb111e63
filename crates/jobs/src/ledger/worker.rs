//! How a worker becomes known, is paused, and loses all trust.

use std::collections::{BTreeMap, BTreeSet};

use super::{End, Enrolment, Incarnation, Ledger, Refusal, Rows, Standing, State, Worker, WorkerState};
use crate::{RunId, WorkerId};

impl<R: Rows> Ledger<'_, R> {
    pub(super) fn register(
        &mut self,
        enrolment: &Enrolment,
        incarnation: Incarnation,
        cores: u32,
    ) -> Result<WorkerId, R::Error> {
        let id = match self.rows.enrolled(enrolment)? {
            Some(id) => id,
            None => self.rows.new_worker(enrolment)?,
        };
        let state = WorkerState::Active;
        let fresh = Worker { id, incarnation, cores, busy: 0, state, failed: 0, near: None };
        let Some(known) = self.rows.worker(id)? else {
            return self.rows.put_worker(&fresh).map(|()| id);
        };
        if known.incarnation > incarnation {
            return Err(Refusal::OldIncarnation { worker: id, now: known.incarnation.0 }.into());
        }
        if known.state == WorkerState::Quarantined {
            return Err(Refusal::Quarantined(id).into());
        }
        if known.incarnation < incarnation {
            self.end_all(id, End::Replaced)?;
            // A pause outlives the process that earned it.
            self.rows.put_worker(&Worker { state: known.state, ..fresh })?;
        }
        Ok(id)
    }

    pub(super) fn known_worker(&mut self, id: WorkerId) -> Result<Worker, R::Error> {
        self.rows.worker(id)?.ok_or_else(|| Refusal::UnknownWorker(id).into())
    }

    /// Pauses a worker or lets it resume.
    pub(super) fn set_worker(&mut self, id: WorkerId, state: WorkerState) -> Result<(), R::Error> {
        let worker = self.known_worker(id)?;
        if worker.state == WorkerState::Quarantined {
            return Err(Refusal::Quarantined(id).into());
        }
        self.note_state(&worker, state);
        self.rows.put_worker(&Worker { state, failed: 0, ..worker })
    }

    /// Notes that a worker comes into a state, if it was in another.
    pub(super) fn note_state(&mut self, worker: &Worker, state: WorkerState) {
        match state {
            _ if state == worker.state => {}
            WorkerState::Active => {}
            WorkerState::Paused => self.effects.paused.push(worker.id),
            WorkerState::Quarantined => self.effects.quarantined.push(worker.id),
        }
    }

    pub(super) fn quarantine(&mut self, id: WorkerId) -> Result<(), R::Error> {
        let worker = self.known_worker(id)?;
        self.note_state(&worker, WorkerState::Quarantined);
        self.rows.put_worker(&Worker { state: WorkerState::Quarantined, ..worker })?;
        let findings = self.rows.findings_by(id)?;
        let leases = self.rows.live_of_worker(id)?;
        let runs = findings.iter().map(|it| it.run).chain(leases.iter().map(|it| it.run));
        for run in runs.collect::<BTreeSet<RunId>>() {
            // All are locked before any is changed, in the order that every verb keeps.
            self.known_run(run)?;
        }
        self.end_all(id, End::Quarantined)?;
        let mut touched: BTreeMap<RunId, Vec<u32>> = BTreeMap::new();
        for mut finding in findings {
            if finding.standing != Standing::Void {
                finding.standing = Standing::Void;
                self.rows.put_finding(&finding)?;
                touched.entry(finding.run).or_default().push(finding.unit);
            }
        }
        for (run, units) in touched {
            self.reconsider(run, &units)?;
        }
        Ok(())
    }

    /// Puts a run in order after some of its findings have become void.
    fn reconsider(&mut self, run: RunId, units: &[u32]) -> Result<(), R::Error> {
        let mut run = self.known_run(run)?;
        let (done, aside) = (run.done, run.aside);
        self.recount(&mut run)?;
        if run.state == State::Done && (run.done, run.aside) != (done, aside) {
            run.state = State::Disputed;
        }
        for &unit in units {
            let closed = self.rows.findings(run.id, unit..unit + 1)?.iter().any(|it| it.standing.closes());
            if !closed {
                run.prefix = run.prefix.min(unit);
            }
            self.requeue(&run, unit..unit + 1)?;
            self.weigh(&mut run, unit)?;
        }
        self.settle(&mut run)
    }

    fn end_all(&mut self, worker: WorkerId, end: End) -> Result<(), R::Error> {
        for lease in self.rows.live_of_worker(worker)? {
            let mut run = self.known_run(lease.run)?;
            self.end(&run, lease, end)?;
            self.settle(&mut run)?;
        }
        Ok(())
    }
}
