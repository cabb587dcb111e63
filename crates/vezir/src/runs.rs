//! `vezir runs`: what was counted, what is being counted, and what was interrupted.

use std::path::Path;

use vezir_jobs::{Brief, RunId, RunSummary};

use crate::args::{Convention, ListArgs, OneRunArgs, ResumeArgs, RunsArgs, RunsCommand, WatchArgs};
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::export;
use crate::follow::Ended;
use crate::home;
use crate::listing;
use crate::office::Office;
use crate::progress::Progress;
use crate::report::{Published, Report};
use crate::root::Root;
use crate::talk::{print, say};
use crate::verdict::Verdict;

/// The most runs that are asked for at once.
const AT_ONCE: u32 = 100;

/// Does what is asked of one run, or of all.
pub(crate) async fn run(args: RunsArgs) -> Result<Exit, Failure> {
    match args.command {
        RunsCommand::List(args) => list(args).await,
        RunsCommand::Show(args) => show(args).await,
        RunsCommand::Watch(args) => watch(args).await,
        RunsCommand::Cancel(args) => cancel(args).await,
        RunsCommand::Resume(args) => resume(args).await,
        RunsCommand::Export(args) => export(args).await,
    }
}

async fn list(args: ListArgs) -> Result<Exit, Failure> {
    let office = Office::to_look(&args.place, None).await?;
    let mut found: Vec<RunSummary> = Vec::new();
    let mut before = None;
    while found.len() < args.most as usize {
        let some = office.client().list(before, AT_ONCE).await?;
        let Some(last) = some.last() else { break };
        before = Some(last.id);
        found.extend(some.into_iter().filter(|run| !args.open || !run.state.has_ended()));
    }
    found.truncate(args.most as usize);
    let (is_here, is_idle) = (office.is_here(), office.is_idle());
    office.close().await;
    print(&if args.json { listing::runs_json(&found) } else { listing::runs_table(&found) })?;
    if is_here {
        tell_more(&home::path(&args.place.store)?, found.iter().filter(|_| is_idle));
    }
    Ok(Exit::Done)
}

/// Tells how a run goes on that nobody works on, and where other runs are.
fn tell_more<'a>(path: &Path, mut idle: impl Iterator<Item = &'a RunSummary>) {
    if let Some(open) = idle.find(|run| !run.state.has_ended()) {
        let (run, hint) = (open.id, home::hint(path));
        say(&format!("nobody works on run {run}; `vezir runs resume {run}{hint}` goes on with it"));
    }
    for beside in home::beside(path) {
        say(&format!("there are more runs in another store: --store {}", beside.display()));
    }
}

async fn show(args: OneRunArgs) -> Result<Exit, Failure> {
    let office = Office::to_look(&args.place, Some(RunId(args.run))).await?;
    let shown = office.client().show(RunId(args.run)).await;
    office.close().await;
    let shown = shown?;
    print(&if args.json { listing::run_json(&shown) } else { listing::run_lines(&shown) })?;
    Ok(Exit::Done)
}

async fn cancel(args: OneRunArgs) -> Result<Exit, Failure> {
    let office = Office::open(&args.place).await?;
    let run = RunId(args.run);
    let cancelled = office.client().cancel(run).await;
    let shown = office.client().show(run).await;
    office.close().await;
    cancelled?;
    let shown = shown?;
    if args.json {
        print(&listing::run_json(&shown))?;
    } else {
        say(&format!("run {run} is {}", listing::state(shown.state)));
    }
    Ok(Exit::Done)
}

async fn export(args: OneRunArgs) -> Result<Exit, Failure> {
    let office = Office::to_look(&args.place, Some(RunId(args.run))).await?;
    let exported = export::run(office.client(), RunId(args.run)).await;
    office.close().await;
    exported
}

/// Waits for a run that somebody works on.
async fn watch(args: WatchArgs) -> Result<Exit, Failure> {
    let mut desk = match Desk::elsewhere(&args.place.dial).await? {
        Some(desk) => desk,
        None => return watch_here(&args).await,
    };
    let told = finish(&mut desk, RunId(args.run), args.divide, args.json).await;
    desk.close().await;
    told
}

/// Nobody works on a run in a store that is free: only its end can be told.
async fn watch_here(args: &WatchArgs) -> Result<Exit, Failure> {
    let office = Office::to_look(&args.place, Some(RunId(args.run))).await?;
    let shown = office.client().show(RunId(args.run)).await;
    let is_idle = office.is_idle();
    office.close().await;
    let shown = shown?;
    if !shown.state.has_ended() && !is_idle {
        let sentence = "another process has this store open; --coordinator with its address, if it is a \
                        coordinator, or the run's end would be right";
        return Err(Failure::new(Exit::Usage, sentence));
    }
    if !shown.state.has_ended() {
        let hint = home::hint(&home::path(&args.place.store)?);
        let sentence =
            format!("nobody works on run {0}; `vezir runs resume {0}{hint}` would be right", args.run);
        return Err(Failure::new(Exit::Usage, sentence));
    }
    tell(&shown, args.divide, args.json)
}

/// Goes on with a run. One of a coordinator elsewhere goes on by itself, and is waited for.
async fn resume(args: ResumeArgs) -> Result<Exit, Failure> {
    if let Some(mut desk) = Desk::elsewhere(&args.dial).await? {
        let told = finish(&mut desk, RunId(args.run), args.divide, args.json).await;
        desk.close().await;
        return told;
    }
    let path = home::path(&args.store)?;
    let store = home::open_to_change(&path).await?;
    let mut desk = Desk::on(store, path, &args.means)?;
    let told = finish(&mut desk, RunId(args.run), args.divide, args.json).await;
    desk.close().await;
    told
}

/// Waits for a run's end, and tells its answer.
async fn finish(desk: &mut Desk, run: RunId, divide: bool, json: bool) -> Result<Exit, Failure> {
    let before = desk.client().show(run).await?;
    desk.client().resume(run).await?;
    let mut progress = Progress::new();
    let ended = desk.await_end(run, |part| progress.update(part)).await;
    drop(progress);
    let ended = ended?;
    let shown = desk.client().show(run).await?;
    if before.progress.done > 0 && !before.state.has_ended() {
        say(&format!("{} units were counted before", before.progress.done));
    }
    tell_end(&shown, ended, divide, json)
}

/// Tells the answer of a run that has ended.
fn tell(shown: &RunSummary, divide: bool, json: bool) -> Result<Exit, Failure> {
    tell_end(shown, crate::follow::ended(&shown.progress)?, divide, json)
}

fn tell_end(shown: &RunSummary, ended: Ended, divide: bool, json: bool) -> Result<Exit, Failure> {
    let time = shown.ended.unwrap_or(shown.submitted).saturating_sub(shown.submitted);
    let Ended { tally, expected_false_hits } = ended;
    match &shown.asked {
        Brief::Perft(perft) => {
            let (root, depth, answer) = (Root::of(perft.position), perft.depth, tally.counted.answer);
            let published = Published::compare(&root, depth, answer.nodes);
            let convention = perft.breakdown.then_some(Convention::Wiki);
            let report = Report { root, depth, published, answer, time, expected_false_hits };
            report.tell(divide, convention, json)
        }
        Brief::Verify { engine, subject, .. } => {
            let survey = tally.survey.map(|survey| *survey).unwrap_or_default();
            let (engine, about) = (engine.clone(), subject.clone());
            Verdict { engine, about, survey, time, all: true }.tell(json)
        }
    }
}
