//! The toy without faults answers right in every dialect, and with faults wrong.

use vezir_chess::{Position, uci};
use vezir_engine::dialect::{Template, Totals};
use vezir_engine::{Dialect, Foreign, Note, Program, Query};

use crate::built::{START, example, query, quick, toy, uci_toy};

/// Positions with their counts at depths 1, 2, 3.
const KNOWN: [(&str, [u128; 3]); 4] = [
    (START, [20, 400, 8_902]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2_039, 97_862]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2_812]),
    ("nrk2bbr/pppp1ppp/8/8/8/8/1PPP1PPP/qRK2BBR w BHbh - 0 9", [19, 547, 10_532]),
];

fn totals() -> Dialect {
    let made = Totals::new(&[], "setboard {fen}", "perft {depth}", r"^depth \d+ has nodes (\d+)$");
    Dialect::Totals(made.expect("right commands").with_chess960())
}

/// The toy called by a template.
fn by_template() -> Foreign {
    let command = format!("{} --speak script {{depth}} '{{fen}}' '{{moves}}'", example("toy").display());
    let (program, template) = Template::read(&command).expect("a command");
    Foreign::new(Program::new(program), Dialect::Template(template), quick())
}

fn in_every_dialect() -> [(&'static str, Foreign); 4] {
    [
        ("uci", uci_toy(&[])),
        ("totals", toy(totals(), &["--speak", "totals"], quick())),
        ("script", toy(Dialect::Script, &["--speak", "script"], quick())),
        ("template", by_template()),
    ]
}

#[tokio::test]
async fn known_counts_in_every_dialect() {
    for (name, mut foreign) in in_every_dialect() {
        for (fen, counts) in KNOWN {
            for (depth, count) in (1..).zip(counts) {
                let said = foreign.ask(&query(fen, depth)).await;
                let said = said.unwrap_or_else(|failure| panic!("{name}, {fen}, {depth}: {failure}"));
                assert_eq!(said.total, Some(count), "{name}, {fen}, {depth}");
                assert_eq!(said.notes, [], "{name}, {fen}, {depth}");
                assert_eq!(said.moves.is_some(), name != "totals");
                assert!(said.sum().is_none_or(|sum| sum == count));
            }
        }
        let starts = foreign.starts();
        assert_eq!(starts, if ["uci", "totals"].contains(&name) { 1 } else { 12 }, "{name}");
    }
}

#[tokio::test]
async fn divides_do_not_depend_on_the_dialect() {
    let asked = query(KNOWN[1].0, 3);
    let stockfish = Foreign::new(Program::new("/usr/games/stockfish"), Dialect::Uci, quick());
    let [uci, _, script, template] = in_every_dialect();
    let mut divides = Vec::new();
    for (name, mut foreign) in [("stockfish, of Debian", stockfish), uci, script, template] {
        let mut moves = foreign.ask(&asked).await.expect(name).moves.expect(name);
        moves.sort();
        divides.push(moves);
    }
    assert_eq!(divides[0].len(), 48);
    assert!(divides.windows(2).all(|pair| pair[0] == pair[1]));
}

#[tokio::test]
async fn a_path_is_walked_by_the_engine() {
    let start = Position::startpos();
    let mut reached = start;
    let mut path = Vec::new();
    for text in ["e2e4", "a7a6", "e4e5", "d7d5"] {
        let chosen = uci::read(&reached, text).expect("a move");
        reached = reached.after(chosen);
        path.push(chosen);
    }
    let along = Query::along(start, &path, 3).expect("a question");
    let direct = Query::at(reached, 3).expect("a question");
    for (name, mut foreign) in in_every_dialect() {
        let walked = foreign.ask(&along).await.expect(name);
        let placed = foreign.ask(&direct).await.expect(name);
        assert_eq!(walked, placed, "{name}");
        assert_eq!(walked.total, Some(24_166), "{name}");
    }
}

#[tokio::test]
async fn planted_faults_show() {
    let cases = [
        ("en-passant-missing", "rnbqkbnr/ppp1pppp/8/8/3p4/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 3", 3, 26_290),
        ("en-passant-rank-pin", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 2, 193),
        ("castling-through-check", "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", 1, 13),
        ("castling-missing", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1, 14),
        ("promotion-missing", "8/P6k/8/8/8/8/8/K7 w - - 0 1", 1, 6),
        ("double-push-over-man", "4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", 1, 6),
        ("wrap-around", "4k3/8/p7/8/7P/8/8/4K3 w - - 0 1", 1, 7),
    ];
    for (fault, fen, depth, wrong) in cases {
        let right = uci_toy(&[]).ask(&query(fen, depth)).await.expect(fault).total;
        let said = uci_toy(&["--fault", fault]).ask(&query(fen, depth)).await.expect(fault);
        assert_eq!(said.total, Some(wrong), "{fault}; right is {right:?}");
        assert_ne!(said.total, right, "{fault}");
    }
}

#[tokio::test]
async fn totals_of_chess960_are_noted_unless_the_program_knows_it() {
    let made = Totals::new(&[], "setboard {fen}", "perft {depth}", r"nodes (\d+)").expect("right commands");
    let mut foreign = toy(Dialect::Totals(made), &["--speak", "totals"], quick());
    assert_eq!(foreign.ask(&query(KNOWN[3].0, 1)).await.expect("an answer").notes, [Note::NoChess960]);
    assert_eq!(foreign.ask(&query(START, 1)).await.expect("an answer").notes, []);
}

#[tokio::test]
async fn an_unsandboxed_answer_says_so() {
    let settings = vezir_engine::Settings { confinement: vezir_engine::Confinement::Unsandboxed, ..quick() };
    let said = toy(Dialect::Uci, &[], settings).ask(&query(START, 2)).await.expect("an answer");
    assert_eq!(said.notes, [Note::Unsandboxed]);
}
