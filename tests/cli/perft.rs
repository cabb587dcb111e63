//! `vezir perft`: counts, formats and refusals.

use super::{answer, json, number, talk, vezir};

/// Named positions with a depth that is quick to count, and the published count there.
const NAMED: [(&str, &str, u128); 6] = [
    ("startpos", "5", 4_865_609),
    ("kiwipete", "4", 4_085_603),
    ("position3", "5", 674_624),
    ("position4", "4", 422_333),
    ("position5", "4", 2_103_487),
    ("position6", "4", 3_894_594),
];

const ROOKS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

#[test]
fn a_bare_count_is_one_line() {
    let run = vezir(&["perft", "5"]).code(0);
    assert_eq!(answer(&run), "Nodes searched: 4865609\n");
    assert!(talk(&run).contains("agrees with the published count"), "{}", talk(&run));
}

#[test]
fn depth_zero_is_one_leaf() {
    let run = vezir(&["perft", "0", "--divide"]).code(0);
    assert_eq!(answer(&run), "\nNodes searched: 1\n");
}

#[test]
fn a_divide_looks_as_stockfish_prints_it() {
    let run = vezir(&["perft", "2", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "--divide"]).code(0);
    let text = answer(&run);
    assert!(text.contains("\ne1g1: "), "{text}");
    let (moves, total) = text.split_once("\n\n").expect("an empty line parts moves from the total");
    assert_eq!(total, "Nodes searched: 66\n");
    let parts = moves.lines().map(|line| line.split_once(": ").expect("a move, a colon, a count"));
    assert_eq!(parts.map(|(_, nodes)| nodes.parse::<u128>().expect("a count")).sum::<u128>(), 66);
    assert_eq!(moves.lines().count(), 15);
}

