//! How fast a store in a file is: `pace FILE`, where FILE is new and lies on the disk in question.
//!
//! Calls one after another, each of which is committed alone; reports of one unit each, 256 of them at once; and
//! reports of 256 units. The observer tells how many rows each commit had, and how long it took.

use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::future::join_all;
use vezir_chess::Position;
use vezir_jobs::ledger::{CallId, Enrolment, Found, Grant, Incarnation, Reply, Terms, Verb};
use vezir_jobs::{Kind, Outline, PerftRequest, Request, RunId, Submission, Tally, Verify, WorkerId};
use vezir_perft::{Answer, Counted};
use vezir_store::{Batch, Opening, Sqlite, Store};

const TERM: Duration = Duration::from_secs(3600);
const TERMS: Terms = Terms { lease: TERM, progress: TERM, unit: TERM };

/// Units of one run, and calls of one round.
const UNITS: u32 = 256;

/// How often each is done.
const ROUNDS: u32 = 40;

/// Rows, commits, and how long these took.
#[derive(Clone, Copy, Default)]
struct Pace {
    rows: usize,
    commits: u32,
    committing: Duration,
}

struct Client {
    store: Sqlite,
    last: u128,
    pace: Arc<Mutex<Pace>>,
}

impl Client {
    fn id(&mut self) -> CallId {
        self.last += 1;
        CallId(self.last)
    }

    async fn ask(&mut self, verb: Verb<Tally>) -> Result<Reply, Box<dyn Error>> {
        let id = self.id();
        Ok(self.store.call(id, verb).await?.reply)
    }

    async fn open(&mut self) -> Result<RunId, Box<dyn Error>> {
        let request = Request::Perft(PerftRequest::new(Position::startpos(), 5));
        let submission = Submission { request, owner: "pace".to_owned(), verify: Verify::Not, seed: 1 };
        let Reply::Submitted(run) = self.ask(Verb::Submit { submission, kind: Kind::Bounded }).await? else {
            return Err("a submission is answered by a number".into());
        };
        let outline =
            Outline { units: UNITS, split: 3, remaining: 4, positions: 5_362, hash_bytes: 0, frontier: None };
        self.ask(Verb::Plan { run, outline, again: false, terms: TERMS }).await?;
        Ok(run)
    }

    async fn lease(&mut self, worker: WorkerId) -> Result<Grant, Box<dyn Error>> {
        let incarnation = Incarnation(1);
        match self.ask(Verb::Lease { worker, incarnation, cores: 1, most: UNITS, among: None }).await? {
            Reply::Granted(Some(grant)) => Ok(grant),
            other => Err(format!("work waits, and the answer is {other:?}").into()),
        }
    }

    /// What was committed since this was last asked.
    fn take(&self) -> Pace {
        std::mem::take(&mut *self.pace.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Pace {
    fn add(&mut self, more: Pace) {
        self.rows += more.rows;
        self.commits += more.commits;
        self.committing += more.committing;
    }

    fn tell(self, what: &str, calls: u32, spent: Duration) {
        let (seconds, commits) = (spent.as_secs_f64(), f64::from(self.commits));
        println!(
            "{what}: {:.0} calls/s, {:.0} commits/s, {:.0} rows/s; {:.1} rows a commit, {:.2} ms each",
            f64::from(calls) / seconds,
            commits / seconds,
            self.rows as f64 / seconds,
            self.rows as f64 / commits,
            self.committing.as_secs_f64() * 1000.0 / commits
        );
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("pace FILE")?;
    let pace = Arc::new(Mutex::new(Pace::default()));
    let counted = pace.clone();
    let observer = Box::new(move |batch: &Batch| {
        let mut pace = counted.lock().unwrap_or_else(PoisonError::into_inner);
        pace.rows += batch.rows;
        pace.commits += u32::from(batch.rows > 0);
        pace.committing += batch.committing;
    });
    let store = Sqlite::open_with(path, Opening { observer, ..Opening::default() }).await?;
    let mut client = Client { store, last: 0, pace };
    let enrolment = Enrolment { owner: "pace".to_owned(), name: "maker".to_owned() };
    let register = Verb::Register { enrolment, incarnation: Incarnation(1), cores: 1 };
    let Reply::Registered(worker) = client.ask(register).await? else {
        return Err("a registration is answered by a number".into());
    };
    let began = Instant::now();
    for call in 0..ROUNDS * 10 {
        let (pause, resume) = (Verb::Pause { worker }, Verb::Resume { worker });
        client.ask(if call % 2 == 0 { pause } else { resume }).await?;
    }
    client.take().tell("one call after another", ROUNDS * 10, began.elapsed());
    let found = || Found::Answer(Counted { answer: answer(), ..Counted::default() }.into());
    for (what, apart) in [("256 reports of a unit at once", true), ("a report of 256 units", false)] {
        let (mut spent, mut pace) = (Duration::ZERO, Pace::default());
        for _ in 0..ROUNDS {
            let run = client.open().await?;
            let attempt = client.lease(worker).await?.attempt;
            let units: Vec<_> = (0..UNITS).map(|unit| (unit, found())).collect();
            let size = if apart { 1 } else { UNITS as usize };
            let reports: Vec<_> = units
                .chunks(size)
                .map(|units| (client.id(), Verb::Report { worker, run, attempt, units: units.to_vec() }))
                .collect();
            client.take();
            let began = Instant::now();
            let answers = join_all(reports.into_iter().map(|(id, verb)| client.store.call(id, verb))).await;
            answers.into_iter().collect::<Result<Vec<_>, _>>()?;
            spent += began.elapsed();
            pace.add(client.take());
        }
        pace.tell(what, if apart { ROUNDS * UNITS } else { ROUNDS }, spent);
    }
    client.store.close().await;
    Ok(())
}

/// What a unit typically brings: twenty root moves.
fn answer() -> Answer {
    let moves = Position::startpos().legal_moves().into_iter();
    let divide: std::collections::BTreeMap<_, _> = moves.map(|root| (root, 1_000_003)).collect();
    Answer { nodes: divide.values().sum(), divide, breakdown: None }
}
