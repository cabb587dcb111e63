//! Cases from people's bug reports, each with an input of our own.

#[path = "planted/program.rs"]
mod program;

use std::collections::BTreeMap;
use std::convert::Infallible;

use program::{Plant, Program};
use vezir_chess::{Position, fen};
use vezir_verify::{
    Counts, Difference, Finding, Lines, Oracle, Plain, Query, Said, Tag, Tags, Wish, compare, descend,
};

/// A foreign divide at depth 3, in another order than ours, the total last; en passant is left out.
const G13: &str = include_str!("data/G13.txt");

fn g13() -> (Position, Said) {
    let lines = G13.lines().filter(|line| !line.starts_with('#'));
    let cells: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(": ")).collect();
    let number = |text: &str| text.parse().expect("a number");
    let (total, moves): (Vec<_>, Vec<_>) = cells.into_iter().partition(|(name, _)| name.contains(' '));
    let total = total.first().map(|(_, count)| number(count));
    let moves = moves.into_iter().map(|(text, count)| (text.to_owned(), number(count))).collect();
    let root = G13.lines().find_map(|line| fen::read(line.strip_prefix("# ")?).ok()).expect("a FEN");
    (root.position, Said { total, moves: Some(moves) })
}

fn no_en_passant(state: &program::State, texts: &mut Vec<String>) {
    if let Some(passed) = state.passed() {
        let pawns = state.position.men(state.position.side(), vezir_chess::Piece::Pawn);
        let from = |text: &String| text[..2].parse().is_ok_and(|square| pawns.has(square));
        texts.retain(|text| !(from(text) && text.ends_with(&passed.to_string())));
    }
}

/// Says what the file says of its root, and below it what a program without en passant does.
struct Written {
    root: Position,
    said: Said,
    program: Program,
}

impl Oracle for Written {
    type Error = Infallible;

    fn ask(&mut self, query: &Query) -> Result<Said, Infallible> {
        if query.position() == self.root && query.depth == 3 {
            return Ok(self.said.clone());
        }
        self.program.ask(query)
    }
}

#[test]
fn g13_the_faulty_move_is_found_by_divide() {
    let (root, said) = g13();
    let ours = Plain.count(&root, 3).expect("a count");
    assert_eq!((ours.nodes, said.total), (26_323, Some(26_290)));
    let c2c4 = vezir_chess::uci::read(&root, "c2c4").expect("a move");
    let only = Difference::Miscounted { chosen: c2c4, ours: 898, theirs: 865 };
    assert_eq!(compare(&root, &ours, &said), [only]);

    let plants: Vec<Plant> = vec![no_en_passant];
    let mut written = Written { root, said: said.clone(), program: Program { plants, lists: true } };
    let report = descend(&mut written, &mut Plain, &Query::at(root, 3), Wish::default());
    let [finding] = &report.findings[..] else { panic!("{report:#?}") };
    assert_eq!(finding.path, [c2c4]);
    assert_eq!(
        finding.position.to_string(),
        "rnbqkbnr/ppp1pppp/8/8/2Pp4/4P3/PP1P1PPP/RNBQKBNR b KQkq c3 0 3"
    );
    assert_eq!(finding.difference.told(&finding.position), "the legal move `d4c3` is missing");
    assert_eq!(finding.tags, Tags::of(Tag::EnPassant));
    assert_eq!(said_again(finding), said_by(&root, &said));
}

/// The program without en passant, asked what the file answers.
fn said_again(finding: &Finding) -> BTreeMap<vezir_chess::Move, u128> {
    let mut program = Program { plants: vec![no_en_passant], lists: true };
    let said = program.ask(&Query::at(finding.root, 3)).expect("an answer");
    said_by(&finding.root, &said)
}

fn said_by(root: &Position, said: &Said) -> BTreeMap<vezir_chess::Move, u128> {
    Lines::read(root, said.moves.as_deref().expect("a divide")).legal
}
