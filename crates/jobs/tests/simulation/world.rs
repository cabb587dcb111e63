//! One world: a store, some workers, a bad network, and an operator, all out of one seed.

use std::collections::BTreeMap;
use std::time::Duration;

use fastrand::Rng;
use vezir_chess::Position;
use vezir_jobs::laws::Violation;
use vezir_jobs::ledger::{
    Answer, CallId, Cause, End, Found, Purpose, Refusal, Reply, Standing, State, Terms, Verb, WorkerState,
};
use vezir_jobs::{Attempt, Kind, Outline, PerftRequest, Request, RunId, Submission, Verify};

use crate::fault::Fault;
use crate::network::{Event, Network};
use crate::store::{Commit, Store};
use crate::truth::{Leaves, leaves};
use crate::worker::{Poison, Worker};

/// How many events a world sees before everything that goes wrong stops.
const STEPS: u32 = 2_000;

/// How many more it may take to bring every run to its end.
const STEPS_TO_END: u32 = 20_000;

/// The complete pairs after which the match is concluded.
const PAIRS: u32 = 20;

const SWEEP: Duration = Duration::from_millis(500);

const TERMS: Terms =
    Terms { lease: Duration::from_secs(4), progress: Duration::from_secs(12), unit: Duration::from_secs(1) };

/// Four perfts and a match.
const RUNS: [RunId; 5] = [RunId(1), RunId(2), RunId(3), RunId(4), RunId(5)];
const MATCH: RunId = RUNS[4];

pub(crate) struct World {
    rng: Rng,
    now: Duration,
    store: Store,
    workers: Vec<Worker>,
    network: Network,
    poison: Poison,
    /// Renewals on their way, which a worker does not wait for.
    renewals: BTreeMap<CallId, (RunId, Attempt)>,
    seen: Seen,
}

impl World {
    pub(crate) fn new(seed: u64, fault: Option<Fault>) -> World {
        let mut rng = Rng::with_seed(seed);
        let mut workers: Vec<Worker> = (1..=rng.u64(3..=6)).map(|id| Worker::new(id, &mut rng)).collect();
        workers[0].lies = rng.bool();
        let poison = Poison((rng.u32(0..3) == 0).then(|| (RUNS[rng.usize(0..5)], rng.u32(0..8))));
        let mut network = Network::default();
        for place in 0..workers.len() {
            network.at(Duration::from_millis(rng.u64(0..500)), Event::Tick(place));
        }
        network.at(SWEEP, Event::Sweep);
        network.at(Duration::from_secs(2), Event::Trouble);
        let (now, renewals) = (Duration::ZERO, BTreeMap::new());
        let (store, seen) = (Store::new(fault), Seen::default());
        World { rng, now, store, workers, network, poison, renewals, seen }
    }

    /// Lets the world run to its end; tells what it saw, or which law was broken.
    pub(crate) fn live(mut self) -> Result<Seen, String> {
        self.submit()?;
        for step in 0..STEPS + STEPS_TO_END {
            if step == STEPS {
                self.calm_down();
            }
            if self.network.calm && self.conclude_or_end() {
                return self.judge();
            }
            let Some((at, event)) = self.network.next() else { return Err("nothing happens".to_owned()) };
            self.now = at;
            let broken = self.happen(event);
            if !broken.is_empty() {
                let all: Vec<String> = broken.iter().map(Violation::to_string).collect();
                return Err(format!("step {step}, {at:?}: {}", all.join("; ")));
            }
        }
        let states: Vec<State> = self.store.tables.runs.values().map(|run| run.state).collect();
        Err(format!("the world does not come to its end: {states:?}"))
    }

