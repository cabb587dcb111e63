//! Programs that answer strangely: doubled lines, wrong sums, errors inside their own tree, and no answer at all.

use std::convert::Infallible;

use vezir_chess::{FenWarning, Position};
use vezir_verify::{
    Counts, Difference, Ended, Failure, Oracle, Plain, Query, Report, Said, Tag, Tags, Wish, descend,
    shrink_finding,
};

const ALL: Wish = Wish { all: true, queries: 1_000 };

/// What is right, as a program prints it.
fn right(query: &Query) -> (u128, Vec<(String, u128)>) {
    let answer = Plain.count(&query.position(), query.depth).expect("a count");
    let lines = answer.divide.iter().map(|(chosen, leaves)| (format!("{chosen:?}"), *leaves));
    (answer.nodes, lines.collect())
}

/// A program that is right but for a function.
struct Spoiled<F>(F);

impl<F: Fn(&Query, &mut u128, &mut Vec<(String, u128)>) -> bool> Oracle for Spoiled<F> {
    type Error = Infallible;

    fn ask(&mut self, query: &Query) -> Result<Said, Infallible> {
        let (mut total, mut lines) = right(query);
        let lists = self.0(query, &mut total, &mut lines);
        Ok(Said { total: Some(total), moves: lists.then_some(lines) })
    }
}

fn position(fen: &str) -> Position {
    fen.parse().expect("a FEN")
}

fn spoiled(
    depth: u32,
    spoil: impl Fn(&Query, &mut u128, &mut Vec<(String, u128)>) -> bool,
) -> Report<Infallible> {
    let root = position("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    let report = descend(&mut Spoiled(spoil), &mut Plain, &Query::at(root, depth), ALL);
    assert_eq!(report.ended, Ended::Done);
    report
}

fn tags(report: &Report<Infallible>) -> Vec<Tags> {
    report.findings.iter().map(|finding| finding.tags).collect()
}

#[test]
fn a_doubled_line_is_a_finding() {
    let report = spoiled(2, |_, total, lines| {
        let doubled = lines[0].clone();
        *total += doubled.1;
        lines.push(doubled);
        true
    });
    assert_eq!(tags(&report), [Tags::of(Tag::Doubled)]);
    assert_eq!(report.findings[0].query.depth, 1);
}

#[test]
fn a_total_that_is_not_the_sum_is_a_finding() {
    let report = spoiled(2, |_, total, _| {
        *total += 1;
        true
    });
    assert_eq!(tags(&report), [Tags::of(Tag::Sum)]);
}

#[test]
fn lines_in_any_order_and_without_a_total_are_right() {
    let report = spoiled(3, |_, _, lines| {
        lines.reverse();
        lines.iter_mut().for_each(|(text, _)| *text = format!(" {} ", text.to_uppercase()));
        true
    });
    assert_eq!(report.findings, []);
}

#[test]
fn an_error_inside_its_own_tree_is_told_from_others() {
    for lists in [true, false] {
        let report = spoiled(3, |query, total, lines| {
            if query.depth == 3 {
                *total += 1;
                lines[0].1 += 1;
            }
            lists
        });
        assert_eq!(tags(&report), [Tags::of(Tag::SearchOnly)]);
        let finding = &report.findings[0];
        assert_eq!((finding.path.len(), finding.query.depth), (0, 3), "{finding}");
    }
}

#[test]
fn a_list_that_is_wrong_only_at_depth_is_told_from_others() {
    let report = spoiled(2, |query, total, lines| {
        if query.depth == 2
            && let Some((_, leaves)) = lines.pop()
        {
            *total -= leaves;
        }
        true
    });
    assert!(tags(&report)[0].has(Tag::SearchOnly), "{report:#?}");
}

#[test]
fn totals_tell_which_single_move_is_missing() {
    let root = position("4k3/8/8/8/8/3p4/4P3/R3K3 w Q - 0 1");
    let spoil = |query: &Query, total: &mut u128, lines: &mut Vec<(String, u128)>| {
        if query.position() == root {
            let castling = lines.iter().position(|(text, _)| text == "e1a1").expect("castling");
            *total -= lines.remove(castling).1;
        }
        false
    };
    let mut program = Spoiled(spoil);
    let report = descend(&mut program, &mut Plain, &Query::at(root, 2), Wish::default());
    let [finding] = &report.findings[..] else { panic!("{report:#?}") };
    assert_eq!(finding.tags, Tags::of(Tag::Castling).with(Tag::TotalOnly));
    assert_eq!(finding.difference.told(&root), "the legal move `e1c1` is missing");
}

#[test]
fn a_program_that_says_nothing_is_a_finding() {
    struct Silent;
    impl Oracle for Silent {
        type Error = Infallible;

        fn ask(&mut self, _: &Query) -> Result<Said, Infallible> {
            Ok(Said::default())
        }
    }
    let report = descend(&mut Silent, &mut Plain, &Query::at(Position::startpos(), 2), ALL);
    assert_eq!((report.queries, &report.findings[0].difference), (1, &Difference::Nothing));
}

#[test]
fn what_was_found_before_a_crash_stands() {
    /// Knows no promotion to a knight, and crashes at a question.
    struct Crashing(u32);
    impl Oracle for Crashing {
        type Error = &'static str;

        fn ask(&mut self, query: &Query) -> Result<Said, &'static str> {
            self.0 = self.0.checked_sub(1).ok_or("it crashed")?;
            let (_, mut lines) = right(query);
            lines.retain(|(text, _)| !text.ends_with('n'));
            Ok(Said { total: None, moves: Some(lines) })
        }
    }
    let root = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    for answers in 0..2 {
        let report = descend(&mut Crashing(answers), &mut Plain, &Query::at(root, 3), ALL);
        let Ended::Failed(_, Failure::Oracle("it crashed")) = report.ended else { panic!("{report:#?}") };
        assert_eq!(report.findings.len(), usize::from(answers > 0), "{answers}");
    }
    let report = descend(&mut Crashing(9), &mut Plain, &Query::at(root, 1), ALL);
    let shrunk = shrink_finding(&mut Crashing(0), &mut Plain, &report.findings[0], 10);
    assert_eq!(shrunk, Err(Failure::Oracle("it crashed")));
}

#[test]
fn where_no_game_can_lead_a_finding_says_so() {
    // The king was in check before the double step: some good programs count one move fewer.
    let root = position("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1");
    let spoil = |_: &Query, total: &mut u128, lines: &mut Vec<(String, u128)>| {
        lines.retain(|(text, _)| text != "e4d3");
        *total = lines.iter().map(|(_, leaves)| *leaves).sum();
        true
    };
    let report = descend(&mut Spoiled(spoil), &mut Plain, &Query::at(root, 1), ALL);
    let [finding] = &report.findings[..] else { panic!("{report:#?}") };
    assert_eq!(finding.tags, Tags::of(Tag::EnPassantCheck));
    assert!(matches!(finding.warnings()[..], [FenWarning::CheckBeforeDoubleStep { .. }]), "{finding}");
    assert!(finding.to_string().contains("mind: "), "{finding}");
}
