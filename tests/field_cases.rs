//! Faults of counting that people met in other programs, each with a small input of our own and what is right.
//!
//! Above each test stands where the fault was told of. Counts were made with Stockfish and python-chess. What needs
//! no counter is tested in `vezir-chess` itself.

use vezir_chess::{Move, Notation, Position, fen, uci};
use vezir_tests::counting::{self, position};

/// Checks counts at depths 1, 2, 3 … by the plain recursion where it is quick, and by the counter.
fn counts(text: &str, wanted: &[u128]) {
    let position = position(text);
    let counter = counting::counter();
    for (depth, nodes) in (1..).zip(wanted) {
        assert_eq!(
            counting::count(&counter, &position, depth, false).nodes,
            *nodes,
            "{text} at depth {depth}"
        );
        if *nodes < 100_000 {
            assert_eq!(counting::plain(&position, depth), *nodes, "{text} at depth {depth}, plainly");
        }
    }
}

fn has_move(position: &Position, name: &str) -> bool {
    uci::read(position, name).is_ok()
}

fn refused(text: &str) -> bool {
    fen::read(text).is_err()
}

// niklasf/python-chess #66, #162
#[test]
fn an_en_passant_square_that_nobody_can_use_changes_nothing() {
    let named = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let dashed = named.replace("e3", "-");
    assert_eq!(position(named), position(&dashed));
    assert_eq!(position(named).pack(), position(&dashed).pack());
    assert_eq!(fen::write(&position(named), Notation::Standard), dashed);
    counts(named, &[20, 600, 13_160, 405_385]);
    counts(&dashed, &[20, 600, 13_160, 405_385]);
}

// bhlangonijr/chesslib #52; niklasf/python-chess #25
#[test]
fn malformed_positions_are_refused() {
    let wrong = [
        "8/8/8/8/8/8/8/K7 w - - 0 1",
        "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
        "r1bqkb1r/pppp1ppp/9/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/44/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/6/8/8/8/R3K2R w KQkq - 0 1",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R white KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQzq - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
        "4k3/8/8/8/8/8/4K3/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 junk",
        "r3k2r/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
    ];
    for text in wrong {
        assert!(refused(text), "{text}");
    }
    for text in ["4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - -"] {
        let reading = fen::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(!reading.warnings.is_empty(), "{text}");
    }
    assert_eq!(
        fen::write(&position("4k3/8/8/8/8/8/8/4K3 w - -"), Notation::Standard),
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    );
}

// official-stockfish/Stockfish PR #867; ptsouchlos/byte-knight PR #332
#[test]
fn an_en_passant_square_without_its_pawn_is_refused() {
    assert!(refused("r1bqkbnr/pppp1ppp/2n5/3P4/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3"));
    counts("r1bqkbnr/pppp1ppp/2n5/3P4/8/8/PPP1PPPP/RNBQKBNR w KQkq - 0 3", &[30, 918, 28_046]);
}

// official-stockfish/Stockfish #356
#[test]
fn the_castling_rook_is_never_an_enemy() {
    counts("Rr2k3/8/8/8/8/8/PPPPPPPP/4K3 b q - 0 1", &[8, 189, 2_504]);
}

// official-stockfish/Stockfish #3605, PR #3317
#[test]
fn a_rook_pinned_on_its_first_rank_does_not_castle() {
    counts("5krR/8/8/8/8/8/8/4K3 b g - 0 1", &[5, 57, 821]);
}

// nkarve/surge #6
#[test]
fn a_pinned_pawn_captures_en_passant_along_its_pin() {
    let text = "1b2k3/8/8/3pP3/8/8/7K/8 w - d6 0 1";
    assert!(has_move(&position(text), "e5d6"));
    counts(text, &[6, 57, 353, 4_113]);
}

// official-stockfish/Stockfish #3270; niklasf/shakmaty #53, #54
#[test]
fn a_check_that_stood_before_the_double_push_is_a_warning() {
    let text = "4kq2/8/8/3pP3/1K6/8/8/8 w - d6 0 1";
    let reading = fen::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(!reading.warnings.is_empty());
    assert!(has_move(&reading.position, "e5d6"));
    counts(text, &[6]);
}

// marianogappa/cheesse PR #34
#[test]
fn a_castling_right_dies_with_its_rook() {
    counts("r3k2r/1P4P1/8/8/8/8/8/4K3 w kq - 0 1", &[21, 282, 4_716, 81_786]);
}

