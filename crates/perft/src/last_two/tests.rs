//! The fast count beside the plain one, on positions from random games and on some that no game reaches.

use std::cell::Cell;

use vezir_chess::{Bitboard, Color, Move, Portable, Position, Square};

use super::{Scratch, count};
use crate::armies::Armies;
use crate::castling::Castlings;
use crate::leaf;
use crate::machine::Baseline;

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
const ROOTS: [&str; 16] = [
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
];

/// Random games, and how many positions of each root are looked at.
const GAMES: u64 = 1_600;
const PLIES: usize = 160;

/// The last two plies at once.
fn at_once(position: &Position, castlings: &Castlings, scratch: &mut Scratch) -> u64 {
    let armies = Armies::of(position);
    match position.side() {
        Color::White => count::<_, true>(&armies, Baseline, castlings, scratch),
        Color::Black => count::<_, false>(&armies, Baseline, castlings, scratch),
    }
}

/// Every move made, and the moves after it counted by the generator.
fn naive(position: &Position) -> u64 {
    position.legal_moves().into_iter().map(|chosen| u64::from(position.after(chosen).count_moves())).sum()
}

/// The moves whose replies are told wrong, for the message of a test that fails.
fn culprits(position: &Position, castlings: &Castlings) -> Vec<(Move, i64)> {
    let right = naive(position) as i64;
    let off = position.legal_moves().into_iter().map(|chosen| {
        ONLY.set(Some(chosen));
        let told = at_once(position, castlings, &mut Scratch::new()) as i64;
        (chosen, told - right)
    });
    let found = off.filter(|(_, off)| *off != 0).collect();
    ONLY.set(None);
    found
}

#[test]
fn random_games_are_counted_as_if_every_move_were_made() {
    let games = std::env::var("GAMES").map_or(GAMES, |games| games.parse().expect("a number of games"));
    let seed =
        std::env::var("SEED").map_or_else(|_| fastrand::u64(..), |seed| seed.parse().expect("a number"));
    println!("SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut scratch = Scratch::new();
    let mut looked = 0_u64;
    for game in 0..games {
        let mut position: Position = ROOTS[(game % 16) as usize].parse().expect("a position");
        let castlings = Castlings::below(&position);
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            assert_eq!(leaf::moves(&position, Portable, &castlings) as usize, moves.len(), "{position:?}");
            looked += 1;
            let (told, right) = (at_once(&position, &castlings, &mut scratch), naive(&position));
            assert!(told == right, "{told}, not {right}: {:?} of {position:?}", culprits(&position, &castlings));
            let Some(chosen) = random.choice(moves) else { break };
            position = position.after(chosen);
        }
    }
    println!("{looked} positions");
}
