//! Whole trees visited place by place: what the surveys add up to, and what is told where a program fails.

#[path = "planted/fault.rs"]
mod fault;
#[path = "planted/program.rs"]
mod program;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use fault::FAULTS;
use program::{Plant, Program};
use vezir_chess::{Position, uci};
use vezir_perft::{Answer, CountError, Isa, Overflow, Solo};
use vezir_verify::{
    Alone, Care, Counts, Exhibit, Failure, Itinerary, Oracle, Place, Plain, Query, Said, Survey, Tag, Tags,
    Visit, Way, visit,
};

static QUIET: AtomicBool = AtomicBool::new(false);

const ALL: Care = Care { descend: true, all: true, shrink: true, queries: 2_000 };
const GLANCE: Care = Care { descend: false, ..ALL };

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Black's pawn steps twice before White's, whose king and rook are on its rank.
const RANK: &str = "8/2p5/8/KP5r/8/8/8/7k b - - 0 1";

fn position(fen: &str) -> Position {
    fen.parse().expect("a FEN")
}

fn program(names: &[&str], lists: bool) -> Program {
    let plant = |name: &&str| FAULTS.iter().find(|(known, _, _)| known == name).expect("a fault").2;
    let plants: Vec<Plant> = names.iter().map(plant).collect();
    Program { plants, lists }
}

fn itinerary(root: &Position, depth: u32, split: u32) -> Itinerary {
    Itinerary::new(root, depth, Some(split), 1 << 20, &QUIET).expect("an itinerary")
}

/// What each place of a tree is worth.
fn surveys(program: &mut Program, places: &Itinerary, way: Way, care: Care) -> Vec<Survey> {
    let mut alone = Alone { solo: Solo::new(Isa::detect()).expect("instructions"), stop: &QUIET };
    let of = |place: Place| {
        let place = Place { way, ..place };
        let Visit { survey, failure, unanswered } = visit(program, &mut alone, &place, care);
        assert_eq!((failure, unanswered), (None, None), "{place:?}");
        assert_eq!(survey.checked(), Ok(()), "{place:?}");
        survey
    };
    places.places(0..places.len()).map(of).collect()
}

fn sum<'a>(surveys: impl IntoIterator<Item = &'a Survey>) -> Survey {
    let plus = |sum: Survey, part: &Survey| sum.plus(part.clone()).expect("small numbers");
    surveys.into_iter().fold(Survey::default(), plus)
}

/// The leaves as a program counts them that is asked once, for the whole tree.
fn at_once(program: &mut Program, root: &Position, depth: u32) -> Option<u128> {
    let Ok(said) = program.ask(&Query::at(*root, depth));
    said.total
}

#[test]
fn without_a_fault_each_place_is_asked_once() {
    let root = position(KIWIPETE);
    let places = itinerary(&root, 4, 2);
    for lists in [true, false] {
        for way in [Way::Position, Way::Moves] {
            for care in [ALL, GLANCE] {
                let found = sum(&surveys(&mut program(&[], lists), &places, way, care));
                assert!(found.is_clean(), "{found:?}");
                let places = (1 + 48 + 2_038, 1 + 48 + 2_038);
                assert_eq!((found.places, found.queries), places, "{way:?}");
                assert_eq!((found.ours, found.theirs), (4_085_603, 4_085_603));
            }
        }
    }
}

#[test]
fn a_fault_is_found_at_every_place_that_shows_it() {
    let root = position(KIWIPETE);
    let places = itinerary(&root, 3, 2);
    let mut faulty = program(&["no promotion to a knight", "castling through check"], true);
    let found = sum(&surveys(&mut faulty, &places, Way::Position, ALL));
    assert_eq!((found.ours, found.unanswered), (97_862, 0));
    assert!(found.ours != found.theirs && found.differing > 0, "{found:?}");
    let through = &found.kinds[&Tags::of(Tag::CastlingThroughCheck)];
    assert!(through.places > 1 && through.places <= found.differing, "{found:?}");
    let smallest = through.example.smallest.as_deref().expect("a smallest position");
    assert!(position(smallest).occupied().count() <= 6, "{smallest}");
    assert_eq!(through.example.root, KIWIPETE);
    assert_eq!((through.example.kind.as_str(), through.example.checked()), ("extra", Ok(())));
    // The answer alone differs as often, and tells no kind.
    let glance = sum(&surveys(&mut faulty, &places, Way::Position, GLANCE));
    assert_eq!((glance.differing, glance.theirs, glance.kinds.len()), (found.differing, found.theirs, 0));
    assert_eq!((glance.queries, glance.places), (found.places, found.places));
    assert!(found.queries > found.places && !glance.is_clean());
}

