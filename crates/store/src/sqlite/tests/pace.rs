//! Many calls are committed together, an observer hears of it, and the log does not grow without end.

use std::fs;
use std::sync::{Arc, Mutex};

use futures::future::join_all;
use vezir_jobs::ledger::{CallId, Enrolment, Incarnation, Verb};

use super::{Opening, Sqlite, Trial, place};
use crate::{Batch, Store};

/// A call that changes something.
fn register(number: u32) -> (CallId, Verb<vezir_jobs::Tally>) {
    let enrolment = Enrolment { owner: "ann".to_owned(), name: format!("{number} {}", "x".repeat(500)) };
    (CallId(number.into()), Verb::Register { enrolment, incarnation: Incarnation(1), cores: 1 })
}

async fn all(store: &Sqlite, numbers: std::ops::Range<u32>) {
    let calls = numbers.map(register).map(|(id, verb)| store.call(id, verb));
    for answer in join_all(calls).await {
        answer.expect("a registration");
    }
}

#[tokio::test]
async fn calls_that_wait_are_committed_together_and_told_of() {
    let (_folder, path) = place();
    let told: Arc<Mutex<Vec<Batch>>> = Arc::default();
    let hear = told.clone();
    let observer = Box::new(move |batch: &Batch| hear.lock().expect("a list").push(batch.clone()));
    let trial = Trial { synced: false, ..Trial::default() };
    let store = Sqlite::open_with(&path, Opening { observer, trial }).await.expect("a store");
    all(&store, 0..600).await;
    assert_eq!(store.workers().await.map(|it| it.len()), Ok(600));
    store.expire().await.expect("nothing is due");
    store.close().await;
    let told = told.lock().expect("a list");
    let commits: Vec<&Batch> = told.iter().filter(|batch| batch.rows > 0).collect();
    let verbs: Vec<&str> = told.iter().flat_map(|batch| batch.verbs.iter().copied()).collect();
    assert_eq!((verbs.iter().filter(|it| **it == "register").count(), verbs.last()), (600, Some(&"expire")));
    assert_eq!(
        commits.iter().map(|batch| batch.rows).sum::<usize>(),
        1800,
        "a worker, who it is, and a call"
    );
    assert!(commits.len() < 60, "{} commits", commits.len());
    assert!(commits.iter().all(|it| it.served && it.requests <= 256 && it.committing <= it.took));
}

#[tokio::test]
async fn the_log_does_not_grow_without_end() {
    let (_folder, path) = place();
    let trial = Trial { synced: false, log_pages: 50, ..Trial::default() };
    let store = Sqlite::open_with(&path, Opening { trial, ..Opening::default() }).await.expect("a store");
    for round in 0..200 {
        all(&store, round * 20..(round + 1) * 20).await;
    }
    let log = path.with_file_name("vezir.sqlite-wal");
    let (log, file) = [&log, &path].map(|it| fs::metadata(it).expect("a file").len()).into();
    assert!(file > 3 << 20, "the file has {file} bytes: too few for the log to matter");
    assert!(log < 1 << 20, "the log has {log} bytes");
    store.close().await;
}
