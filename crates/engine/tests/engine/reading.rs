//! Answers as programs of different families print them.

use vezir_engine::dialect::answer::Answer;
use vezir_engine::dialect::{script, uci};
use vezir_engine::{Failure, Said};

use crate::built::{START, query};

/// A UCI engine's answer at depth 2 of a position with two moves, by a text.
fn heard(text: &str, depth: u8) -> Result<Said, Failure> {
    let query = query("7k/8/8/8/8/8/7p/7K b - - 0 1", depth);
    let mut answer = Answer::default();
    for line in text.lines() {
        uci::hear(&mut answer, line);
    }
    answer.finish(&query)
}

#[test]
fn relatives_of_stockfish() {
    let texts = [
        "h8g8: 1\nh8g7: 1\nh8h7: 1\n\nNodes searched: 3\n",
        "info string using 1 thread\n  1. h8g8 1\n  2. h8g7 1\n  3. h8h7 1\nTotal: 3\nTime: 1 ms\nNodes/s: 3000\n",
        "h8h7 - 1\r\nh8g7 - 1\r\nh8g8 - 1\r\nnodes 3\r\n".trim_end(),
        "info depth 1 nodes 77 nps 5\nh8g8:1\nh8g7:1\nh8h7:1\ninfo string nodes 3\n",
        "perft 1\nH8G8 1\nH8G7 1\nH8H7 1\nperft 1: 3 (0.001 s)\n",
    ];
    for text in texts {
        let said = heard(text, 1).unwrap_or_else(|failure| panic!("{text}: {failure}"));
        let mut moves: Vec<String> = said.moves.expect("moves").into_iter().map(|(text, _)| text).collect();
        moves.sort();
        assert_eq!((said.total, moves.join(" ").as_str()), (Some(3), "h8g7 h8g8 h8h7"), "{text}");
        assert_eq!(said.notes, [], "{text}");
    }
}

#[test]
fn answers_that_are_none() {
    let garbage = heard("Illegal command\nbestmove h8g8\n", 1).expect_err("none");
    assert!(matches!(&garbage, Failure::Garbage { printed } if printed.len() == 2), "{garbage}");
    let two = heard("h8g8: 1\nTotal: 1\nTotal: 2\n", 1).expect_err("two totals");
    assert!(matches!(two, Failure::WrongLines { .. }), "{two}");
    let both = heard("h8g8: 1\nh8g8: 1\nTotal: 2\n", 1).expect_err("a move twice");
    assert_eq!(
        both.to_string(),
        "its answer has the wrong lines: `h8g8` stands there twice: each move once would be right"
    );
}

#[test]
fn scripts_must_keep_to_the_form() {
    let query = query(START, 1);
    let read = |text: &str| {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        script::read(&lines, &query)
    };
    let said = read("a2a3 1\nb2b3 1\n\n2\n").expect("the form");
    assert_eq!((said.total, said.sum()), (Some(2), Some(2)));
    assert_eq!(read("\n0\n").expect("no moves").total, Some(0));
    for wrong in ["a2a3 1\nb2b3 1\n", "a2a3 1\n\n1\n1\n", "a2a3 1\n\n1\nb2b3 1\n", "a2a3 1\na2a3 1\n\n2\n"] {
        assert!(matches!(read(wrong), Err(Failure::WrongLines { .. })), "{wrong}");
    }
    for garbage in ["a2a3 1\nTraceback\n\n1\n", "", "\n"] {
        assert!(matches!(read(garbage), Err(Failure::Garbage { .. })), "{garbage}");
    }
}
