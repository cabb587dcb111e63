//! Frontiers are kept, read back, grown again where they cannot be, and cleared away.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::watch;
use vezir_chess::Position;
use vezir_jobs::ledger::{Answered, Reply, State, Verb};
use vezir_jobs::{Kind, Request, RunId, Submission, Verify};
use vezir_store::{Artifacts, Memory, Store};
use vezir_telemetry::Registry;

use super::*;
use crate::coordinator::{Coordinator, own_call};

/// One life of a coordinator, as far as its frontiers go.
struct Life {
    frontiers: Frontiers,
    registry: Registry,
}

impl Life {
    fn on(folder: &Path) -> Life {
        let registry = Registry::new("0").expect("a registry");
        let metrics = Metrics::new(&registry).expect("new names");
        let artifacts = Some(Artifacts::in_folder(folder).expect("artifacts"));
        let settings = Settings { artifacts, threads: NonZero::new(2), ..Settings::default() };
        Life { frontiers: Frontiers::new(&settings, metrics), registry }
    }

    async fn plan(&self, before: Option<Outline>) -> Result<Planned, Unplanned> {
        self.frontiers.plan(request(), before).await
    }

    /// How many frontiers grew, and how many were read back.
    fn came(&self) -> (u32, u32) {
        let text = self.registry.text().expect("a text");
        let number = |source: &str| {
            let start = format!("vezir_frontiers_total{{source=\"{source}\"}} ");
            let line = text.lines().find_map(|line| line.strip_prefix(&start));
            line.and_then(|number| number.parse().ok()).expect("a number")
        };
        (number("grown"), number("read"))
    }
}

fn request() -> PerftRequest {
    PerftRequest { split: Some(3), ..PerftRequest::new(Position::startpos(), 6) }
}

/// The only artifact of a folder.
fn artifact(folder: &Path) -> PathBuf {
    let hash = |path: &PathBuf| path.file_name().is_some_and(|name| name.len() == 2 * Hash::BYTES);
    let entries =
        |folder: &Path| fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry").path());
    let all =
        entries(folder).filter(|path| path.is_dir()).flat_map(|folder| entries(&folder).collect::<Vec<_>>());
    let all: Vec<PathBuf> = all.filter(hash).collect();
    assert_eq!(all.len(), 1, "{all:?}");
    all.into_iter().next().expect("there is one")
}

async fn planned() -> (TempDir, Outline) {
    let folder = tempfile::tempdir().expect("a folder");
    let life = Life::on(folder.path());
    let outline = life.plan(None).await.expect("a plan").outline;
    assert_eq!((outline.positions, outline.split, life.came()), (5_362, 3, (1, 0)));
    let name = artifact(folder.path()).file_name().map(|name| name.to_string_lossy().into_owned());
    assert_eq!(name, outline.frontier.map(|hash| hash.to_string()));
    (folder, outline)
}

#[tokio::test]
async fn after_a_restart_nothing_grows() {
    let (folder, outline) = planned().await;
    let life = Life::on(folder.path());
    let again = life.plan(Some(outline)).await.expect("a plan");
    assert_eq!((again.outline, life.came()), (outline, (0, 1)));
    assert_eq!(again.plan.frontier.paths(), 8_902);
}

#[tokio::test]
async fn what_is_damaged_or_missing_grows_again_and_is_healed() {
    let (folder, outline) = planned().await;
    let damage = |path: &Path| {
        let mut bytes = fs::read(path).expect("an artifact");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).expect("there is room");
    };
    let remove = |path: &Path| fs::remove_file(path).expect("an artifact");
    for spoil in [&damage as &dyn Fn(&Path), &remove] {
        spoil(&artifact(folder.path()));
        let life = Life::on(folder.path());
        assert_eq!(life.plan(Some(outline)).await.expect("a plan").outline, outline);
        assert_eq!(life.came(), (1, 0));
        let next = Life::on(folder.path());
        next.plan(Some(outline)).await.expect("a plan");
        assert_eq!(next.came(), (0, 1), "it was not healed");
    }
}

#[tokio::test]
async fn another_frontier_is_no_plan() {
    let (folder, outline) = planned().await;
    let other = Outline { frontier: Some(Hash([7; Hash::BYTES])), ..outline };
    for other in [other, Outline { units: outline.units + 1, ..outline }, Outline { split: 2, ..outline }] {
        let error = Life::on(folder.path()).plan(Some(other)).await.err().expect("it is another");
        assert!(matches!(error, Unplanned::Different), "{error}");
    }
}

