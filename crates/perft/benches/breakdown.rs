//! Our count by kinds of moves beside cozy-chess's plain one, on one thread, in alternating rounds: ratios, never
//! times.
//!
//! Build both for this machine: `RUSTFLAGS="-C target-cpu=native" cargo bench -p vezir-perft --bench breakdown
//! --features cozy-chess/pext`. Every count is asserted.

use std::hint::black_box;
use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use vezir_chess::Position;
use vezir_perft::{Breakdown, Counter, Frontier, Slot};

/// Rounds of each position; the median of their ratios is what counts.
const ROUNDS: usize = 7;

/// Name, FEN, depth, the published count, and the breakdown in the order of [`Breakdown::cells`].
///
/// The breakdowns of the first two are published (Chess Programming Wiki, "Perft Results"), those of position 3 and 4
/// but for discovered and double checks; all others are what making every move tells.
const POSITIONS: [(&str, &str, u32, u64, [u128; 8]); 6] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
        119_060_324,
        [2_812_008, 5_248, 0, 0, 809_099, 329, 46, 10_828],
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
        [35_043_416, 73_365, 4_993_637, 8_392, 3_309_887, 19_883, 2_637, 30_171],
    ),
    (
        "position3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        7,
        178_633_661,
        [14_519_036, 294_874, 0, 140_024, 12_797_406, 370_630, 3_612, 87],
    ),
    (
        "position4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        6,
        706_045_033,
        [210_369_132, 212, 10_882_006, 81_102_984, 26_973_664, 155_664, 13_682, 81_076],
    ),
    (
        "position5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        5,
        89_941_194,
        [12_320_378, 140, 1_240_828, 6_655_216, 3_078_299, 7_399, 58, 137_306],
    ),
    (
        "position6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
        [19_528_068, 122, 0, 0, 2_998_608, 10_687, 2_960, 228],
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let counter = Counter::new(NonZero::<usize>::MIN)?;
    println!("position     depth        nodes   ratio to cozy-chess: median (least .. most)");
    for (name, fen, depth, nodes, cells) in POSITIONS {
        let ours: Position = fen.parse()?;
        let theirs = cozy_chess::Board::from_fen(fen, false).map_err(|error| format!("{name}: {error}"))?;
        let right = (u128::from(nodes), Breakdown::from_cells(cells));
        let mut ratios = Vec::with_capacity(ROUNDS);
        for _ in 0..ROUNDS {
            let (counted, own) = timed(|| count(&counter, &ours, depth));
            assert_eq!(counted, Some(right), "{name}");
            let (counted, peer) = timed(|| cozy(&theirs, depth));
            assert_eq!(counted, nodes, "{name}");
            ratios.push(peer / own);
        }
        ratios.sort_by(f64::total_cmp);
        let (least, median, most) = (ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]);
        println!("{name:<12} {depth:>5} {nodes:>12}   {median:.2} ({least:.2} .. {most:.2})");
    }
    Ok(())
}

/// What was counted, and the seconds that it took.
fn timed<T>(count: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let counted = black_box(count());
    (counted, start.elapsed().as_secs_f64())
}

fn count(counter: &Counter, root: &Position, depth: u32) -> Option<(u128, Breakdown)> {
    let slots: Vec<Slot> = Frontier::root(root).slots(0..1).collect();
    let answer = counter.count(&slots, depth, true, &AtomicBool::new(false)).ok()?.answer;
    Some((answer.nodes, answer.breakdown?))
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
