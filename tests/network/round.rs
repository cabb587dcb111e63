//! A coordinator, three workers and a user, from the submission to an answer that is exact in every part.

use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};
use std::{env, panic};

use vezir_tests::cluster::{Coordinator, Count, Export, Process, Progress, Said, StoreFile, Worker, until};
use vezir_tests::executable;

/// The term of a lease.
pub(crate) const LEASE: Duration = Duration::from_secs(3);

/// How long a unit takes at least.
pub(crate) const UNIT: &str = "500ms";

/// The words of a coordinator with that term.
pub(crate) const SHORT_LEASES: [&str; 2] = ["--lease", "3s"];

/// How long a round may take.
const LIMIT: Duration = Duration::from_secs(400);

/// How long a step of a round may take: several leases, on a busy machine.
pub(crate) const STEP: Duration = Duration::from_secs(90);

/// Which part of the units is done, in percent, when something happens.
const WHEN: u64 = 12;

/// The run that is submitted to a new store.
pub(crate) const RUN: u64 = 1;

/// The names of the workers.
pub(crate) const NAMES: [&str; 3] = ["one", "two", "three"];

/// Asks for so many rounds instead of one.
const ROUNDS: &str = "VEZIR_ROUNDS";

/// A count, and what is known of it.
pub(crate) struct Case {
    position: &'static str,
    depth: &'static str,
    nodes: u128,
    split: &'static str,
    units: &'static str,
    /// What one process alone finds.
    alone: OnceLock<Count>,
}

/// The start position, and Kiwipete.
pub(crate) static START: Case = Case::new("startpos", "6", 119_060_324, "3", "200");
pub(crate) static KIWIPETE: Case = Case::new("kiwipete", "5", 193_690_690, "2", "200");

/// The same in more units, for rounds in which much is done more than once.
pub(crate) static LONG_START: Case = Case::new("startpos", "6", 119_060_324, "3", "400");
pub(crate) static LONG_KIWIPETE: Case = Case::new("kiwipete", "5", 193_690_690, "2", "400");

/// Kiwipete again, for rounds that wait for the dice.
pub(crate) static LONGEST_KIWIPETE: Case = Case::new("kiwipete", "5", 193_690_690, "2", "1000");

impl Case {
    const fn new(
        position: &'static str,
        depth: &'static str,
        nodes: u128,
        split: &'static str,
        units: &'static str,
    ) -> Case {
        Case { position, depth, nodes, split, units, alone: OnceLock::new() }
    }

    fn alone(&self) -> &Count {
        self.alone.get_or_init(|| {
            let words = ["perft", self.depth, "--position", self.position, "--divide", "--json"];
            let mut command = executable::vezir();
            command.args(words).args(["--hash", "64MiB"]);
            let said = Said::of(&words, Process::start("one process alone", command), LIMIT).code(0);
            let count = Count::read(&said.json());
            assert_eq!((count.nodes, count.divided()), (self.nodes, self.nodes));
            count
        })
    }
}

/// A cluster, and what is counted with it.
pub(crate) struct Round {
    begun: Instant,
    store: StoreFile,
    pub(crate) coordinator: Coordinator,
    pub(crate) workers: Vec<Worker>,
    user: Option<(Process, &'static Case)>,
}

impl Round {
    /// A coordinator that is started with these words, and nobody yet who calls it.
    pub(crate) fn open(words: &[&str]) -> Round {
        let store = StoreFile::new();
        let words = [&["--metrics", "127.0.0.1:0"], words].concat();
        let coordinator = Coordinator::start(&store, &words);
        Round { begun: Instant::now(), store, coordinator, workers: Vec::new(), user: None }
    }

    /// Another worker, for whom the coordinator is at `address`. Its units take so long at least.
    pub(crate) fn hire(&mut self, address: &str, unit: &str) {
        let means = ["--threads", "4", "--hash", "16MiB", "--metrics", "127.0.0.1:0"];
        let words = [&means[..], &["--rehearse-unit-at-least", unit]].concat();
        self.workers.push(Worker::start(address, NAMES[self.workers.len()], &words));
    }

