//! Each way a game ends, with positions on both sides of its line.

use vezir_chess::{Color, Ending, Position, ending, uci};

/// Games and how they stand after their last ply, by python-chess 1.11.2: kind, FEN, moves, outcome.
const GAMES: &str = include_str!("data/endings.csv");

fn read(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// How the game stands after each ply of a game from `fen`.
fn course(fen: &str, moves: &str) -> Vec<Option<Ending>> {
    let mut position = read(fen);
    let mut earlier = Vec::new();
    let mut found = vec![ending::find(&position, &earlier)];
    for text in moves.split_whitespace() {
        earlier.push(position.pack());
        position = position.after(uci::read(&position, text).expect(text));
        found.push(ending::find(&position, &earlier));
    }
    found
}

#[test]
fn endings_are_those_of_the_table() {
    let mut seen = [0; 8];
    for line in GAMES.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [kind, fen, moves, outcome] = cells[..] else { panic!("{line}") };
        let found = course(fen, moves).pop().flatten();
        let (index, name) = match found {
            None => (0, "none"),
            Some(Ending::Checkmate { .. }) => (1, "checkmate"),
            Some(Ending::Stalemate) => (2, "stalemate"),
            Some(Ending::InsufficientMaterial) => (3, "insufficient"),
            Some(Ending::Fivefold) => (4, "fivefold"),
            Some(Ending::SeventyFiveMoves) => (5, "seventyfive"),
            Some(Ending::Threefold) => (6, "threefold"),
            Some(Ending::FiftyMoves) => (7, "fifty"),
        };
        assert_eq!(name, outcome, "{kind}: {fen} moves {moves}");
        seen[index] += 1;
    }
    assert!(seen.iter().all(|games| *games >= 3) && seen.iter().sum::<u32>() >= 190, "{seen:?}");
}

#[test]
fn mate_and_stalemate() {
    for (fen, expected) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Ending::Stalemate)),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some(Ending::Checkmate { winner: Color::White })),
        ("7k/6Q1/8/8/8/8/8/K7 b - - 0 1", None),
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", None),
        // The rook can be taken; it is covered.
        ("R6k/8/8/8/8/8/8/K7 b - - 0 1", None),
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", Some(Ending::Checkmate { winner: Color::White })),
        ("R5k1/5pp1/7p/8/8/8/8/K7 b - - 0 1", None),
        ("8/8/8/8/8/6k1/6q1/7K w - - 0 1", Some(Ending::Checkmate { winner: Color::Black })),
        // Only a capture en passant saves from mate.
        ("8/8/8/8/1pP5/kp6/1r6/2K5 b - c3 0 1", None),
    ] {
        let position = read(fen);
        assert_eq!(ending::find(&position, &[]), expected, "{fen}");
        let is_mate = matches!(expected, Some(Ending::Checkmate { .. }));
        assert_eq!(ending::is_checkmate(&position), is_mate, "{fen}");
        assert_eq!(ending::is_stalemate(&position), expected == Some(Ending::Stalemate), "{fen}");
    }
}

#[test]
fn fifty_and_seventy_five_moves() {
    for (halfmoves, expected) in [
        (99, None),
        (100, Some(Ending::FiftyMoves)),
        (149, Some(Ending::FiftyMoves)),
        (150, Some(Ending::SeventyFiveMoves)),
        (4_294_967_295_u32, Some(Ending::SeventyFiveMoves)),
    ] {
        assert_eq!(ending::find(&read(&format!("6k1/8/8/8/8/8/8/K6R w - - {halfmoves} 90")), &[]), expected);
        let mated = ending::find(&read(&format!("R5k1/5ppp/8/8/8/8/8/K7 b - - {halfmoves} 90")), &[]);
        assert_eq!(mated, Some(Ending::Checkmate { winner: Color::White }));
        let stalemated = ending::find(&read(&format!("7k/5Q2/6K1/8/8/8/8/8 b - - {halfmoves} 90")), &[]);
        assert_eq!(stalemated, Some(Ending::Stalemate));
        let dead = ending::find(&read(&format!("7k/8/8/8/8/8/8/K6N w - - {halfmoves} 90")), &[]);
        assert_eq!(dead, Some(Ending::InsufficientMaterial));
    }
    // A capture or a pawn's move sets the clock back.
    let reset = course("6k1/7p/8/8/8/8/8/K6R w - - 99 90", "h1h7");
    assert_eq!(reset, [None, None]);
    let pushed = course("6k1/7p/8/8/8/8/8/K6R b - - 99 90", "h7h6");
    assert_eq!(pushed, [None, None]);
}

#[test]
fn three_and_five_occurrences() {
    let there_and_back = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
    let found = course(&Position::startpos().to_string(), &there_and_back);
    let expected = |ply: usize| match ply {
        0..8 => None,
        8..16 => Some(Ending::Threefold),
        _ => Some(Ending::Fivefold),
    };
    let wanted: Vec<Option<Ending>> = (0..=16).map(expected).collect();
    assert_eq!(found, wanted);
}

#[test]
fn other_rights_make_another_position() {
    // The king moves away and back: the first position, with its right, does not come again.
    let found = course("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &"e1e2 e8e7 e2e1 e7e8 ".repeat(3));
    let first = found.iter().position(Option::is_some);
    assert_eq!(first, Some(9), "after e1e2, the first position that has come three times");
    // A right that cannot be used at the moment counts as well: the rook's move ends it.
    let blocked = course("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", &"h1h2 e8e7 h2h1 e7e8 ".repeat(3));
    assert_eq!(blocked.iter().position(Option::is_some), Some(9));
}

#[test]
fn an_en_passant_square_makes_another_position() {
    let back_and_forth = "g8f8 g1h1 f8g8 h1g1 ".repeat(2);
    // A capture on e3 is legal at first: that position does not come again.
    let real = course("6k1/8/8/8/3p4/8/4P3/6K1 w - - 0 1", &format!("e2e4 {back_and_forth} g8f8"));
    assert_eq!(real.iter().position(Option::is_some), Some(10));
    // The capture would open the rank to the rook, so it never was possible: the same position three times.
    let shut =
        course("8/8/8/8/k2p3R/8/4P3/6K1 w - - 0 1", &format!("e2e4 {}", "a4a5 g1h1 a5a4 h1g1 ".repeat(2)));
    assert_eq!(shut.iter().position(Option::is_some), Some(9));
    let idle = course("6k1/8/8/8/8/3p4/4P3/6K1 w - - 0 1", &format!("e2e4 {back_and_forth}"));
    assert_eq!(idle.iter().position(Option::is_some), Some(9));
}

#[test]
fn endings_say_who_won_and_who_must_claim() {
    let all = [
        (Ending::Checkmate { winner: Color::Black }, "Black mates", false),
        (Ending::Stalemate, "draw by stalemate", false),
        (Ending::InsufficientMaterial, "draw by insufficient material", false),
        (Ending::Fivefold, "draw by fivefold repetition", false),
        (Ending::SeventyFiveMoves, "draw by the seventy-five move rule", false),
        (Ending::Threefold, "draw by threefold repetition", true),
        (Ending::FiftyMoves, "draw by the fifty-move rule", true),
    ];
    for (found, text, claim) in all {
        assert_eq!((found.to_string().as_str(), found.needs_claim()), (text, claim));
        assert_eq!(found.winner().is_some(), text == "Black mates");
    }
}
