//! How runs and workers look: tables for people, JSON for scripts.

use std::time::Duration;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use jiff::Timestamp;
use serde_json::{Value, json};
use vezir_jobs::ledger::{State, WorkerState};
use vezir_jobs::{Brief, Checks, Outcome, RunSummary, Verify, WorkerSummary};

use crate::root::Root;
use crate::size::show_count;

/// The most characters of a FEN that a table shows.
const FEN_CHARS: usize = 34;

/// How long a worker that holds nothing may be silent before it is taken to have left. One that waits for work
/// asks for it more often.
const AWAY: Duration = Duration::from_secs(60);

/// The same for one that does not listen: it is just about to, again, or has ended.
const MOMENT: Duration = Duration::from_secs(5);

/// A table of runs.
pub(crate) fn runs_table(runs: &[RunSummary]) -> String {
    let mut table = table(&["RUN", "STATE", "UNITS", "NODES", "WHAT", "OWNER", "SUBMITTED"]);
    for run in runs {
        table.add_row([
            run.id.to_string(),
            state(run.state).to_owned(),
            units(run),
            show_count(run.progress.nodes),
            what(run),
            run.owner.clone(),
            time(run.submitted),
        ]);
    }
    right(&mut table, &[0, 2, 3]);
    format!("{table}\n")
}

/// Everything about one run, line by line.
pub(crate) fn run_lines(run: &RunSummary) -> String {
    let mut lines = vec![
        format!("run        {}", run.id),
        format!("what       {}", whole(run)),
        format!("state      {}", state(run.state)),
        format!("owner      {}", run.owner),
        format!("submitted  {}", time(run.submitted)),
    ];
    lines.extend(run.ended.map(|ended| format!("ended      {}", time(ended))));
    if let Some(outline) = run.outline {
        lines.push(format!("split      at ply {}, {} positions", outline.split, outline.positions));
        lines.extend(outline.frontier.map(|hash| format!("frontier   {hash}")));
        let progress = &run.progress;
        lines.push(format!(
            "units      {}: {} counted, {} leased, {} waiting, {} set aside, {} in doubt",
            outline.units, progress.done, run.leased, run.queued, progress.aside, progress.doubted
        ));
    }
    lines.push(format!("nodes      {}", show_count(run.progress.nodes)));
    if run.verify != Verify::Not {
        lines.push(format!("verify     {}", verify(run.verify)));
    }
    if let Some(Outcome::Failed(reason)) = &run.progress.outcome {
        lines.push(format!("failure    {reason}"));
    }
    lines.join("\n") + "\n"
}

/// Runs as one JSON object.
pub(crate) fn runs_json(runs: &[RunSummary]) -> String {
    format!("{}\n", json!({ "runs": runs.iter().map(object).collect::<Vec<_>>() }))
}

/// One run as one JSON object.
pub(crate) fn run_json(run: &RunSummary) -> String {
    format!("{}\n", object(run))
}

/// A run, for scripts: counts are decimal strings.
pub(crate) fn object(run: &RunSummary) -> Value {
    let progress = &run.progress;
    let failure = match &progress.outcome {
        Some(Outcome::Failed(reason)) => Some(reason.as_str()),
        _ => None,
    };
    let mut object = asked(&run.asked);
    let rest = json!({
        "run": run.id.0,
        "verify": verify(run.verify),
        "owner": run.owner,
        "state": state(run.state),
        "submitted": time(run.submitted),
        "ended": run.ended.map(time),
        "split": run.outline.map(|outline| outline.split),
        "positions": run.outline.map(|outline| outline.positions),
        "frontier": run.outline.and_then(|outline| outline.frontier).map(|hash| hash.to_string()),
        "units": progress.units,
        "done": progress.done,
        "leased": run.leased,
        "queued": run.queued,
        "aside": progress.aside,
        "doubted": progress.doubted,
        "nodes": progress.nodes.to_string(),
        "walked": progress.figures.walked,
        "checks": progress.checks.map(checks),
        "failure": failure,
    });
    if let (Value::Object(object), Value::Object(rest)) = (&mut object, rest) {
        object.extend(rest);
    }
    object
}

