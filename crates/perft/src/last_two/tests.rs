//! The fast counts beside the plain one, on positions from random games and on some that no game reaches.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64};

use vezir_chess::{Bitboard, Move, Position, Square};

use crate::Isa;
use crate::tree::Tree;

thread_local! {
    /// The one move that may be accepted, where a fault is looked for.
    static ONLY: Cell<Option<Move>> = const { Cell::new(None) };
}

/// The targets that a man may be accepted for.
pub(super) fn asked(from: Square) -> Bitboard {
    match ONLY.get() {
        None => Bitboard::FULL,
        Some(only) if only.from() == from => only.to().into(),
        Some(_) => Bitboard::EMPTY,
    }
}

/// Whether one move alone may be accepted.
pub(super) fn asks_for_one() -> bool {
    ONLY.get().is_some()
}

/// Where games begin: standard ones, Chess960, double Fischer random, and positions that no game reaches.
const ROOTS: [&str; 18] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1",
    "8/P3k3/2R5/1P2PpPp/p1pPp3/3r4/3K2p1/8 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "bnqbrkrn/pppppppp/8/8/8/8/PPPPPPPP/RKRNNBBQ w CAge - 0 1",
    "r1k2r2/8/8/8/8/8/8/1R1K2R1 w GBfa - 0 1",
    "4k3/QQQ5/8/3q4/8/8/5qqq/4K3 w - - 0 1",
    "3qk3/3ppp2/QQQQQQQ1/8/8/1qqqqqqq/3PPP2/3QK3 w - - 0 1",
    "4k3/nnnnnnnn/8/2B2B2/2b2b2/8/NNNNNNNN/4K3 b - - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "8/k1p1p1p1/8/1P1P1P2/1p1p1p2/8/K1P1P1P1/8 w - - 0 1",
    "r3k2r/1P2P3/8/b7/4r3/3n4/1p1q2p1/R3K2R w KQkq - 0 1",
    "kq6/2PPP3/8/1n3n2/8/2n3n1/4p3/3QK2R w K - 0 1",
];

/// Random games, how many positions of each are looked at, and of how many one is counted three plies deep.
const GAMES: u64 = 1_600;
const PLIES: usize = 160;
const ONE_DEEP_IN: u64 = 10;

/// The most leaves that are counted by making moves.
const MOST_LEAVES: u64 = 100_000;

/// Leaves by making every move of all plies but the last.
fn naive(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_moves().into();
    }
    position.legal_moves().into_iter().map(|chosen| naive(&position.after(chosen), depth - 1)).sum()
}

/// The moves whose replies are told wrong, for the message of a test that fails.
fn culprits(isa: Isa, tree: &mut Tree<'_>, position: &Position) -> Vec<(Move, i64)> {
    let right = naive(position, 2) as i64;
    let off = position.legal_moves().into_iter().map(|chosen| {
        ONLY.set(Some(chosen));
        (chosen, isa.count(tree, position, 2) as i64 - right)
    });
    let found = off.filter(|(_, off)| *off != 0).collect();
    ONLY.set(None);
    found
}

/// Counts one position in each way that this machine has.
fn compare(isas: &[Isa], tree: &mut Tree<'_>, position: &Position, depth: u32) -> u64 {
    let right = naive(position, depth);
    for isa in isas {
        let told = isa.count(tree, position, depth);
        assert!(
            told == u128::from(right),
            "{isa:?}, depth {depth}: {told}, not {right}: {:?} of {position:?}",
            culprits(*isa, tree, position)
        );
    }
    right
}

#[test]
fn random_games_are_counted_as_if_every_move_were_made() {
    let knob = |name| std::env::var(name).ok().map(|number| number.parse().expect("a number"));
    let isas: Vec<Isa> = Isa::available().collect();
    let games = knob("GAMES").unwrap_or(GAMES);
    let one_deep_in = knob("ONE_DEEP_IN").unwrap_or(ONE_DEEP_IN);
    let seed = knob("SEED").unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}, {isas:?}");
    let mut random = fastrand::Rng::with_seed(seed);
    let (stop, walked) = (AtomicBool::new(false), AtomicU64::new(0));
    let (mut looked, mut deep) = (0_u64, 0_u64);
    for game in 0..games {
        let mut position: Position = ROOTS[game as usize % ROOTS.len()].parse().expect("a position");
        let mut tree = Tree::new(&position, None, &stop, &walked);
        for _ in 0..PLIES {
            let moves = compare(&isas, &mut tree, &position, 1);
            let leaves = compare(&isas, &mut tree, &position, 2);
            looked += 1;
            // A third ply multiplies by about what the second one did.
            if looked.is_multiple_of(one_deep_in) && leaves * leaves / moves.max(1) <= MOST_LEAVES {
                compare(&isas, &mut tree, &position, 3);
                deep += 1;
            }
            let Some(chosen) = random.choice(position.legal_moves()) else { break };
            position = position.after(chosen);
        }
    }
    println!("{looked} positions at depths 1 and 2, {deep} at depth 3");
    assert!(deep * one_deep_in * 2 > looked, "{deep} of {looked} were counted three plies deep");
}
