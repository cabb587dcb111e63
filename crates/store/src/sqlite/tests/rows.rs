//! Rows come out of a file as they went in, whatever is in them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use fastrand::Rng;
use proptest::prelude::{ProptestConfig, any, prop, prop_assert_eq, proptest};
use vezir_chess::{Move, Position};
use vezir_jobs::ledger::{
    Call, CallId, Cause, Cut, Doubt, End, Enrolment, Finding, Found, Grant, Incarnation, Lease, Purpose,
    Renewed, Reply, Reported, Run, Standing, State, Tables, Terms, Told, Worker, WorkerState,
};
use vezir_jobs::{
    Attempt, Dialect, Engine, EnginePlace, Hash, Kind, Outline, PerftRequest, Request, RunId, Submission,
    Tally, Verify, VerifyRequest, WorkerId,
};
use vezir_perft::{Answer, Breakdown, Counted, Figures};
use vezir_verify::{Exhibit, Kind as FaultKind, Place, Starts, Subject, Survey, Tag, Tags, Way};

use super::super::asked;
use super::super::code::{self, Word};
use super::super::file::File;
use super::super::select;
use super::{Trial, place};
use crate::journal::Key;

/// Rows at random that lean on each other as they must, and otherwise hold anything.
struct Anything(Rng);

