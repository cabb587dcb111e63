//! Planted faults: each is found by the built-in suite, under its tag, and shrunk; nothing else is reported.

#[path = "planted/fault.rs"]
mod fault;
#[path = "planted/program.rs"]
mod program;

use std::collections::{BTreeMap, BTreeSet};

use fault::FAULTS;
use program::{Plant, Program};
use vezir_chess::{Move, Position, fen, uci};
use vezir_verify::{
    Difference, Ended, Finding, Plain, Query, SUITE, Tag, Tags, Trial, Way, Wish, descend, playout,
    shrink_finding,
};

/// Plies to which the suite is asked.
const DEPTH: u32 = 3;
const ALL: Wish = Wish { all: true, queries: Wish::QUERIES };

fn position(trial: &Trial) -> Position {
    trial.fen.parse().unwrap_or_else(|error| panic!("{}: {error}", trial.fen))
}

fn findings(plants: &[Plant], lists: bool, position: Position, depth: u32, wish: Wish) -> Vec<Finding> {
    let mut program = Program { plants: plants.to_vec(), lists };
    let report = descend(&mut program, &mut Plain, &Query::at(position, depth), wish);
    assert_eq!(report.ended, Ended::Done, "{position:?}");
    report.findings
}

#[test]
fn every_trial_is_a_position_of_its_own() {
    let mut seen = BTreeMap::new();
    for trial in SUITE {
        assert!((1..=DEPTH).contains(&trial.depth), "{trial:?}");
        assert_eq!(seen.insert(position(trial).pack(), trial), None, "{trial:?}");
        let reading = fen::read(trial.fen).expect("a FEN");
        assert_eq!(reading.warnings, [], "{trial:?}");
    }
}

#[test]
fn every_trial_is_needed() {
    let idle = SUITE.iter().filter(|trial| {
        let shows = |plant: &Plant| {
            let found = findings(&[*plant], true, position(trial), trial.depth, ALL);
            found.iter().any(|finding| finding.tags.has(trial.theme))
        };
        !FAULTS.iter().filter(|(_, tag, _)| *tag == trial.theme).any(|(_, _, plant)| shows(plant))
    });
    let idle: Vec<&Trial> = idle.collect();
    assert!(idle.is_empty(), "no fault shows in {idle:#?}");
}

