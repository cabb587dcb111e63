//! FENs that people write: the refused with their sentences, the accepted with their warnings.

use std::collections::HashSet;

use vezir_chess::fen::{self, Fault, FenError, FenWarning, Field, MAX_TEXT_BYTES};
use vezir_chess::{Defect, Notation, Position, Square};

/// Pairs of a FEN and its sentence.
const MALFORMED: &str = include_str!("data/malformed_fens.txt");

/// How many kinds of faults there are at least.
const MIN_KINDS: usize = 120;

fn malformed() -> Vec<(String, &'static str)> {
    let lines: Vec<&str> = MALFORMED.lines().skip(2).collect();
    lines.chunks_exact(2).map(|pair| (unescaped(pair[0]), pair[1].trim_start())).collect()
}

/// The text with `\u{feff}` and the like put in, which nobody could see in a list.
fn unescaped(line: &str) -> String {
    let mut parts = line.split("\\u{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_once('}').expect(line);
        let code = u32::from_str_radix(digits, 16).expect(line);
        text.push(char::from_u32(code).expect(line));
        text.push_str(rest);
    }
    text
}

/// The sentence without what it repeats of the text: what stands in backquotes, squares, and numbers.
fn kind(sentence: &str) -> String {
    let unquoted: String = sentence.split('`').step_by(2).collect();
    let is_square = |word: &str| word.trim_matches([',', ':']).parse::<Square>().is_ok();
    let words: Vec<&str> = unquoted.split(' ').filter(|word| !is_square(word)).collect();
    words.join(" ").replace(|letter: char| letter.is_ascii_digit(), "")
}

#[test]
fn each_fault_has_its_own_sentence() {
    let mut sentences = HashSet::new();
    for (text, sentence) in malformed() {
        let error = fen::read(&text).expect_err(&text);
        assert_eq!(error.to_string(), sentence, "{text}");
        assert!(error.column >= 1 && error.column <= text.chars().count() + 1, "{text}: {error}");
        assert!(sentence.contains("would be right"), "{sentence}");
        assert!(sentences.insert(sentence), "twice: {sentence}");
    }
    let kinds: HashSet<String> = sentences.into_iter().map(kind).collect();
    assert!(kinds.len() >= MIN_KINDS, "{} kinds", kinds.len());
}

#[test]
fn every_kind_of_fault_occurs() {
    let mut kinds: HashSet<String> = HashSet::new();
    let mut note = |error: FenError| {
        let shown = match error.fault {
            Fault::Defect(defect) => format!("{defect:?}"),
            other => format!("{other:?}"),
        };
        kinds.insert(shown.split([' ', '(']).next().unwrap_or_default().to_owned());
    };
    malformed().into_iter().for_each(|(text, _)| note(fen::read(&text).expect_err(&text)));
    note(fen::read("").expect_err("empty"));
    note(fen::read(&"8".repeat(MAX_TEXT_BYTES + 1)).expect_err("long"));
    // 56 kinds of faults besides `Defect`, and 10 defects.
    assert_eq!(kinds.len(), 66, "{kinds:?}");
}

