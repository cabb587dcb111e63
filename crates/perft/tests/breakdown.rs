//! What kinds of moves stand at the last ply, against the published tables in both of their conventions.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use vezir_chess::Position;
use vezir_perft::{Breakdown, Counter, Slot};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// One row of the Chess Programming Wiki's table: nodes, then captures, captures en passant, castlings,
/// promotions, checks with mates, discovered checks, double checks, mates; and the Grand Chess Tree's checks,
/// which leave mates out. In all other columns the two agree.
type Row = (u128, [u128; 8], u128);

fn breakdown(fen: &str, depth: u32) -> (u128, Breakdown) {
    let root: Position = fen.parse().expect("a position");
    let counter = Counter::new(NonZero::<usize>::MIN).expect("a thread");
    let slot = Slot { position: root.pack(), shares: Vec::new() };
    let counted = counter.count(&[slot], depth, true, &AtomicBool::new(false)).expect("a count");
    let divided: u128 = counted.answer.divide.values().sum();
    assert_eq!(divided, counted.answer.nodes);
    (counted.answer.nodes, counted.answer.breakdown.expect("kinds"))
}

fn assert_rows(fen: &str, rows: &[Row]) {
    for (depth, (nodes, cells, checks_without_mates)) in (1..).zip(rows) {
        let (counted, kinds) = breakdown(fen, depth);
        assert_eq!((counted, kinds), (*nodes, Breakdown::from_cells(*cells)), "{fen} at depth {depth}");
        assert_eq!(kinds.checks_without_mates(), *checks_without_mates, "{fen} at depth {depth}");
    }
}

#[test]
fn start_position_to_depth_6() {
    assert_rows(
        START,
        &[
            (20, [0; 8], 0),
            (400, [0; 8], 0),
            (8_902, [34, 0, 0, 0, 12, 0, 0, 0], 12),
            (197_281, [1_576, 0, 0, 0, 469, 0, 0, 8], 461),
            (4_865_609, [82_719, 258, 0, 0, 27_351, 6, 0, 347], 27_004),
            (119_060_324, [2_812_008, 5_248, 0, 0, 809_099, 329, 46, 10_828], 798_271),
        ],
    );
}

#[test]
fn kiwipete_to_depth_5() {
    assert_rows(
        KIWIPETE,
        &[
            (48, [8, 0, 2, 0, 0, 0, 0, 0], 0),
            (2_039, [351, 1, 91, 0, 3, 0, 0, 0], 3),
            (97_862, [17_102, 45, 3_162, 0, 993, 0, 0, 1], 992),
            (4_085_603, [757_163, 1_929, 128_013, 15_172, 25_523, 42, 6, 43], 25_480),
            (
                193_690_690,
                [35_043_416, 73_365, 4_993_637, 8_392, 3_309_887, 19_883, 2_637, 30_171],
                3_279_716,
            ),
        ],
    );
}

#[test]
fn promotions_that_discover_and_double() {
    // e7xd8 doubles as queen or rook and discovers as bishop or knight; c7xd8 checks as queen or rook.
    assert_rows("3rk3/2P1P3/8/8/8/8/4R3/4K3 w - - 0 1", &[(25, [8, 0, 0, 12, 6, 2, 2, 0], 6)]);
}
