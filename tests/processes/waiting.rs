//! Whoever comes before the coordinator waits for it.

use std::time::Duration;

use vezir_tests::cluster::{Coordinator, Process, StoreFile, vezir};
use vezir_tests::executable;

/// How long a word may be waited for.
const PATIENCE: Duration = Duration::from_secs(30);

#[test]
fn a_worker_that_is_started_first_waits_for_its_coordinator() {
    let store = StoreFile::new();
    let coordinator = Coordinator::start(&store, &[]);
    let mut worker = None;
    let coordinator = coordinator.kill_and_start_again_after(|address| {
        let mut command = executable::vezir();
        command.args(["worker", "--coordinator", address, "--name", "early", "--threads", "1"]);
        let mut process = Process::start("the early worker", command);
        process
            .told("that it waits", PATIENCE, |line| line.contains("nobody answers there yet").then_some(()));
        worker = Some(process);
    });
    let mut worker = worker.expect("a worker");
    worker.told("that it works", PATIENCE, |line| line.contains(" works for ").then_some(()));
    let said = vezir(&["perft", "4", "--coordinator", coordinator.address()]).code(0);
    assert_eq!(said.answer.trim_end(), "Nodes searched: 197281");
    // A run of a cluster is not one of this machine: `resume` asks the same coordinator as the others.
    let said = vezir(&["runs", "resume", "1", "--coordinator", coordinator.address()]).code(0);
    assert_eq!(said.answer.trim_end(), "Nodes searched: 197281");
    drop(worker);
    coordinator.stop();
}
