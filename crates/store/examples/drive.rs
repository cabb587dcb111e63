//! Drives a store by a script and prints what it acknowledges: what the crash tests kill.
//!
//! `drive FILE SEED CALLS`. A line is a JSON object: a call and its reply, a sentence if the store cannot be
//! used, which is then asked again, or `"end"`. `VEZIR_DRIVE_UNSYNCED` lets commits not wait for the disk.

#[path = "../tests/crash/script.rs"]
mod script;

use std::error::Error;
use std::process::ExitCode;

use futures::future::join_all;
use serde_json::json;
use vezir_jobs::Tally;
use vezir_jobs::ledger::{CallId, Reply, Told, Verb};
use vezir_store::{Opening, Sqlite, Store, StoreError, Trial};

use crate::script::Script;

/// So few pages that the log is carried over many times.
const LOG_PAGES: u32 = 80;

/// The most calls that are sent at once.
const AT_ONCE: u32 = 6;

/// How often a store that cannot be used is asked again.
const TRIES: u32 = 10_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match drive().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{}", json!({ "refused": error.to_string() }));
            ExitCode::FAILURE
        }
    }
}

async fn drive() -> Result<(), Box<dyn Error>> {
    let [path, seed, calls] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "FILE SEED CALLS")?;
    let (seed, calls): (u64, u32) = (seed.parse()?, calls.parse()?);
    let synced = std::env::var_os("VEZIR_DRIVE_UNSYNCED").is_none();
    let trial = Trial { synced, remembered: 1, log_pages: LOG_PAGES };
    let store = Sqlite::open_with(path, Opening { trial, ..Opening::default() }).await?;
    println!("{}", json!("open"));
    let (mut script, mut dice) = (Script::new(seed), fastrand::Rng::with_seed(seed));
    let mut done = 0;
    while done < calls {
        let tables = patient(|| store.tables()).await?;
        let batch: Vec<_> = (0..dice.u32(1..=AT_ONCE)).map(|_| script.next(&tables)).collect();
        done += batch.len() as u32;
        for outcome in join_all(batch.into_iter().map(|(id, verb)| call(&store, id, verb))).await {
            outcome?;
        }
    }
    store.close().await;
    println!("{}", json!("end"));
    Ok(())
}

/// One call, told as soon as it is answered.
async fn call(store: &Sqlite, id: CallId, verb: Verb<Tally>) -> Result<(), StoreError> {
    let name = verb.name();
    let reply = match patient(|| store.call(id, verb.clone())).await {
        Err(StoreError::Refused(_)) => return Ok(()),
        outcome => outcome?.reply,
    };
    let mut counted = Vec::new();
    if let (Verb::Report { run, attempt, units, .. }, Reply::Reported(reported)) = (&verb, &reply) {
        let told = units.iter().zip(&reported.told).filter(|(_, told)| **told == Told::Counted);
        counted.extend(told.map(|((unit, _), _)| (run.0, *unit, attempt.0)));
    }
    println!(
        "{}",
        json!({ "id": format!("{:032x}", id.0), "verb": name, "reply": reply, "counted": counted })
    );
    Ok(())
}

/// Asks until the store can be used, and tells why it cannot.
async fn patient<T, F: Future<Output = Result<T, StoreError>>>(ask: impl Fn() -> F) -> Result<T, StoreError> {
    let mut tries = 0;
    loop {
        match ask().await {
            Err(StoreError::Unusable(why)) if tries < TRIES => {
                println!("{}", json!({ "unusable": format!("{:?}: {}", why.fault, why.why) }));
            }
            outcome => return outcome,
        }
        tries += 1;
    }
}