// marianogappa/cheesse PR #34
#[test]
fn castling_does_not_mind_an_attacked_b_file() {
    let text = "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    assert!(has_move(&position(text), "e1c1"));
    counts(text, &[16, 226, 3_602, 57_729]);
}

// ParthPant/chess-rs #9
#[test]
fn promotions_are_four_each() {
    let text = "1n1n4/2P4k/8/8/8/8/K4p2/4N1N1 w - - 0 1";
    let promotes = |chosen: &Move| chosen.promotion().is_some();
    assert_eq!(position(text).legal_moves().iter().filter(|chosen| promotes(chosen)).count(), 12);
    counts(text, &[24, 516, 11_072, 214_891]);
}

// niklasf/python-chess #1064
#[test]
fn draws_do_not_end_a_count() {
    counts("8/8/4k3/8/8/3K4/8/5N2 w - - 99 80", &[12, 87, 1_009, 7_380]);
}

// talkchess, "Get MoveGen errorfree"; jniemann66/juddperft #6
#[test]
fn a_divide_finds_the_faulty_move() {
    let start = position("rnbqkbnr/ppp1pppp/8/8/3p4/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 3");
    let answer = counting::count(&counting::counter(), &start, 3, false);
    assert_eq!(answer.nodes, 26_323);
    let c2c4 = uci::read(&start, "c2c4").expect("it is legal");
    assert_eq!(answer.divide[&c2c4], 898);
    assert!(has_move(&start.after(c2c4), "d4c3"));
}

// official-stockfish/Stockfish #2671, #3605
#[test]
fn a_king_that_does_not_move_castles_as_king_takes_rook() {
    let text = "nrk2bbr/pppp1ppp/8/8/8/8/1PPP1PPP/qRK2BBR w BHbh - 0 9";
    assert!(position(text).needs_chess960());
    counts(text, &[19, 547, 10_532]);
}

// rafid-dev/jet #26
#[test]
fn one_table_serves_positions_that_differ_only_in_rights() {
    let lines: [(&str, &[u128]); 5] = [
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2", &[7, 39, 285, 1_878, 14_184, 95_842]),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - - 0 2", &[6, 35, 261, 1_733, 13_036, 88_837]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &[26, 568, 13_744, 314_346, 7_594_526]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", &[25, 525, 12_647, 287_755, 6_956_629]),
        (
            "r3k2r/p2pqpb1/1n2pnp1/2pPN3/1p2P3/2N2Q1p/PPPB1PPP/R3K2R w KQkq c6 0 2",
            &[47, 1_734, 79_212, 2_899_469, 129_984_977],
        ),
    ];
    for backwards in [false, true] {
        let counter = counting::counter();
        let mut order: Vec<_> = lines.iter().collect();
        if backwards {
            order.reverse();
        }
        for (text, wanted) in order {
            for (depth, nodes) in (1..).zip(*wanted) {
                let got = counting::count(&counter, &position(text), depth, false).nodes;
                assert_eq!(got, *nodes, "{text} at depth {depth}");
            }
        }
    }
}

// chess.stackexchange question 26415
#[test]
fn discovered_and_double_checks_by_promotion_are_told_apart() {
    let kinds = |text: &str, depth| {
        let answer = counting::count(&counting::counter(), &position(text), depth, true);
        (answer.nodes, answer.breakdown.unwrap_or_default())
    };
    let (nodes, breakdown) = kinds("3rk3/2P1P3/8/8/8/8/4R3/4K3 w - - 0 1", 1);
    assert_eq!(nodes, 25);
    assert_eq!((breakdown.captures, breakdown.promotions, breakdown.checks), (8, 12, 6));
    assert_eq!((breakdown.discovered, breakdown.double), (2, 2));
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let (nodes, breakdown) = kinds(kiwipete, 3);
    assert_eq!((nodes, breakdown.captures, breakdown.en_passants), (97_862, 17_102, 45));
    assert_eq!((breakdown.castles, breakdown.promotions), (3_162, 0));
    assert_eq!((breakdown.checks, breakdown.mates), (993, 1));
}

// Disservin/fastchess #559
#[test]
fn an_en_passant_square_that_can_be_used_is_kept() {
    let text = "rnbqkbnr/pp2pppp/2p5/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6";
    assert!(has_move(&position(text), "e5d6"));
    assert!(fen::write(&position(text), Notation::Standard).contains(" d6 "));
    counts(text, &[31, 858, 26_478]);
    counts(&text.replace(" d6", " -"), &[30, 829, 25_595]);
}
