//! `vezir doctor`: whether a store, and the artifacts beside it, are sound.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use vezir_jobs::{Hash, RunId};
use vezir_store::artifacts::GetError;
use vezir_store::{Artifacts, InspectError, Inspection, Sqlite};

use crate::args::DoctorArgs;
use crate::exit::{Exit, Failure};
use crate::home;
use crate::talk::print;

/// Reads every row and every artifact, and tells what is broken; exits with no where anything is.
pub(crate) async fn run(args: DoctorArgs) -> Result<Exit, Failure> {
    let path = home::path(&args.store)?;
    let found = Sqlite::inspect(&path).await;
    let found = found.map_err(|error| match error {
        // A store that cannot be read is as broken as one can be.
        InspectError::Unreadable { .. } => Failure::new(Exit::No, error.to_string()),
        error => home::unseen(error),
    })?;
    let kept = Kept::look(&found, &home::artifacts_folder(&path)).await;
    let name = path.display().to_string();
    let text = if args.json {
        format!("{}\n", object(&name, &found, &kept))
    } else {
        sentences(&name, &found, &kept)
    };
    print(&text)?;
    Ok(if found.is_sound() && kept.faults.is_empty() { Exit::Done } else { Exit::No })
}

/// What was found of the artifacts that rows name.
#[derive(Default)]
struct Kept {
    sound: usize,
    faults: Vec<String>,
    /// Frontiers of runs that go on which will grow again: nothing is wrong with that.
    missing: Vec<(RunId, Hash)>,
}

impl Kept {
    async fn look(found: &Inspection, folder: &Path) -> Kept {
        let mut kept = Kept::default();
        let artifacts = match Artifacts::if_in_folder(folder) {
            Ok(artifacts) => artifacts,
            Err(error) => {
                kept.faults.push(error.to_string());
                return kept;
            }
        };
        for (hash, open) in named(found) {
            let checked = match &artifacts {
                Some(artifacts) => artifacts.check(hash).await.map(|()| true),
                None => Ok(false),
            };
            match checked {
                Ok(true) => kept.sound += 1,
                // Those of runs that have ended are removed.
                Ok(false) | Err(GetError::Missing { .. }) => kept.missing.extend(open.map(|run| (run, hash))),
                Err(error) => kept.faults.push(error.to_string()),
            }
        }
        kept
    }
}

/// Each artifact that a run names, with a run that has not ended if there is one.
fn named(found: &Inspection) -> BTreeMap<Hash, Option<RunId>> {
    let mut named: BTreeMap<Hash, Option<RunId>> = BTreeMap::new();
    for run in found.tables.runs.values() {
        if let Some(hash) = run.outline.and_then(|outline| outline.frontier) {
            let open = named.entry(hash).or_default();
            *open = open.or_else(|| (!run.state.has_ended()).then_some(run.id));
        }
    }
    named
}

fn object(name: &str, found: &Inspection, kept: &Kept) -> Value {
    let rows: Map<String, Value> =
        found.rows.iter().map(|(table, rows)| ((*table).to_owned(), (*rows).into())).collect();
    let missing: Vec<String> = kept.missing.iter().map(|(_, hash)| hash.to_string()).collect();
    json!({
        "store": name,
        "sound": found.is_sound() && kept.faults.is_empty(),
        "in_use": found.in_use.is_some(),
        "faults": found.faults,
        "violations": found.violations,
        "rows": rows,
        "artifacts": { "sound": kept.sound, "faults": kept.faults, "missing": missing },
    })
}

fn sentences(name: &str, found: &Inspection, kept: &Kept) -> String {
    let mut lines: Vec<String> = Vec::new();
    if let Some(holder) = found.in_use {
        let who = holder.map_or_else(|| "another process".to_owned(), |process| format!("process {process}"));
        lines.push(format!("{name}: {who} has it open; this is what was committed"));
    }
    let rows: Vec<String> = found.rows.iter().map(|(table, rows)| format!("{rows} {table}")).collect();
    lines.push(format!("{name}: {}, {} sound artifacts", rows.join(", "), kept.sound));
    for (run, hash) in &kept.missing {
        lines
            .push(format!("{name}: artifact {hash} is not there; the frontier of run {run} will grow again"));
    }
    lines.extend(found.faults.iter().map(|fault| format!("{name}: the file is damaged: {fault}")));
    lines.extend(found.violations.iter().map(|violation| format!("{name}: a law is broken: {violation}")));
    lines.extend(kept.faults.iter().map(|fault| format!("{name}: {fault}")));
    if found.is_sound() && kept.faults.is_empty() {
        lines.push(format!("{name}: the file is sound and every law is kept"));
    }
    lines.join("\n") + "\n"
}
