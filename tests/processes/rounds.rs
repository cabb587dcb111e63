//! Three workers count, and processes are killed and stopped in the midst of it: the answer is exact, nothing is
//! counted twice, and every law holds.

use std::env;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use vezir_tests::cluster::{Coordinator, Count, Export, Process, Progress, Said, StoreFile, Worker, until};
use vezir_tests::executable;

/// The term of a lease.
const LEASE: Duration = Duration::from_secs(3);

/// How long a round may take.
const LIMIT: Duration = Duration::from_secs(600);

/// How long a step of a round may take: several leases, on a busy machine.
const STEP: Duration = Duration::from_secs(60);

/// Which part of the units is done, in percent, when processes are killed.
const WHEN: u64 = 15;

/// The run that is submitted to a new store.
const RUN: u64 = 1;

/// Asks for so many rounds of the larger counts, instead of one of the smaller ones.
const ROUNDS: &str = "VEZIR_ROUNDS";

/// A count, and what is known of it.
struct Case {
    position: &'static str,
    depth: &'static str,
    nodes: u128,
    /// How many units are made of it.
    units: &'static str,
    /// With how many threads each of the other workers counts.
    threads: &'static str,
    /// How long a unit takes at least with the worker that is stopped: much longer than it is counted, so that
    /// some are ready when it is stopped, and less than twice the lease, so that they are told when it goes on.
    slow: &'static str,
    /// What one process alone finds.
    alone: OnceLock<Count>,
}

static START: [Case; 2] = [
    Case {
        position: "startpos",
        depth: "7",
        nodes: 3_195_901_860,
        units: "240",
        threads: "4",
        slow: "2s",
        alone: OnceLock::new(),
    },
    Case {
        position: "startpos",
        depth: "8",
        nodes: 84_998_978_956,
        units: "960",
        threads: "8",
        slow: "5s",
        alone: OnceLock::new(),
    },
];

static KIWIPETE: [Case; 2] = [
    Case {
        position: "kiwipete",
        depth: "5",
        nodes: 193_690_690,
        units: "240",
        threads: "4",
        slow: "2s",
        alone: OnceLock::new(),
    },
    Case {
        position: "kiwipete",
        depth: "6",
        nodes: 8_031_647_685,
        units: "240",
        threads: "4",
        slow: "3s",
        alone: OnceLock::new(),
    },
];

/// What happens in the midst of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Disturbance {
    Nothing,
    Workers,
    Coordinator,
    Both,
}

impl Case {
    fn alone(&self) -> &Count {
        self.alone.get_or_init(|| {
            let words =
                ["perft", self.depth, "--position", self.position, "--divide", "--json", "--hash", "256MiB"];
            let mut command = executable::vezir();
            command.args(words);
            let said = Said::of(&words, Process::start("one process alone", command), LIMIT).code(0);
            let count = Count::read(&said.json());
            assert_eq!((count.nodes, count.divided()), (self.nodes, self.nodes));
            count
        })
    }
}

/// A coordinator, three workers, and a user who waits for the answer.
struct Round {
    store: StoreFile,
    coordinator: Coordinator,
    workers: Vec<Worker>,
    user: Process,
    /// The run as it was before anybody was killed.
    before: Option<Export>,
}

impl Round {
    fn start(case: &Case) -> Round {
        let store = StoreFile::new();
        let coordinator = Coordinator::start(&store, &["--lease", "3s", "--no-second-leases"]);
        let workers =
            [("one", case.threads, "500ms"), ("two", "8", case.slow), ("three", case.threads, "500ms")];
        let workers = workers.map(|(name, threads, unit)| {
            let means = ["--threads", threads, "--hash", "64MiB", "--rehearse-unit-at-least", unit];
            Worker::start(coordinator.address(), name, &means)
        });
        let mut command = executable::vezir();
        command.args(["perft", case.depth, "--position", case.position, "--divide", "--json"]);
        command.args(["--split", "3", "--units", case.units, "--coordinator", coordinator.address()]);
        let user = Process::start("the user", command);
        coordinator.await_run(RUN);
        Round { store, coordinator, workers: workers.into(), user, before: None }
    }

    /// Waits until enough is done and every worker counts; what counts by then.
    fn await_midst(&self) -> Export {
        Progress::await_midst(&self.coordinator, RUN, WHEN, STEP);
        until("all workers to count", STEP, || {
            let workers = self.coordinator.workers();
            let busy = workers.iter().filter(|worker| worker["jobs"].as_u64() > Some(0)).count();
            (busy == self.workers.len()).then_some(())
        });
        let export = self.export();
        self.coordinator.progress(RUN).assert_midst();
        export
    }

