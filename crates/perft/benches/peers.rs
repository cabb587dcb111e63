//! Our count beside cozy-chess's on one thread without hash, in alternating rounds: ratios, never times.
//!
//! Build both for this machine: `RUSTFLAGS="-C target-cpu=native" cargo bench -p vezir-perft --bench peers
//! --features cozy-chess/pext`. Every count is asserted.

use std::hint::black_box;
use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use vezir_chess::Position;
use vezir_perft::{Counter, Frontier, Slot};

/// Rounds of each position; the median of their ratios is what counts.
const ROUNDS: usize = 7;

/// Name, FEN, depth, and the published count.
const POSITIONS: [(&str, &str, u32, u64); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
    ("position3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    ("position4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6, 706_045_033),
    ("position5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    ("position6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164_075_551),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let counter = Counter::new(NonZero::<usize>::MIN)?;
    println!("position     depth        nodes   ratio to cozy-chess: median (least .. most)");
    for (name, fen, depth, nodes) in POSITIONS {
        let ours: Position = fen.parse()?;
        let theirs = cozy_chess::Board::from_fen(fen, false).map_err(|error| format!("{name}: {error}"))?;
        let mut ratios = Vec::with_capacity(ROUNDS);
        for _ in 0..ROUNDS {
            let own = seconds(nodes, || count(&counter, &ours, depth));
            let peer = seconds(nodes, || u128::from(cozy(&theirs, depth)));
            ratios.push(peer / own);
        }
        ratios.sort_by(f64::total_cmp);
        let (least, median, most) = (ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]);
        println!("{name:<12} {depth:>5} {nodes:>12}   {median:.2} ({least:.2} .. {most:.2})");
    }
    Ok(())
}

fn seconds(nodes: u64, count: impl FnOnce() -> u128) -> f64 {
    let start = Instant::now();
    assert_eq!(black_box(count()), u128::from(nodes));
    start.elapsed().as_secs_f64()
}

fn count(counter: &Counter, root: &Position, depth: u32) -> u128 {
    let slots: Vec<Slot> = Frontier::root(root).slots(0..1).collect();
    let stop = AtomicBool::new(false);
    counter.count(&slots, depth, false, &stop).map_or(0, |counted| counted.answer.nodes)
}

/// cozy-chess, bulk at the last ply.
fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for chosen in moves {
                let mut next = board.clone();
                next.play_unchecked(chosen);
                nodes += cozy(&next, depth - 1);
            }
        }
        false
    });
    nodes
}
