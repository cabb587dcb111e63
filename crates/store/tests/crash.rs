//! A coordinator is killed in the middle of a write, its machine loses power, its disk is full, failing, or
//! read-only: nothing that was acknowledged is lost, every law holds, and it goes on as soon as it can.
//!
//! The driver (`examples/drive.rs`) runs a script of calls against a store under `crash/shim.c`, which ends or
//! disturbs it. `VEZIR_KILLS=2000` kills it at more places.
#![cfg(target_os = "linux")]

#[path = "crash/machine.rs"]
mod machine;
#[path = "crash/verdict.rs"]
mod verdict;

use std::sync::atomic::{AtomicU64, Ordering};

use machine::{Fate, Fault, Machine};
use verdict::judge;

/// Error numbers of Linux.
const EIO: u32 = 5;
const EACCES: u32 = 13;
const ENOSPC: u32 = 28;
const EROFS: u32 = 30;

/// How many threads let drivers die.
const THREADS: u64 = 3;

/// How many writes and syncs a driver makes that nobody disturbs; then how many of each kind.
fn undisturbed(fate: Fate) -> Vec<u64> {
    let machine = Machine::new();
    let said = machine.drive(fate);
    assert!(said.status.success(), "a driver that nobody disturbs must come to its end");
    assert!(said.calls.len() > 100, "hardly anything was acknowledged");
    let cut = machine.cut();
    assert_eq!(judge(&machine.store(), &said.calls), Ok(()));
    assert_eq!(judge(&cut, &said.calls).is_err(), fate.unsynced, "what the disk has is what was synced");
    machine.counts()
}

/// Lets a driver die at a write or sync. Tells whether it came that far, and what is left after a power cut.
fn die_at(kill: u64, unsynced: bool) -> (bool, Result<(), String>) {
    let machine = Machine::new();
    let said = machine.drive(Fate { kill: Some(kill), unsynced, ..Fate::default() });
    let cut = machine.cut();
    assert_eq!(judge(&machine.store(), &said.calls), Ok(()), "killed at {kill}");
    (said.was_killed(), judge(&cut, &said.calls))
}

/// Kills a driver at each of `kills` places, and judges what is left: as it is, and after a power cut. Tells
/// what was wrong after power cuts.
fn kill(kills: u64, unsynced: bool) -> Vec<String> {
    let all = undisturbed(Fate { unsynced, ..Fate::default() })[0];
    let next = AtomicU64::new(0);
    let die = || {
        let mut wrong = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if place >= kills {
                return wrong;
            }
            let mut kill = 1 + place * all / kills;
            loop {
                let (was_killed, cut) = die_at(kill, unsynced);
                wrong.extend(cut.err().map(|why| format!("cut at {kill} of {all}: {why}")));
                if was_killed {
                    break;
                }
                // Calls that were sent at once came into fewer commits this time.
                kill -= kill / 20 + 1;
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(die)).collect();
        threads.into_iter().flat_map(|it| it.join().expect("a thread that ends")).collect()
    })
}

/// Disturbs the disk for a while. The driver hears `sentence`, and of a fault that is called `name`, and comes to its end all the same, unless it
/// could not open the store; nothing is lost in either case. Tells whether it heard anything: a log that cannot
/// be carried over now is nobody's concern.
fn disturb(fault: Fault, name: &str, sentence: &str) -> bool {
    let machine = Machine::new();
    let said = machine.drive(Fate { fault: Some(fault), ..Fate::default() });
    let heard: Vec<&String> = said.unusable.iter().chain(&said.refused).collect();
    let at = fault.from;
    assert!(heard.iter().all(|why| why.contains(sentence)), "from {at}: {heard:?}");
    assert!(said.unusable.iter().all(|why| why.starts_with(name)), "from {at}: {heard:?}");
    assert!(said.refused.is_some() || said.status.success(), "from {at}: the driver must come to its end");
    assert!(said.refused.is_some() || said.calls.len() > 100, "from {at}: hardly anything was acknowledged");
    for store in [machine.cut(), machine.store()] {
        assert_eq!(judge(&store, &said.calls), Ok(()), "from {at}");
    }
    !heard.is_empty()
}

#[test]
fn killed_anywhere_it_loses_nothing() {
    let kills = std::env::var("VEZIR_KILLS").map_or(200, |kills| kills.parse().expect("a number"));
    assert_eq!(kill(kills, false), [""; 0], "something was lost");
}

#[test]
fn without_syncs_a_power_cut_loses_something() {
    assert!(!kill(12, true).is_empty(), "the test does not see what is lost");
}

#[test]
fn a_full_disk_is_told_and_survived() {
    let writes = undisturbed(Fate::default())[1];
    let full = |part: u64| {
        let (from, kind, errno) = (1 + part * (writes - 40) / 20, "write", ENOSPC);
        let to = from + 1 + 4 * part;
        disturb(Fault { kind, from, to, errno }, "Full", "the disk is full; free space would be right")
    };
    assert!((0..20).filter(|part| full(*part)).count() > 10, "hardly anybody has heard of it");
}

#[test]
fn a_disk_that_becomes_read_only_is_told_and_survived() {
    let writes = undisturbed(Fate::default())[1];
    let read_only = |part: u64| {
        let (from, kind, errno) = (1 + part * (writes - 40) / 6, "write", EROFS);
        disturb(Fault { kind, from, to: from + 10, errno }, "Unreachable", "the disk does not read or write")
    };
    assert!((0..6).filter(|part| read_only(*part)).count() > 3, "hardly anybody has heard of it");
}

#[test]
fn a_disk_that_forgets_after_a_failed_sync_is_survived() {
    let syncs = undisturbed(Fate::default())[2];
    let fail = |from: u64| {
        // Once, or until the file is opened again, or beyond.
        let (kind, to, errno) = ("sync", from + 1 + from % 4, EIO);
        disturb(Fault { kind, from, to, errno }, "Unreachable", "the disk does not read or write")
    };
    let heard = (1..syncs - 8).filter(|from| fail(*from)).count() as u64;
    assert!(heard > syncs / 2, "hardly anybody has heard of it");
}

#[test]
fn a_read_only_file_is_refused_and_left_alone() {
    let machine = Machine::new();
    let said = machine.drive(Fate::default());
    let fault = Fault { kind: "open", from: 0, to: u64::MAX >> 1, errno: EACCES };
    let refused = machine.drive(Fate { seed: 1, fault: Some(fault), ..Fate::default() });
    let why = refused.refused.expect("a store that may not be written is refused");
    assert!(why.contains("cannot be written: the file"), "{why}");
    assert_eq!(judge(&machine.store(), &said.calls), Ok(()));
}

#[test]
fn a_second_process_is_refused() {
    let machine = Machine::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let store = runtime.block_on(vezir_store::Sqlite::open(machine.store())).expect("a store");
    let why = machine.drive(Fate::default()).refused.expect("a store that is in use is refused");
    let sentence = format!("process {} has this store open", std::process::id());
    assert!(why.contains(&sentence), "{why}");
    runtime.block_on(store.close());
    assert!(machine.drive(Fate::default()).status.success(), "a store that is free can be opened");
}
