//! Random calls that make sense: each is drawn by a seed from the rows as they are.

use std::collections::BTreeMap;
use std::time::Duration;

use fastrand::Rng;
use vezir_chess::{Move, Position};
use vezir_jobs::ledger::{CallId, Enrolment, Found, Incarnation, Lease, State, Tables, Terms, Verb, Worker};
use vezir_jobs::{Kind, Outline, PerftRequest, Request, RunId, Submission, Tally, Verify, WorkerId};
use vezir_perft::{Answer, Breakdown, Counted, Figures};

/// The lease term of every run.
pub(crate) const TERM: Duration = Duration::from_secs(30);

const TERMS: Terms = Terms { lease: TERM, progress: TERM.saturating_mul(4), unit: TERM };

const OWNERS: [&str; 2] = ["ann", "bob"];

const NAMES: [&str; 3] = ["north", "east, \"the\0 second\"", "süd"];

/// Workers and users at random.
pub(crate) struct Script {
    rng: Rng,
    last: u128,
    earlier: Vec<(CallId, Verb<Tally>)>,
}

impl Script {
    pub(crate) fn new(seed: u64) -> Script {
        Script { rng: Rng::with_seed(seed), last: u128::from(seed) << 64, earlier: Vec::new() }
    }

    /// The next call.
    pub(crate) fn next(&mut self, tables: &Tables<Tally>) -> (CallId, Verb<Tally>) {
        if !self.earlier.is_empty() && self.rng.u32(0..20) == 0 {
            let again = self.rng.usize(0..self.earlier.len());
            return self.earlier[again].clone();
        }
        let verb = self.verb(tables);
        self.last += 1;
        let call = (CallId(self.last), verb);
        self.earlier.push(call.clone());
        call
    }

    fn verb(&mut self, tables: &Tables<Tally>) -> Verb<Tally> {
        let open = tables.runs.values().filter(|run| run.state.is_open()).count();
        let planning = tables.runs.values().find(|run| run.state == State::Planning).map(|run| run.id);
        match self.rng.u32(0..100) {
            _ if tables.workers.len() < 3 => self.register(tables),
            0..3 => self.register(tables),
            3..6 => self.submit(),
            6..50 if planning.is_some() => self.plan(planning.unwrap_or(RunId(0))),
            6..50 if open == 0 => self.submit(),
            6..36 => self.lease(tables),
            36..78 => self.about_a_lease(tables, Script::report),
            78..84 => self.about_a_lease(tables, |script, lease| Verb::Renew {
                worker: lease.worker,
                run: lease.run,
                attempt: lease.attempt,
                movement: script.rng.u64(0..9),
            }),
            84..88 => self.about_a_lease(tables, |_, lease| Verb::Release {
                worker: lease.worker,
                run: lease.run,
                attempt: lease.attempt,
            }),
            88..90 => Verb::Pause { worker: self.worker(tables) },
            90..95 => Verb::Resume { worker: self.worker(tables) },
            95 => Verb::Cancel { run: self.run(tables) },
            96 => Verb::Quarantine { worker: self.worker(tables) },
            97 => Verb::Cancel { run: self.run(tables) },
            98 => Verb::Conclude { run: self.run(tables) },
            _ => Verb::Fail {
                run: self.run(tables),
                planned: self.rng.bool(),
                reason: "it cannot be planned".to_owned(),
            },
        }
    }

    fn register(&mut self, tables: &Tables<Tally>) -> Verb<Tally> {
        let owner = OWNERS[self.rng.usize(0..OWNERS.len())].to_owned();
        let name = format!("{} {}", NAMES[self.rng.usize(0..NAMES.len())], tables.workers.len() / 8);
        let incarnation = Incarnation((1 << 63) + self.rng.u64(0..3));
        Verb::Register { enrolment: Enrolment { owner, name }, incarnation, cores: self.rng.u32(1..9) }
    }

