//! `vezir doctor`: whether a store is sound.

use serde_json::{Map, Value, json};
use vezir_store::{Inspection, Sqlite};

use crate::args::DoctorArgs;
use crate::exit::{Exit, Failure};
use crate::home;
use crate::talk::print;

/// Reads every row, and tells what is broken; exits with no where anything is.
pub(crate) async fn run(args: DoctorArgs) -> Result<Exit, Failure> {
    let path = home::path(&args.store)?;
    let found = Sqlite::inspect(&path).await;
    let found = found.map_err(|error| Failure::new(Exit::BadInput, error.to_string()))?;
    let name = path.display().to_string();
    let text = if args.json { format!("{}\n", object(&name, &found)) } else { sentences(&name, &found) };
    print(&text)?;
    Ok(if found.is_sound() { Exit::Done } else { Exit::No })
}

fn object(name: &str, found: &Inspection) -> Value {
    let rows: Map<String, Value> =
        found.rows.iter().map(|(table, rows)| ((*table).to_owned(), (*rows).into())).collect();
    json!({
        "store": name,
        "sound": found.is_sound(),
        "in_use": found.in_use.is_some(),
        "faults": found.faults,
        "violations": found.violations,
        "rows": rows,
    })
}

fn sentences(name: &str, found: &Inspection) -> String {
    let mut lines: Vec<String> = Vec::new();
    if let Some(holder) = found.in_use {
        let who = holder.map_or_else(|| "another process".to_owned(), |process| format!("process {process}"));
        lines.push(format!("{name}: {who} has it open; this is what was committed"));
    }
    let rows: Vec<String> = found.rows.iter().map(|(table, rows)| format!("{rows} {table}")).collect();
    lines.push(format!("{name}: {}", rows.join(", ")));
    lines.extend(found.faults.iter().map(|fault| format!("{name}: the file is damaged: {fault}")));
    lines.extend(found.violations.iter().map(|violation| format!("{name}: a law is broken: {violation}")));
    if found.is_sound() {
        lines.push(format!("{name}: the file is sound and every law is kept"));
    }
    lines.join("\n") + "\n"
}