impl Anything {
    /// A number that is often at an end of its range.
    fn number(&mut self) -> u64 {
        match self.0.u32(0..4) {
            0 => 0,
            1 => u64::MAX,
            2 => self.0.u64(0..9),
            _ => self.0.u64(..),
        }
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.number()) << 64 | u128::from(self.number())
    }

    fn time(&mut self) -> Duration {
        Duration::from_nanos(self.number() >> 1)
    }

    fn text(&mut self) -> String {
        let length = self.0.usize(0..6);
        (0..length).map(|_| ['\0', '\'', '"', 'a', 'ü', '🨀', '\n'][self.0.usize(0..7)]).collect()
    }

    fn word<T: Word>(&mut self) -> T {
        T::WORDS[self.0.usize(0..T::WORDS.len())].0
    }

    fn counted(&mut self) -> Counted {
        let moves = self.0.usize(0..40);
        let mut divide = BTreeMap::new();
        for root in (0..moves).filter_map(|_| Move::from_bits(self.0.u16(..))).collect::<Vec<Move>>() {
            divide.insert(root, self.wide());
        }
        let breakdown = self.0.bool().then(|| Breakdown::from_cells(std::array::from_fn(|_| self.wide())));
        let answer = Answer { nodes: self.wide(), divide, breakdown };
        let figures = Figures { walked: self.number(), probes: self.number(), hits: self.number() };
        Counted { answer, figures }
    }

    fn tally(&mut self) -> Tally {
        let survey = self.0.bool().then(|| Box::new(self.survey()));
        Tally { counted: self.counted(), survey }
    }

    fn survey(&mut self) -> Survey {
        let mut survey = Survey {
            places: self.number(),
            queries: self.number(),
            ours: self.wide(),
            theirs: self.wide(),
            ..Survey::default()
        };
        let mut tags: Vec<Tag> = Tag::ALL.to_vec();
        tags.retain(|_| self.0.bool());
        for tag in tags {
            let tags = Tags::of(tag);
            let example = self.exhibit(tags);
            survey.kinds.insert(tags, FaultKind { places: self.number(), example });
        }
        survey.notes.insert(self.text());
        survey
    }

    fn exhibit(&mut self, tags: Tags) -> Exhibit {
        Exhibit {
            root: self.text(),
            path: self.text(),
            position: self.text(),
            depth: self.number() as u32,
            seen_by: self.0.bool().then(|| self.text()),
            kind: self.text(),
            chosen: None,
            ours: self.0.bool().then(|| self.text()),
            theirs: None,
            told: self.text(),
            others: vec![self.text(); self.0.usize(0..3)],
            tags,
            why: self.text(),
            warnings: Vec::new(),
            smallest: self.0.bool().then(|| self.text()),
        }
    }

    fn verification(&mut self, position: Position) -> VerifyRequest {
        let place = if self.0.bool() { EnginePlace::Artifact } else { EnginePlace::Path(self.text()) };
        let engine = Engine {
            name: self.text(),
            hash: Hash(std::array::from_fn(|_| self.0.u8(..))),
            place,
            arguments: vec![self.text(); self.0.usize(0..3)],
            dialect: if self.0.bool() { Dialect::Uci } else { Dialect::Profile(self.text()) },
            readable: vec![self.text(); self.0.usize(0..3)],
            unsandboxed: self.0.bool(),
            query_limit: self.time(),
            memory_bytes: self.number(),
        };
        let moves = position.legal_moves().into_iter().take(1).collect();
        let place = Place { root: position, moves, depth: 3, paths: self.number(), way: Way::Moves };
        let depth = self.number() as u32;
        let subject = match self.0.u32(0..3) {
            0 => Subject::Tree { root: position, depth, split: self.0.bool().then_some(depth) },
            1 => Subject::Places(vec![place; self.0.usize(0..3)].into()),
            _ => Subject::Games { starts: Starts::Double, seed: self.number(), games: 7, depth },
        };
        VerifyRequest { engine, subject, all: self.0.bool(), shrink: self.0.bool() }
    }

    fn submission(&mut self) -> Submission {
        let moves = self.0.usize(0..9);
        let mut position = Position::startpos();
        for _ in 0..moves {
            let legal: Vec<Move> = position.legal_moves().into_iter().collect();
            position = position.after(legal[self.0.usize(0..legal.len())]);
        }
        let perft = PerftRequest {
            position,
            depth: self.number() as u32,
            split: self.0.bool().then(|| self.number() as u32),
            units: self.0.bool().then(|| self.number() as u32),
            breakdown: self.0.bool(),
            hash_bytes: self.0.bool().then(|| self.number()),
        };
        let is_perft = self.0.bool();
        let request = if is_perft {
            Request::Perft(perft)
        } else {
            Request::Verify(Box::new(self.verification(position)))
        };
        Submission { request, owner: self.text(), verify: self.word(), seed: self.number() }
    }

    fn run(&mut self, id: RunId) -> Run<Tally> {
        let (state, units) = (self.word::<State>(), self.number() as u32);
        let done = self.0.u32(0..=units);
        let doubts = self.number() as u32;
        let outline = Outline {
            units,
            split: self.number() as u32,
            remaining: self.number() as u32,
            positions: self.number() >> 1,
            hash_bytes: self.number(),
            frontier: self.0.bool().then(|| Hash(std::array::from_fn(|_| self.0.u8(..)))),
        };
        Run {
            id,
            kind: self.word(),
            verify: self.word(),
            seed: self.number(),
            submitted: self.time(),
            ended: state.has_ended().then(|| self.time()),
            outline: self.0.bool().then_some(outline),
            failure: self.0.bool().then(|| self.text()),
            units,
            again: self.0.bool(),
            state,
            attempt: Attempt(self.number() >> 1),
            done,
            aside: units - done,
            doubts,
            conflicts: self.0.u32(0..=doubts),
            prefix: self.0.u32(0..=units),
            tally: self.tally(),
            terms: Terms { lease: self.time(), progress: self.time(), unit: self.time() },
        }
    }

    fn worker(&mut self, id: WorkerId) -> Worker {
        Worker {
            id,
            incarnation: Incarnation(self.number()),
            cores: self.number() as u32,
            busy: self.number() as u32,
            state: self.word(),
            failed: self.number() as u32,
            near: self.0.bool().then(|| (RunId(1), self.number() as u32)),
        }
    }

    fn lease(&mut self, run: RunId, attempt: Attempt) -> Lease {
        let first = self.number() as u32;
        let end = self.0.u32(first..=u32::MAX);
        Lease {
            run,
            attempt,
            worker: WorkerId(1),
            first,
            end,
            granted: self.0.u32(end..=u32::MAX),
            purpose: self.word(),
            cores: self.number() as u32,
            ended: self.0.bool().then(|| self.word()),
        }
    }

    fn finding(&mut self, run: RunId, unit: u32, attempt: Attempt) -> Finding<Tally> {
        let found = if self.0.bool() { Found::Answer(self.tally()) } else { Found::Failed(self.text()) };
        // Of one unit, only the first attempt may stand.
        let mut standing: Standing = self.word();
        if attempt != Attempt(1) && standing.closes() {
            standing = Standing::Vote;
        }
        Finding { run, unit, attempt, worker: WorkerId(1), found, standing }
    }

    fn call(&mut self) -> Call {
        let (run, worker, attempt) = (RunId(self.number()), WorkerId(self.number()), Attempt(self.number()));
        let end = self.number() as u32;
        let cut = self.0.bool().then_some(Cut { worker, attempt, end });
        let (units, term) = (end / 2..end, self.time());
        let grant = Grant { run, attempt, units, term, purpose: self.word(), cut };
        let told = vec![Told::Counted, Told::Vote, Told::Failed, Told::Aside, Told::Stale];
        let lease = if self.0.bool() { Renewed::Live { end } } else { Renewed::Ended };
        let reported = Reported { told, lease, conflicts: vec![end], suspects: vec![worker] };
        let reply = match self.0.u32(0..6) {
            0 => Reply::Accepted,
            1 => Reply::Submitted(run),
            2 => Reply::Registered(worker),
            3 => Reply::Granted(Some(grant)),
            4 => Reply::Reported(reported),
            _ => Reply::Renewed(lease),
        };
        Call { id: CallId(self.wide()), verb: self.text(), reply, at: self.time() }
    }

    fn tables(&mut self) -> Tables<Tally> {
        let mut tables = Tables::default();
        for run in [RunId(1), RunId(i64::MAX.unsigned_abs())] {
            tables.submissions.insert(run, self.submission());
            tables.runs.insert(run, self.run(run));
            tables.queue.insert((run, self.0.u32(..u32::MAX)), u32::MAX);
            for attempt in [1, 2, i64::MAX.unsigned_abs()].map(Attempt) {
                tables.leases.insert((run, attempt), self.lease(run, attempt));
                for unit in [0, self.0.u32(..), u32::MAX] {
                    tables.findings.insert((run, unit, attempt), self.finding(run, unit, attempt));
                }
            }
            let (unit, cause, settled) = (self.number() as u32, self.word(), self.0.bool());
            tables.doubts.insert((run, unit), Doubt { run, unit, cause, settled });
            tables.trust.insert((run, WorkerId(1)), self.number() as u32);
        }
        for worker in [1, 2].map(WorkerId) {
            let name = format!("{} {worker}", self.text());
            tables.enrolments.insert(worker, Enrolment { owner: self.text(), name });
            tables.workers.insert(worker, self.worker(worker));
        }
        // So many that they go into several statements, of both sizes.
        let calls = self.0.usize(0..80);
        let calls = (0..calls).map(|_| self.call());
        tables.calls.extend(calls.map(|call| (call.id, call)));
        tables
    }
}