/// What was asked.
fn asked(asked: &Brief) -> Value {
    match asked {
        Brief::Perft(perft) => json!({
            "kind": "perft",
            "fen": Root::of(perft.position).fen(),
            "depth": perft.depth,
            "breakdown": perft.breakdown,
        }),
        Brief::Verify { engine, hash, subject } => json!({
            "kind": "verify",
            "engine": engine,
            "engine_hash": hash.to_string(),
            "about": subject,
        }),
    }
}

/// How far an engine was examined.
fn checks(checks: Checks) -> Value {
    json!({
        "places": checks.places,
        "queries": checks.queries,
        "differing": checks.differing,
        "unanswered": checks.unanswered,
    })
}

/// A table of workers.
pub(crate) fn workers_table(workers: &[WorkerSummary]) -> String {
    let mut table = table(&["WORKER", "NAME", "OWNER", "STATE", "CORES", "JOBS", "HEARD", "VERSION"]);
    for worker in workers {
        table.add_row([
            worker.id.to_string(),
            worker.enrolment.name.clone(),
            worker.enrolment.owner.clone(),
            worker_state(worker).to_owned(),
            format!("{} of {}", worker.busy, worker.cores),
            worker.jobs.to_string(),
            worker.heard.map_or_else(|| "–".to_owned(), |heard| format!("{} s ago", heard.as_secs())),
            if worker.version.is_empty() { "–" } else { &*worker.version }.to_owned(),
        ]);
    }
    right(&mut table, &[0, 4, 5]);
    format!("{table}\n")
}

/// Workers as one JSON object.
pub(crate) fn workers_json(workers: &[WorkerSummary]) -> String {
    let object = |worker: &WorkerSummary| {
        json!({
            "worker": worker.id.0,
            "name": worker.enrolment.name,
            "owner": worker.enrolment.owner,
            "state": worker_state(worker),
            "cores": worker.cores,
            "busy": worker.busy,
            "jobs": worker.jobs,
            "failed_in_a_row": worker.failed,
            "heard_seconds_ago": worker.heard.map(|heard| heard.as_secs_f64()),
            "version": worker.version,
        })
    };
    format!("{}\n", json!({ "workers": workers.iter().map(object).collect::<Vec<_>>() }))
}

/// How a run stands, in one word.
pub(crate) const fn state(state: State) -> &'static str {
    match state {
        State::Planning => "planning",
        State::Running => "running",
        State::Disputed => "disputed",
        State::Done => "done",
        State::Cancelled => "cancelled",
        State::Overflowed => "overflowed",
        State::Failed => "failed",
    }
}

fn worker_state(worker: &WorkerSummary) -> &'static str {
    let absence = if worker.listens { AWAY } else { MOMENT };
    let is_here = worker.jobs > 0 || worker.heard.is_some_and(|heard| heard < absence);
    match worker.state {
        WorkerState::Active | WorkerState::Paused if !is_here => "away",
        WorkerState::Active => "active",
        WorkerState::Paused => "paused",
        WorkerState::Quarantined => "quarantined",
    }
}

const fn verify(verify: Verify) -> &'static str {
    match verify {
        Verify::Not => "no",
        Verify::Sample => "sample",
        Verify::All => "all",
    }
}

fn units(run: &RunSummary) -> String {
    match run.progress.units {
        Some(units) => format!("{} of {units}", run.progress.done),
        None => "–".to_owned(),
    }
}

fn what(run: &RunSummary) -> String {
    let whole = whole(run);
    let mut short: String = whole.chars().take(FEN_CHARS).collect();
    if short.len() < whole.len() {
        short.push('…');
    }
    short
}

fn whole(run: &RunSummary) -> String {
    match &run.asked {
        Brief::Perft(perft) => {
            let kinds = if perft.breakdown { " with breakdown" } else { "" };
            format!("perft {}{kinds} of {}", perft.depth, Root::of(perft.position).fen())
        }
        Brief::Verify { engine, subject, .. } => format!("verify {engine}: {subject}"),
    }
}

/// A time since 1970, as RFC 3339 writes it, in seconds.
fn time(since: Duration) -> String {
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds).map_or_else(|_| "–".to_owned(), |time| time.to_string())
}

/// A table that has its heads.
pub(crate) fn table(heads: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(heads);
    table
}

/// Moves what stands in these columns to the right.
pub(crate) fn right(table: &mut Table, columns: &[usize]) {
    for column in columns {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
