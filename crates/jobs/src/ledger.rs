//! The ledger of work: every verb that changes who works on what and what counts, as decisions over rows.
//!
//! A store opens a transaction, hands its rows to a [`Ledger`] and commits what the verb put. The ledger
//! has no memory of its own: what it must know after a restart is in the rows. `README.md` of this crate
//! lists the verbs, what each locks and what each may answer.

mod answer;
mod answered;
mod doubt;
mod expiry;
mod grant;
mod lease;
mod report;
mod row;
mod rows;
mod run;
mod table;
mod tables;
mod turn;
mod verb;
mod worker;

use std::time::Duration;

pub use answer::Answer;
pub use answered::{Answered, Effects, Ended};
pub use doubt::outvoted;
pub use grant::HELD;
pub use row::{
    Call, CallId, Cause, Deadline, Doubt, End, Enrolment, Finding, Found, Incarnation, Lease, Purpose, Run,
    Standing, State, Terms, Worker, WorkerState,
};
pub use rows::{Rows, Worth};
pub use table::{Marked, Table};
pub use tables::Tables;
pub use verb::{Cut, Grant, Refusal, Renewed, Reply, Reported, Told, Verb};

/// One transaction over the rows of a store, at one time of its clock.
#[derive(Debug)]
pub struct Ledger<'rows, R> {
    rows: &'rows mut R,
    now: Duration,
    effects: Effects,
}

impl<'rows, R: Rows> Ledger<'rows, R> {
    /// Opens the ledger over `rows`. `now` is the time since an epoch of the store's own choice: it is
    /// compared with nothing but deadlines that this store gave before.
    pub const fn new(rows: &'rows mut R, now: Duration) -> Ledger<'rows, R> {
        Ledger { rows, now, effects: Effects::new() }
    }

    /// Does what a client asks, once: a call whose id is known is answered as the first time.
    ///
    /// What changed nothing is not remembered, so that one who waits for work may ask on under one id.
    ///
    /// # Errors
    /// [`Refusal`], which leaves the rows as they were, or whatever the rows fail with: the transaction is
    /// then to be rolled back.
    pub fn call(&mut self, id: CallId, verb: Verb<R::Answer>) -> Result<Answered, R::Error> {
        let name = verb.name();
        if let Some(call) = self.rows.call(id)? {
            let again = Answered { reply: call.reply, repeated: true, effects: Effects::new() };
            return if call.verb == name { Ok(again) } else { Err(Refusal::CallReused(id).into()) };
        }
        let reply = self.perform(verb)?;
        if reply.is_kept() {
            self.rows.put_call(&Call { id, verb: name.to_owned(), reply: reply.clone(), at: self.now })?;
        }
        Ok(Answered { reply, repeated: false, effects: self.take_effects() })
    }

    /// What has happened besides, since this was last asked.
    pub fn take_effects(&mut self) -> Effects {
        std::mem::replace(&mut self.effects, Effects::new())
    }

    fn perform(&mut self, verb: Verb<R::Answer>) -> Result<Reply, R::Error> {
        match verb {
            Verb::Submit { submission, kind } => {
                return Ok(Reply::Submitted(self.submit(&submission, kind)?));
            }
            Verb::Plan { run, outline, again, terms } => self.plan(run, outline, again, terms)?,
            Verb::Fail { run, planned, reason } => self.fail(run, planned, reason)?,
            Verb::Cancel { run } => self.finish(run, State::Cancelled)?,
            Verb::Conclude { run } => self.finish(run, State::Done)?,
            Verb::Register { enrolment, incarnation, cores } => {
                return Ok(Reply::Registered(self.register(&enrolment, incarnation, cores)?));
            }
            Verb::Lease { worker, incarnation, cores, most, among } => {
                let among = among.as_deref();
                return Ok(Reply::Granted(self.lease(worker, incarnation, cores, most, among)?));
            }
            Verb::Report { worker, run, attempt, units } => {
                return Ok(Reply::Reported(self.report(worker, run, attempt, units)?));
            }
            Verb::Renew { worker, run, attempt, movement } => {
                return Ok(Reply::Renewed(self.renew(worker, run, attempt, movement)?));
            }
            Verb::Release { worker, run, attempt } => self.release(worker, run, attempt)?,
            Verb::Pause { worker } => self.set_worker(worker, WorkerState::Paused)?,
            Verb::Resume { worker } => self.set_worker(worker, WorkerState::Active)?,
            Verb::Quarantine { worker } => self.quarantine(worker)?,
        }
        Ok(Reply::Accepted)
    }
}

#[cfg(test)]
#[path = "ledger/tests.rs"]
mod tests;