fn keys(tables: &Tables<Tally>) -> BTreeSet<Key> {
    let mut keys = BTreeSet::new();
    keys.extend(tables.submissions.keys().map(|run| Key::Submission(*run)));
    keys.extend(tables.runs.keys().map(|run| Key::Run(*run)));
    keys.extend(tables.enrolments.keys().map(|worker| Key::Enrolment(*worker)));
    keys.extend(tables.workers.keys().map(|worker| Key::Worker(*worker)));
    keys.extend(tables.leases.keys().map(|(run, attempt)| Key::Lease(*run, *attempt)));
    keys.extend(tables.queue.keys().map(|(run, first)| Key::Slice(*run, *first)));
    keys.extend(tables.findings.keys().map(|(run, unit, attempt)| Key::Finding(*run, *unit, *attempt)));
    keys.extend(tables.doubts.keys().map(|(run, unit)| Key::Doubt(*run, *unit)));
    keys.extend(tables.trust.keys().map(|(run, worker)| Key::Trust(*run, *worker)));
    keys.extend(tables.calls.keys().map(|call| Key::Call(*call)));
    keys
}

async fn there_and_back(tables: &Tables<Tally>) -> Tables<Tally> {
    let (_folder, path) = place();
    let mut file = File::open(&path, Trial { synced: false, ..Trial::default() }).await.expect("a file");
    file.commit(tables, &keys(tables)).await.expect("rows that may be written");
    let mut back = select::standing(&mut file.connection).await.expect("rows");
    for run in tables.runs.keys() {
        select::history(&mut file.connection, *run, &mut back).await.expect("rows");
        select::ended_leases(&mut file.connection, *run, &mut back).await.expect("rows");
    }
    file.close().await;
    back
}

fn of_word<T: Word + std::fmt::Debug>(count: usize) {
    let distinct: BTreeSet<&str> = T::WORDS.iter().map(|(_, word)| *word).collect();
    assert_eq!((T::WORDS.len(), distinct.len()), (count, count));
    for (value, word) in T::WORDS {
        assert_eq!((value.word(), T::of(word)), (*word, Some(*value)));
    }
    assert_eq!(T::of("anything else"), None);
}

#[test]
fn each_value_has_a_word() {
    of_word::<Kind>(2);
    of_word::<Verify>(3);
    of_word::<State>(7);
    of_word::<WorkerState>(3);
    of_word::<Purpose>(3);
    of_word::<End>(8);
    of_word::<Standing>(5);
    of_word::<Cause>(2);
}

#[test]
fn what_is_no_value_is_not_read() {
    assert_eq!(code::read_divide(&[0; 17]), None);
    assert_eq!(code::read_divide(&[0xff; 18]), None, "there is no such move");
    assert_eq!(code::read_breakdown(&[0; 127]), None);
    assert_eq!(code::read_breakdown(&[0; 144]), None);
    assert!(asked::read("{\"kind\": \"chat\"}").is_err());
    assert!(code::read_reply("[]").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn rows_come_out_as_they_went_in(seed in any::<u64>()) {
        let tables = Anything(Rng::with_seed(seed)).tables();
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let back = runtime.block_on(there_and_back(&tables));
        prop_assert_eq!(format!("{back:?}"), format!("{tables:?}"));
    }

    #[test]
    fn divides_come_out_as_they_went_in(
        shares in prop::collection::btree_map(any::<u16>(), any::<u128>(), 0..220),
    ) {
        let divide = shares
            .into_iter()
            .filter_map(|(bits, nodes)| Some((Move::from_bits(bits)?, nodes)))
            .collect();
        prop_assert_eq!(code::read_divide(&code::divide(&divide)), Some(divide));
    }
}
