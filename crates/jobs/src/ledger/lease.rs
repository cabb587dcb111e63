//! How a lease is kept alive, and what its end sets free.

use super::{Deadline, End, Ended, Lease, Ledger, Purpose, Refusal, Renewed, Rows, Run, Standing, Worker};
use crate::{Attempt, RunId, WorkerId};

/// After how many times its planned length a lease ends in any case.
const PATIENCE: u32 = 10;

impl<R: Rows> Ledger<'_, R> {
    pub(super) fn renew(
        &mut self,
        worker: WorkerId,
        run: RunId,
        attempt: Attempt,
        movement: u64,
    ) -> Result<Renewed, R::Error> {
        let (mut run, lease) = self.open_lease_of(worker, run, attempt)?;
        let renewed = self.touch(&run, lease, Some(movement))?;
        if renewed == Renewed::Ended {
            self.settle(&mut run)?;
        }
        Ok(renewed)
    }

    pub(super) fn release(&mut self, worker: WorkerId, run: RunId, attempt: Attempt) -> Result<(), R::Error> {
        let (mut run, lease) = self.open_lease_of(worker, run, attempt)?;
        if lease.is_live() {
            self.end(&run, lease, End::Released)?;
            self.settle(&mut run)?;
        }
        Ok(())
    }

    /// A lease that `worker` holds or held, and its run.
    pub(super) fn open_lease_of(
        &mut self,
        worker: WorkerId,
        run: RunId,
        attempt: Attempt,
    ) -> Result<(Run<R::Answer>, Lease), R::Error> {
        let (run, lease) = self.open_lease(run, attempt)?;
        if lease.worker != worker {
            return Err(Refusal::NotTheHolder { run: run.id, attempt, worker }.into());
        }
        Ok((run, lease))
    }

    /// A lease and its run, locked in the order that every verb keeps: worker, run, the rest.
    pub(super) fn open_lease(
        &mut self,
        run: RunId,
        attempt: Attempt,
    ) -> Result<(Run<R::Answer>, Lease), R::Error> {
        let unknown = Refusal::UnknownLease(run, attempt);
        let lease = self.rows.lease(run, attempt)?.ok_or(unknown)?;
        self.known_worker(lease.worker)?;
        let run = self.known_run(run)?;
        let lease = self.rows.lease(run.id, attempt)?.ok_or(unknown)?;
        Ok((run, lease))
    }

    /// Takes a sign of life; a lease with nothing left to do ends by it. `movement` is what the holder tells
    /// of its work; `None` if units were reported, which is movement in any case.
    pub(super) fn touch(
        &mut self,
        run: &Run<R::Answer>,
        lease: Lease,
        movement: Option<u64>,
    ) -> Result<Renewed, R::Error> {
        if !lease.is_live() {
            return Ok(Renewed::Ended);
        }
        if !run.state.is_open() || self.held(&lease)?.is_empty() {
            let end = if run.state.is_open() { End::Finished } else { End::RunEnded };
            self.end(run, lease, end)?;
            return Ok(Renewed::Ended);
        }
        let full = self.full_term(run, &lease);
        let known = self.rows.deadline(run.id, lease.attempt)?.unwrap_or(full);
        let moved = movement.is_none_or(|movement| movement > known.movement);
        self.rows.put_deadline(&Deadline {
            silent: full.silent,
            stuck: if moved { full.stuck } else { known.stuck },
            overdue: known.overdue,
            movement: movement.unwrap_or(0).max(known.movement),
            ..full
        })?;
        Ok(Renewed::Live { end: lease.end })
    }

    /// What a lease is given when it is granted, and when its deadline was lost.
    pub(super) fn full_term(&self, run: &Run<R::Answer>, lease: &Lease) -> Deadline {
        let planned = run.terms.unit.saturating_mul((lease.granted - lease.first).max(1));
        Deadline {
            run: run.id,
            attempt: lease.attempt,
            silent: self.now.saturating_add(run.terms.lease),
            stuck: self.now.saturating_add(run.terms.progress),
            overdue: self.now.saturating_add(planned.saturating_mul(PATIENCE)),
            movement: 0,
        }
    }

    /// Ends a live lease: its cores are free, and what only it held waits again.
    pub(super) fn end(&mut self, run: &Run<R::Answer>, lease: Lease, end: End) -> Result<(), R::Error> {
        let worker = self.known_worker(lease.worker)?;
        self.rows.put_worker(&Worker { busy: worker.busy.saturating_sub(lease.cores), ..worker })?;
        self.rows.put_lease(&Lease { ended: Some(end), ..lease })?;
        self.effects.ended.push(Ended { run: lease.run, attempt: lease.attempt, end });
        self.rows.remove_deadline(lease.run, lease.attempt)?;
        if lease.purpose == Purpose::Opinion { Ok(()) } else { self.requeue(run, lease.units()) }
    }

    /// The units that a live lease has still to report: those that it has found nothing about and, unless
    /// it is there for another opinion, that nobody else has closed.
    pub(super) fn held(&mut self, lease: &Lease) -> Result<Vec<u32>, R::Error> {
        if !lease.is_live() {
            return Ok(Vec::new());
        }
        let worths = self.rows.worths(lease.run, lease.units())?;
        let over = |standing: Standing| lease.purpose != Purpose::Opinion && standing.closes();
        let gone: Vec<u32> = worths
            .iter()
            .filter(|it| it.attempt == lease.attempt || over(it.standing))
            .map(|it| it.unit)
            .collect();
        Ok(lease.units().filter(|unit| gone.binary_search(unit).is_err()).collect())
    }
}