    /// Kills and stops as `disturbance` says. Whoever was stopped goes on after twice the lease, and reports late.
    fn disturb(mut self, disturbance: Disturbance) -> Round {
        if disturbance == Disturbance::Nothing {
            return self;
        }
        self.before = Some(self.await_midst());
        if disturbance == Disturbance::Coordinator {
            self.coordinator = self.coordinator.kill_and_start_again();
            return self;
        }
        let [killed, stopped] = ["one", "two"].map(|name| number(&self.coordinator, name));
        let begun = Instant::now();
        self.workers[1].stop();
        self.workers.remove(0).kill();
        if disturbance == Disturbance::Both {
            self.coordinator.progress(RUN).assert_midst();
            self.coordinator = self.coordinator.kill_and_start_again();
        }
        self.await_expiry(&[killed, stopped]);
        until("twice the lease to pass", STEP, || (begun.elapsed() >= LEASE * 2).then_some(()));
        let before = self.export().late(stopped).count();
        self.workers[0].go_on();
        until("a late report", STEP, || (self.export().late(stopped).count() > before).then_some(()));
        self
    }

    /// Waits until a lease of each of these workers has expired.
    fn await_expiry(&self, workers: &[u64]) {
        until("leases to expire", STEP, || {
            let export = self.export();
            let expired = |worker: &u64| export.ended("expired").any(|lease| lease.worker == *worker);
            workers.iter().all(expired).then_some(())
        });
    }

    fn export(&self) -> Export {
        Export::from_coordinator(&self.coordinator, RUN)
    }

    /// Waits for the answer, and checks it and everything that is kept of the run.
    fn finish(self, case: &Case) {
        let said = Said::of(&["perft"], self.user, LIMIT).code(0);
        let count = Count::read(&said.json());
        assert_eq!((count.nodes, count.divided()), (case.nodes, case.nodes));
        assert_eq!(&count, case.alone());
        let export = Export::from_coordinator(&self.coordinator, RUN);
        export.assert_whole();
        assert_eq!((export.sum(), export.run["state"].as_str()), (count, Some("done")));
        let before = self.before.iter().flat_map(|before| &before.findings);
        let lost: Vec<_> = before.filter(|found| !export.findings.contains(found)).collect();
        assert!(lost.is_empty(), "acknowledged, and lost: {lost:?}");
        let again: Vec<_> = export.leases.iter().filter(|lease| lease.purpose != "count").collect();
        assert!(again.is_empty(), "second leases are off: {again:?}");
        self.workers.into_iter().for_each(Worker::drain);
        self.coordinator.stop();
        self.store.check();
    }
}

fn number(coordinator: &Coordinator, worker: &str) -> u64 {
    coordinator.worker(worker)["worker"].as_u64().expect("a worker has a number")
}

/// Plays one round of the smaller count or, where the environment asks for it, many of the larger one.
fn play([small, large]: &'static [Case; 2], disturbance: Disturbance) {
    let asked = env::var(ROUNDS).ok().map(|rounds| rounds.parse::<u32>().expect("a number of rounds"));
    let case = if asked.is_some() { large } else { small };
    for round in 1..=asked.unwrap_or(1) {
        let begun = Instant::now();
        Round::start(case).disturb(disturbance).finish(case);
        let Case { position, depth, .. } = case;
        eprintln!(
            "{position} {depth}, {disturbance:?}, round {round}: {:.1} s",
            begun.elapsed().as_secs_f64()
        );
    }
}

#[test]
fn the_start_position_undisturbed() {
    play(&START, Disturbance::Nothing);
}

#[test]
fn the_start_position_while_workers_are_killed_and_stopped() {
    play(&START, Disturbance::Workers);
}

#[test]
fn the_start_position_while_the_coordinator_is_killed() {
    play(&START, Disturbance::Coordinator);
}

#[test]
fn the_start_position_while_everybody_is_killed() {
    play(&START, Disturbance::Both);
}

#[test]
fn kiwipete_undisturbed() {
    play(&KIWIPETE, Disturbance::Nothing);
}

#[test]
fn kiwipete_while_workers_are_killed_and_stopped() {
    play(&KIWIPETE, Disturbance::Workers);
}

#[test]
fn kiwipete_while_the_coordinator_is_killed() {
    play(&KIWIPETE, Disturbance::Coordinator);
}

#[test]
fn kiwipete_while_everybody_is_killed() {
    play(&KIWIPETE, Disturbance::Both);
}

/// The check of the midst must be able to fail.
#[test]
fn the_midst_has_edges() {
    let edge = Progress { state: "running".to_owned(), units: Some(100), done: 90, leased: 1, nodes: 0 };
    edge.assert_midst();
    for wrong in [91, 9].map(|done| Progress { done, ..edge.clone() }) {
        assert!(std::panic::catch_unwind(|| wrong.assert_midst()).is_err(), "{wrong:?}");
    }
    assert!(std::panic::catch_unwind(|| Progress { leased: 0, ..edge }.assert_midst()).is_err());
}