#[test]
fn where_only_the_last_plies_are_wrong_the_totals_are_those_of_the_whole_tree() {
    for (fen, depth, split, way, name) in [
        (PROMOTION, 4, 2, Way::Position, "no promotion to a knight"),
        (KIWIPETE, 4, 2, Way::Position, "no promotion to a knight"),
        // The double step is above the split, and no FEN tells of one that cannot be answered.
        (RANK, 4, 1, Way::Moves, "en passant pinned along the rank"),
    ] {
        let root = position(fen);
        let mut faulty = program(&[name], true);
        let theirs = at_once(&mut faulty, &root, depth);
        let ours = Plain.count(&root, depth).expect("a count").nodes;
        let found = sum(&surveys(&mut faulty, &itinerary(&root, depth, split), way, GLANCE));
        assert_eq!((found.ours, Some(found.theirs)), (ours, theirs), "{name}");
        assert!(found.differing > 0 && theirs != Some(ours), "{name}");
    }
}

#[test]
fn whoever_visits_which_places_the_sum_is_the_same() {
    let places = itinerary(&position(KIWIPETE), 3, 2);
    let names = ["castling through check", "pinned men move"];
    let parts = surveys(&mut program(&names, true), &places, Way::Position, ALL);
    let whole = sum(&parts);
    assert!(whole.kinds.len() > 1, "{whole:#?}");
    for workers in [2, 3, 7] {
        let dealt = (0..workers).rev().map(|worker| sum(parts.iter().skip(worker).step_by(workers)));
        assert_eq!(sum(&dealt.collect::<Vec<_>>()), whole, "{workers} workers");
    }
    let example = &whole.kinds.iter().find(|(tags, _)| tags.has(Tag::Pinned)).expect("it is found").1.example;
    let is_later = parts.iter().flat_map(|part| part.kinds.iter()).filter(|(tags, _)| **tags == example.tags);
    assert!(is_later.clone().count() > 1);
    assert!(is_later.into_iter().all(|(_, kind)| kind.example.clone().simpler(example.clone()) == *example));
}

#[test]
fn what_the_program_makes_of_moves_is_found_either_way() {
    let root = position("7k/3p4/8/4P3/8/8/8/K7 b - - 0 1");
    let places = itinerary(&root, 3, 2);
    let mut faulty = program(&["a double push sets no en passant square"], true);
    let found = |faulty: &mut Program, way| sum(&surveys(faulty, &places, way, ALL));
    let by_moves = found(&mut faulty, Way::Moves);
    let tags = Tags::of(Tag::EnPassant).with(Tag::MakeMoveOnly);
    assert_eq!(by_moves.kinds.keys().collect::<Vec<_>>(), [&tags]);
    let example = &by_moves.kinds[&tags].example;
    assert_eq!(example.seen_by.as_deref(), Some("position fen 7k/3p4/8/4P3/8/8/8/K7 b - - 0 1 moves d7d5"));
    assert_eq!((example.chosen.as_deref(), example.path.as_str()), (Some("e5d6"), "d7d5"));
    // As a FEN the place after the double push tells of its square, and those at the split are past it; but the
    // root is asked for two plies.
    let straight = found(&mut faulty, Way::Position);
    assert_eq!(straight.kinds.keys().collect::<Vec<_>>(), [&tags]);
    assert_eq!(straight.differing, 1);
}

/// Answers as a program does, but for the questions from one number on to another.
struct Failing {
    program: Program,
    asked: u32,
    fails: std::ops::Range<u32>,
}

impl Oracle for Failing {
    type Error = &'static str;

    fn ask(&mut self, query: &Query) -> Result<Said, &'static str> {
        self.asked += 1;
        if self.fails.contains(&self.asked) {
            return Err("it crashed");
        }
        let Ok(said) = self.program.ask(query);
        Ok(said)
    }
}

fn place(fen: &str, depth: u32, paths: u64) -> Place {
    Place { root: position(fen), moves: Vec::new(), depth, paths, way: Way::Position }
}

fn failing(fails: std::ops::Range<u32>) -> Failing {
    Failing { program: program(&["no promotion to a knight"], true), asked: 0, fails }
}

const PROMOTION: &str = "4k3/8/P7/8/8/8/8/4K3 w - - 0 1";

#[test]
fn a_place_without_an_answer_is_told_from_one_whose_descent_failed() {
    let place = place(PROMOTION, 3, 5);
    let ours = Plain.count(&place.root, 3).expect("a count").nodes;
    let mut silent = failing(1..9);
    let Visit { survey, failure, unanswered } = visit(&mut silent, &mut Plain, &place, ALL);
    assert_eq!(failure, Some(Failure::Oracle("it crashed")));
    assert_eq!(unanswered, Some(place.query()));
    let wanted = Survey { places: 1, queries: 1, ours: 5 * ours, unanswered: 1, ..Survey::default() };
    assert_eq!(survey, wanted);

    let mut second = failing(2..3);
    let Visit { survey, failure, unanswered } = visit(&mut second, &mut Plain, &place, ALL);
    assert_eq!(failure, Some(Failure::Oracle("it crashed")));
    assert_eq!(unanswered.map(|query| query.depth), Some(2));
    assert_eq!((survey.queries, survey.unanswered, survey.differing), (2, 0, 1));
    assert!(survey.theirs > 0 && survey.theirs < survey.ours && survey.kinds.is_empty(), "{survey:?}");
}

