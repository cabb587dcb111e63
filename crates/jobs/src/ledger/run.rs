//! How a run begins, how it ends, and how its tally is kept.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Answer, Finding, Found, Ledger, Purpose, Refusal, Rows, Run, Standing, State, Terms};
use crate::{Attempt, Kind, Outline, RunId, Submission, Verify};

impl<R: Rows> Ledger<'_, R> {
    pub(super) fn submit(&mut self, submission: &Submission, kind: Kind) -> Result<RunId, R::Error> {
        let id = self.rows.new_run(submission)?;
        self.rows.put_run(&Run {
            id,
            kind,
            // Of two plays of one pair neither is wrong.
            verify: if kind == Kind::Open { Verify::Not } else { submission.verify },
            seed: submission.seed,
            submitted: self.now,
            ended: None,
            outline: None,
            failure: None,
            units: 0,
            again: false,
            state: State::Planning,
            attempt: Attempt::default(),
            done: 0,
            aside: 0,
            doubts: 0,
            conflicts: 0,
            prefix: 0,
            tally: R::Answer::default(),
            terms: Terms::default(),
        })?;
        Ok(id)
    }

    /// Opens a run that waits for its plan.
    pub(super) fn plan(
        &mut self,
        id: RunId,
        outline: Outline,
        again: bool,
        terms: Terms,
    ) -> Result<(), R::Error> {
        let mut run = self.known_run(id)?;
        if run.state != State::Planning {
            return Ok(());
        }
        run.units = if run.kind == Kind::Bounded { outline.units } else { 0 };
        (run.outline, run.again, run.terms) = (Some(outline), again, terms);
        run.state = State::Running;
        self.settle(&mut run)?;
        self.enqueue(id, 0..run.units)
    }

    /// Ends a run that waits for its plan, or, where `planned`, one that has it as well.
    pub(super) fn fail(&mut self, id: RunId, planned: bool, reason: String) -> Result<(), R::Error> {
        let mut run = self.known_run(id)?;
        if run.state == State::Planning || planned && !run.state.has_ended() {
            run.failure = Some(reason);
            run.state = State::Failed;
            self.clear_queue(id)?;
            self.put_run(&mut run)?;
        }
        Ok(())
    }

    /// Ends an open run. Its leases end when their holders are next heard of, or expire: until then their
    /// cores are really busy.
    pub(super) fn finish(&mut self, id: RunId, state: State) -> Result<(), R::Error> {
        let mut run = self.known_run(id)?;
        if state == State::Done && run.kind == Kind::Bounded {
            return Err(Refusal::EndsItself(id).into());
        }
        if !run.state.has_ended() {
            run.state = state;
            self.clear_queue(id)?;
            self.put_run(&mut run)?;
        }
        Ok(())
    }

    /// Writes a run, with the time of its end if it has come to it.
    fn put_run(&mut self, run: &mut Run<R::Answer>) -> Result<(), R::Error> {
        run.ended = run.state.has_ended().then(|| run.ended.unwrap_or(self.now));
        self.rows.put_run(run)
    }

    pub(super) fn known_run(&mut self, id: RunId) -> Result<Run<R::Answer>, R::Error> {
        self.rows.run(id)?.ok_or_else(|| Refusal::UnknownRun(id).into())
    }

    /// Moves a run to the state that its units are in, and writes it.
    pub(super) fn settle(&mut self, run: &mut Run<R::Answer>) -> Result<(), R::Error> {
        if run.kind == Kind::Open {
            self.grow_prefix(run)?;
        }
        if run.state.is_heard() {
            let complete = self.is_complete(run)?;
            run.state = match run.state {
                _ if complete && run.doubts == 0 => State::Done,
                State::Running if !complete || run.conflicts == 0 => State::Running,
                _ => State::Disputed,
            };
        }
        self.put_run(run)
    }

    /// Whether no unit needs any work. An open-ended run is never complete before somebody concludes it.
    fn is_complete(&mut self, run: &Run<R::Answer>) -> Result<bool, R::Error> {
        match (run.kind, run.state) {
            (Kind::Bounded, _) => Ok(run.done + run.aside == run.units),
            (Kind::Open, State::Running) => Ok(false),
            (Kind::Open, _) => Ok(self.rows.queue(run.id)?.is_empty() && !self.is_held(run.id)?),
        }
    }

    fn is_held(&mut self, run: RunId) -> Result<bool, R::Error> {
        for lease in self.rows.live_of_run(run)? {
            if !self.held(&lease)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn grow_prefix(&mut self, run: &mut Run<R::Answer>) -> Result<(), R::Error> {
        for worth in self.rows.worths(run.id, run.prefix..run.units)? {
            if worth.unit > run.prefix {
                break;
            }
            if worth.unit == run.prefix && worth.standing.closes() {
                run.prefix += 1;
            }
        }
        Ok(())
    }

    /// Adds one result to the tally. The run ends if the sum does not fit.
    pub(super) fn count(&mut self, run: &mut Run<R::Answer>, answer: &R::Answer) -> Result<(), R::Error> {
        run.done += 1;
        if run.tally.add(answer).is_err() {
            self.overflow(run)?;
        }
        Ok(())
    }

    /// Adds the tally up again from what stands.
    pub(super) fn recount(&mut self, run: &mut Run<R::Answer>) -> Result<(), R::Error> {
        let findings = self.rows.findings(run.id, 0..run.units)?;
        let standing = |standing| findings.iter().filter(move |it| it.standing == standing);
        run.done = standing(Standing::Counted).count() as u32;
        run.aside = standing(Standing::Aside).count() as u32;
        match sum(standing(Standing::Counted)) {
            Some(tally) => run.tally = tally,
            None => self.overflow(run)?,
        }
        Ok(())
    }

    fn overflow(&mut self, run: &mut Run<R::Answer>) -> Result<(), R::Error> {
        run.tally = R::Answer::default();
        run.state = State::Overflowed;
        self.clear_queue(run.id)
    }

    fn clear_queue(&mut self, run: RunId) -> Result<(), R::Error> {
        for slice in self.rows.queue(run)? {
            self.rows.remove_slice(run, slice.start)?;
        }
        Ok(())
    }

    /// Lets units wait again, those left out that are closed, held or waiting already.
    pub(super) fn requeue(&mut self, run: &Run<R::Answer>, units: Range<u32>) -> Result<(), R::Error> {
        if !run.state.is_open() || units.is_empty() {
            return Ok(());
        }
        let worths = self.rows.worths(run.id, units.clone())?;
        let closed = worths.iter().filter(|it| it.standing.closes()).map(|it| it.unit);
        let mut taken: BTreeSet<u32> = closed.collect();
        for lease in self.rows.live_of_run(run.id)? {
            if lease.purpose != Purpose::Opinion && lease.first < units.end && units.start < lease.end {
                taken.extend(self.held(&lease)?);
            }
        }
        taken.extend(self.rows.queue(run.id)?.into_iter().flat_map(|slice| overlap(&slice, &units)));
        let mut from = units.start;
        for unit in taken.range(units.clone()).copied().chain([units.end]) {
            self.enqueue(run.id, from..unit)?;
            from = unit + 1;
        }
        Ok(())
    }

    /// Adds a slice to the queue, joined with those that it touches.
    fn enqueue(&mut self, run: RunId, mut slice: Range<u32>) -> Result<(), R::Error> {
        if slice.is_empty() {
            return Ok(());
        }
        for other in self.rows.queue(run)? {
            if other.end == slice.start || other.start == slice.end {
                self.rows.remove_slice(run, other.start)?;
                slice = slice.start.min(other.start)..slice.end.max(other.end);
            }
        }
        self.rows.put_slice(run, slice)
    }

    /// Takes waiting units out of the queue.
    pub(super) fn dequeue(&mut self, run: RunId, units: &Range<u32>) -> Result<(), R::Error> {
        let queue = self.rows.queue(run)?;
        if let Some(slice) = queue.into_iter().find(|it| it.contains(&units.start)) {
            self.rows.remove_slice(run, slice.start)?;
            for rest in [slice.start..units.start, units.end..slice.end] {
                if !rest.is_empty() {
                    self.rows.put_slice(run, rest)?;
                }
            }
        }
        Ok(())
    }
}

fn overlap(one: &Range<u32>, other: &Range<u32>) -> Range<u32> {
    one.start.max(other.start)..one.end.min(other.end)
}

/// The sum of some results; `None` if it does not fit.
fn sum<'a, A: Answer + 'a>(findings: impl Iterator<Item = &'a Finding<A>>) -> Option<A> {
    let mut tally = A::default();
    for finding in findings {
        if let Found::Answer(answer) = &finding.found {
            tally.add(answer).ok()?;
        }
    }
    Some(tally)
}
