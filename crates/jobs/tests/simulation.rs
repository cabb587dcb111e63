//! The ledger under everything that goes wrong in a cluster, in virtual time, each seed one world.
//!
//! A failing seed prints its number; `VEZIR_SEED=<number>` replays that world alone, and `VEZIR_SEEDS=<n>`
//! tries more of them.

#[path = "simulation/fault.rs"]
mod fault;
#[path = "simulation/network.rs"]
mod network;
#[path = "simulation/store.rs"]
mod store;
#[path = "simulation/truth.rs"]
mod truth;
#[path = "simulation/worker.rs"]
mod worker;
#[path = "simulation/world.rs"]
mod world;

use std::env;
use std::ops::Range;

use fault::Fault;
use world::World;

/// How many worlds are tried where nobody asks for more.
const SEEDS: u64 = 300;

/// Within how many worlds a planted fault must show.
const SEEDS_TO_FIND: u64 = 100;

fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is {text}; a number would be right")))
}

fn seeds() -> Range<u64> {
    match number("VEZIR_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("VEZIR_SEEDS").unwrap_or(SEEDS),
    }
}

#[test]
fn every_law_holds_in_every_world() {
    let mut seen = world::Seen::default();
    for seed in seeds() {
        match World::new(seed, None).live() {
            Ok(world) => seen.add(&world),
            Err(complaint) => panic!("VEZIR_SEED={seed}: {complaint}"),
        }
    }
    println!("{seen:?}");
    if number("VEZIR_SEED").is_none() {
        seen.assert_everything_happened();
    }
}

#[test]
fn a_seed_is_one_world() {
    let told = |seed| World::new(seed, None).live().map(|seen| format!("{seen:?}"));
    assert_eq!(told(7), told(7));
    assert_ne!(told(7), told(8));
}

#[test]
fn every_planted_fault_is_found() {
    for fault in Fault::ALL {
        let mut found = (0..SEEDS_TO_FIND).filter_map(|seed| {
            let complaint = World::new(seed, Some(fault)).live().err()?;
            Some((seed, complaint))
        });
        let Some((seed, complaint)) = found.next() else {
            panic!("{fault:?} is not found within {SEEDS_TO_FIND} seeds")
        };
        println!("{fault:?}: seed {seed}: {complaint}");
        assert!(fault.explains(&complaint), "{fault:?} is found as something else: {complaint}");
    }
}