#[tokio::test]
async fn what_cannot_be_kept_is_named_all_the_same() {
    let (folder, outline) = planned().await;
    let elsewhere = tempfile::tempdir().expect("a folder");
    let life = Life::on(elsewhere.path());
    // As on a full disk, no file can be begun.
    fs::remove_dir(elsewhere.path().join("staging")).expect("a folder");
    fs::write(elsewhere.path().join("staging"), "").expect("there is room");
    assert_eq!(life.plan(None).await.expect("a plan").outline, outline);
    let text = life.registry.text().expect("a text");
    assert!(text.contains("vezir_store_failures_total{cause=\"other\"} 1"), "{text}");
    // Nothing is there to be read, and the same grows again.
    let next = Life::on(folder.path());
    fs::remove_file(artifact(folder.path())).expect("an artifact");
    assert_eq!(next.plan(Some(outline)).await.expect("a plan").outline, outline);
}

#[tokio::test]
async fn small_frontiers_are_not_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let life = Life::on(folder.path());
    let small = PerftRequest { split: Some(2), ..request() };
    let planned = life.frontiers.plan(small.clone(), None).await.expect("a plan");
    assert_eq!(planned.outline.frontier, None);
    assert!(planned.plan.frontier.bytes() < SMALL_BYTES);
    let again = life.frontiers.plan(small, Some(planned.outline)).await.expect("a plan");
    assert_eq!((again.outline, life.came()), (planned.outline, (2, 0)));
}

#[test]
fn work_is_done_on_the_threads_that_were_asked_for() {
    assert_eq!(on_threads(NonZero::new(3), rayon::current_num_threads).expect("threads"), 3);
    assert_eq!(on_threads(None, || 7).expect("no threads"), 7);
}

async fn submit(store: &Memory, frontier: Hash) -> RunId {
    let request = Request::Perft(request());
    let submission = Submission { request, owner: "us".to_owned(), verify: Verify::Not, seed: 1 };
    let reply = store.call(own_call(), Verb::Submit { submission, kind: Kind::Bounded }).await;
    let Ok(Answered { reply: Reply::Submitted(run), .. }) = reply else { panic!("{reply:?}") };
    let (units, hash_bytes, frontier) = (9, 0, Some(frontier));
    let outline = Outline { units, split: 3, remaining: 3, positions: 5_362, hash_bytes, frontier };
    let terms = Settings::default().terms;
    store.call(own_call(), Verb::Plan { run, outline, again: true, terms }).await.expect("it is planned");
    run
}

fn coordinator(store: Memory) -> (Arc<Coordinator<Memory>>, watch::Sender<bool>) {
    let metrics = Metrics::new(&Registry::new("0").expect("a registry")).expect("new names");
    let (close, closing) = watch::channel(false);
    (Arc::new(Coordinator::new(store, Settings::default(), metrics, closing)), close)
}

#[tokio::test]
async fn a_run_that_was_split_differently_ends_with_a_sentence() {
    let store = Memory::new();
    let run = submit(&store, Hash([7; Hash::BYTES])).await;
    let view = store.run(run).await.expect("it was submitted");
    let (coordinator, _close) = coordinator(store);
    coordinator.clone().see_through(view).await;
    let ended = coordinator.store.run(run).await.expect("it was submitted").run;
    let reason = ended.failure.expect("it has failed");
    assert!(
        ended.state == State::Failed && reason.contains("submitting it again would be right"),
        "{reason}"
    );
}

#[tokio::test]
async fn artifacts_of_runs_that_have_ended_are_removed_when_they_are_old() {
    let artifacts = Artifacts::in_memory();
    let put =
        async |text: &'static str| artifacts.put(|out| out.write_all(text.as_bytes())).await.expect("room");
    let (unnamed, named) = (put("unnamed").await, put("named").await);
    let store = Memory::new();
    let run = submit(&store, named).await;
    let (coordinator, _close) = coordinator(store);
    let left = async |age: Duration| {
        coordinator.remove_unused(&artifacts, age).await;
        (artifacts.has(unnamed).await.expect("an answer"), artifacts.has(named).await.expect("an answer"))
    };
    assert_eq!(left(Duration::from_secs(3600)).await, (true, true));
    assert_eq!(left(Duration::ZERO).await, (false, true));
    coordinator.store.call(own_call(), Verb::Cancel { run }).await.expect("it is cancelled");
    assert_eq!(left(Duration::ZERO).await, (false, false));
}
