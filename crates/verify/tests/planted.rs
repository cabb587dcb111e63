//! Planted faults: each is found by the built-in suite, under its tag, and shrunk; nothing else is reported.

#[path = "planted/fault.rs"]
mod fault;
#[path = "planted/program.rs"]
mod program;

use std::collections::BTreeMap;

use fault::FAULTS;
use program::{Plant, Program};
use vezir_chess::Position;
use vezir_verify::{Ended, Finding, Plain, Query, SUITE, Tag, Trial, Wish, descend, shrink_finding};

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
    }
}

#[test]
fn every_trial_is_needed() {
    for trial in SUITE {
        let shows = |plant: &Plant| {
            let found = findings(&[*plant], true, position(trial), trial.depth, ALL);
            found.iter().any(|finding| finding.tags.has(trial.theme))
        };
        let mut plants = FAULTS.iter().filter(|(_, tag, _)| *tag == trial.theme).map(|(_, _, plant)| plant);
        assert!(plants.any(shows), "no fault shows in {trial:?}");
    }
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
        if smallest.root.occupied().count() > 6 || !smallest.is_smallest {
            complaints.push(format!("{name}: {smallest}"));
        }
        println!("{name}\n{}", finding.with_smallest(smallest));
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn no_fault_is_found_under_a_foreign_tag() {
    for (name, tag, plant) in FAULTS {
        for trial in SUITE {
            for finding in findings(&[*plant], true, position(trial), 2, ALL) {
                let by_moves = finding.tags.has(Tag::MakeMoveOnly) && *tag != Tag::MakeMoveOnly;
                assert!(!by_moves && !finding.tags.has(Tag::SearchOnly), "{name}\n{finding}");
            }
        }
    }
}
