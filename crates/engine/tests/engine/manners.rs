//! Every bad manner ends in its failure within its limit, or does no harm.

use std::time::{Duration, Instant};

use vezir_engine::{Dialect, Ended, Failure, Note, Settings};

use crate::built::{START, query, quick, toy, uci_toy};

fn hasty() -> Settings {
    Settings { query_limit: Duration::from_millis(1500), ..quick() }
}

/// What a toy with `manner` comes to at its first question, and that it takes no longer than it may.
async fn comes_to(dialect: &Dialect, manner: &str) -> Failure {
    let how = if matches!(dialect, Dialect::Uci) { "uci" } else { "script" };
    let mut foreign = toy(dialect.clone(), &["--speak", how, "--misbehave", manner], hasty());
    let begun = Instant::now();
    let failure = foreign.ask(&query(START, 2)).await.expect_err(manner);
    assert!(begun.elapsed() < Duration::from_secs(4), "{manner} took {:?}", begun.elapsed());
    assert_eq!(foreign.process_id(), None, "{manner}");
    failure
}

#[tokio::test]
async fn every_bad_manner_is_a_failure_of_its_own() {
    for dialect in [Dialect::Uci, Dialect::Script] {
        let crash = comes_to(&dialect, "crash").await;
        let Failure::Crashed(Ended::Exited { code: 139, stderr }) = &crash else { panic!("{crash}") };
        assert_eq!(stderr, &["toy: about to crash at question 1"], "its last words");
        let abort = comes_to(&dialect, "abort").await;
        assert!(matches!(abort, Failure::Crashed(Ended::Killed { name: "SIGABRT", .. })), "{abort}");
        let exit = comes_to(&dialect, "exit").await;
        assert!(matches!(exit, Failure::Exited(Ended::Exited { code: 0, .. })), "{exit}");
        let hang = comes_to(&dialect, "hang").await;
        assert!(matches!(hang, Failure::Hung { .. }), "{hang}");
        let garbage = comes_to(&dialect, "garbage").await;
        assert!(
            matches!(&garbage, Failure::Garbage { printed } if printed[0] == "segment of nothing"),
            "{garbage}"
        );
        let flood = comes_to(&dialect, "flood").await;
        assert_eq!(flood, Failure::Flood { limit_bytes: 4 << 20 });
        let twice = comes_to(&dialect, "twice").await;
        assert!(matches!(twice, Failure::WrongLines { .. }), "{twice}");
    }
}

#[tokio::test]
async fn what_is_odd_but_harmless_is_answered() {
    for manner in ["crlf", "banner", "bytes", "slow-start", "orphan", "ignore-quit"] {
        let said = uci_toy(&["--misbehave", manner]).ask(&query(START, 3)).await;
        let said = said.unwrap_or_else(|failure| panic!("{manner}: {failure}"));
        assert_eq!((said.total, said.sum()), (Some(8902), Some(8902)), "{manner}");
        assert_eq!(said.notes, [], "{manner}");
    }
}

#[tokio::test]
async fn a_wrong_sum_is_noted() {
    let said = uci_toy(&["--misbehave", "wrong-sum"]).ask(&query(START, 2)).await.expect("an answer");
    assert_eq!(said.notes, [Note::SumDiffers { sum: 400, total: 401 }]);
}

#[tokio::test]
async fn an_engine_without_totals_is_answered_by_its_moves() {
    let mut foreign = uci_toy(&["--no-total"]);
    for (depth, nodes) in [(1, 20), (2, 400)] {
        let said = foreign.ask(&query(START, depth)).await.expect("an answer");
        assert_eq!((said.total, said.count()), (None, Some(nodes)));
    }
}

#[tokio::test]
async fn after_a_failure_it_starts_anew() {
    let mut foreign = toy(Dialect::Uci, &["--misbehave", "crash@3"], hasty());
    for (question, works) in [(1, true), (2, true), (3, false), (4, true), (5, true), (6, false)] {
        assert_eq!(foreign.ask(&query(START, 2)).await.is_ok(), works, "question {question}");
    }
    assert_eq!(foreign.starts(), 2);
}

#[tokio::test]
async fn a_child_that_holds_the_output_open_does_not_hold_up_a_script() {
    let mut foreign = toy(Dialect::Script, &["--speak", "script", "--misbehave", "orphan"], quick());
    let begun = Instant::now();
    let said = foreign.ask(&query(START, 2)).await.expect("an answer");
    assert_eq!(said.total, Some(400));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}
