//! A store that crashes, loses what it may lose, and is held to every law after every transaction.

use std::collections::BTreeMap;
use std::time::Duration;

use vezir_jobs::laws::{self, Acknowledged, Violation};
use vezir_jobs::ledger::{CallId, Lease, Ledger, Refusal, Renewed, Reply, Tables, Told, Verb};
use vezir_jobs::{Attempt, RunId};

use crate::fault::Fault;
use crate::truth::Leaves;

/// After how many transactions attempts are compared with what they were.
const GROWTH_CHECKED: u32 = 16;

/// What becomes of a transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commit {
    /// It is committed and answered.
    Known,
    /// It is committed, and the answer never leaves.
    Silent,
    /// It is rolled back.
    Undone,
}

pub(crate) struct Store {
    pub(crate) tables: Tables<Leaves>,
    /// What a crash leaves, where that is not simply the tables.
    durable: Option<Tables<Leaves>>,
    fault: Option<Fault>,
    /// The time of the world when it started, and what its own clock showed then.
    started: Duration,
    epoch: Duration,
    /// How far the wall clock is ahead of the world.
    wall: Duration,
    /// The simulation's own record, by which the store is judged.
    acknowledged: Vec<Acknowledged>,
    answered: BTreeMap<CallId, Reply>,
    heard: BTreeMap<(RunId, Attempt), Duration>,
    earlier: Tables<Leaves>,
    transactions: u32,
}

impl Store {
    pub(crate) fn new(fault: Option<Fault>) -> Store {
        Store {
            tables: Tables::default(),
            durable: None,
            fault,
            started: Duration::ZERO,
            epoch: Duration::ZERO,
            wall: Duration::ZERO,
            acknowledged: Vec::new(),
            answered: BTreeMap::new(),
            heard: BTreeMap::new(),
            earlier: Tables::default(),
            transactions: 0,
        }
    }

    /// Somebody sets the wall clock forward.
    pub(crate) fn set_wall_clock(&mut self, by: Duration) {
        self.wall += by;
    }

    /// Crashes and starts again: what was not committed is gone, so are deadlines, and the clock begins
    /// elsewhere.
    pub(crate) fn restart(&mut self, world: Duration, epoch: Duration) -> Vec<Violation> {
        if let Some(durable) = self.durable.take() {
            self.tables = durable;
        }
        self.tables.deadlines.clear();
        if self.fault == Some(Fault::CallsOnlyInMemory) {
            self.tables.calls.remove_range(..);
        }
        (self.started, self.epoch) = (world, epoch);
        self.heard.values_mut().for_each(|heard| *heard = world);
        self.check()
    }

    fn clock(&self, world: Duration) -> Duration {
        match self.fault {
            Some(Fault::ExpiryByWallClock) => world + self.wall,
            _ => self.epoch + (world - self.started),
        }
    }

    /// One call from somebody; answered, if it is, with the reply and what it broke.
    pub(crate) fn call(
        &mut self,
        world: Duration,
        id: CallId,
        verb: &Verb<Leaves>,
        commit: Commit,
    ) -> (Option<Result<Reply, Refusal>>, Vec<Violation>) {
        let now = self.clock(world);
        let rollback = (commit == Commit::Undone).then(|| self.tables.clone());
        if self.fault == Some(Fault::AcknowledgedBeforeCommit) {
            self.durable = Some(self.tables.clone());
        }
        let is_new = !self.tables.calls.contains_key(&id);
        let mut taken = verb.clone();
        let before: Vec<Lease> = self.fault.map_or(Vec::new(), |fault| {
            fault.twist(&self.tables, &mut taken);
            self.tables.live().copied().collect()
        });
        let result = Ledger::new(&mut self.tables, now).call(id, taken.clone()).map(|it| it.reply);
        if let Some(tables) = rollback {
            self.tables = tables;
            return (None, Vec::new());
        }
        if let (Some(fault), Ok(_)) = (self.fault, &result) {
            fault.spoil(&before, &mut self.tables, &taken);
        }
        if is_new {
            self.note_sign_of_life(world, verb, &result);
        }
        let mut broken = self.check();
        if commit == Commit::Silent {
            return (None, broken);
        }
        if let Ok(reply) = &result {
            broken.extend(self.note_answer(id, verb, reply));
        }
        (Some(result), broken)
    }

    /// Ends what time ends.
    pub(crate) fn sweep(&mut self, world: Duration) -> Vec<Violation> {
        let now = self.clock(world);
        let mut broken = Vec::new();
        let due = Ledger::new(&mut self.tables, now).due().expect("rows in memory are always read");
        for (run, attempt) in due {
            let ended =
                Ledger::new(&mut self.tables, now).expire(run, attempt).expect("a due lease is known");
            let lease = self.tables.leases[&(run, attempt)];
            let heard = self.heard.entry((run, attempt)).or_insert(world);
            if ended.is_some() {
                let term = self.tables.runs[&run].terms.lease;
                broken.extend(laws::a_lease_lasts_its_term(&lease, term, world - *heard));
                if let Some(fault) = self.fault {
                    fault.expire(&mut self.tables, &lease);
                }
            } else {
                *heard = world;
            }
            broken.extend(self.check());
        }
        broken
    }

    fn note_sign_of_life(&mut self, world: Duration, verb: &Verb<Leaves>, result: &Result<Reply, Refusal>) {
        let lease = match (verb, result) {
            (_, Ok(Reply::Granted(Some(grant)))) => (grant.run, grant.attempt),
            (Verb::Report { run, attempt, .. }, Ok(Reply::Reported(reported)))
                if reported.lease != Renewed::Ended =>
            {
                (*run, *attempt)
            }
            (Verb::Renew { run, attempt, .. }, Ok(Reply::Renewed(Renewed::Live { .. }))) => (*run, *attempt),
            _ => return,
        };
        self.heard.insert(lease, world);
    }

    /// Keeps what a client is told, and compares it with what it was told before.
    fn note_answer(&mut self, id: CallId, verb: &Verb<Leaves>, reply: &Reply) -> Vec<Violation> {
        match (verb, reply) {
            (_, Reply::Granted(None)) => return Vec::new(),
            (Verb::Renew { run, attempt, .. }, Reply::Renewed(renewed)) => {
                let goes_on = matches!(renewed, Renewed::Live { .. });
                return if goes_on {
                    laws::renewed_leases_live(&self.tables, *run, *attempt)
                } else {
                    Vec::new()
                };
            }
            _ => {}
        }
        if let Some(first) = self.answered.get(&id) {
            return laws::a_repeat_is_answered_alike(id, first, reply);
        }
        self.answered.insert(id, reply.clone());
        if let (Verb::Report { run, attempt, units, .. }, Reply::Reported(reported)) = (verb, reply) {
            let counted = units.iter().zip(&reported.told).filter(|(_, told)| **told == Told::Counted);
            let acknowledged =
                counted.map(|((unit, _), _)| Acknowledged { run: *run, unit: *unit, attempt: *attempt });
            self.acknowledged.extend(acknowledged);
        }
        laws::nothing_acknowledged_is_lost(&self.tables, &self.acknowledged)
    }

    fn check(&mut self) -> Vec<Violation> {
        let mut broken = laws::broken(&self.tables);
        broken.extend(laws::nothing_acknowledged_is_lost(&self.tables, &self.acknowledged));
        self.transactions += 1;
        if self.transactions.is_multiple_of(GROWTH_CHECKED) {
            broken.extend(laws::attempts_only_grow(&self.earlier, &self.tables));
            self.earlier = self.tables.clone();
        }
        broken
    }
}
