//! `vezir suite`: counts what files of positions state and tells what differs.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use vezir_perft::suite::{self, Entry, Wanted};

use crate::args::SuiteArgs;
use crate::desk::{Desk, Request};
use crate::exit::{Exit, Failure};
use crate::follow::Part;
use crate::progress::Progress;
use crate::size::show_count;
use crate::talk::{print, say};

/// The largest file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// What Vezir's own suite is called where a file's name would stand.
const OWN_NAME: &str = "(own suite)";

/// One count to check.
struct Check<'a> {
    file: &'a str,
    entry: &'a Entry,
    wanted: Wanted,
}

/// A count that came out otherwise than its file states.
struct Wrong<'a> {
    check: Check<'a>,
    got: u128,
}

/// How a suite ended.
struct Outcome<'a> {
    counts: usize,
    positions: usize,
    nodes: u128,
    wrong: Vec<Wrong<'a>>,
    time: Duration,
}

/// Checks every count within the limits; exits with no where one differs.
pub(crate) async fn run(args: SuiteArgs) -> Result<Exit, Failure> {
    let files = read_all(&args.files)?;
    let checks = select(&files, &args);
    if checks.is_empty() {
        return Err(Failure::new(Exit::NoAnswer, "nothing to check: no count is within the limits"));
    }
    let mut desk = Desk::fleeting(&args.means)?;
    let outcome = check_all(&mut desk, checks, !args.json).await?;
    desk.close().await;
    if args.json {
        print(&format!("{}\n", outcome.json()))?;
    } else {
        print(&format!("{}\n", outcome.verdict()))?;
        say(&outcome.speed());
    }
    Ok(if outcome.wrong.is_empty() { Exit::Done } else { Exit::No })
}

/// Reads every file before anything is counted, and tells every file's fault at once.
pub(crate) fn read_all(paths: &[PathBuf]) -> Result<Vec<(String, Vec<Entry>)>, Failure> {
    if paths.is_empty() {
        let entries = parse(OWN_NAME, suite::OWN).map_err(|fault| Failure::new(Exit::BadInput, fault))?;
        return Ok(vec![(OWN_NAME.to_owned(), entries)]);
    }
    let mut files = Vec::new();
    let mut faults = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        match read(path).and_then(|bytes| parse(&name, &bytes)) {
            Ok(entries) => files.push((name, entries)),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(files) } else { Err(Failure::new(Exit::BadInput, faults.join("\nvezir: "))) }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
    };
    match read {
        Err(error) => {
            Err(format!("{}: cannot be read: {error}; a file of positions would be right", path.display()))
        }
        Ok(length) if length as u64 > MAX_FILE_BYTES => Err(format!(
            "{}: longer than {MAX_FILE_BYTES} bytes; smaller files would be right",
            path.display()
        )),
        Ok(_) => Ok(bytes),
    }
}

fn parse(name: &str, bytes: &[u8]) -> Result<Vec<Entry>, String> {
    let entries = suite::read(bytes);
    let entries =
        entries.map_err(|error| format!("{name}:{}:{}: {}", error.line, error.column, error.fault))?;
    if entries.is_empty() {
        return Err(format!("{name}: no position in it; lines as `FEN ;D1 20 ;D2 400` would be right"));
    }
    Ok(entries)
}

/// The counts within the limits, file by file, line by line, shallow depths first.
fn select<'a>(files: &'a [(String, Vec<Entry>)], args: &SuiteArgs) -> Vec<Check<'a>> {
    let within = |wanted: &Wanted| {
        args.max_nodes.is_none_or(|most| wanted.nodes <= most)
            && args.max_depth.is_none_or(|most| wanted.depth <= most)
    };
    let entries = files.iter().flat_map(|(file, entries)| entries.iter().map(move |entry| (file, entry)));
    let checks = entries.flat_map(|(file, entry)| {
        entry.counts.iter().filter(|wanted| within(wanted)).map(move |wanted| Check {
            file,
            entry,
            wanted: *wanted,
        })
    });
    checks.collect()
}

async fn check_all<'a>(desk: &mut Desk, checks: Vec<Check<'a>>, tell: bool) -> Result<Outcome<'a>, Failure> {
    let begun = Instant::now();
    let total: f64 = checks.iter().map(|check| check.wanted.nodes as f64).sum();
    let mut progress = Progress::new();
    let mut outcome = Outcome {
        counts: checks.len(),
        positions: checks.chunk_by(|a, b| std::ptr::eq(a.entry, b.entry)).count(),
        nodes: 0,
        wrong: Vec::new(),
        time: Duration::ZERO,
    };
    for check in checks {
        let request = Request::plain(check.entry.position, check.wanted.depth);
        let before = outcome.nodes;
        let mut show = |nodes: u128| {
            let so_far = before.saturating_add(nodes);
            progress.update(Part {
                fraction: Some(so_far as f64 / total.max(1.0)),
                nodes: so_far,
                doubted: 0,
                checks: None,
            });
        };
        let got = desk.count(&request, |part| show(part.nodes)).await?.answer.nodes;
        show(got);
        outcome.nodes = before.saturating_add(got);
        if got != check.wanted.nodes {
            let wrong = Wrong { check, got };
            if tell {
                progress.aside(|| print(&format!("{}\n", wrong.line())))?;
            }
            outcome.wrong.push(wrong);
        }
    }
    outcome.time = begun.elapsed();
    Ok(outcome)
}

impl Wrong<'_> {
    fn line(&self) -> String {
        let Wanted { line, depth, nodes } = self.check.wanted;
        let (file, fen, got) = (self.check.file, &self.check.entry.fen, self.got);
        format!("{file}:{line}: {fen}: depth {depth}: wanted {nodes}, got {got}")
    }

    fn json(&self) -> Value {
        json!({
            "file": self.check.file,
            "line": self.check.wanted.line,
            "id": self.check.entry.id,
            "fen": self.check.entry.fen,
            "depth": self.check.wanted.depth,
            "wanted": self.check.wanted.nodes.to_string(),
            "got": self.got.to_string(),
        })
    }
}

impl Outcome<'_> {
    fn verdict(&self) -> String {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let what = format!(
            "{} position{}, {} count{}, {} nodes",
            self.positions,
            plural(self.positions),
            self.counts,
            plural(self.counts),
            show_count(self.nodes)
        );
        match self.wrong.len() {
            0 => format!("{what}: all right"),
            1 => format!("{what}: 1 differs"),
            many => format!("{what}: {many} differ"),
        }
    }

    fn speed(&self) -> String {
        format!("{:.3} s, {} nodes/s", self.time.as_secs_f64(), show_count(self.nodes_per_second()))
    }

    fn nodes_per_second(&self) -> u128 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u128
    }

    fn json(&self) -> Value {
        json!({
            "positions": self.positions,
            "counts": self.counts,
            "nodes": self.nodes.to_string(),
            "wrong": self.wrong.iter().map(Wrong::json).collect::<Vec<_>>(),
            "seconds": self.time.as_secs_f64(),
            "nps": self.nodes_per_second() as u64,
        })
    }
}