#[test]
fn the_json_object_has_its_keys_and_no_others() {
    let run = vezir(&["perft", "4", "--json"]).code(0);
    let object = json(&run);
    let keys: Vec<&String> = object.as_object().expect("an object").keys().collect();
    let promised = [
        "nodes",
        "depth",
        "fen",
        "divide",
        "breakdown",
        "seconds",
        "nps",
        "published",
        "expected_false_hits",
    ];
    assert_eq!(keys, promised);
    assert_eq!(number(&object["nodes"]), 197_281);
    assert_eq!(object["depth"], 4);
    assert_eq!(object["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(object["published"], "agrees");
    assert!(object["breakdown"].is_null());
    assert!(object["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert!(object["nps"].as_u64().is_some_and(|speed| speed > 0));
    assert!(object["expected_false_hits"].as_f64().is_some_and(|hits| (0.0..1e-6).contains(&hits)));
}

#[test]
fn named_positions_agree_with_what_is_published() {
    for (name, depth, nodes) in NAMED {
        let object = json(&vezir(&["perft", depth, "--position", name, "--json"]).code(0));
        assert_eq!(number(&object["nodes"]), nodes, "{name}");
        assert_eq!(object["published"], "agrees", "{name}");
        let parts = object["divide"].as_object().expect("an object").values();
        assert_eq!(parts.map(number).sum::<u128>(), nodes, "{name}");
    }
}

#[test]
fn the_means_do_not_change_the_answer() {
    let means: [&[&str]; 6] = [
        &["--hash", "0"],
        &["--hash", "1MiB"],
        &["--threads", "1"],
        &["--split", "2", "--units", "7"],
        &["--split", "0"],
        &["--split", "5", "--units", "100000", "--threads", "3"],
    ];
    for words in means {
        let line = [&["perft", "5", "--position", "position3", "--json"], words].concat();
        let object = json(&vezir(&line).code(0));
        assert_eq!(number(&object["nodes"]), 674_624, "{words:?}");
        let parts = object["divide"].as_object().expect("an object").values();
        assert_eq!(parts.map(number).sum::<u128>(), 674_624, "{words:?}");
    }
}

#[test]
fn a_breakdown_comes_in_both_conventions() {
    let line = ["perft", "4", "--position", "kiwipete", "--json"];
    let with = |flag| json(&vezir(&[&line[..], &[flag]].concat()).code(0))["breakdown"].clone();
    let wiki = with("--breakdown");
    let expected = [
        ("captures", 757_163),
        ("en_passants", 1_929),
        ("castles", 128_013),
        ("promotions", 15_172),
        ("checks", 25_523),
        ("discovered", 42),
        ("double", 6),
        ("mates", 43),
    ];
    for (name, count) in expected {
        assert_eq!(number(&wiki[name]), count, "{name}");
    }
    assert_eq!(wiki["convention"], "wiki");
    let without = with("--breakdown=without-mates");
    assert_eq!(without["convention"], "without-mates");
    assert_eq!(number(&without["checks"]), 25_480);
    let both = with("--breakdown=both");
    assert_eq!(both["convention"], "both");
    assert_eq!(number(&both["wiki"]["checks"]), 25_523);
    assert_eq!(number(&both["without-mates"]["checks"]), 25_480);
}

#[test]
fn a_breakdown_of_nothing_is_all_zeros() {
    // Mated at once: there is nothing to split, and so no unit.
    let line = ["perft", "3", "--fen", "7k/5QQ1/8/8/8/8/8/K7 b - - 0 1", "--breakdown", "--json"];
    let object = json(&vezir(&line).code(0));
    assert_eq!((number(&object["nodes"]), number(&object["breakdown"]["captures"])), (0, 0));
}

#[test]
fn a_breakdown_names_its_convention() {
    let run = vezir(&["perft", "3", "--position", "kiwipete", "--breakdown"]).code(0);
    let text = answer(&run);
    assert!(text.starts_with("Nodes searched: 97862\n\nBreakdown of the last ply (wiki"), "{text}");
    assert!(text.contains("\ncaptures     17102\n"), "{text}");
}

#[test]
fn castling_is_written_as_the_position_asks() {
    let moves = |words: &[&str]| answer(&vezir(&[&["perft", "1", "--divide"], words].concat()).code(0));
    let standard = moves(&["--fen", ROOKS]);
    assert!(standard.contains("e1g1: 1\n") && standard.contains("e1c1: 1\n"), "{standard}");
    let chess960 = moves(&["--fen", ROOKS, "--chess960"]);
    assert!(chess960.contains("e1h1: 1\n") && chess960.contains("e1a1: 1\n"), "{chess960}");
    let shuffled = moves(&["--fen", "nrk2bbr/pppp1ppp/8/8/8/8/1PPP1PPP/qRK2BBR w BHbh - 0 9"]);
    assert!(!shuffled.contains("c1c1") && shuffled.contains("Nodes searched: 19\n"), "{shuffled}");
}

#[test]
fn a_position_without_a_move_has_no_leaves() {
    let run = vezir(&["perft", "3", "--fen", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "--divide"]).code(0);
    assert_eq!(answer(&run), "\nNodes searched: 0\n");
}

#[test]
fn a_quirk_of_a_fen_is_a_warning() {
    let run = vezir(&["perft", "1", "--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 0"]).code(0);
    assert_eq!(answer(&run), "Nodes searched: 5\n");
    assert!(talk(&run).starts_with("warning: "), "{}", talk(&run));
}

#[test]
fn a_bad_fen_is_refused_in_one_sentence() {
    let bad = [
        "",
        "junk",
        "startpos",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/8/8/8/8/8/K7 w - - 0 1",
        "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 junk",
        "r1bqkbnr/pppp1ppp/2n5/3P4/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3",
        "4k3/8/8/8/8/8/8/4K3 \u{2654} - - 0 1",
    ];
    for fen in bad {
        let run = vezir(&["perft", "3", "--fen", fen]).code(3);
        let talk = talk(&run);
        assert_eq!(answer(&run), "", "{fen}");
        assert!(talk.starts_with("vezir: ") && talk.lines().count() == 1, "{fen}: {talk}");
        assert!(talk.contains("right"), "{fen}: what would be right? {talk}");
        assert!(!talk.contains("panicked"), "{fen}: {talk}");
    }
}

#[test]
fn a_wrong_command_line_is_refused() {
    let wrong: [(&[&str], &str); 15] = [
        (&[], "Usage"),
        (&["perft"], "DEPTH"),
        (&["perft", "65"], "0 to 64"),
        (&["perft", "-1"], "0 to 64"),
        (&["perft", "five"], "0 to 64"),
        (&["perft", "wiki", "--breakdown"], "--breakdown=wiki"),
        (&["perft", "3", "--position", "kiwipte"], "kiwipte: startpos, kiwipete,"),
        (&["perft", "3", "--hash", "256"], "256MiB"),
        (&["perft", "3", "--threads", "0"], "1 to"),
        (&["perft", "3", "--units", "0"], "from 1 to"),
        (&["perft", "3", "--split", "-1"], "0 to 64"),
        (&["perft", "3", "--fen", "8/8/8/8/8/8/8/K1k5", "w", "-", "-"], "--fen '8/8/8/8/8/8/8/K1k5 w - -'"),
        (&["perft", "3", "kiwipete"], "--position kiwipete"),
        (&["perft", "3", "--breakdown", "both"], "--breakdown=both"),
        (&["pertf", "3"], "perft"),
    ];
    for (words, hint) in wrong {
        let run = vezir(words).code(2);
        assert_eq!(answer(&run), "", "{words:?}");
        assert!(talk(&run).contains(hint), "{words:?}: {}", talk(&run));
        let is_sentence = talk(&run).starts_with("vezir: ") && talk(&run).lines().count() == 1;
        assert!(is_sentence || words.is_empty(), "{words:?}: {}", talk(&run));
    }
}

#[test]
fn a_split_below_the_leaves_is_refused() {
    let run = vezir(&["perft", "3", "--split", "4"]).code(2);
    assert!(talk(&run).contains("0 to 3"), "{}", talk(&run));
}

#[test]
fn a_split_that_cannot_be_held_is_refused() {
    let kings = ["--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"];
    let run = vezir(&[&["perft", "40", "--split", "40"][..], &kings].concat()).code(2);
    let told = talk(&run);
    let last = told.lines().last().unwrap_or_default();
    assert!(last.starts_with("vezir: ") && last.ends_with("a smaller split would be right"), "{told}");
}

/// FENs that are refused, each followed by its sentence; what no command line can carry is escaped.
const MALFORMED: &str = include_str!("../../crates/chess/tests/data/malformed_fens.txt");

#[test]
fn each_malformed_fen_is_refused_with_its_own_sentence() {
    let lines: Vec<&str> = MALFORMED.lines().skip(2).collect();
    // The command line itself says what to do with the name of a position.
    let plain = lines.chunks_exact(2).filter(|pair| !pair[0].contains("\\u{") && pair[0] != "startpos");
    let mut sentences = std::collections::HashSet::new();
    for pair in plain {
        let run = vezir(&["perft", "1", "--fen", pair[0]]).code(3);
        assert_eq!(answer(&run), "", "{}", pair[0]);
        assert_eq!(talk(&run), format!("vezir: --fen: {}\n", pair[1].trim_start()), "{}", pair[0]);
        sentences.insert(pair[1]);
    }
    assert!(sentences.len() >= 120, "{} sentences", sentences.len());
}