    /// The user, for whom the coordinator is at `address`, asks for a count and waits.
    pub(crate) fn ask(&mut self, address: &str, case: &'static Case) {
        let mut command = executable::vezir();
        command.args(["perft", case.depth, "--position", case.position, "--divide", "--json"]);
        command.args(["--split", case.split, "--units", case.units, "--coordinator", address]);
        self.user = Some((Process::start("the user", command), case));
        self.coordinator.await_run(RUN);
    }

    /// Waits until enough is done.
    pub(crate) fn await_midst(&self) {
        Progress::await_midst(&self.coordinator, RUN, WHEN, STEP);
    }

    /// The same, and every worker counts.
    pub(crate) fn await_everybody(&self) {
        self.await_midst();
        until("all workers to count", STEP, || {
            let workers = self.coordinator.workers();
            let busy = workers.iter().filter(|worker| worker["jobs"].as_u64() > Some(0)).count();
            (busy == self.workers.len()).then_some(())
        });
        self.assert_midst();
    }

    /// It is the midst of the work.
    pub(crate) fn assert_midst(&self) {
        self.coordinator.progress(RUN).assert_midst();
    }

    /// Waits in the midst of the work until `enough` happened.
    pub(crate) fn await_in_the_midst(&self, what: &str, enough: impl Fn() -> bool) {
        self.await_midst();
        // Where answers are swallowed, there are moments at which nobody holds anything.
        let now = until(what, STEP, || {
            let now = self.coordinator.progress(RUN);
            (enough() && now.leased > 0).then_some(now)
        });
        now.assert_midst();
    }

    /// The number of a worker.
    pub(crate) fn number(&self, name: &str) -> u64 {
        self.coordinator.worker(name)["worker"].as_u64().expect("a worker has a number")
    }

    /// The run as it is.
    pub(crate) fn export(&self) -> Export {
        Export::from_coordinator(&self.coordinator, RUN)
    }

    /// The sum of a figure of all workers.
    pub(crate) fn figure(&self, metric: &str, label: &str) -> u64 {
        self.workers.iter().map(|worker| worker.figure(metric, label)).sum()
    }

    /// Waits for the user's answer, and checks it and everything that is kept of the run.
    pub(crate) fn await_answer(&mut self) -> Export {
        let (user, case) = self.user.take().expect("somebody asked");
        let said = Said::of(&["perft"], user, LIMIT).code(0);
        let count = Count::read(&said.json());
        assert_eq!((count.nodes, count.divided()), (case.nodes, case.nodes));
        assert_eq!(&count, case.alone());
        let export = self.export();
        export.assert_whole();
        assert_eq!((export.sum(), export.run["state"].as_str()), (count, Some("done")));
        export
    }

    /// Ends everybody as operators do, and checks the store. `told` goes into the line about the round.
    pub(crate) fn close(self, what: &str, told: &str) {
        let Round { begun, store, coordinator, workers, .. } = self;
        let took = begun.elapsed().as_secs_f64();
        workers.into_iter().for_each(Worker::drain);
        coordinator.stop();
        store.check();
        eprintln!("{what}: {took:.1} s; {told}");
    }
}

/// A round to be played: its name, and what plays it when it is told that.
pub(crate) type Play = (&'static str, fn(&str));

/// Plays rounds beside each other, as they mostly wait; each once, or as often as the environment asks for.
///
/// # Panics
/// If any of them does.
pub(crate) fn play(rounds: &[Play]) {
    let asked = env::var(ROUNDS).ok().map(|rounds| rounds.parse::<u32>().expect("a number of rounds"));
    for _ in 0..asked.unwrap_or(1) {
        let playing = rounds.iter().map(|&(name, round)| {
            let thread = thread::Builder::new().name(name.to_owned());
            thread.spawn(move || round(name)).expect("a thread")
        });
        let playing: Vec<_> = playing.collect();
        let ended: Vec<_> = playing.into_iter().map(thread::JoinHandle::join).collect();
        if let Some(panicked) = ended.into_iter().find_map(Result::err) {
            panic::resume_unwind(panicked);
        }
    }
}
