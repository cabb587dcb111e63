//! Who watches a world: every law after every commit, and what clients were really told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use vezir_jobs::laws::{self, Acknowledged, Violation};
use vezir_jobs::ledger::{CallId, Cause, End, Purpose, Renewed, Reply, Standing, State, Tables, Told, Verb};
use vezir_jobs::{Attempt, Request, RunId, Tally};
use vezir_perft::published;
use vezir_store::Expired;

use crate::map::{TERMS, now};
use crate::seen::Seen;

/// A watcher. Its clones are one.
#[derive(Clone, Default)]
pub(crate) struct Judge(Arc<Mutex<Record>>);

#[derive(Default)]
struct Record {
    complaint: Option<String>,
    /// How many commits go by between two whose rows are looked at.
    unseen: u64,
    /// How many have gone by since.
    gone_by: u64,
    acknowledged: Vec<Acknowledged>,
    answered: BTreeMap<CallId, Reply>,
    /// When the holder of a lease was last heard of.
    heard: BTreeMap<(RunId, Attempt), Duration>,
    earlier: Tables<Tally>,
    /// What the store did, each thing as a line.
    history: Vec<String>,
    seen: Seen,
}

impl Judge {
    /// One that lets so many commits go by between two at which it looks: a look takes as long as the rows
    /// are many.
    pub(crate) fn looking_past(unseen: u64) -> Judge {
        Judge(Arc::new(Mutex::new(Record { unseen, ..Record::default() })))
    }

    /// Somebody saw something that must not be.
    pub(crate) fn complain(&self, what: impl Into<String>) {
        let mut record = self.record();
        if record.complaint.is_none() {
            record.complaint = Some(format!("{:?}: {}", now(), what.into()));
        }
    }

    /// The first thing that must not be.
    pub(crate) fn complaint(&self) -> Option<String> {
        self.record().complaint.clone()
    }

    /// One more of something happened.
    pub(crate) fn count(&self, what: &'static str) {
        self.record().seen.count(what, 1);
    }

    /// There was a commit, after which these are the rows.
    pub(crate) fn committed(&self, tables: impl FnOnce() -> Tables<Tally>) {
        let mut record = self.record();
        record.seen.count("commits", 1);
        record.gone_by += 1;
        let looks = record.gone_by > record.unseen;
        drop(record);
        if looks {
            self.look(tables());
        }
    }

    /// These are the rows: every law is asked.
    pub(crate) fn look(&self, tables: Tables<Tally>) {
        let mut record = self.record();
        record.gone_by = 0;
        let mut broken = laws::broken(&tables);
        broken.extend(laws::nothing_acknowledged_is_lost(&tables, &record.acknowledged));
        broken.extend(laws::attempts_only_grow(&record.earlier, &tables));
        record.earlier = tables;
        drop(record);
        self.note(broken);
    }

    /// A store has started on the rows that were there: every lease has a full new term.
    pub(crate) fn reopened(&self, tables: Tables<Tally>) {
        self.record().heard.values_mut().for_each(|heard| *heard = now());
        self.committed(|| tables);
    }

    /// A store has done something for the first time; that may be a sign of life.
    pub(crate) fn done(&self, verb: &Verb<Tally>, reply: &Reply) {
        let mut record = self.record();
        record.history.push(format!("{:?} {} {reply:?}", now(), verb.name()));
        let lease = match (verb, reply) {
            (_, Reply::Granted(Some(grant))) => (grant.run, grant.attempt),
            (Verb::Report { run, attempt, .. }, Reply::Reported(reported))
                if reported.lease != Renewed::Ended =>
            {
                (*run, *attempt)
            }
            (Verb::Renew { run, attempt, .. }, Reply::Renewed(Renewed::Live { .. })) => (*run, *attempt),
            _ => return,
        };
        record.heard.insert(lease, now());
    }