#[test]
fn what_was_found_before_a_failure_stands() {
    let place = place("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 1, 1);
    for (fails, has_smallest) in [(9_999..9_999, true), (2..9, false)] {
        let mut failing = failing(fails);
        let visited = visit(&mut failing, &mut Plain, &place, ALL);
        assert_eq!(visited.failure.is_none(), has_smallest);
        let kind = &visited.survey.kinds[&Tags::of(Tag::PromotionMissing)];
        assert_eq!((kind.places, kind.example.smallest.is_some()), (1, has_smallest));
        assert_eq!(kind.example.chosen.as_deref(), Some("a7a8n"));
        assert_eq!(visited.survey.unanswered, 0);
    }
}

/// Counts, until it is stopped or has too much.
struct Ending(AtomicU32, CountError);

impl Counts for Ending {
    fn count(&mut self, position: &Position, depth: u32) -> Result<Answer, CountError> {
        match self.0.fetch_sub(1, Ordering::Relaxed) {
            0 => Err(self.1),
            _ => Plain.count(position, depth),
        }
    }
}

#[test]
fn a_visit_that_is_stopped_counts_for_nothing() {
    let place = place(PROMOTION, 3, 1);
    let visited = |counts, error| {
        let mut faulty = program(&["no promotion to a knight"], true);
        visit(&mut faulty, &mut Ending(AtomicU32::new(counts), error), &place, ALL)
    };
    let mut counts = 0;
    loop {
        let Visit { survey, failure, unanswered } = visited(counts, CountError::Stopped);
        assert_eq!(unanswered, None);
        let Some(failure) = failure else { break };
        assert_eq!((failure, survey), (Failure::Count(CountError::Stopped), Survey::default()));
        counts += 1;
    }
    assert!(counts > 5, "{counts} counts, in the descent and while shrinking");
    let error = CountError::Overflow(Overflow);
    for (counts, has_answer) in [(0, false), (2, true)] {
        let Visit { survey, failure, unanswered } = visited(counts, error);
        assert_eq!((failure, unanswered), (Some(Failure::Count(error)), None));
        assert_eq!((survey.places, survey.unanswered), (1, u64::from(!has_answer)));
    }
}

#[test]
fn too_many_leaves_are_our_own_failure() {
    struct Huge;
    impl Counts for Huge {
        fn count(&mut self, position: &Position, depth: u32) -> Result<Answer, CountError> {
            Ok(Answer { nodes: u128::MAX / 4, ..Plain.count(position, depth)? })
        }
    }
    let mut totals = program(&[], false);
    let Visit { survey, failure, .. } = visit(&mut totals, &mut Huge, &place(RANK, 1, 5), GLANCE);
    assert_eq!(failure, Some(Failure::Count(CountError::Overflow(Overflow))));
    assert_eq!((survey.places, survey.unanswered, survey.ours), (1, 1, 0));
}

#[test]
fn a_descent_without_questions_left_says_so() {
    let care = Care { queries: 2, ..ALL };
    let mut faulty = program(&["no promotion to a knight"], true);
    let visited = visit(&mut faulty, &mut Plain, &place(PROMOTION, 3, 1), care);
    assert_eq!(visited.failure, None);
    assert_eq!((visited.survey.queries, visited.survey.differing), (2, 1));
    assert_eq!(
        visited.survey.notes.into_iter().collect::<Vec<_>>(),
        ["a descent ended at its limit of 2 questions"]
    );
    let none = Care { queries: 0, ..ALL };
    let visited = visit(&mut faulty, &mut Plain, &place(PROMOTION, 3, 1), none);
    assert_eq!((visited.survey.queries, visited.survey.unanswered), (1, 0));
}

#[test]
fn every_planted_fault_makes_a_sound_exhibit() {
    for (name, tag, plant) in FAULTS {
        let mut faulty = Program { plants: vec![*plant], lists: true };
        let found = vezir_verify::SUITE.iter().find_map(|trial| {
            let place = Place {
                root: trial.position().ok()?,
                moves: Vec::new(),
                depth: trial.depth,
                paths: 1,
                way: Way::Position,
            };
            let Visit { survey, .. } = visit(&mut faulty, &mut Plain, &place, ALL);
            survey.kinds.into_values().find(|kind| kind.example.tags.has(*tag))
        });
        let Some(kind) = found else { panic!("{name} is not found") };
        let Exhibit { position: fen, chosen, .. } = &kind.example;
        assert_eq!(kind.example.checked(), Ok(()), "{name}");
        if kind.example.kind == "missing" {
            let chosen = chosen.as_deref().expect("a move");
            assert!(uci::read(&position(fen), chosen).is_ok(), "{name}\n{}", kind.example);
        }
    }
}
