//! A store in a file and one in memory are told the same, and must be the same.

use std::path::Path;
use std::time::Duration;

use fastrand::Rng;
use futures::future::join_all;
use proptest::prelude::{ProptestConfig, prop, proptest};
use vezir_jobs::Tally;
use vezir_jobs::ledger::{Answered, CallId, Refusal, Tables, Verb};

use super::script::{Script, TERM};
use super::{Sqlite, place, quick};
use crate::shelf::Shelf;
use crate::{Store, StoreError};

/// How many ended runs stay in memory: so few that they come and go all the time.
const REMEMBERED: usize = 1;

type Outcome = Result<Answered, Refusal>;

/// The two, and the time of both.
struct Twins {
    shelf: Shelf,
    sqlite: Sqlite,
    now: Duration,
}

impl Twins {
    async fn new(path: &Path) -> Twins {
        let sqlite = quick(path, REMEMBERED).await;
        Twins { shelf: Shelf::default(), sqlite, now: Duration::from_secs(1_800_000_000) }
    }

    /// Calls that are drawn one after another and sent at once.
    async fn call(&mut self, script: &mut Script, calls: u32) {
        let mut batch: Vec<(CallId, Verb<Tally>)> = Vec::new();
        let mut expected: Vec<Outcome> = Vec::new();
        for _ in 0..calls {
            let (id, verb) = script.next(&self.shelf.tables);
            expected.push(self.shelf.call(self.now, id, verb.clone()));
            batch.push((id, verb));
        }
        let calls = batch.iter().map(|(id, verb)| self.sqlite.call_at(self.now, *id, verb.clone()));
        let answers = join_all(calls).await;
        for ((answer, expected), call) in answers.into_iter().zip(expected).zip(&batch) {
            assert_eq!(answer, expected.map_err(StoreError::from), "{call:?} is answered differently");
        }
    }

    async fn expire(&mut self) {
        let expected = self.shelf.expire(self.now).expect("what is due exists");
        assert_eq!(self.sqlite.expire_at(self.now).await, Ok(expected));
    }

    async fn are_alike(&self) {
        let tables = self.sqlite.tables().await.expect("rows can be read");
        same(&self.shelf.tables, &tables);
    }

    async fn reopen(mut self, path: &Path) -> Twins {
        self.sqlite.close().await;
        let inspection = Sqlite::inspect(path).await.expect("a store");
        assert!(inspection.is_sound(), "{:?} {:?}", inspection.faults, inspection.violations);
        self.shelf.tables.deadlines.clear();
        same(&self.shelf.tables, &inspection.tables);
        let mut shelf = Shelf::default();
        shelf.tables = self.shelf.tables;
        Twins { shelf, sqlite: quick(path, REMEMBERED).await, now: self.now }
    }
}

/// Fails with the first table that differs.
fn same(expected: &Tables<Tally>, found: &Tables<Tally>) {
    let tables = |it: &Tables<Tally>| {
        [
            format!("{:?}", it.submissions),
            format!("{:?}", it.runs),
            format!("{:?}", it.enrolments),
            format!("{:?}", it.workers),
            format!("{:?}", it.leases),
            format!("{:?}", it.deadlines),
            format!("{:?}", it.queue),
            format!("{:?}", it.findings),
            format!("{:?}", it.doubts),
            format!("{:?}", it.trust),
            format!("{:?}", it.calls),
        ]
    };
    for (expected, found) in tables(expected).iter().zip(tables(found)) {
        assert_eq!(*expected, found, "the file has other rows");
    }
}

async fn live(seed: u64, batches: &[u32]) {
    let (_folder, path) = place();
    let (mut script, mut rng) = (Script::new(seed), Rng::with_seed(!seed));
    let mut twins = Twins::new(&path).await;
    for calls in batches {
        twins.call(&mut script, *calls).await;
        twins.are_alike().await;
        match rng.u32(0..12) {
            0 => twins = twins.reopen(&path).await,
            1..4 => {
                twins.now += Duration::from_millis(rng.u64(0..=TERM.as_millis() as u64));
                twins.expire().await;
                twins.are_alike().await;
            }
            // Long enough for calls to be forgotten.
            4 if rng.u32(0..4) == 0 => twins.now += Duration::from_secs(400),
            _ => {}
        }
    }
    twins.reopen(&path).await.sqlite.close().await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn a_file_holds_what_memory_holds(
        seed in 0_u64..1 << 32,
        batches in prop::collection::vec(1_u32..24, 1..100),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(live(seed, &batches));
    }
}