#[test]
fn odd_texts_are_refused_where_they_go_wrong() {
    let error = |text: &str| fen::read(text).expect_err("no FEN");
    for blank in ["", " ", "\t \r\n"] {
        assert_eq!(error(blank), FenError { field: Field::Whole, column: 1, fault: Fault::Empty });
    }
    let long = format!("4k3/8/8/8/8/8/8/4K3 w - - 0 1{}", " ".repeat(MAX_TEXT_BYTES));
    assert_eq!(error(&long).column, MAX_TEXT_BYTES + 1);
    assert!(matches!(error(&long).fault, Fault::TooLong { bytes } if bytes == long.len()));
    let as_long_as_allowed = &long[..MAX_TEXT_BYTES];
    assert!(fen::read(as_long_as_allowed).is_ok());
    let sign = |error: FenError| match error.fault {
        Fault::ForeignSign { found, .. } => (error.column, found),
        other => panic!("{other:?}"),
    };
    assert_eq!(sign(error("4k3/8/8/8/8/8/8/4K3\0w - - 0 1")), (20, '\0'));
    assert_eq!(sign(error("4k3/8/8/8\n8/8/8/4K3 w - - 0 1")), (10, '\n'));
    // Only a space and a tab part two fields.
    assert_eq!(sign(error("4k3/8/8/8/8/8/8/4K3\x0cw - - 0 1")), (20, '\x0c'));
    assert_eq!(sign(error("4k3/8/8/8/8/8/8/4K3 w\u{a0}- - 0 1")), (22, '\u{a0}'));
    let wide = error("\t♔7/8/8/8/8/8/8/4k3 w - - 0 1");
    assert_eq!(wide.column, 2);
    assert_eq!(
        error("8/8/8/8/8/8/8/8 x é - 0 1").fault,
        Fault::Defect(Defect::NoKing { color: vezir_chess::Color::White })
    );
}

#[test]
fn blanks_do_not_matter() {
    let plain: Position = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17".parse().expect("a FEN");
    let spread = fen::read(" \t r3k2r/8/8/8/8/8/8/R3K2R   b\tKQkq -  3 17 \r\n").expect("a FEN");
    assert_eq!((spread.position, spread.warnings), (plain, Vec::new()));
    let error = fen::read("  4k3/8/8/8/8/8/8/4K3  w  -  -  0  x").expect_err("x");
    assert_eq!(error.column, 36);
}

fn warnings(text: &str) -> Vec<FenWarning> {
    fen::read(text).expect(text).warnings
}

