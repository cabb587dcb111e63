//! Cases that were told of other tools; inputs are our own.

use std::time::{Duration, Instant};

use vezir_engine::dialect::answer::Answer;
use vezir_engine::dialect::uci::{self, Kind, Offer};
use vezir_engine::{Dialect, Ended, Failure, Foreign, Program, Query, Settings};

use crate::built::{START, position, query, quick, toy, uci_toy};

/// Finding the faulty move with divide: talkchess "Get MoveGen errorfree", jniemann66/juddperft #6.
#[tokio::test]
async fn a_divide_in_another_order_with_a_fault() {
    let text = include_str!("../field/divide-without-en-passant.txt");
    let asked = query("rnbqkbnr/ppp1pppp/8/8/3p4/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 3", 3);
    let mut answer = Answer::default();
    text.lines().for_each(|line| {
        uci::hear(&mut answer, line);
    });
    let recorded = answer.finish(&asked).expect("an answer");
    assert_eq!((recorded.total, recorded.sum()), (Some(26_290), Some(26_290)));
    let mut recorded = recorded.moves.expect("a divide");
    let faulty = uci_toy(&["--fault", "en-passant-missing"]).ask(&asked).await.expect("an answer");
    let mut faulty = faulty.moves.expect("a divide");
    let right = uci_toy(&[]).ask(&asked).await.expect("an answer");
    assert_eq!(right.total, Some(26_323));
    recorded.sort();
    faulty.sort();
    assert_eq!(recorded, faulty, "the toy makes the same mistake");
    let right = right.moves.expect("a divide");
    let differing: Vec<_> = right.iter().filter(|line| !recorded.contains(line)).collect();
    assert_eq!(differing, [&("c2c4".to_owned(), 898)]);
}

/// An engine that is not told of Chess960: official-stockfish/Stockfish #2671, #3605.
#[tokio::test]
async fn chess960_is_set_where_the_position_needs_it() {
    let fen = "nrk2bbr/pppp1ppp/8/8/8/8/1PPP1PPP/qRK2BBR w BHbh - 0 9";
    let mut foreign = Foreign::new(Program::new("/usr/games/stockfish"), Dialect::Uci, quick());
    let said = foreign.ask(&query(fen, 1)).await.expect("stockfish, of Debian, answers");
    assert_eq!(said.total, Some(19));
    assert!(!said.moves.expect("a divide").iter().any(|(text, _)| text == "c1c1"));
}

/// Chatter before and around the handshake: milostatarevic/xiphos #18, Torom/BotLi #148.
#[tokio::test]
async fn chatter_does_no_harm() {
    let script = include_str!("../field/noisy-engine.sh");
    let program = Program::new("sh").with_arguments(["-c", script]);
    let mut foreign = Foreign::new(program, Dialect::Uci, quick());
    for _ in 0..2 {
        let said = foreign.ask(&query("7k/8/8/8/8/8/7p/7K b - - 0 1", 1)).await.expect("an answer");
        assert_eq!((said.total, said.sum(), said.notes.len()), (Some(3), Some(3), 0));
    }
    foreign.quit().await;
}

/// Option lines as engines write them: lukasmonk/lucaschess #18, niklasf/python-chess #320.
#[test]
fn option_lines_as_engines_write_them() {
    let lines = include_str!("../field/options.txt").lines();
    let read: Vec<Option<Offer>> = lines.map(uci::offer).collect();
    let spin = |default, min, max| Kind::Spin { default, min, max };
    let text = |text: &str| Kind::String(text.to_owned());
    let styles = ["Solid Rock", "Very Risky", "Normal"].map(str::to_owned);
    let style = Kind::Combo { default: styles[0].clone(), values: styles.to_vec() };
    let right = [
        ("Hash", spin(16, 1, 65_536)),
        ("Clear Hash", Kind::Button),
        ("BookFile", text("")),
        ("TB Path", text("")),
        ("Style of Play", style),
        ("Stop at max nodes", Kind::Check(true)),
        ("Draw value (default 0)", spin(-5, -100, 100)),
        ("Use type hints", Kind::Check(false)),
        ("LogFile", text("C:\\My Engines\\log out.txt")),
        ("Double  Space", spin(1, 0, 2)),
    ];
    let right = right.map(|(name, kind)| Some(Offer { name: name.to_owned(), kind }));
    assert_eq!(read[..10], right);
    assert_eq!(read[10..], [None, None], "skipped, never fatal");
}

/// Slow start-up: cutechess/cutechess #383, dje-dev/Ceres #6.
#[tokio::test]
async fn a_slow_start_has_a_limit_of_its_own() {
    let slow = ["--misbehave", "slow-start"];
    let settings = Settings { query_limit: Duration::from_secs(1), ..quick() };
    let said = toy(Dialect::Uci, &slow, settings).ask(&query(START, 1)).await;
    assert_eq!(said.expect("1.5 s to start are no part of the question's second").total, Some(20));
    let settings = Settings { start_limit: Duration::from_millis(300), ..quick() };
    let failure = toy(Dialect::Uci, &slow, settings).ask(&query(START, 1)).await.expect_err("too slow");
    assert_eq!(failure.to_string(), "it did not answer `uci` within 0.3 s");
}

/// A crash that is not noticed: Disservin/fastchess #1029, #981.
#[tokio::test]
async fn a_crash_is_seen_within_a_second() {
    for manners in [&["--misbehave", "crash"][..], &["--misbehave", "crash", "--misbehave", "orphan"]] {
        let mut foreign = uci_toy(manners);
        let begun = Instant::now();
        let failure = foreign.ask(&query(START, 1)).await.expect_err("it crashes");
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
        assert!(matches!(failure, Failure::Crashed(Ended::Exited { code: 139, .. })), "{failure}");
    }
}

/// Castling as the king's move or as king takes rook: niklasf/shakmaty #13, cutechess/cutechess #15.
#[test]
fn castling_is_read_either_way() {
    let rows = include_str!("../field/castling.txt").lines().filter(|line| !line.starts_with('#'));
    for row in rows {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let [setting, fen, said, _] = fields[..] else { panic!("{row}") };
        let text = said.trim_start_matches("bestmove ");
        let asked = Query::at(position(fen), 1).expect("a question");
        let mut answer = Answer::default();
        uci::hear(&mut answer, &format!("{text}: 1"));
        let said = answer.finish(&asked).expect("an answer");
        let shuffled = position(fen).needs_chess960();
        assert!(shuffled <= (setting == "960"), "{row}");
        let right = if !shuffled && text == "e1h1" { "e1g1" } else { text };
        assert_eq!(said.moves, Some(vec![(right.to_owned(), 1)]), "{row}");
    }
}

/// An engine that cannot start: Disservin/fastchess #634, #962.
#[tokio::test]
async fn what_cannot_start_says_why() {
    let failure = |program: Program| async move {
        let mut foreign = Foreign::new(program, Dialect::Uci, quick());
        foreign.ask(&query(START, 1)).await.expect_err("it cannot start")
    };
    let missing = failure(Program::new("/nowhere/engine")).await;
    assert!(matches!(missing, Failure::CannotStart(_)), "{missing}");
    assert!(
        missing.to_string().starts_with("`/nowhere/engine` cannot be started: no such file there"),
        "{missing}"
    );
    let at_once = failure(Program::new("/bin/false")).await;
    assert_eq!(
        at_once.to_string(),
        "`/bin/false` cannot be started: it ended before it answered `uci` (exit code 1)"
    );
    let text = failure(Program::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))).await;
    assert!(text.to_string().contains("not executable"), "{text}");
}
