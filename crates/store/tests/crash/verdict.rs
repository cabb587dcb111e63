//! Whether a store holds everything that was acknowledged, and is sound.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use vezir_jobs::laws::{self, Acknowledged};
use vezir_jobs::ledger::{CallId, Reply, Tables};
use vezir_jobs::{Attempt, RunId, Tally};
use vezir_store::{Opening, Sqlite, Store, Trial};

/// Looks at the store as it lies there, then opens it as its next coordinator would, and looks again.
pub(crate) fn judge(store: &Path, calls: &[Value]) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let mut wrong = Vec::new();
        if !calls.is_empty() {
            let before = Sqlite::inspect(store).await.map_err(|error| error.to_string())?;
            wrong.extend(before.faults.into_iter().chain(before.violations));
            wrong.extend(lost(&before.tables, calls));
        }
        let trial = Trial { synced: false, ..Trial::default() };
        let opened = Sqlite::open_with(store, Opening { trial, ..Opening::default() }).await;
        let opened = opened.map_err(|error| error.to_string())?;
        let tables = opened.tables().await.map_err(|error| error.to_string())?;
        opened.close().await;
        let inspection = Sqlite::inspect(store).await.map_err(|error| error.to_string())?;
        wrong.extend(inspection.faults.into_iter().chain(inspection.violations));
        if format!("{:?}", inspection.tables) != format!("{tables:?}") {
            wrong.push("what is in memory is not what is in the file".to_owned());
        }
        wrong.extend(lost(&tables, calls));
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
    })
}

/// What was acknowledged and is not there.
fn lost(tables: &Tables<Tally>, calls: &[Value]) -> Vec<String> {
    let counted: Vec<Acknowledged> = calls.iter().flat_map(counted).collect();
    let lost = laws::nothing_acknowledged_is_lost(tables, &counted);
    let mut wrong: Vec<String> = lost.iter().map(ToString::to_string).collect();
    let mut last: BTreeMap<RunId, Attempt> = BTreeMap::new();
    for call in calls {
        let reply: Reply = serde_json::from_value(call["reply"].clone()).expect("a reply");
        match &reply {
            // They changed nothing that lasts, and are not remembered.
            Reply::Granted(None) | Reply::Renewed(_) => continue,
            Reply::Granted(Some(grant)) => {
                let attempt = last.entry(grant.run).or_default();
                *attempt = grant.attempt.max(*attempt);
            }
            _ => {}
        }
        let id = call["id"].as_str().and_then(|id| u128::from_str_radix(id, 16).ok()).expect("an id");
        if tables.calls.get(&CallId(id)).is_none_or(|known| known.reply != reply) {
            wrong.push(format!("call {id:032x}, a {}, is not remembered", call["verb"]));
        }
    }
    for (run, attempt) in last {
        if tables.runs.get(&run).is_none_or(|known| known.attempt < attempt) {
            wrong.push(format!("attempt {attempt} of run {run} may be given again"));
        }
    }
    wrong
}

fn counted(call: &Value) -> Vec<Acknowledged> {
    let counted: Vec<(u64, u32, u64)> =
        serde_json::from_value(call["counted"].clone()).expect("what was counted");
    let acknowledged =
        |(run, unit, attempt)| Acknowledged { run: RunId(run), unit, attempt: Attempt(attempt) };
    counted.into_iter().map(acknowledged).collect()
}