#[test]
fn missing_fields_are_told() {
    let full = fen::read("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("a FEN");
    assert_eq!(full.warnings, []);
    for (text, first) in [
        ("4k3/8/8/8/8/8/8/4K3", Field::Side),
        ("4k3/8/8/8/8/8/8/4K3 w", Field::Castling),
        ("4k3/8/8/8/8/8/8/4K3 w -", Field::EnPassant),
        ("4k3/8/8/8/8/8/8/4K3 w - -", Field::Halfmoves),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0", Field::Fullmoves),
    ] {
        let reading = fen::read(text).expect(text);
        assert_eq!(reading.position, full.position);
        assert_eq!(reading.warnings, [FenWarning::MissingFields { first }]);
    }
}

#[test]
fn counters_that_cannot_be_are_told() {
    let zero = fen::read("4k3/8/8/8/8/8/8/4K3 w - - 0 0").expect("a FEN");
    assert_eq!(zero.warnings, [FenWarning::FullmoveZero]);
    assert_eq!(zero.position.fullmoves(), 1);
    let beyond = |halfmoves, plies| [FenWarning::HalfmovesBeyondGame { halfmoves, plies }];
    assert_eq!(warnings("4k3/8/8/8/8/8/8/4K3 w - - 1 1"), beyond(1, 0));
    assert_eq!(warnings("4k3/8/8/8/8/8/8/4K3 b - - 1 1"), []);
    assert_eq!(warnings("4k3/8/8/8/8/8/8/4K3 b - - 2 1"), beyond(2, 1));
    assert_eq!(warnings("4k3/8/8/8/8/8/8/4K3 w - - 4294967295 4294967295"), []);
    assert_eq!(
        warnings("4k3/8/8/2pP4/8/8/8/4K3 w - c6 1 20"),
        [FenWarning::HalfmovesAfterDoubleStep { halfmoves: 1 }]
    );
}

#[test]
fn crowds_and_impossible_checks_are_told() {
    let many = warnings("4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1");
    assert_eq!(many, [FenWarning::ManyMen { color: vezir_chess::Color::White, count: 17 }]);
    for (text, impossible) in [
        // Three checkers; two knights; two pawns; two rooks with the king between them.
        ("4k3/8/3N1N2/8/8/8/8/K3R3 b - - 0 1", true),
        ("4k3/8/3N1N2/8/8/8/8/K7 b - - 0 1", true),
        ("4k3/3P1P2/8/8/8/8/8/K7 b - - 0 1", true),
        ("R3k2R/8/8/8/8/8/8/K7 b - - 0 1", true),
        // A bishop that came from the e-file, and one that cannot have.
        ("4k3/8/8/1B6/8/8/8/K3R3 b - - 0 1", false),
        ("4k3/8/8/8/B7/8/8/K3R3 b - - 0 1", true),
        // A pawn left the e-file when it took on d8; here it can only have come from the c- or d-file.
        ("3Rk3/8/8/8/8/8/8/K3R3 b - - 0 1", false),
        ("3Q4/4k3/8/8/8/8/8/K3R3 b - - 0 1", true),
        // Taking on d6 en passant has emptied d5 and e5 at once, if the taken pawn can have come from d7.
        ("8/8/3Pk3/8/8/8/B7/K3R3 b - - 0 1", false),
        ("8/3p4/3Pk3/8/8/8/B7/K3R3 b - - 0 1", true),
    ] {
        assert_eq!(!warnings(text).is_empty(), impossible, "{text}: {:?}", warnings(text));
    }
}

#[test]
fn checks_that_stood_before_the_double_step_are_told() {
    let square = "d6".parse().expect("a square");
    let stood = warnings("4kq2/8/8/3pP3/1K6/8/8/8 w - d6 0 1");
    assert_eq!(stood, [FenWarning::CheckBeforeDoubleStep { square }]);
    let useless = FenWarning::UselessEnPassant { square };
    // The bishop's line does not lead over d7 or d5.
    let line_apart = warnings("2k5/8/8/b2pP3/8/8/8/4K3 w - d6 0 1");
    assert_eq!(line_apart, [FenWarning::CheckBeforeDoubleStep { square }, useless]);
    // The pushed pawn gives check; its leaving d7 opened the line.
    assert_eq!(warnings("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1"), []);
    assert_eq!(warnings("2b1k3/8/8/3pP3/6K1/8/8/8 w - d6 0 1"), [useless]);
}

#[test]
fn an_en_passant_square_without_capture_is_dropped() {
    let with = fen::read("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").expect("a FEN");
    let without = fen::read("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").expect("a FEN");
    assert_eq!(with.position, without.position);
    assert_eq!(with.position.pack(), without.position.pack());
    assert_eq!(with.warnings, [FenWarning::UselessEnPassant { square: "e3".parse().expect("a square") }]);
    assert_eq!(without.warnings, []);
    // A pawn stands ready, but its king would be left on the rank of the rook.
    let pinned = fen::read("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1").expect("a FEN");
    assert_eq!(pinned.position.en_passant(), None);
    assert_eq!(pinned.warnings.len(), 1);
}

#[test]
fn rights_are_written_in_both_customs() {
    for (text, standard, chess960) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAq - 0 1", "KQq", "HAa"),
        ("1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1", "KQkq", "HBhb"),
        // The right belongs to an inner rook: wings cannot say so, file letters can.
        ("4k3/8/8/8/8/8/8/R1R1K1RR w GC - 0 1", "GC", "GC"),
        ("4k3/8/8/8/8/8/8/R1R1K1RR w KQ - 0 1", "KQ", "HA"),
        // Two kings on different files, and an enemy rook nearer the corner.
        ("Rr2k3/8/8/8/8/8/PPPPPPPP/4K3 b q - 0 1", "q", "b"),
        ("rk5r/8/8/8/8/8/8/R5KR w KQkq - 0 1", "KQkq", "HAha"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "-", "-"),
    ] {
        let reading = fen::read(text).expect(text);
        for (notation, expected) in [(Notation::Standard, standard), (Notation::Chess960, chess960)] {
            let written = fen::write(&reading.position, notation);
            assert_eq!(written.split(' ').nth(2), Some(expected), "{text}");
            assert_eq!(fen::read(&written).expect("our own").position, reading.position);
        }
    }
}