    /// A store answers; its rows are `tables` where a lease is said to go on.
    pub(crate) fn answered(&self, id: CallId, verb: &Verb<Tally>, reply: &Reply, tables: &Tables<Tally>) {
        let broken = match (verb, reply) {
            (_, Reply::Granted(None)) => return,
            (Verb::Renew { run, attempt, .. }, Reply::Renewed(Renewed::Live { .. })) => {
                laws::renewed_leases_live(tables, *run, *attempt)
            }
            (_, Reply::Renewed(_)) => return,
            _ => match self.record().answered.insert(id, reply.clone()) {
                Some(first) => laws::a_repeat_is_answered_alike(id, &first, reply),
                None => Vec::new(),
            },
        };
        self.note(broken);
    }

    /// A worker was told what became of a unit.
    pub(crate) fn told(&self, run: RunId, attempt: Attempt, unit: u32, told: Told) {
        let mut record = self.record();
        match told {
            Told::Counted => record.acknowledged.push(Acknowledged { run, unit, attempt }),
            Told::Vote => record.seen.count("told a vote", 1),
            Told::Stale => record.seen.count("told too late", 1),
            Told::Failed | Told::Aside => record.seen.count("told a failure", 1),
        }
        let broken = match told {
            // Else its commit may be one that has not been looked at.
            Told::Counted if record.unseen == 0 => {
                laws::nothing_acknowledged_is_lost(&record.earlier, record.acknowledged.last())
            }
            _ => Vec::new(),
        };
        drop(record);
        self.note(broken);
    }

    /// Time has ended a lease.
    pub(crate) fn expired(&self, expired: &Expired, tables: &Tables<Tally>) {
        let at = (expired.run, expired.attempt);
        let heard = self.record().heard.get(&at).copied().unwrap_or_default();
        let lease = tables.leases.get(&at);
        let broken = lease.map(|lease| laws::a_lease_lasts_its_term(lease, TERMS.lease, now() - heard));
        self.note(broken.unwrap_or_default());
    }

    /// The world has lasted so long.
    pub(crate) fn lasted(&self, time: Duration) {
        self.record().seen.count("virtual seconds", time.as_secs());
    }

    /// How the runs stand.
    pub(crate) fn states(&self) -> String {
        let record = self.record();
        let states = record.earlier.runs.values();
        let states: Vec<_> =
            states.map(|run| format!("{}: {:?}, {} of {}", run.id, run.state, run.done, run.units)).collect();
        states.join("; ")
    }

    /// At the end: every run has ended, every sum is exact, and this is what came of it all.
    pub(crate) fn verdict(&self, tables: &Tables<Tally>) -> Result<Seen, String> {
        for run in tables.runs.values() {
            let Request::Perft(asked) = &tables.submissions[&run.id].request else {
                return Err(format!("run {} is no count", run.id));
            };
            let right = published(&asked.position, asked.depth);
            match run.state {
                State::Done if Some(run.tally.counted.answer.nodes) == right && run.done == run.units => {
                    self.count("runs that were right");
                }
                State::Cancelled => self.count("runs that were cancelled"),
                state => {
                    return Err(format!(
                        "run {} is {state:?} with {:?}; {right:?} is right",
                        run.id, run.tally
                    ));
                }
            }
        }
        for finding in tables.findings.values() {
            self.count(match finding.standing {
                Standing::Counted => "counted",
                Standing::Vote => "votes",
                Standing::Void => "void",
                // Of a lease whose work did not move, though its holder was heard of.
                Standing::Failed => "failures",
                Standing::Aside => return Err(format!("a unit is set aside: {finding:?}")),
            });
        }
        for lease in tables.leases.values() {
            self.count(lease.ended.map_or("live", End::name));
            if lease.end < lease.granted {
                self.count("cut");
            }
            match lease.purpose {
                Purpose::Count => {}
                Purpose::Again => self.count("again"),
                Purpose::Opinion => self.count("opinion"),
            }
        }
        for doubt in tables.doubts.values() {
            self.count(if doubt.cause == Cause::Check { "checks" } else { "conflicts" });
        }
        Ok(self.record().seen.clone())
    }

    /// What the store did, each thing as a line.
    pub(crate) fn history(&self) -> Vec<String> {
        self.record().history.clone()
    }

    fn note(&self, broken: Vec<Violation>) {
        if !broken.is_empty() {
            let all: Vec<String> = broken.iter().map(Violation::to_string).collect();
            self.complain(all.join("; "));
        }
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