    fn submit(&mut self) -> Result<(), String> {
        for run in RUNS {
            let kind = if run == MATCH { Kind::Open } else { Kind::Bounded };
            let units = self.rng.u32(20..50);
            let verify = [Verify::Not, Verify::Not, Verify::Sample, Verify::All][self.rng.usize(0..4)];
            let request = Request::Perft(PerftRequest::new(Position::startpos(), 1));
            let seed = self.rng.u64(..);
            let submission = Submission { request, owner: "somebody".to_owned(), verify, seed };
            self.must(&Verb::Submit { submission, kind })?;
            let outline =
                Outline { units, split: 1, remaining: 1, positions: 20, hash_bytes: 0, frontier: None };
            let again = self.rng.bool();
            self.must(&Verb::Plan { run, outline, again, terms: TERMS })?;
        }
        Ok(())
    }

    fn must(&mut self, verb: &Verb<Leaves>) -> Result<(), String> {
        let id = CallId(self.rng.u128(..));
        let (result, _) = self.store.call(self.now, id, verb, Commit::Known);
        result.transpose().map(drop).map_err(|refusal| refusal.to_string())
    }

    fn happen(&mut self, event: Event) -> Vec<Violation> {
        match event {
            Event::Call { from, life, id, verb } => return self.call(from, life, id, &verb),
            Event::Answer { to, life, id, result } => self.answer(to, life, id, result),
            Event::Tick(place) => self.tick(place),
            Event::Sweep => {
                self.network.at(self.now + SWEEP, Event::Sweep);
                return self.store.sweep(self.now);
            }
            Event::Trouble => {
                if !self.network.calm {
                    let next = Duration::from_millis(self.rng.u64(100..4_000));
                    self.network.at(self.now + next, Event::Trouble);
                    return self.trouble();
                }
            }
        }
        Vec::new()
    }

    fn call(&mut self, from: Option<usize>, life: u64, id: CallId, verb: &Verb<Leaves>) -> Vec<Violation> {
        let commit = match self.rng.u32(0..100) {
            _ if self.network.calm => Commit::Known,
            0..3 => Commit::Silent,
            3..5 => Commit::Undone,
            _ => Commit::Known,
        };
        let (result, broken) = self.store.call(self.now, id, verb, commit);
        self.seen.unknown += u64::from(commit != Commit::Known);
        if let Some(Ok(Reply::Reported(reported))) = &result {
            self.seen.conflicts += reported.conflicts.len() as u64;
            self.seen.suspects += reported.suspects.len() as u64;
        }
        if let (Some(to), Some(result)) = (from, result) {
            self.network.send(&mut self.rng, self.now, Event::Answer { to, life, id, result });
        }
        broken
    }

    fn answer(&mut self, to: usize, life: u64, id: CallId, result: Result<Reply, Refusal>) {
        let renewed = self.renewals.remove(&id);
        let worker = &mut self.workers[to];
        if worker.life == life && worker.asleep <= self.now {
            worker.hear(&mut self.rng, id, result, renewed);
        }
    }

    fn tick(&mut self, place: usize) {
        let worker = &mut self.workers[place];
        let (life, next) = (worker.life, worker.asleep.max(self.now + worker.second));
        if worker.retired {
            return;
        }
        if worker.asleep <= self.now {
            for (id, verb) in worker.go_on(&mut self.rng, &self.poison, self.network.calm) {
                if let Verb::Renew { run, attempt, .. } = verb {
                    self.renewals.insert(id, (run, attempt));
                }
                let call = Event::Call { from: Some(place), life, id, verb };
                self.network.send(&mut self.rng, self.now, call);
            }
        }
        self.network.at(next, Event::Tick(place));
    }

