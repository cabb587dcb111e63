//! Moves as texts: what is liberally read, and the sentence for each thing that is not.

use std::collections::HashSet;

use vezir_chess::{Notation, Position, san, uci};

/// Moves that are tricky to write, by python-chess 1.11.2: kind, FEN, UCI, SAN, and 1 where UCI is Chess960's.
const SPELLINGS: &str = include_str!("data/san.csv");

fn read(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

const CORNERS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const NO_RIGHTS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1";
const ATTACKED: &str = "4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1";
const PROMOTION: &str = "1n5k/P7/8/8/8/8/8/4K3 w - - 0 1";
const STUCK: &str = "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1";
const PINNED: &str = "4k3/4r3/8/8/8/8/4N3/4K1N1 w - - 0 1";
const PASSED: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";

#[test]
fn uci_refusals_say_what_would_be_right() {
    let start = Position::startpos();
    let start = &start.to_string();
    let cases = [
        (start.as_str(), "", "the move is empty: two squares, such as `e2e4`, would be right"),
        (STUCK, "0000", "`0000` says that there is no move: none is legal here, and so none can be read"),
        (STUCK, "(none)", "`(none)` says that there is no move: none is legal here, and so none can be read"),
        (start, "E2E4", "`E2E4` has upper-case letters: `e2e4` would be right"),
        (PROMOTION, "a7a8Q", "`a7a8Q` has upper-case letters: `a7a8q` would be right"),
        (start, "Nf3", "`Nf3` is written in SAN: `g1f3` would be right"),
        (CORNERS, "O-O", "`O-O` is written in SAN: `e1g1` would be right"),
        (
            start,
            "e2e9",
            "`e2e9` is not a move: two squares and perhaps one of q, r, b, n, such as `e7e8q`, would be right",
        ),
        (
            start,
            " e2e4",
            "` e2e4` is not a move: two squares and perhaps one of q, r, b, n, such as `e7e8q`, would be right",
        ),
        (
            start,
            "e2e4\0",
            "`e2e4\\0` is not a move: two squares and perhaps one of q, r, b, n, such as `e7e8q`, would be right",
        ),
        (PROMOTION, "a7a8k", "a pawn does not become `k` in `a7a8k`: q, r, b or n would be right"),
        (start, "e2e4x", "a pawn does not become `x` in `e2e4x`: q, r, b or n would be right"),
        (start, "a1a1", "`a1a1` stays where it is: two different squares would be right"),
        (start, "e4e5", "`e4e5` moves from e4, which is empty: a square with a man of White would be right"),
        (start, "e7e5", "`e7e5` moves a man of Black: White is to move, so a man of White would be right"),
        (
            PROMOTION,
            "a7a8",
            "`a7a8` does not say what the pawn becomes: `a7a8q`, or r, b, n for q, would be right",
        ),
        (start, "e2e4q", "`e2e4q` promotes what is no pawn on its last rank: `e2e4` would be right"),
        (
            NO_RIGHTS,
            "e1g1",
            "`e1g1` castles, which is not legal here: another move would be right, \
             for the right to castle on that side is gone",
        ),
        (
            ATTACKED,
            "e1h1",
            "`e1h1` castles, which is not legal here: another move, \
             until king and rook have a free and safe way, would be right",
        ),
        (start, "e2e5", "`e2e5` is not legal for the pawn on e2: one of e3, e4 would be right"),
        (start, "g1e2", "`g1e2` is not legal for the knight on g1: one of f3, h3 would be right"),
        (
            PINNED,
            "e2c3",
            "`e2c3` is not legal for the knight on e2: it has no legal move, and another man would be right",
        ),
    ];
    let mut sentences = HashSet::new();
    for (fen, text, sentence) in cases {
        let error = uci::read(&read(fen), text).expect_err(text);
        assert_eq!(error.to_string(), sentence);
        sentences.insert(sentence);
    }
    assert_eq!(sentences.len(), cases.len());
}

#[test]
fn an_engine_without_a_move_is_shown_one() {
    let error = uci::read(&Position::startpos(), "(none)").expect_err("no move").to_string();
    assert!(error.starts_with("`(none)` says that there is no move: a legal move, such as `"), "{error}");
}

#[test]
fn castling_that_could_be_a_step_is_written_as_taking_the_rook() {
    for (fen, written) in [
        (CORNERS, ["e1g1", "e1c1"]),
        ("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", ["f1h1", "f1b1"]),
        ("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", ["e1g1", "e1b1"]),
        ("4k3/8/8/8/8/8/8/R2K3R w HA - 0 1", ["d1h1", "d1a1"]),
    ] {
        let position = read(fen);
        let castling =
            position.legal_moves().into_iter().filter(|chosen| position.castles(*chosen).is_some());
        let mut texts: Vec<String> =
            castling.map(|chosen| uci::write(&position, chosen, Notation::Standard)).collect();
        texts.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(texts, written, "{fen}");
    }
}

#[test]
fn san_is_read_liberally() {
    let start = &Position::startpos().to_string();
    for (fen, texts, meant) in [
        (start.as_str(), "e4 e2e4 e2-e4 Pe4 e4+ e4# e4!? e4!! e4++ ee4 e2e4?", "e4"),
        (start, "Nf3 Ngf3 N1f3 Ng1f3 Ng1-f3 g1f3 Nxf3 Nf3?!", "Nf3"),
        (PASSED, "exd6 e5xd6 ed6 e:d6 d6 exd6e.p. exd6ep exd6+", "exd6"),
        (PROMOTION, "a8=Q a8=Q+ a8Q a8(Q) a7a8q a7-a8=Q a8q", "a8=Q"),
        (PROMOTION, "axb8=N axb8N ab8(N) a7xb8n a7b8n", "axb8=N"),
        (CORNERS, "O-O 0-0 o-o O-O+ 0-0!?", "O-O"),
        (CORNERS, "O-O-O 0-0-0 o-o-o O-O-O#", "O-O-O"),
        (CORNERS, "Rxh8 Rxh8+ Rh8 R1xh8 Rh1xh8 Rh1:h8", "Rxh8+"),
    ] {
        let position = read(fen);
        let meant = san::read(&position, meant).expect(meant);
        for text in texts.split(' ') {
            assert_eq!(san::read(&position, text), Ok(meant), "{text}");
        }
    }
    assert!(san::read(&read(PASSED), "exd6 e.p.").is_ok());
}

#[test]
fn san_refusals_say_what_would_be_right() {
    let start = &Position::startpos().to_string();
    let cases = [
        (start.as_str(), "", "the move is empty: a move such as `Nf3` would be right"),
        (start, "--", "`--` passes the turn, which is no move of chess: a legal move would be right"),
        (start, "1-0", "`1-0` is the result of a game: a move such as `Nf3` would be right"),
        (
            start,
            "1.e4",
            "`1.e4` is not written as a move: one such as `e4`, `Nbxd2`, `e8=Q` or `O-O` would be right",
        ),
        (start, "nf3", "`nf3` begins with a lower-case letter: `Nf3` would be right"),
        (PROMOTION, "a8=K", "a pawn does not become `K` in `a8=K`: Q, R, B or N would be right"),
        (
            PROMOTION,
            "a8",
            "`a8` does not say what the pawn becomes: one of `a8=B`, `a8=N`, `a8=Q`, `a8=R` would be right",
        ),
        (start, "e4=Q", "`e4=Q` promotes what is no pawn on its last rank: `e4` would be right"),
        (
            NO_RIGHTS,
            "O-O-O",
            "White cannot castle with `O-O-O` here: another move would be right, \
             for the right to castle on that side is gone",
        ),
        (
            ATTACKED,
            "O-O",
            "White cannot castle with `O-O` here: another move, \
             until king and rook have a free and safe way, would be right",
        ),
        (
            start,
            "Ne4",
            "no knight can legally make the move `Ne4`: one of `Na3`, `Nc3`, `Nf3`, `Nh3` would be right for it",
        ),
        (
            PINNED,
            "Nec3",
            "no knight can legally make the move `Nec3`: one of `Nf3`, `Nh3` would be right for it",
        ),
        (
            start,
            "Qd3",
            "no queen can legally make the move `Qd3`: it has no legal move, and another man would be right",
        ),
        (
            start,
            "e5",
            "no pawn can legally make the move `e5`: \
             one of `a3`, `a4`, `b3`, `b4`, `c3`, `c4`, `d3`, `d4`, … would be right for it",
        ),
    ];
    for (fen, text, sentence) in cases {
        assert_eq!(san::read(&read(fen), text).expect_err(text).to_string(), sentence);
    }
}

#[test]
fn pinned_rivals_do_not_count() {
    let position = read("4k3/4r3/8/8/8/8/4N3/4K1N1 w - - 0 1");
    let knight = uci::read(&position, "g1f3").expect("legal");
    assert_eq!(san::write(&position, knight), "Nf3");
    let both = read("4k3/8/8/8/8/8/4N3/4K1N1 w - - 0 1");
    assert!(san::read(&both, "Nc3").is_ok());
}

#[test]
fn tricky_moves_are_spelled_alike() {
    for line in SPELLINGS.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [_, fen, plain, spelled, chess960] = cells[..] else { panic!("{line}") };
        let position = read(fen);
        let notation = if chess960 == "1" { Notation::Chess960 } else { Notation::Standard };
        let chosen = uci::read(&position, plain).expect(line);
        assert_eq!(uci::write(&position, chosen, notation), plain, "{line}");
        assert_eq!(san::write(&position, chosen), spelled, "{line}");
        assert_eq!(san::read(&position, spelled), Ok(chosen), "{line}");
    }
    assert!(SPELLINGS.lines().count() > 200);
}
