//! Positions on which other programs miscounted, counted by ours with a table and by the plainest recursion.
//!
//! Inputs are our own; beside each stands where its like was told of. Counts were made with Stockfish and
//! python-chess. What can be shown without counting is tested in `vezir-chess`, and what one table makes of
//! positions that look alike in `vezir-perft`.

use vezir_chess::uci;
use vezir_tests::counting::{self, position};

/// The plain recursion is asked where it is quick.
const PLAIN_NODES: u128 = 100_000;

/// Where it was told of, the position, and its counts at depths 1, 2, 3 …
type Case = (&'static str, &'static str, &'static [u128]);

const CASES: [Case; 14] = [
    (
        "an en passant square that nobody can use: niklasf/python-chess #66, #162",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        &[20, 600, 13_160, 405_385],
    ),
    (
        "an en passant square that can be used: Disservin/fastchess #559",
        "rnbqkbnr/pp2pppp/2p5/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6",
        &[31, 858, 26_478],
    ),
    (
        "the same without the square",
        "rnbqkbnr/pp2pppp/2p5/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq -",
        &[30, 829, 25_595],
    ),
    (
        "no pawn to capture en passant: official-stockfish/Stockfish PR #867",
        "r1bqkbnr/pppp1ppp/2n5/3P4/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 3",
        &[30, 918, 28_046],
    ),
    (
        "an enemy rook in the corner: official-stockfish/Stockfish #356",
        "Rr2k3/8/8/8/8/8/PPPPPPPP/4K3 b q - 0 1",
        &[8, 189, 2_504],
    ),
    (
        "a rook pinned on its first rank: official-stockfish/Stockfish #3605",
        "5krR/8/8/8/8/8/8/4K3 b g - 0 1",
        &[5, 57, 821],
    ),
    ("en passant along the pin: nkarve/surge #6", "1b2k3/8/8/3pP3/8/8/7K/8 w - d6 0 1", &[6, 57, 353, 4_113]),
    (
        "a check that stood before the double step: official-stockfish/Stockfish #3270",
        "4kq2/8/8/3pP3/1K6/8/8/8 w - d6 0 1",
        &[6],
    ),
    (
        "a right dies with its rook: marianogappa/cheesse PR #34",
        "r3k2r/1P4P1/8/8/8/8/8/4K3 w kq - 0 1",
        &[21, 282, 4_716, 81_786],
    ),
    (
        "an attacked b-file does not matter: marianogappa/cheesse PR #34",
        "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        &[16, 226, 3_602, 57_729],
    ),
    (
        "four promotions each: ParthPant/chess-rs #9",
        "1n1n4/2P4k/8/8/8/8/K4p2/4N1N1 w - - 0 1",
        &[24, 516, 11_072, 214_891],
    ),
    (
        "draws do not end a count: niklasf/python-chess #1064",
        "8/8/4k3/8/8/3K4/8/5N2 w - - 99 80",
        &[12, 87, 1_009, 7_380],
    ),
    (
        "a king that castles without moving: official-stockfish/Stockfish #2671",
        "nrk2bbr/pppp1ppp/8/8/8/8/1PPP1PPP/qRK2BBR w BHbh - 0 9",
        &[19, 547, 10_532],
    ),
    (
        "semicolons in a book: official-stockfish/books PR #54",
        "1rk2r2/pp3ppp/8/8/8/8/PP3PPP/1RK2R2 w FBfb - 0 1",
        &[20, 393, 8_053],
    ),
];

#[test]
fn counts_are_right_where_others_went_wrong() {
    let counter = counting::counter();
    for (story, text, wanted) in CASES {
        let position = position(text);
        for (depth, nodes) in (1..).zip(wanted) {
            let counted = counting::count(&counter, &position, depth, false).nodes;
            assert_eq!(counted, *nodes, "{story}: {text} at depth {depth}");
            if *nodes < PLAIN_NODES {
                assert_eq!(counting::plain(&position, depth), *nodes, "{story}: {text} at depth {depth}");
            }
        }
    }
}

// talkchess, "Get MoveGen errorfree"; jniemann66/juddperft #6
#[test]
fn a_divide_finds_the_faulty_move() {
    let start = position("rnbqkbnr/ppp1pppp/8/8/3p4/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 3");
    let answer = counting::count(&counting::counter(), &start, 3, false);
    let c2c4 = uci::read(&start, "c2c4").expect("it is legal");
    assert_eq!((answer.nodes, answer.divide[&c2c4]), (26_323, 898));
    let below = counting::count(&counting::counter(), &start.after(c2c4), 2, false);
    let d4c3 = uci::read(&start.after(c2c4), "d4c3").expect("en passant is legal");
    // Whoever forgets en passant counts 865, which is less by just this part.
    assert_eq!((below.nodes, below.divide[&d4c3]), (898, 33));
}
