//! One table kept over positions that differ in little, in both orders, by one thread and by several.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use vezir_chess::Position;
use vezir_perft::{Counter, Slot};

/// Small enough that entries are pushed out all the time.
const HASH_BYTES: u64 = 1 << 20;

/// Positions with the counts of their depths from 1 on: the first pair differs in the en passant square alone,
/// the second in one castling right.
const POSITIONS: [(&str, &[u128]); 5] = [
    ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2", &[7, 39, 285, 1_878, 14_184, 95_842]),
    ("4k3/8/8/2pP4/8/8/8/4K3 w - - 0 2", &[6, 35, 261, 1_733, 13_036, 88_837]),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &[26, 568, 13_744, 314_346, 7_594_526]),
    ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", &[25, 525, 12_647, 287_755, 6_956_629]),
    (
        "r3k2r/p2pqpb1/1n2pnp1/2pPN3/1p2P3/2N2Q1p/PPPB1PPP/R3K2R w KQkq c6 0 2",
        &[47, 1_734, 79_212, 2_899_469, 129_984_977],
    ),
];

fn counter(threads: usize, hash_bytes: u64) -> Counter {
    let mut counter = Counter::new(NonZero::new(threads).expect("some")).expect("threads");
    counter.reserve(hash_bytes).expect("memory");
    counter
}

fn assert_counts(counter: &Counter, (fen, counts): (&str, &[u128])) {
    let root: Position = fen.parse().expect("a position");
    for (depth, nodes) in (1..).zip(counts) {
        let slot = Slot { position: root.pack(), shares: Vec::new() };
        let counted = counter.count(&[slot], depth, false, &AtomicBool::new(false)).expect("a count");
        assert_eq!(counted.answer.nodes, *nodes, "{fen} at depth {depth}, {} threads", counter.threads());
    }
}

#[test]
fn both_orders_with_one_table() {
    for threads in [1, 4] {
        let counter = counter(threads, HASH_BYTES);
        POSITIONS
            .into_iter()
            .chain(POSITIONS.into_iter().rev())
            .for_each(|case| assert_counts(&counter, case));
    }
}

#[test]
fn without_a_table() {
    let counter = counter(2, 0);
    POSITIONS.into_iter().for_each(|case| assert_counts(&counter, case));
}
