//! Positions in which other programs were reported wrong, with counts that two independent programs agree on.

use std::collections::BTreeMap;

use vezir_chess::{Color, Ending, FenWarning, Move, Notation, Position, ending, fen, material, san, uci};

/// What a generator without captures en passant answers to a divide, in an order of its own.
const FOREIGN_DIVIDE: &str = include_str!("data/foreign_divide.txt");

fn read(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn perft(position: &Position, depth: usize) -> u64 {
    if depth == 1 {
        return u64::from(position.count_moves());
    }
    position.legal_moves().into_iter().map(|chosen| perft(&position.after(chosen), depth - 1)).sum()
}

fn assert_counts(fen: &str, counts: &[u64]) {
    let position = read(fen);
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&position, depth), *count, "{fen} at depth {depth}");
    }
}

fn has(fen: &str, text: &str) -> bool {
    uci::read(&read(fen), text).is_ok()
}

#[test]
fn texts_that_are_no_position() {
    for (text, fault) in [
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "placement of the men, column 1: Black has no king"),
        ("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "side to move, column 22: White is to move, yet"),
        (
            "r1bqkb1r/pppp1ppp/9/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "placement of the men, column 19: `9`",
        ),
        ("r3k2r/44/8/8/8/8/8/R3K2R w KQkq - 0 1", "placement of the men, column 8: `44`"),
        ("r3k2r/8/8/6/8/8/8/R3K2R w KQkq - 0 1", "placement of the men, column 12: rank 5 ends"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "placement of the men, column 1: a white pawn stands on a8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R white KQkq - 0 1", "side to move, column 25: `white`"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQzq - 0 1", "castling rights, column 29: `z`"),
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "castling rights, column 25: `Q` needs a white rook"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock, column 27: `-1` is below zero"),
        ("4k3/8/8/8/8/8/4K3/4K3 w - - 0 1", "placement of the men, column 20: White has 2 kings"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 junk", "FEN, column 31: `junk`"),
        (
            "r3k2r/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "placement of the men, column 22: the board ends after rank 2",
        ),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "placement of the men, column 14: Black has 9 pawns"),
    ] {
        let error = fen::read(text).expect_err(text).to_string();
        assert!(error.starts_with(fault), "{text}: {error}");
    }
    let zero = fen::read("4k3/8/8/8/8/8/8/4K3 w - - 0 0").expect("move number 0");
    assert_eq!(zero.warnings, [FenWarning::FullmoveZero]);
    let four = fen::read("4k3/8/8/8/8/8/8/4K3 w - -").expect("four fields");
    assert_eq!(four.position.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

#[test]
fn en_passant() {
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    let [named, dashed] = ["e3", "-"].map(|square| read(&format!("{after_e4} {square} 0 1")));
    assert_eq!((named, named.pack(), named.to_string()), (dashed, dashed.pack(), dashed.to_string()));
    assert_counts(&format!("{after_e4} e3 0 1"), &[20, 600, 13160, 405_385]);
    assert_counts(&format!("{after_e4} - 0 1"), &[20, 600, 13160, 405_385]);
    let no_pawn = "r1bqkbnr/pppp1ppp/2n5/3P4/8/8/PPP1PPPP/RNBQKBNR w KQkq";
    assert!(format!("{no_pawn} e6 0 3").parse::<Position>().is_err());
    assert_counts(&format!("{no_pawn} - 0 3"), &[30, 918, 28046]);
    let along_its_pin = "1b2k3/8/8/3pP3/8/8/7K/8 w - d6 0 1";
    assert!(has(along_its_pin, "e5d6"));
    assert_counts(along_its_pin, &[6, 57, 353, 4113]);
    let unreachable = "4kq2/8/8/3pP3/1K6/8/8/8 w - d6 0 1";
    assert!(has(unreachable, "e5d6"));
    assert_counts(unreachable, &[6]);
    let warnings = fen::read(unreachable).expect("a position").warnings;
    assert!(matches!(warnings[..], [FenWarning::CheckBeforeDoubleStep { .. }]), "{warnings:?}");
    assert_counts("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2", &[7, 39, 285, 1878, 14184, 95842]);
    assert_counts("4k3/8/8/2pP4/8/8/8/4K3 w - - 0 2", &[6, 35, 261, 1733, 13036, 88837]);
}

#[test]
fn castling() {
    // An enemy rook stands in the corner; a rook is pinned on its own first rank.
    assert_counts("Rr2k3/8/8/8/8/8/PPPPPPPP/4K3 b q - 0 1", &[8, 189, 2504]);
    assert_counts("5krR/8/8/8/8/8/8/4K3 b g - 0 1", &[5, 57, 821]);
    // A right ends with its rook, also where a promoting pawn takes it; b1 may be attacked.
    assert_counts("r3k2r/1P4P1/8/8/8/8/8/4K3 w kq - 0 1", &[21, 282, 4716, 81786]);
    assert!(has("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"));
    assert_counts("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", &[16, 226, 3602, 57729]);
    assert_counts("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &[26, 568, 13744, 314_346, 7_594_526]);
    assert_counts("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", &[25, 525, 12647, 287_755, 6_956_629]);
    assert_counts("nrk2bbr/pppp1ppp/8/8/8/8/1PPP1PPP/qRK2BBR w BHbh - 0 9", &[19, 547, 10532]);
}

#[test]
fn promotions_and_drawn_positions() {
    assert_counts("1n1n4/2P4k/8/8/8/8/K4p2/4N1N1 w - - 0 1", &[24, 516, 11072, 214_891]);
    let position = read("1n1n4/2P4k/8/8/8/8/K4p2/4N1N1 w - - 0 1");
    assert_eq!(position.legal_moves().iter().filter(|chosen| chosen.promotion().is_some()).count(), 12);
    // Neither bare material nor the move count ends a count.
    assert_counts("8/8/4k3/8/8/3K4/8/5N2 w - - 99 80", &[12, 87, 1009, 7380]);
    let crowded = "r3k2r/p2pqpb1/1n2pnp1/2pPN3/1p2P3/2N2Q1p/PPPB1PPP/R3K2R w KQkq c6 0 2";
    assert_counts(crowded, &[47, 1734, 79212, 2_899_469]);
}

#[test]
fn a_divide_leads_to_the_missing_move() {
    let root = read("rnbqkbnr/ppp1pppp/8/8/3p4/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 3");
    let entry = |line: &'static str| {
        let (text, count) = line.split_once(": ").expect(line);
        (text.to_owned(), count.parse::<u64>().expect(line))
    };
    let entries = FOREIGN_DIVIDE.lines().filter(|line| line.contains(": ") && !line.starts_with('#'));
    let mut foreign: BTreeMap<String, u64> = entries.map(entry).collect();
    assert_eq!(foreign.remove("Nodes searched"), Some(26_290));
    let count = |chosen: Move| perft(&root.after(chosen), 2);
    let written = |chosen: Move| uci::write(&root, chosen, Notation::Standard);
    let own: BTreeMap<String, u64> =
        root.legal_moves().into_iter().map(|chosen| (written(chosen), count(chosen))).collect();
    assert_eq!(own.values().sum::<u64>(), 26_323);
    assert!(own.keys().eq(foreign.keys()));
    let differing: Vec<_> = own.iter().zip(foreign.values()).filter(|(own, other)| own.1 != *other).collect();
    assert_eq!(differing, [((&"c2c4".to_owned(), &898), &865)]);
    // Below it one reply makes up all of the difference.
    let pushed = root.after(uci::read(&root, "c2c4").expect("legal"));
    assert_eq!(pushed.to_string(), "rnbqkbnr/ppp1pppp/8/8/2Pp4/4P3/PP1P1PPP/RNBQKBNR b KQkq c3 0 3");
    let missing = uci::read(&pushed, "d4c3").expect("legal");
    assert_eq!(perft(&pushed.after(missing), 1), 898 - 865);
}

#[test]
fn uci_moves_of_engines() {
    let start = Position::startpos();
    let e4 = uci::read(&start, "e2e4").expect("legal");
    assert_eq!((e4.from().to_string(), e4.to().to_string()), ("e2".to_owned(), "e4".to_owned()));
    for text in ["(none)", "0000", "NULL", "", "a1a1", "E2E4", "e2e5", "e2e4q", "Nf3"] {
        assert!(uci::read(&start, text).is_err(), "{text}");
    }
    let promotion = "7k/4P3/8/8/8/8/8/4K3 w - - 0 1";
    assert!(!has(promotion, "e7e8") && has(promotion, "e7e8q") && !has(promotion, "e7e8Q"));
}

#[test]
fn castling_by_king_step_or_by_rook() {
    for (fen, text, king, rook) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "g1", "f1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "g1", "f1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1h1", "g1", "f1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1g1", "g1", "f1"),
        ("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1", "f1h1", "g1", "f1"),
        ("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1", "f1b1", "c1", "d1"),
    ] {
        let position = read(fen);
        let after = position.after(uci::read(&position, text).expect(text));
        assert_eq!(after.king(Color::White).to_string(), king, "{fen} {text}");
        let rook = rook.parse().expect("a square");
        assert!(after.men(Color::White, vezir_chess::Piece::Rook).has(rook), "{fen} {text}");
        assert_eq!(after.color(Color::White).count(), 3);
    }
    let step = read("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1");
    let stepped = uci::read(&step, "f1g1").expect("a king's move");
    assert_eq!(step.castles(stepped), None);
}

fn sans(fen: &str, moves: &[(&str, &str)]) {
    let position = read(fen);
    for (text, expected) in moves {
        let chosen = uci::read(&position, text).expect(text);
        assert_eq!(san::write(&position, chosen), *expected);
        assert_eq!(san::read(&position, expected), Ok(chosen));
    }
}

#[test]
fn three_like_men_on_one_square() {
    let knights = [("c5e4", "Nc5e4"), ("c3e4", "N3e4"), ("g5e4", "Nge4")];
    sans("7k/8/8/2N3N1/8/2N5/8/1K6 w - - 0 1", &knights);
    // The reported position has this king on h8, in check with White to move: such a text is refused.
    assert!("7k/8/8/8/Q6Q/8/8/1K5Q w - - 0 1".parse::<Position>().is_err());
    let queens = [("h4e4", "Qh4e4+"), ("a4e4", "Qae4+"), ("h1e4", "Q1e4+")];
    sans("8/8/6k1/8/Q6Q/8/8/1K5Q w - - 0 1", &queens);
}

#[test]
fn an_ambiguous_move_is_not_guessed() {
    let error = san::read(&read("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1"), "Nf3").expect_err("two knights");
    assert_eq!(error.to_string(), "`Nf3` is ambiguous: one of `Ndf3`, `Ngf3` would be right");
}

#[test]
fn moves_are_numbered_from_the_fen() {
    let mut position = read("4k3/p7/8/8/8/8/P7/4K3 b - - 0 17");
    let mut written = Vec::new();
    for text in ["a7a5", "a2a4", "e8d7", "e1d2"] {
        let chosen = uci::read(&position, text).expect("legal");
        written.push(format!("{} {}", position.fullmoves(), san::write(&position, chosen)));
        position = position.after(chosen);
    }
    assert_eq!(written, ["17 a5", "18 a4", "18 Kd7", "19 Kd2"]);
}

#[test]
fn a_flag_falls_against_a_side_that_cannot_mate() {
    for (fen, flagged, drawn) in [
        ("8/5k2/8/3r4/8/2K5/8/8 b - - 0 1", Color::Black, true),
        ("8/5k2/8/3r4/8/2K5/8/8 w - - 0 1", Color::White, false),
        ("8/5k2/8/3q4/8/2K5/4N3/8 b - - 0 1", Color::Black, true),
        ("8/5k2/3p4/8/8/2K5/4N3/8 b - - 0 1", Color::Black, false),
        ("8/5k2/8/8/8/2K5/3NN3/8 b - - 0 1", Color::Black, false),
        ("8/5k2/8/3r4/8/2K5/4B3/8 b - - 0 1", Color::Black, true),
    ] {
        assert_eq!(material::cannot_mate(&read(fen), !flagged), drawn, "{fen}");
    }
}

#[test]
fn bishops_all_on_one_color() {
    for (fen, drawn) in [
        ("8/5k2/2b5/8/8/2K5/4B3/8 w - - 0 1", true),
        ("8/5k2/8/8/8/2KB4/4B3/8 w - - 0 1", true),
        ("2b5/5k2/4b3/3B4/8/2K5/4B3/8 w - - 0 1", true),
        ("8/5k2/8/8/8/2K5/4N3/8 w - - 0 1", true),
        ("8/5k2/8/8/8/2K5/8/8 w - - 0 1", true),
        ("8/5k2/8/8/8/2K5/3NN3/8 w - - 0 1", false),
    ] {
        let expected = drawn.then_some(Ending::InsufficientMaterial);
        // The third begins with its king in check from a bishop; it is drawn all the same.
        assert_eq!(ending::find(&read(fen), &[]), expected, "{fen}");
    }
}

#[test]
fn repetition_counts_the_first_position() {
    let mut position = read("8/8/4k3/8/2R5/8/5K2/8 w - - 0 40");
    let mut earlier = Vec::new();
    for text in "c4c5 e6d6 c5c4 d6e6 c4c5 e6d6 c5c4 d6e6".split(' ') {
        assert_eq!(ending::find(&position, &earlier), None);
        earlier.push(position.pack());
        position = position.after(uci::read(&position, text).expect("legal"));
    }
    assert_eq!(ending::find(&position, &earlier), Some(Ending::Threefold));
}

#[test]
fn mate_on_the_hundredth_ply() {
    let position = read("7k/8/6K1/8/8/8/8/5R2 w - - 99 90");
    let after = |text| position.after(uci::read(&position, text).expect("legal"));
    assert_eq!(ending::find(&after("f1f8"), &[]), Some(Ending::Checkmate { winner: Color::White }));
    assert_eq!(ending::find(&after("f1f2"), &[]), Some(Ending::FiftyMoves));
}

#[test]
fn more_than_218_moves_are_listed() {
    let position = read("QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1");
    let moves: Vec<Move> = position.legal_moves();
    assert_eq!(moves.len(), 265);
    assert_eq!(position.count_moves(), 265);
}