    fn trouble(&mut self) -> Vec<Violation> {
        let place = self.rng.usize(0..self.workers.len());
        let Some(worker) = self.workers[place].id else { return Vec::new() };
        match self.rng.u32(0..20) {
            0..4 => {
                self.seen.restarts += 1;
                let epoch = Duration::from_secs(self.rng.u64(0..1_000_000));
                return self.store.restart(self.now, epoch);
            }
            4..8 => self.workers[place].restart(),
            8..12 => self.workers[place].asleep = self.now + TERMS.lease * self.rng.u32(1..4),
            12..15 => self.store.set_wall_clock(TERMS.lease * self.rng.u32(0..4)),
            15 => self.operate(Verb::Pause { worker }),
            16 | 17 => self.operate(Verb::Resume { worker }),
            18 if self.workers.len() < 9 => self.replace(place),
            19 if self.rng.u32(0..10) == 0 => self.operate(Verb::Cancel { run: RUNS[0] }),
            _ => {}
        }
        Vec::new()
    }

    fn operate(&mut self, verb: Verb<Leaves>) {
        let id = CallId(self.rng.u128(..));
        self.network.send(&mut self.rng, self.now, Event::Call { from: None, life: 0, id, verb });
    }

    /// A worker is quarantined, and another one comes.
    fn replace(&mut self, place: usize) {
        if let Some(worker) = self.workers[place].id {
            self.operate(Verb::Quarantine { worker });
        }
        let fresh = Worker::new(self.workers.len() as u64 + 1, &mut self.rng);
        self.workers.push(fresh);
        self.network.at(self.now, Event::Tick(self.workers.len() - 1));
    }

    /// Nothing goes wrong any longer, and who lied is found out.
    fn calm_down(&mut self) {
        self.network.calm = true;
        for place in 0..3 {
            self.workers.push(Worker::new(100 + place, &mut self.rng));
            self.network.at(self.now, Event::Tick(self.workers.len() - 1));
        }
        for worker in &mut self.workers {
            worker.asleep = Duration::ZERO;
            // Who was never told its number has never worked.
            worker.lies = worker.lies && worker.id.is_some();
        }
        let known =
            |lies: bool| self.workers.iter().filter(move |it| it.lies || !lies).filter_map(|it| it.id);
        let resumed = known(false).map(|worker| Verb::Resume { worker });
        let all: Vec<_> = resumed.chain(known(true).map(|worker| Verb::Quarantine { worker })).collect();
        all.into_iter().for_each(|verb| self.operate(verb));
    }

    /// Concludes the match when it is long enough, and what is paused goes on; tells whether all is over.
    fn conclude_or_end(&mut self) -> bool {
        let tables = &self.store.tables;
        let conclude = tables.runs[&MATCH].state == State::Running && tables.runs[&MATCH].prefix >= PAIRS;
        let liar = self.workers.iter().any(|worker| {
            let known = worker.id.and_then(|id| tables.workers.get(&id));
            worker.lies && known.is_some_and(|known| known.state != WorkerState::Quarantined)
        });
        if conclude {
            let id = CallId(self.rng.u128(..));
            self.store.call(self.now, id, &Verb::Conclude { run: MATCH }, Commit::Known);
        }
        !liar && !self.store.tables.runs.values().any(|run| run.state.is_open())
    }

    /// Every counted unit is right, and every sum exact.
    fn judge(mut self) -> Result<Seen, String> {
        let tables = &self.store.tables;
        for run in tables.runs.values() {
            let mut sum = Leaves::default();
            let counted =
                tables.findings.values().filter(|it| it.run == run.id && it.standing == Standing::Counted);
            for finding in counted {
                sum.add(&leaves(run.id, finding.unit)).map_err(|overflow| overflow.to_string())?;
            }
            if !run.tally.agrees(&sum) {
                return Err(format!("run {} says {:?}; {sum:?} is right", run.id, run.tally));
            }
            if run.kind == Kind::Bounded && run.state == State::Done && run.done + run.aside != run.units {
                return Err(format!("run {} ended with {} of {}", run.id, run.done, run.units));
            }
        }
        let (lost, doubled) = (self.network.lost, self.network.doubled);
        self.seen.note(&self.store, lost, doubled);
        Ok(self.seen)
    }
}

