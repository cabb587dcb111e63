//! What a count is made with changes nothing about it: instructions, keys, a table, threads.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use vezir_chess::Position;
use vezir_perft::{Counted, Counter, Isa, IsaError, NAMED, Slot, StartError};

/// Small enough that entries are pushed out all the time.
const HASH_BYTES: u64 = 1 << 12;

/// Deep enough that tables answer, and quick.
const DEPTH: u32 = 4;

const SEEDS: [u64; 4] = [Counter::SEED, 1, 0x9E37_79B9_7F4A_7C15, u64::MAX];

fn counter(isa: Isa, seed: u64, threads: usize, hash_bytes: u64) -> Counter {
    let counter = Counter::new(NonZero::new(threads).expect("some")).expect("threads");
    let mut counter = counter.with_isa(isa).expect("it is available").with_seed(seed);
    counter.reserve(hash_bytes).expect("memory");
    counter
}

fn count(counter: &Counter, root: &Position, depth: u32, kinds: bool) -> Counted {
    let slot = Slot { position: root.pack(), shares: Vec::new() };
    counter.count(&[slot], depth, kinds, &AtomicBool::new(false)).expect("a count")
}

#[test]
fn every_instruction_set_and_every_seed_count_the_same() {
    for named in NAMED {
        let root = named.position().expect("a position");
        let plain = count(&counter(Isa::Baseline, Counter::SEED, 1, 0), &root, DEPTH, false).answer;
        assert_eq!(plain.nodes, named.nodes[DEPTH as usize], "{}", named.name);
        for isa in Isa::available() {
            for (seed, threads, hash_bytes) in SEEDS.into_iter().flat_map(|seed| {
                [(seed, 1, 0), (seed, 1, HASH_BYTES), (seed, 2, HASH_BYTES), (seed, 2, 1 << 24)]
            }) {
                let counted = count(&counter(isa, seed, threads, hash_bytes), &root, DEPTH, false);
                assert_eq!(counted.answer, plain, "{} by {isa}, seed {seed}, {threads} threads", named.name);
            }
        }
    }
}

#[test]
fn a_breakdown_is_the_same_by_every_instruction_set() {
    let root = NAMED[1].position().expect("a position");
    let mut kinds = Isa::available().map(|isa| count(&counter(isa, 7, 2, 0), &root, DEPTH, true).answer);
    let first = kinds.next().expect("there is the baseline");
    assert_eq!(first.breakdown.as_ref().map(|kinds| kinds.captures), Some(757_163));
    assert!(kinds.all(|other| other == first));
}

#[test]
fn a_seed_means_other_keys_and_an_instruction_set_does_not() {
    // Here many ways lead to one position.
    let root = NAMED[0].position().expect("a position");
    let figures = |isa, seed| count(&counter(isa, seed, 1, HASH_BYTES), &root, DEPTH + 1, false).figures;
    let first = figures(Isa::Baseline, 3);
    assert!(Isa::available().all(|isa| figures(isa, 3) == first));
    // With other keys other entries meet in the small table.
    let others = SEEDS.map(|seed| figures(Isa::Baseline, seed));
    assert!(others.iter().any(|figures| *figures != others[0]), "{others:?}");
}

#[test]
fn instructions_that_are_not_there_are_refused() {
    for isa in Isa::ALL.into_iter().filter(|isa| !isa.is_available()) {
        let refused = Counter::new(NonZero::<usize>::MIN).expect("a thread").with_isa(isa).err();
        assert!(matches!(refused, Some(StartError::Isa(IsaError::Lacking(it))) if it == isa), "{refused:?}");
    }
}
