//! What a report is worth: counted, compared, noted, or a failure.

use super::{
    Finding, Found, Lease, Ledger, Purpose, Refusal, Reported, Rows, Run, Standing, Told, Worker, WorkerState,
};
use crate::{Attempt, Kind, RunId, WorkerId};

/// On how many workers a unit fails before it is set aside.
const UNIT_WORKERS: usize = 3;

/// How often a unit fails, be it always on the same worker, before it is set aside.
const UNIT_FAILURES: usize = 6;

/// How many failures in a row pause a worker: more than one bad unit can bring.
const WORKER_FAILURES: u32 = 8;

impl<R: Rows> Ledger<'_, R> {
    pub(super) fn report(
        &mut self,
        worker: WorkerId,
        run: RunId,
        attempt: Attempt,
        units: Vec<(u32, Found<R::Answer>)>,
    ) -> Result<Reported, R::Error> {
        let (mut run, lease) = self.open_lease_of(worker, run, attempt)?;
        let granted = lease.first..lease.granted;
        if let Some((unit, _)) = units.iter().find(|(unit, _)| !granted.contains(unit)) {
            return Err(Refusal::NoSuchUnit { run: run.id, attempt, unit: *unit }.into());
        }
        let mut told = Vec::with_capacity(units.len());
        let (mut conflicts, mut suspects) = (Vec::new(), Vec::new());
        for (unit, found) in units {
            let standing = self.take_in(&mut run, &lease, unit, found)?;
            if matches!(standing, Standing::Counted | Standing::Vote) {
                let weighed = self.weigh(&mut run, unit)?;
                conflicts.extend(weighed.new.then_some(unit));
                suspects.extend(weighed.outvoted);
            }
            told.push(Told::from(standing));
        }
        suspects.sort_unstable();
        suspects.dedup();
        let lease = self.touch(&run, lease, None)?;
        self.settle(&mut run)?;
        Ok(Reported { told, lease, conflicts, suspects })
    }

    /// Notes what a lease found out about a unit, and what that is worth. A repeat changes nothing.
    pub(super) fn take_in(
        &mut self,
        run: &mut Run<R::Answer>,
        lease: &Lease,
        unit: u32,
        found: Found<R::Answer>,
    ) -> Result<Standing, R::Error> {
        let others = self.rows.findings(run.id, unit..unit + 1)?;
        if let Some(known) = others.iter().find(|it| it.attempt == lease.attempt) {
            return Ok(known.standing);
        }
        let worker = self.known_worker(lease.worker)?;
        let standing = self.judge(run, lease, &worker, unit, &found, &others);
        let (id, attempt) = (run.id, lease.attempt);
        let finding = Finding { run: id, unit, attempt, worker: worker.id, found, standing };
        self.rows.put_finding(&finding)?;
        match (&finding.found, standing) {
            (Found::Answer(answer), Standing::Counted) => {
                if worker.failed > 0 {
                    self.rows.put_worker(&Worker { failed: 0, ..worker })?;
                }
                if lease.purpose == Purpose::Opinion {
                    // The unit was counted when this lease was granted; it may wait again by now.
                    self.dequeue(id, &(unit..unit + 1))?;
                }
                self.count(run, answer)?;
                self.check(run, lease, unit)?;
            }
            (_, Standing::Aside) => {
                self.dequeue(id, &(unit..unit + 1))?;
                run.aside += 1;
                self.note_failure(worker)?;
            }
            (_, Standing::Failed) => {
                self.note_failure(worker)?;
                self.requeue(run, unit..unit + 1)?;
            }
            _ => {}
        }
        Ok(standing)
    }

    /// What a finding is worth, the other findings about its unit being known.
    fn judge(
        &self,
        run: &Run<R::Answer>,
        lease: &Lease,
        worker: &Worker,
        unit: u32,
        found: &Found<R::Answer>,
        others: &[Finding<R::Answer>],
    ) -> Standing {
        let closed = others.iter().any(|it| it.standing.closes());
        let fenced = !lease.is_live() || !lease.units().contains(&unit);
        let wanted = run.state.is_open() && !fenced && !closed;
        match found {
            _ if worker.state == WorkerState::Quarantined => Standing::Void,
            Found::Answer(_) if wanted => Standing::Counted,
            Found::Answer(_) if run.kind == Kind::Bounded && run.state.is_heard() => Standing::Vote,
            Found::Failed(_) if wanted && is_hopeless(others, worker.id) => Standing::Aside,
            Found::Failed(_) if wanted => Standing::Failed,
            _ => Standing::Void,
        }
    }

    fn note_failure(&mut self, worker: Worker) -> Result<(), R::Error> {
        let failed = worker.failed.saturating_add(1);
        let state = if failed >= WORKER_FAILURES { WorkerState::Paused } else { worker.state };
        self.note_state(&worker, state);
        self.rows.put_worker(&Worker { failed, state, ..worker })
    }
}

/// Whether a unit with these findings is set aside when it fails on `worker` once more.
fn is_hopeless<A>(others: &[Finding<A>], worker: WorkerId) -> bool {
    let failures = others.iter().filter(|it| it.standing == Standing::Failed);
    let mut workers: Vec<WorkerId> = failures.map(|it| it.worker).chain([worker]).collect();
    let failures = workers.len();
    workers.sort_unstable();
    workers.dedup();
    workers.len() >= UNIT_WORKERS || failures >= UNIT_FAILURES
}