/// What went on, so that nobody believes in a simulation in which nothing did.
#[derive(Default, Debug)]
pub(crate) struct Seen {
    lost: u64,
    doubled: u64,
    unknown: u64,
    restarts: u64,
    conflicts: u64,
    suspects: u64,
    counted: u64,
    votes: u64,
    stale: u64,
    failed: u64,
    aside: u64,
    cuts: u64,
    second: u64,
    opinions: u64,
    checks: u64,
    cancelled: u64,
    quarantined: u64,
    ends: BTreeMap<String, u64>,
}

impl Seen {
    fn note(&mut self, store: &Store, lost: u64, doubled: u64) {
        (self.lost, self.doubled) = (lost, doubled);
        for finding in store.tables.findings.values() {
            match (finding.standing, &finding.found) {
                (Standing::Counted, _) => self.counted += 1,
                (Standing::Vote, _) => self.votes += 1,
                (Standing::Void, Found::Answer(_)) => self.stale += 1,
                (Standing::Aside, _) => self.aside += 1,
                (Standing::Failed | Standing::Void, _) => self.failed += 1,
            }
        }
        for lease in store.tables.leases.values() {
            self.cuts += u64::from(lease.end < lease.granted);
            self.second += u64::from(lease.purpose == Purpose::Again);
            self.opinions += u64::from(lease.purpose == Purpose::Opinion);
            let end = lease.ended.map_or("Live".to_owned(), |end| format!("{end:?}"));
            *self.ends.entry(end).or_default() += 1;
        }
        let checks = store.tables.doubts.values().filter(|doubt| doubt.cause == Cause::Check);
        self.checks = checks.count() as u64;
        let states = store.tables.workers.values().map(|worker| worker.state);
        self.quarantined = states.filter(|state| *state == WorkerState::Quarantined).count() as u64;
        let runs = store.tables.runs.values();
        self.cancelled = runs.filter(|run| run.state == State::Cancelled).count() as u64;
    }

    pub(crate) fn add(&mut self, other: &Seen) {
        let numbers = other.numbers().map(|(_, number)| number);
        let mine = [
            &mut self.lost,
            &mut self.doubled,
            &mut self.unknown,
            &mut self.restarts,
            &mut self.conflicts,
            &mut self.suspects,
            &mut self.counted,
            &mut self.votes,
            &mut self.stale,
            &mut self.failed,
            &mut self.aside,
            &mut self.cuts,
            &mut self.second,
            &mut self.opinions,
            &mut self.checks,
            &mut self.cancelled,
            &mut self.quarantined,
        ];
        mine.into_iter().zip(numbers).for_each(|(mine, number)| *mine += number);
        for (end, count) in &other.ends {
            *self.ends.entry(end.clone()).or_default() += count;
        }
    }

    fn numbers(&self) -> [(&'static str, u64); 17] {
        [
            ("lost messages", self.lost),
            ("doubled messages", self.doubled),
            ("commits of unknown outcome", self.unknown),
            ("restarts of the store", self.restarts),
            ("conflicts", self.conflicts),
            ("suspects", self.suspects),
            ("counted units", self.counted),
            ("votes", self.votes),
            ("stale answers", self.stale),
            ("failures", self.failed),
            ("units set aside", self.aside),
            ("cuts", self.cuts),
            ("second leases", self.second),
            ("other opinions", self.opinions),
            ("checks", self.checks),
            ("cancelled runs", self.cancelled),
            ("quarantined workers", self.quarantined),
        ]
    }

    pub(crate) fn assert_everything_happened(&self) {
        for (what, number) in self.numbers() {
            assert!(number > 0, "no {what} in any world");
        }
        let ends = [End::Finished, End::Released, End::Expired, End::Stuck, End::Overdue, End::Replaced];
        for end in ends.into_iter().chain([End::Quarantined, End::RunEnded]) {
            assert!(self.ends.contains_key(&format!("{end:?}")), "no lease ended {end:?} in any world");
        }
    }
}