#[test]
fn every_fault_is_found_under_its_tag_and_shrunk() {
    let mut complaints = Vec::new();
    for (name, tag, plant) in FAULTS {
        let found = SUITE.iter().find_map(|trial| {
            let found = findings(&[*plant], true, position(trial), DEPTH, Wish::default());
            found.into_iter().find(|finding| finding.tags.has(*tag))
        });
        let Some(finding) = found else {
            complaints.push(format!("{name} is not found"));
            continue;
        };
        let mut program = Program { plants: vec![*plant], lists: true };
        let smallest = shrink_finding(&mut program, &mut Plain, &finding, 5_000).expect("answers");
        if (smallest.root.occupied().count() > 6 && !NEEDS_MANY.contains(name)) || !smallest.is_smallest {
            complaints.push(format!("{name}: {smallest}"));
        }
        println!("{name}\n{}", finding.with_smallest(smallest));
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// Faults that break several rules, and so are rightly found under several tags.
const WIDE: [&str; 4] =
    ["no en passant", "en passant at any time", "no castling", "white's second move has no b-knight"];

/// Faults that a position with few men cannot show.
const NEEDS_MANY: [&str; 1] = ["a list of 128 moves at most"];

/// Positions from random games, each with the moves that led there.
fn random_queries(depth: u32) -> Vec<Query> {
    let crowded = SUITE.iter().filter(|trial| trial.theme == Tag::Rest).map(position);
    let starts = [0, 123, 518, 700, 959].into_iter().filter_map(playout::chess960);
    let games = crowded
        .chain(starts)
        .flat_map(|root| (0..3).map(move |number| (root, playout::game(&root, 5, number))));
    let queries = games.flat_map(|(root, moves)| {
        let cuts = (1..moves.len()).step_by(3).collect::<Vec<_>>().into_iter();
        cuts.map(move |cut| Query { root, moves: moves[..cut].to_vec(), depth, way: Way::Moves })
    });
    queries.collect()
}

#[test]
fn no_fault_is_found_under_a_foreign_tag() {
    let queries = random_queries(1);
    assert!(queries.len() > 700, "{}", queries.len());
    for (name, tag, plant) in FAULTS.iter().filter(|(name, _, _)| !WIDE.contains(name)) {
        let mut program = Program { plants: vec![*plant], lists: true };
        let small = SUITE.iter().map(|trial| Query::at(position(trial), 2));
        for query in small.chain(queries.iter().cloned()) {
            for finding in descend(&mut program, &mut Plain, &query, ALL).findings {
                assert!(finding.tags.has(*tag), "{name}\n{finding}");
                let by_moves = finding.tags.has(Tag::MakeMoveOnly);
                assert_eq!(by_moves, *tag == Tag::MakeMoveOnly, "{name}\n{finding}");
            }
        }
    }
}

#[test]
fn crowded_positions_are_shrunk_too() {
    let queries = random_queries(1);
    let mut shrunk = 0;
    for (name, tag, plant) in FAULTS.iter().filter(|(name, _, _)| !NEEDS_MANY.contains(name)) {
        let mut program = Program { plants: vec![*plant], lists: true };
        let crowded = queries.iter().filter(|query| query.position().occupied().count() > 12);
        let found =
            crowded.flat_map(|query| descend(&mut program, &mut Plain, query, Wish::default()).findings);
        let Some(finding) = found.into_iter().find(|finding| finding.tags.has(*tag)) else { continue };
        let smallest = shrink_finding(&mut program, &mut Plain, &finding, 5_000).expect("answers");
        let men = smallest.root.occupied().count();
        // Where many moves have to be made, their men have to stay.
        let most = if finding.query.moves.len() > 4 { finding.query.root.occupied().count() - 1 } else { 6 };
        assert!(smallest.is_smallest && men <= most, "{name}: {men} men in {smallest}\n{finding}");
        let again = Query { root: smallest.root, moves: smallest.moves, ..finding.query };
        let kinds = descend(&mut program, &mut Plain, &again, Wish::default()).findings;
        assert!(kinds.iter().any(|kind| kind.tags == finding.tags), "{name}");
        shrunk += 1;
    }
    assert!(shrunk > 25, "{shrunk}");
}

#[test]
fn nothing_above_a_finding_is_to_blame() {
    for (name, _, plant) in FAULTS {
        let mut program = Program { plants: vec![*plant], lists: true };
        for trial in SUITE.iter().filter(|trial| trial.depth > 1) {
            for finding in findings(&[*plant], true, position(trial), trial.depth, Wish::default()) {
                for plies in 0..finding.path.len() {
                    let moves = finding.path[..plies].to_vec();
                    let query = Query { root: finding.root, moves, depth: 1, way: Way::Moves };
                    let above = descend(&mut program, &mut Plain, &query, ALL).findings;
                    assert_eq!(above, [], "{name}\n{finding}");
                }
            }
        }
    }
}

/// The plants of the faults with these names.
fn named(names: &[&str]) -> Vec<Plant> {
    let plant = |name: &&str| FAULTS.iter().find(|(known, _, _)| known == name).expect("a fault").2;
    names.iter().map(plant).collect()
}

fn over_the_suite(plants: &[Plant]) -> BTreeSet<Tags> {
    let found = SUITE.iter().flat_map(|trial| findings(plants, true, position(trial), DEPTH, ALL));
    found.map(|finding| finding.tags).collect()
}

#[test]
fn faults_planted_together_are_all_reported() {
    for three in [
        ["en passant pinned along the rank", "pawns capture from h to a", "castling into check"],
        [
            "the right stays when a promoting pawn takes the rook",
            "castling through check",
            "no promotion to a knight",
        ],
        ["pinned men move", "checks are overlooked", "a pawn captured en passant stays"],
    ] {
        let found = over_the_suite(&named(&three));
        for name in three {
            let (_, tag, _) = FAULTS.iter().find(|(known, _, _)| *known == name).expect("a fault");
            assert!(found.iter().any(|tags| tags.has(*tag)), "{name} is not among {found:#?}");
        }
    }
}

#[test]
fn one_descent_reports_three_faults() {
    let root = "r3k3/1P5p/p6r/2KPp3/7P/8/8/8 b q - 0 1".parse().expect("a FEN");
    let names = ["pawns capture from h to a", "no promotion to a knight", "the king is not careful"];
    let found = findings(&named(&names), true, root, DEPTH, ALL);
    for tag in [Tag::WrapAround, Tag::PromotionMissing, Tag::KingIntoAttack] {
        assert!(found.iter().any(|finding| finding.tags == Tags::of(tag)), "{tag} is not found");
    }
    let first = findings(&named(&names), true, root, DEPTH, Wish::default());
    assert_eq!(first.len(), 1);
}

#[test]
fn a_right_kept_after_a_promoting_capture_is_found_where_it_is_used() {
    let root = "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1".parse().expect("a FEN");
    let plant = named(&["the right stays when a promoting pawn takes the rook"]);
    for depth in [2, 3] {
        let found = findings(&plant, true, root, depth, Wish::default());
        let [finding] = &found[..] else { panic!("{found:#?}") };
        assert_eq!(finding.difference, Difference::Extra { text: "e8c8".to_owned() });
        assert_eq!(finding.tags, Tags::of(Tag::CastlingRight).with(Tag::MakeMoveOnly));
        assert_eq!((finding.query.way, finding.query.moves.len()), (Way::Moves, 1));
        assert!(finding.path[0].promotion().is_some());
    }
    // Asked as a FEN, the position after the capture is right.
    assert_eq!(findings(&plant, true, root, 1, ALL), []);
    let after = root.after(uci::read(&root, "b7a8b").expect("a move"));
    assert_eq!(findings(&plant, true, after, DEPTH, ALL), []);
}

#[test]
fn faults_of_one_ply_are_found_at_that_ply() {
    for (name, ply, depth, missing) in [
        ("black's h-pawn forgets its first double push", 1, 2, "h7h5"),
        ("white's second move has no b-knight", 2, 3, "b1c3"),
    ] {
        let found = findings(&named(&[name]), true, Position::startpos(), depth, Wish::default());
        let [finding] = &found[..] else { panic!("{found:#?}") };
        assert_eq!(finding.path.len(), ply, "{finding}");
        assert_eq!(
            finding.difference.told(&finding.position),
            format!("the legal move `{missing}` is missing")
        );
        assert!(findings(&named(&[name]), true, Position::startpos(), ply as u32, ALL).is_empty());
    }
}

#[test]
fn what_only_moves_show_is_found_by_moves() {
    let root: Position = "7k/3p4/8/4P3/8/8/8/K7 b - - 0 1".parse().expect("a FEN");
    let plant = named(&["a double push sets no en passant square"]);
    let moves: Vec<Move> = ["h8g8", "a1b1", "d7d5"].iter().fold(Vec::new(), |mut moves, text| {
        let position = moves.iter().fold(root, |position, chosen| position.after(*chosen));
        moves.push(uci::read(&position, text).expect("a move"));
        moves
    });
    let query = Query { root, moves, depth: 1, way: Way::Moves };
    let mut program = Program { plants: plant.clone(), lists: true };
    let report = descend(&mut program, &mut Plain, &query, Wish::default());
    let [finding] = &report.findings[..] else { panic!("{report:#?}") };
    assert_eq!(finding.tags, Tags::of(Tag::EnPassant).with(Tag::MakeMoveOnly));
    // The shortest sequence is the double push alone.
    assert_eq!((finding.path.len(), finding.query.moves.len()), (3, 1));
    let straight = descend(&mut program, &mut Plain, &Query { way: Way::Position, ..query }, ALL);
    assert_eq!(straight.findings, []);
}

#[test]
fn a_program_that_tells_only_totals_is_followed_down() {
    for (name, tag, plant) in FAULTS {
        let by_moves = *tag == Tag::MakeMoveOnly;
        let found = SUITE.iter().find_map(|trial| {
            let found = findings(&[*plant], false, position(trial), trial.depth, Wish::default());
            let listed = findings(&[*plant], true, position(trial), trial.depth, Wish::default());
            let listed = listed.into_iter().find(|finding| finding.tags.has(*tag))?;
            Some((found.into_iter().next()?, listed))
        });
        let Some((finding, listed)) = found else { panic!("{name} is not found") };
        assert!(finding.tags.has(Tag::TotalOnly), "{name}\n{finding}");
        assert_eq!(finding.tags.has(Tag::MakeMoveOnly), by_moves, "{name}\n{finding}");
        // Of several moves that lead to the same fault, either may be gone down.
        assert_eq!(finding.path.len(), listed.path.len(), "{name}\n{finding}");
    }
}

#[test]
fn a_limit_of_questions_ends_a_descent() {
    let mut program = Program { plants: named(&["no promotion to a knight"]), lists: true };
    let root = "4k3/8/P7/8/8/8/8/4K3 w - - 0 1".parse().expect("a FEN");
    let wish = Wish { all: true, queries: 1 };
    let report = descend(&mut program, &mut Plain, &Query::at(root, 3), wish);
    assert_eq!((report.ended, report.queries, report.findings), (Ended::Limit, 1, Vec::new()));
}

#[test]
fn without_a_fault_nothing_is_reported() {
    let mut program = Program { plants: Vec::new(), lists: true };
    let starts = (0..playout::STARTS).step_by(137).flat_map(|number| {
        [playout::chess960(number), playout::double_fischer(number, playout::STARTS - 1 - number)]
    });
    let roots = [Position::startpos()].into_iter().chain(starts.flatten());
    let suite = SUITE.iter().map(position);
    let positions = roots.flat_map(|root| playout::positions(root, 1).take(400)).chain(suite);
    let mut asked = 0;
    for position in positions {
        let depth = if asked % 50 == 0 { 2 } else { 1 };
        let report = descend(&mut program, &mut Plain, &Query::at(position, depth), ALL);
        assert_eq!((report.findings, report.ended), (Vec::new(), Ended::Done), "{position:?}");
        asked += 1;
    }
    for trial in SUITE {
        assert_eq!(findings(&[], true, position(trial), DEPTH, ALL), [], "{trial:?}");
    }
    assert!(asked > 5_000, "{asked}");
}
