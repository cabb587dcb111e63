//! A worker that counts, lies, hangs, sleeps, crashes and comes back.

use std::collections::BTreeMap;
use std::time::Duration;

use fastrand::Rng;
use vezir_jobs::ledger::{CallId, Enrolment, Found, Grant, Incarnation, Refusal, Renewed, Reply, Verb};
use vezir_jobs::{Attempt, RunId, WorkerId};

use crate::truth::{Leaves, leaves};

/// The most units that a worker asks for at once.
const MOST: u32 = 8;

pub(crate) struct Worker {
    pub(crate) name: u64,
    /// Its number, when it has been told.
    pub(crate) id: Option<WorkerId>,
    pub(crate) life: u64,
    pub(crate) cores: u32,
    /// How often it goes on: its idea of a second.
    pub(crate) second: Duration,
    pub(crate) lies: bool,
    /// Until when it sleeps.
    pub(crate) asleep: Duration,
    /// Whether it will never be trusted again.
    pub(crate) retired: bool,
    registered: bool,
    jobs: Vec<Job>,
    /// Calls without an answer, to be repeated under their ids.
    pending: BTreeMap<CallId, Verb<Leaves>>,
}

struct Job {
    run: RunId,
    attempt: Attempt,
    cores: u32,
    todo: Vec<u32>,
    movement: u64,
    hangs: bool,
}

/// What is wrong with the units of a world, whoever works on them.
pub(crate) struct Poison(pub(crate) Option<(RunId, u32)>);

impl Worker {
    pub(crate) fn new(name: u64, rng: &mut Rng) -> Worker {
        Worker {
            name,
            id: None,
            life: 1,
            cores: rng.u32(1..=2),
            second: Duration::from_millis(rng.u64(300..1200)),
            lies: false,
            asleep: Duration::ZERO,
            retired: false,
            registered: false,
            jobs: Vec::new(),
            pending: BTreeMap::new(),
        }
    }

    /// Two owners have workers of their own.
    fn enrolment(&self) -> Enrolment {
        Enrolment { owner: format!("owner {}", self.name % 2), name: format!("worker {}", self.name) }
    }

    /// Its process dies and starts again: it remembers nothing but to be somebody new.
    pub(crate) fn restart(&mut self) {
        self.life += 1;
        self.registered = false;
        self.jobs.clear();
        self.pending.clear();
    }

    /// What it says next.
    pub(crate) fn go_on(
        &mut self,
        rng: &mut Rng,
        poison: &Poison,
        calm: bool,
    ) -> Vec<(CallId, Verb<Leaves>)> {
        let mut says: Vec<(CallId, Verb<Leaves>)> = Vec::new();
        for (id, verb) in &self.pending {
            if rng.u32(0..3) == 0 {
                says.push((*id, verb.clone()));
            }
        }
        let mut new = Vec::new();
        if self.registered {
            self.work(rng, poison, calm, &mut new);
            self.ask(&mut new);
        } else if self.pending.is_empty() {
            new.push(Verb::Register {
                enrolment: self.enrolment(),
                incarnation: Incarnation(self.life),
                cores: self.cores,
            });
        }
        for verb in new {
            let id = CallId(rng.u128(..));
            if !matches!(verb, Verb::Renew { .. }) {
                self.pending.insert(id, verb.clone());
            }
            says.push((id, verb));
        }
        says
    }

    fn work(&mut self, rng: &mut Rng, poison: &Poison, calm: bool, says: &mut Vec<Verb<Leaves>>) {
        let Some(worker) = self.id else { return };
        let lies = self.lies && !calm;
        for job in &mut self.jobs {
            let (run, attempt) = (job.run, job.attempt);
            if job.hangs && !calm {
                // Some hang visibly, and some turn in circles.
                job.movement += attempt.0 % 2;
                says.push(Verb::Renew { worker, run, attempt, movement: job.movement });
                continue;
            }
            if rng.u32(0..100) == 0 && !calm {
                says.push(Verb::Release { worker, run, attempt });
                job.todo.clear();
            }
            let mut units = Vec::new();
            for _ in 0..rng.u32(0..3) {
                if !job.todo.is_empty() {
                    // Threads finish in any order.
                    let unit = job.todo.remove(rng.usize(0..job.todo.len().min(3)));
                    units.push((unit, found(rng, poison, run, unit, lies, calm)));
                }
            }
            job.movement += 1;
            says.push(match units.is_empty() {
                true => Verb::Renew { worker, run, attempt, movement: job.movement },
                false => Verb::Report { worker, run, attempt, units },
            });
        }
    }

    fn ask(&mut self, says: &mut Vec<Verb<Leaves>>) {
        let asks = self.pending.values().any(|verb| matches!(verb, Verb::Lease { .. }));
        let busy: u32 = self.jobs.iter().map(|job| job.cores).sum();
        if let Some(worker) = self.id
            && !asks
            && busy < self.cores
        {
            let incarnation = Incarnation(self.life);
            says.push(Verb::Lease { worker, incarnation, cores: 1, most: MOST, among: None });
        }
    }

    /// Hears an answer; one that it does not wait for any longer says nothing new.
    pub(crate) fn hear(
        &mut self,
        rng: &mut Rng,
        id: CallId,
        result: Result<Reply, Refusal>,
        renewed: Option<(RunId, Attempt)>,
    ) {
        let asked = self.pending.remove(&id);
        match (asked, result) {
            (Some(Verb::Register { .. }), Ok(Reply::Registered(worker))) => {
                self.registered = true;
                self.id = Some(worker);
            }
            (Some(Verb::Register { .. }), Err(_)) => self.retired = true,
            (Some(asked @ Verb::Lease { .. }), Ok(Reply::Granted(None))) => {
                // It asks on under the same id.
                self.pending.insert(id, asked);
            }
            (Some(Verb::Lease { cores, .. }), Ok(Reply::Granted(Some(grant)))) => {
                self.begin(grant, cores, rng.u32(0..50) == 0);
            }
            (Some(Verb::Report { run, attempt, .. }), Ok(Reply::Reported(reported))) => {
                self.obey(run, attempt, reported.lease);
            }
            (None, Ok(Reply::Renewed(lease))) => {
                if let Some((run, attempt)) = renewed {
                    self.obey(run, attempt, lease);
                }
            }
            (Some(Verb::Release { run, attempt, .. }), Ok(_)) => self.obey(run, attempt, Renewed::Ended),
            _ => {}
        }
    }

    fn begin(&mut self, grant: Grant, cores: u32, hangs: bool) {
        let Grant { run, attempt, units, .. } = grant;
        self.jobs.push(Job { run, attempt, cores, todo: units.collect(), movement: 0, hangs });
    }

    fn obey(&mut self, run: RunId, attempt: Attempt, lease: Renewed) {
        match lease {
            Renewed::Ended => self.jobs.retain(|job| (job.run, job.attempt) != (run, attempt)),
            Renewed::Live { end } => {
                let mine = self.jobs.iter_mut().filter(|job| (job.run, job.attempt) == (run, attempt));
                mine.for_each(|job| job.todo.retain(|unit| *unit < end));
            }
        }
    }
}

fn found(rng: &mut Rng, poison: &Poison, run: RunId, unit: u32, lies: bool, calm: bool) -> Found<Leaves> {
    if poison.0 == Some((run, unit)) || !calm && rng.u32(0..50) == 0 {
        return Found::Failed("the engine crashed".to_owned());
    }
    let mut answer = leaves(run, unit);
    if lies && rng.u32(0..4) == 0 {
        answer.0 += 2;
    }
    Found::Answer(answer)
}
