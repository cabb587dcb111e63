//! Engines of Debian, each by its dialect. Where one is not installed the test fails: `tests/run` installs them.

use std::path::Path;
use std::time::Duration;

use vezir_engine::dialect::Totals;
use vezir_engine::{Confinement, Dialect, Foreign, Note, Program, Settings};

use crate::built::{START, query};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const SHUFFLED: &str = "nrk2bbr/pppp1ppp/8/8/8/8/1PPP1PPP/qRK2BBR w BHbh - 0 9";
const PROMOTIONS: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";

fn engine(name: &str, dialect: Dialect) -> Foreign {
    // It makes a folder in the home that /etc/passwd names for its user, and goes no further without.
    let confinement = if name == "sjeng" { Confinement::Unsandboxed } else { Confinement::Tier1 };
    let path = format!("/usr/games/{name}");
    assert!(Path::new(&path).exists(), "{path} is missing: `apt-get install {name}`");
    let settings = Settings { query_limit: Duration::from_secs(30), ..Settings::default() };
    Foreign::new(Program::new(path), dialect, Settings { confinement, ..settings })
}

async fn agree(mut foreign: Foreign, cases: &[(&str, &[u128])], divides: bool, notes: &[Note]) {
    for (fen, counts) in cases {
        for (depth, count) in (1..).zip(*counts) {
            let said = foreign.ask(&query(fen, depth)).await;
            let said = said.unwrap_or_else(|failure| panic!("{fen}, {depth}: {failure}"));
            assert_eq!((said.total, said.notes.as_slice()), (Some(*count), notes), "{fen}, {depth}");
            assert_eq!(said.moves.is_some(), divides);
        }
    }
    assert_eq!(foreign.starts(), 1);
    foreign.quit().await;
}

const STANDARD: [(&str, &[u128]); 3] =
    [(START, &[20, 400, 8_902, 197_281]), (KIWIPETE, &[48, 2_039, 97_862]), (PROMOTIONS, &[6, 264, 9_467])];

/// One that needs Chess960 between two that do not.
const MIXED: [(&str, &[u128]); 3] = [STANDARD[1], (SHUFFLED, &[19, 547, 10_532]), STANDARD[2]];

#[tokio::test]
async fn stockfish_agrees() {
    agree(engine("stockfish", Dialect::Uci), &STANDARD, true, &[]).await;
    agree(engine("stockfish", Dialect::Uci), &MIXED, true, &[]).await;
}

#[tokio::test]
async fn fairy_stockfish_agrees() {
    agree(engine("fairy-stockfish", Dialect::Uci), &STANDARD, true, &[]).await;
    agree(engine("fairy-stockfish", Dialect::Uci), &MIXED, true, &[]).await;
}

#[tokio::test]
async fn ethereal_agrees() {
    let dialect = Totals::profile("ethereal-chess").expect("a profile");
    agree(engine("ethereal-chess", Dialect::Totals(dialect.clone())), &STANDARD, false, &[]).await;
    agree(engine("ethereal-chess", Dialect::Totals(dialect)), &MIXED, false, &[]).await;
}

#[tokio::test]
async fn sjeng_agrees() {
    let dialect = Totals::profile("sjeng").expect("a profile");
    agree(engine("sjeng", Dialect::Totals(dialect)), &STANDARD, false, &[Note::Unsandboxed]).await;
}

#[tokio::test]
async fn an_engine_that_does_not_know_perft_is_found_out() {
    let settings = Settings { query_limit: Duration::from_secs(2), ..Settings::default() };
    let mut foreign = Foreign::new(Program::new("ethereal-chess"), Dialect::Uci, settings);
    let failure = foreign.ask(&query(START, 3)).await.expect_err("it searches");
    let said = failure.to_string();
    assert!(said.contains("perft 3") || said.contains("cannot be read"), "{said}");
}

#[tokio::test]
async fn an_engine_without_the_option_is_told_of() {
    let mut toy = crate::built::uci_toy(&["--no-chess960"]);
    let said = toy.ask(&query(SHUFFLED, 1)).await.expect("an answer");
    assert_eq!(said.notes, [Note::NoChess960]);
    let said = toy.ask(&query(KIWIPETE, 1)).await.expect("an answer");
    assert_eq!(said.notes, [], "where it is not needed nothing is said");
}