    fn submit(&mut self) -> Verb<Tally> {
        let kind = if self.rng.u32(0..4) == 0 { Kind::Open } else { Kind::Bounded };
        let verify = [Verify::Not, Verify::Sample, Verify::All][self.rng.usize(0..3)];
        let request = Request::Perft(PerftRequest::new(Position::startpos(), self.rng.u32(1..64)));
        let owner = OWNERS[self.rng.usize(0..OWNERS.len())].to_owned();
        Verb::Submit { submission: Submission { request, owner, verify, seed: self.rng.u64(..) }, kind }
    }

    fn plan(&mut self, run: RunId) -> Verb<Tally> {
        let outline = Outline {
            units: self.rng.u32(1..24),
            split: 3,
            remaining: 4,
            positions: self.rng.u64(..1 << 40),
            hash_bytes: self.rng.u64(..),
            frontier: None,
        };
        Verb::Plan { run, outline, again: self.rng.bool(), terms: TERMS }
    }

    fn lease(&mut self, tables: &Tables<Tally>) -> Verb<Tally> {
        let active: Vec<&Worker> =
            tables.workers.values().filter(|worker| worker.busy < worker.cores).collect();
        let Some(worker) = self.one_of(&active) else { return self.register(tables) };
        let (cores, most) = (self.rng.u32(0..=worker.cores - worker.busy), self.rng.u32(1..9));
        Verb::Lease { worker: worker.id, incarnation: worker.incarnation, cores, most, among: None }
    }

    fn about_a_lease(
        &mut self,
        tables: &Tables<Tally>,
        what: impl FnOnce(&mut Script, &Lease) -> Verb<Tally>,
    ) -> Verb<Tally> {
        let late = self.rng.u32(0..8) == 0;
        let leases: Vec<&Lease> = tables.leases.values().filter(|lease| late || lease.is_live()).collect();
        match self.one_of(&leases) {
            Some(lease) => what(self, lease),
            None => self.lease(tables),
        }
    }

    fn report(&mut self, lease: &Lease) -> Verb<Tally> {
        let from = self.rng.u32(lease.first..lease.granted);
        let to = self.rng.u32(from..lease.granted) + 1;
        let units = (from..to).map(|unit| (unit, self.found(lease.run, unit))).collect();
        Verb::Report { worker: lease.worker, run: lease.run, attempt: lease.attempt, units }
    }

    fn found(&mut self, run: RunId, unit: u32) -> Found<Tally> {
        match self.rng.u32(0..100) {
            0..6 => Found::Failed("it ran out of memory".to_owned()),
            6..14 => Found::Answer(answer(run, unit, 1)),
            14 if self.rng.bool() => Found::Answer(answer(run, unit, u128::MAX / 2)),
            _ => Found::Answer(answer(run, unit, 0)),
        }
    }

    fn run(&mut self, tables: &Tables<Tally>) -> RunId {
        // One beyond the last is nobody's.
        RunId(self.rng.u64(1..=tables.runs.len() as u64 + 1))
    }

    fn worker(&mut self, tables: &Tables<Tally>) -> WorkerId {
        WorkerId(self.rng.u64(1..=tables.workers.len() as u64 + 1))
    }

    fn one_of<'rows, T>(&mut self, rows: &[&'rows T]) -> Option<&'rows T> {
        if rows.is_empty() { None } else { Some(rows[self.rng.usize(0..rows.len())]) }
    }
}

/// What a unit counts, or with `lie` something else.
fn answer(run: RunId, unit: u32, lie: u128) -> Tally {
    let nodes = (u128::from(unit) << 66) + u128::from(run.0) + lie;
    let moves = Position::startpos().legal_moves().into_iter().take(unit as usize % 4);
    let divide: BTreeMap<Move, u128> = moves.map(|root| (root, nodes / 3)).collect();
    let breakdown = run.0.is_multiple_of(2).then(|| Breakdown { captures: nodes, ..Breakdown::default() });
    let figures = Figures { walked: u64::MAX - 1, probes: u64::from(unit), hits: 7 };
    Counted { answer: Answer { nodes, divide, breakdown }, figures }.into()
}
