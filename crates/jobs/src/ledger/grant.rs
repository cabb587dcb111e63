//! Which work an asking worker is given, and where it comes from.

use std::cmp::Reverse;
use std::ops::Range;

use super::{
    Cut, Doubt, Grant, Incarnation, Lease, Ledger, Purpose, Refusal, Rows, Run, Standing, State, Worker,
    WorkerState,
};
use crate::{Attempt, Kind, RunId, WorkerId};

/// How many times its cores a worker may hold leases for: a job at work, one that waits for its end, and two
/// whose last word is on its way. One that holds as many asks in vain.
pub const HELD: u32 = 4;

/// How many units per core an open-ended run may be ahead of its complete prefix.
const AHEAD: u32 = 4;

/// Units for a worker.
struct Choice {
    units: Range<u32>,
    purpose: Purpose,
    /// The job that they were cut from.
    cut: Option<Cut>,
}

impl Choice {
    fn new(units: Range<u32>, purpose: Purpose) -> Choice {
        Choice { units, purpose, cut: None }
    }
}

impl<R: Rows> Ledger<'_, R> {
    /// Grants work: what waits, of the run whose turn it is and then of the others; else work that others
    /// hold.
    pub(super) fn lease(
        &mut self,
        id: WorkerId,
        incarnation: Incarnation,
        cores: u32,
        most: u32,
        among: Option<&[RunId]>,
    ) -> Result<Option<Grant>, R::Error> {
        let worker = self.known_worker(id)?;
        admit(&worker, incarnation, cores)?;
        let mut runs = self.rows.open_runs()?;
        runs.retain(|run| among.is_none_or(|among| among.contains(run)));
        self.sort_by_turn(&mut runs, &worker)?;
        for from_others in [false, true] {
            for &run in &runs {
                // A store that would wait for another transaction here may say that there is no such run.
                let Some(mut run) = self.rows.run(run)? else { continue };
                let choice = if !run.state.is_open() {
                    None
                } else if from_others {
                    self.others_units(&run, &worker, most.max(1))?
                } else {
                    self.waiting_units(&mut run, &worker, cores, most.max(1))?
                };
                if let Some(choice) = choice {
                    return self.grant(run, worker, cores, choice).map(Some);
                }
            }
        }
        Ok(None)
    }

    fn grant(
        &mut self,
        mut run: Run<R::Answer>,
        worker: Worker,
        cores: u32,
        choice: Choice,
    ) -> Result<Grant, R::Error> {
        let Choice { units, purpose, cut } = choice;
        run.attempt = Attempt(run.attempt.0 + 1);
        let lease = Lease {
            run: run.id,
            attempt: run.attempt,
            worker: worker.id,
            first: units.start,
            end: units.end,
            granted: units.end,
            purpose,
            cores,
            ended: None,
        };
        self.rows.put_run(&run)?;
        self.rows.put_lease(&lease)?;
        let near = if purpose == Purpose::Count { Some((run.id, units.end)) } else { worker.near };
        self.rows.put_worker(&Worker { busy: worker.busy + cores, near, ..worker })?;
        let deadline = self.full_term(&run, &lease);
        self.rows.put_deadline(&deadline)?;
        Ok(Grant { run: run.id, attempt: run.attempt, units, term: run.terms.lease, purpose, cut })
    }

    fn waiting_units(
        &mut self,
        run: &mut Run<R::Answer>,
        worker: &Worker,
        cores: u32,
        most: u32,
    ) -> Result<Option<Choice>, R::Error> {
        if run.doubts > 0
            && let Some(units) = self.doubted(run, worker.id, most)?
        {
            return Ok(Some(Choice::new(units, Purpose::Opinion)));
        }
        let mut units = self.next_queued(run, worker, most)?;
        if units.is_none() && run.kind == Kind::Open && run.state == State::Running {
            units = self.newborn(run, cores, most)?;
        }
        if let Some(units) = &units {
            self.dequeue(run.id, units)?;
        }
        Ok(units.map(|units| Choice::new(units, Purpose::Count)))
    }

    /// Consecutive counted units about which others are to be asked, and this worker may be.
    fn doubted(
        &mut self,
        run: &Run<R::Answer>,
        worker: WorkerId,
        most: u32,
    ) -> Result<Option<Range<u32>>, R::Error> {
        let leases = self.rows.live_of_run(run.id)?;
        let mut units: Option<Range<u32>> = None;
        for Doubt { unit, .. } in self.rows.doubts(run.id)? {
            let goes_on = units.as_ref().is_none_or(|it| it.end == unit && unit - it.start < most);
            let suits = goes_on && self.may_judge(run.id, unit, worker, &leases)?;
            match units {
                Some(_) if !suits => break,
                Some(found) => units = Some(found.start..unit + 1),
                None => units = suits.then_some(unit..unit + 1),
            }
        }
        Ok(units)
    }

    /// Whether a worker may be asked about a unit: one who has said nothing yet, while nobody else is asked.
    /// Another owner's worker is asked where one works on the run.
    fn may_judge(
        &mut self,
        run: RunId,
        unit: u32,
        worker: WorkerId,
        leases: &[Lease],
    ) -> Result<bool, R::Error> {
        let findings = self.rows.findings(run, unit..unit + 1)?;
        let Some(counted) = findings.iter().find(|it| it.standing == Standing::Counted) else {
            return Ok(false);
        };
        let told = |lease: &Lease| findings.iter().any(|it| it.attempt == lease.attempt);
        let mut asked = leases.iter().filter(|it| it.purpose == Purpose::Opinion && !told(it));
        if findings.iter().any(|it| it.worker == worker) || asked.any(|it| it.units().contains(&unit)) {
            return Ok(false);
        }
        let owner = self.rows.owner(counted.worker)?;
        if self.rows.owner(worker)? != owner {
            return Ok(true);
        }
        for lease in leases {
            if self.rows.owner(lease.worker)? != owner {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Waiting units. In an open-ended run the lowest ones. In a bounded run those after the worker's last;
    /// else the longest slice, from its beginning, or from its middle where another worker comes towards
    /// its beginning: neighbors share subtrees, so each worker should have a stretch of its own.
    fn next_queued(
        &mut self,
        run: &Run<R::Answer>,
        worker: &Worker,
        most: u32,
    ) -> Result<Option<Range<u32>>, R::Error> {
        let pieces = self.suitable(run.id, worker.id)?;
        let near = worker.near.filter(|(near, _)| *near == run.id).map(|(_, unit)| unit);
        let piece = match run.kind {
            Kind::Open => pieces.into_iter().next(),
            Kind::Bounded => match pieces.iter().find(|it| Some(it.start) == near) {
                Some(piece) => Some(piece.clone()),
                None => self.stretch(run.id, pieces)?,
            },
        };
        Ok(piece.map(|piece| at_most(piece, most)))
    }

    fn stretch(&mut self, run: RunId, pieces: Vec<Range<u32>>) -> Result<Option<Range<u32>>, R::Error> {
        let longest = pieces.into_iter().max_by_key(|it| (it.len(), Reverse(it.start)));
        let Some(longest) = longest else { return Ok(None) };
        let approached = self.rows.live_of_run(run)?.iter().any(|lease| lease.end == longest.start);
        let from = if approached { longest.start + (longest.end - longest.start) / 2 } else { longest.start };
        Ok(Some(from..longest.end))
    }

    /// The waiting units in order, without those that failed on this worker unless nothing else waits.
    fn suitable(&mut self, run: RunId, worker: WorkerId) -> Result<Vec<Range<u32>>, R::Error> {
        let queue = self.rows.queue(run)?;
        let failed = self.rows.failed_on(run, worker)?;
        let mut pieces = Vec::with_capacity(queue.len());
        for slice in &queue {
            let mut from = slice.start;
            for &unit in failed.iter().filter(|unit| slice.contains(unit)) {
                pieces.push(from..unit);
                from = unit + 1;
            }
            pieces.push(from..slice.end);
        }
        pieces.retain(|piece| !piece.is_empty());
        Ok(if pieces.is_empty() { queue } else { pieces })
    }

    /// Brings units of an open-ended run into being, as far as its prefix lets it.
    fn newborn(
        &mut self,
        run: &mut Run<R::Answer>,
        cores: u32,
        most: u32,
    ) -> Result<Option<Range<u32>>, R::Error> {
        let at_work: u32 = self.rows.live_of_run(run.id)?.iter().map(|lease| lease.cores).sum();
        let ahead = AHEAD.saturating_mul(at_work.saturating_add(cores).max(1));
        // Both ends of a range of units fit in 32 bits: the last number is never given.
        let limit = run.prefix.saturating_add(ahead);
        let end = limit.min(run.units.saturating_add(most));
        let units = run.units..end;
        if units.is_empty() {
            return Ok(None);
        }
        run.units = end;
        Ok(Some(units))
    }

    /// Units that others hold: half of the largest job, or the oldest ones a second time.
    fn others_units(
        &mut self,
        run: &Run<R::Answer>,
        worker: &Worker,
        most: u32,
    ) -> Result<Option<Choice>, R::Error> {
        if run.kind == Kind::Open {
            return Ok(None);
        }
        let mut jobs = Vec::new();
        let mut twice = Vec::new();
        for lease in self.rows.live_of_run(run.id)? {
            match lease.purpose {
                Purpose::Count if lease.worker != worker.id => jobs.push((self.held(&lease)?, lease)),
                Purpose::Again => twice.extend(self.held(&lease)?),
                _ => {}
            }
        }
        if let Some((held, lease)) = jobs.iter().max_by_key(|(held, _)| held.len())
            && held.len() > 1
        {
            return self.cut(run, worker, lease, held[held.len() / 2], most);
        }
        let mut tail = jobs.into_iter().flat_map(|(held, _)| held).filter(|unit| !twice.contains(unit));
        let unit = tail.next().filter(|_| run.again);
        Ok(unit.map(|unit| Choice::new(unit..unit + 1, Purpose::Again)))
    }

    /// Lowers the end of a job, and takes of what is then free.
    fn cut(
        &mut self,
        run: &Run<R::Answer>,
        worker: &Worker,
        lease: &Lease,
        end: u32,
        most: u32,
    ) -> Result<Option<Choice>, R::Error> {
        self.rows.put_lease(&Lease { end, ..*lease })?;
        self.requeue(run, end..lease.end)?;
        // Nothing else waits, and its holder does not come towards it: it has been told to stop before.
        let freed = self.suitable(run.id, worker.id)?.into_iter().next();
        let units = freed.map(|freed| at_most(freed, most));
        if let Some(units) = &units {
            self.dequeue(run.id, units)?;
        }
        let cut = Some(Cut { worker: lease.worker, attempt: lease.attempt, end });
        Ok(units.map(|units| Choice { units, purpose: Purpose::Count, cut }))
    }
}

fn at_most(units: Range<u32>, most: u32) -> Range<u32> {
    units.start..units.end.min(units.start.saturating_add(most))
}

/// Whether a worker may be given anything.
fn admit(worker: &Worker, incarnation: Incarnation, cores: u32) -> Result<(), Refusal> {
    let id = worker.id;
    let free = worker.cores.saturating_mul(HELD).saturating_sub(worker.busy).min(worker.cores);
    match worker.state {
        WorkerState::Quarantined => Err(Refusal::Quarantined(id)),
        WorkerState::Paused => Err(Refusal::Paused(id)),
        _ if worker.incarnation != incarnation => {
            Err(Refusal::OldIncarnation { worker: id, now: worker.incarnation.0 })
        }
        _ if cores > free => Err(Refusal::NoCores { worker: id, free }),
        WorkerState::Active => Ok(()),
    }
}
