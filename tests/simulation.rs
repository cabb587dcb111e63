//! The whole cluster under everything that goes wrong, in virtual time, each seed one world.
//!
//! The coordinator and the workers are the real ones, and talk over a simulated network. A failing seed prints
//! its number; `VEZIR_SEED=<number>` replays that world alone, and `VEZIR_SEEDS=<n>` tries more of them.
//! `README.md` of this folder says how exactly a world comes again.

#[path = "simulation/disk.rs"]
mod disk;
#[path = "simulation/fault.rs"]
mod fault;
#[path = "simulation/judge.rs"]
mod judge;
#[path = "simulation/lying.rs"]
mod lying;
#[path = "simulation/map.rs"]
mod map;
#[path = "simulation/relay.rs"]
mod relay;
#[path = "simulation/seen.rs"]
mod seen;
#[path = "simulation/trouble.rs"]
mod trouble;
#[path = "simulation/user.rs"]
mod user;
#[path = "simulation/wire.rs"]
mod wire;
#[path = "simulation/world.rs"]
mod world;

use std::env;
use std::ops::{Range, RangeInclusive};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use fault::Fault;
use seen::Seen;
use vezir_jobs::Verify;
use world::live;

/// How many worlds are tried where nobody asks for more.
const SEEDS: u64 = 300;

/// Within how many worlds a planted fault must show.
const SEEDS_TO_FIND: u64 = 100;

/// In how many worlds with nothing wrong but a liar he must be found.
const SEEDS_WITH_A_LIAR: u64 = 20;

/// Which part of all units a sample of 2,000 has counted a second time: its floor is what it promises, and what
/// it costs is to be clearly less than all.
const SAMPLED: RangeInclusive<f64> = 1.0 / Verify::FLOOR as f64..=0.7;

/// How many worlds are tried twice.
const SEEDS_REPEATED: u64 = 40;

/// The number that stands in a variable, if it is set.
fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is {text}; a number would be right")))
}

/// The worlds to try: `VEZIR_SEED` alone, or `VEZIR_SEEDS` of them from `VEZIR_FIRST_SEED` on, `usual` where
/// nobody says how many.
fn seeds(usual: u64) -> Range<u64> {
    if let Some(seed) = number("VEZIR_SEED") {
        return seed..seed + 1;
    }
    let first = number("VEZIR_FIRST_SEED").unwrap_or(0);
    first..first + number("VEZIR_SEEDS").unwrap_or(usual)
}

/// Calls `each` with every number, on all cores.
fn on_all_cores(numbers: Range<u64>, each: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(numbers.start);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                break;
            }
            each(number);
        }
    };
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
}

#[test]
fn every_law_holds_in_every_world() {
    let (seen, complaints) = (Mutex::new(Seen::default()), Mutex::new(Vec::new()));
    on_all_cores(seeds(SEEDS), |seed| match live(seed, None) {
        Ok((world, _)) => seen.lock().expect("no panic").add(&world),
        Err(complaint) => {
            complaints.lock().expect("no panic").push(format!("VEZIR_SEED={seed}: {complaint}"))
        }
    });
    let (seen, complaints) =
        (seen.into_inner().expect("no panic"), complaints.into_inner().expect("no panic"));
    println!("{seen}");
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
    if number("VEZIR_SEED").is_none() {
        seen.assert_everything_happened();
    }
}

#[test]
fn a_seed_is_one_world() {
    let same = Mutex::new(0);
    on_all_cores(0..SEEDS_REPEATED, |seed| {
        if live(seed, None) == live(seed, None) {
            *same.lock().expect("no panic") += 1;
        }
    });
    let same = same.into_inner().expect("no panic");
    println!("{same} of {SEEDS_REPEATED} worlds came again");
    // Plans are made on threads, and which of two is ready first no seed decides.
    assert!(same >= SEEDS_REPEATED * 3 / 4, "only {same} of {SEEDS_REPEATED} worlds came again");
}

#[test]
fn every_planted_fault_is_found() {
    on_all_cores(0..Fault::ALL.len() as u64, |number| {
        let fault = Fault::ALL[number as usize];
        let mut found = (0..SEEDS_TO_FIND).filter_map(|seed| Some((seed, live(seed, Some(fault)).err()?)));
        let Some((seed, complaint)) = found.next() else {
            panic!("{fault:?} is not found within {SEEDS_TO_FIND} seeds")
        };
        println!("{fault:?}: seed {seed}: {complaint}");
        assert!(fault.explains(&complaint), "{fault:?} is found as something else: {complaint}");
    });
}

/// Lets worlds with a liar run to their end; in which part of the units of each another worker was asked.
fn found_in_every_world(verify: Verify) -> Vec<f64> {
    let (shares, complaints) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    on_all_cores(seeds(SEEDS_WITH_A_LIAR), |seed| match lying::live(seed, verify) {
        Ok(found) => {
            println!("VEZIR_SEED={seed} {verify:?}: {found}");
            shares.lock().expect("no panic").push(found.share());
        }
        Err(complaint) => {
            complaints.lock().expect("no panic").push(format!("VEZIR_SEED={seed} {verify:?}: {complaint}"));
        }
    });
    let complaints = complaints.into_inner().expect("no panic");
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
    shares.into_inner().expect("no panic")
}

#[test]
fn a_sample_finds_whoever_lies_in_one_unit_of_fifty() {
    let shares = found_in_every_world(Verify::Sample);
    assert!(shares.iter().all(|share| SAMPLED.contains(share)), "{shares:?}");
}

#[test]
fn counting_all_twice_finds_whoever_lies_in_one_unit_of_fifty() {
    let shares = found_in_every_world(Verify::All);
    assert!(shares.iter().all(|share| *share == 1.0), "{shares:?}");
}
