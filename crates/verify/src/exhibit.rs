//! A finding as it is told: plain texts of bounded size, for wires, stores and reports.

use std::fmt;

use serde::{Deserialize, Serialize};
use vezir_chess::{Notation, Position, fen, uci};

use crate::finding::written;
use crate::quote::{cut, shown};
use crate::{Difference, Finding, Query, Tags, Way, decimal};

/// A [`Finding`] as it is told. What this crate makes keeps to the bounds; what comes from elsewhere is
/// [`Exhibit::checked`].
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Exhibit {
    /// Where the descent began, as a FEN.
    pub root: String,
    /// The moves from the root to the place, in UCI with blanks between; empty where it is the root itself.
    pub path: String,
    /// The position there, as a FEN.
    pub position: String,
    /// Plies below the position that were asked about.
    pub depth: u32,
    /// The `position fen … moves …` line that shows it, where it shows only by moves.
    pub seen_by: Option<String>,
    /// How the answer differs, one of [`Difference::SLUGS`].
    pub kind: String,
    /// The move that it is about, in UCI, or where it is none the text that was printed.
    pub chosen: Option<String>,
    /// The leaves, as a decimal number, where they were counted otherwise.
    pub ours: Option<String>,
    /// What the program counted, or the total that is not the sum of its lines, as a decimal number.
    pub theirs: Option<String>,
    /// The difference as one plain clause without a full stop.
    pub told: String,
    /// What else was said otherwise there: a line for all missing moves, one for all that are not legal, one for
    /// each of the rest, and where there are too many one that says how many more.
    pub others: Vec<String>,
    /// The kind of fault.
    pub tags: Tags,
    /// One plain clause on why the move is illegal, or which rule a legal one needs.
    pub why: String,
    /// What is strange about the position: good programs differ where no game can lead.
    pub warnings: Vec<String>,
    /// The smallest position that shows the same kind, where it was looked for.
    pub smallest: Option<String>,
}

impl Exhibit {
    /// The most bytes of a text: room for the moves of a long game. What a program printed could be of any length.
    pub const MAX_TEXT_BYTES: usize = 2_048;

    /// The most bytes of one line of `others` and `warnings`.
    pub const MAX_LINE_BYTES: usize = 512;

    /// The most lines of `others`, and of `warnings`.
    pub const MAX_LINES: usize = 16;

    /// Looks at what an untrusted side has sent: whether it is of bounded size, and nothing in it is obeyed by a
    /// terminal. Whether its positions and moves make sense is not looked at.
    ///
    /// # Errors
    /// The first text that is not as it should be.
    pub fn checked(&self) -> Result<(), ExhibitError> {
        for (what, text) in self.texts() {
            within(what, text, Exhibit::MAX_TEXT_BYTES)?;
        }
        for (what, lines) in [("others", &self.others), ("warnings", &self.warnings)] {
            if lines.len() > Exhibit::MAX_LINES {
                return Err(ExhibitError::ManyLines { what, lines: lines.len() });
            }
            lines.iter().try_for_each(|line| within(what, line, Exhibit::MAX_LINE_BYTES))?;
        }
        if !Difference::SLUGS.contains(&self.kind.as_str()) {
            return Err(ExhibitError::Kind);
        }
        for (what, number) in [("ours", &self.ours), ("theirs", &self.theirs)] {
            if number.as_ref().is_some_and(|number| decimal::read(number).is_none()) {
                return Err(ExhibitError::Number { what });
            }
        }
        Ok(())
    }

    /// All single texts, with their names.
    fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let always = [
            ("root", &self.root),
            ("path", &self.path),
            ("position", &self.position),
            ("kind", &self.kind),
            ("told", &self.told),
            ("why", &self.why),
        ];
        let perhaps = [
            ("seen_by", &self.seen_by),
            ("chosen", &self.chosen),
            ("ours", &self.ours),
            ("theirs", &self.theirs),
            ("smallest", &self.smallest),
        ];
        let perhaps = perhaps.into_iter().filter_map(|(what, text)| Some((what, text.as_deref()?)));
        always.into_iter().map(|(what, text)| (what, text.as_str())).chain(perhaps)
    }

    /// The one of two examples of the same kind that is kept, whichever comes first: with fewer men, then by a
    /// shorter path, then whose texts come first.
    #[must_use]
    pub fn simpler(self, other: Exhibit) -> Exhibit {
        if (self.size(), &self) <= (other.size(), &other) { self } else { other }
    }

    /// The men on the board and the moves that lead there.
    fn size(&self) -> (usize, usize) {
        let board = self.position.split(' ').next().unwrap_or_default();
        let men = board.chars().filter(char::is_ascii_alphabetic).count();
        (men, self.path.split_whitespace().count())
    }
}

impl From<&Finding> for Exhibit {
    fn from(finding: &Finding) -> Exhibit {
        let Finding { root, path, position, query, difference, .. } = finding;
        let text = |text: String| cut(text, Exhibit::MAX_TEXT_BYTES);
        let (chosen, ours, theirs) = parts(position, difference);
        let seen_by = (query.way == Way::Moves).then(|| text(line(query)));
        Exhibit {
            root: root.to_string(),
            path: text(written(root, path)),
            position: position.to_string(),
            depth: query.depth,
            seen_by,
            kind: difference.slug().to_owned(),
            chosen,
            ours: ours.map(|number| number.to_string()),
            theirs: theirs.map(|number| number.to_string()),
            told: text(difference.told(position)),
            others: bounded(finding.list()),
            tags: finding.tags,
            why: text(finding.why.clone()),
            warnings: bounded(finding.warnings().iter().map(ToString::to_string).collect()),
            smallest: finding.smallest.as_ref().map(|smallest| text(smallest.to_string())),
        }
    }
}

/// The line by which a UCI program is told a position by its moves.
fn line(query: &Query) -> String {
    let Query { root, moves, .. } = query;
    match &moves[..] {
        [] => format!("position fen {root}"),
        moves => format!("position fen {root} moves {}", written(root, moves)),
    }
}

/// The move or text, our count and theirs, where a difference has them.
fn parts(position: &Position, difference: &Difference) -> (Option<String>, Option<u128>, Option<u128>) {
    let legal = |chosen| Some(uci::write(position, chosen, Notation::Standard));
    match difference {
        Difference::Missing { chosen } => (legal(*chosen), None, None),
        Difference::Extra { text } | Difference::Doubled { text } => (Some(shown(text)), None, None),
        Difference::Miscounted { chosen, ours, theirs } => (legal(*chosen), Some(*ours), Some(*theirs)),
        Difference::Sum { total, .. } => (None, None, Some(*total)),
        Difference::Total { ours, theirs } => (None, Some(*ours), Some(*theirs)),
        Difference::Nothing => (None, None, None),
    }
}

/// As many lines as there is room for, the last of which says how many more there were.
fn bounded(mut lines: Vec<String>) -> Vec<String> {
    if lines.len() > Exhibit::MAX_LINES {
        let more = lines.len() - (Exhibit::MAX_LINES - 1);
        lines.truncate(Exhibit::MAX_LINES - 1);
        lines.push(format!("and {more} more"));
    }
    lines.into_iter().map(|line| cut(line, Exhibit::MAX_LINE_BYTES)).collect()
}

/// Whether a text is short enough and of letters that only show.
fn within(what: &'static str, text: &str, most: usize) -> Result<(), ExhibitError> {
    if text.len() > most {
        return Err(ExhibitError::Long { what, bytes: text.len(), most });
    }
    if text.chars().any(char::is_control) { Err(ExhibitError::NotPlain { what }) } else { Ok(()) }
}

impl fmt::Display for Exhibit {
    /// A few plain lines: the fault, the path, the board, the rest of the list, the smallest position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.told, self.why)?;
        writeln!(f, "kind: {}", self.tags)?;
        for warning in &self.warnings {
            writeln!(f, "mind: {warning}")?;
        }
        writeln!(f, "root: {}", self.root)?;
        if self.path.is_empty() {
            f.write_str("path: none, it is the root itself\n")?;
        } else {
            writeln!(f, "path: {}", self.path)?;
        }
        if let Some(line) = &self.seen_by {
            writeln!(f, "seen by: {line}")?;
        }
        match fen::read(&self.position) {
            Ok(reading) => writeln!(f, "\n{:?}\n", reading.position)?,
            // One that was sent may be none: it has no board.
            Err(_) => writeln!(f, "\n{}\n", self.position)?,
        }
        for line in &self.others {
            writeln!(f, "{line}")?;
        }
        match &self.smallest {
            Some(smallest) => writeln!(f, "smallest position that shows it: {smallest}"),
            None => Ok(()),
        }
    }
}

/// What is wrong with an example that was sent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExhibitError {
    /// A text is too long.
    #[error("a text in `{what}` of an example has {bytes} bytes; at most {most} would be right")]
    Long {
        /// The field.
        what: &'static str,
        /// The bytes of the text.
        bytes: usize,
        /// How many it may have.
        most: usize,
    },
    /// There are too many lines.
    #[error("`{what}` of an example has {lines} lines; at most {} would be right", Exhibit::MAX_LINES)]
    ManyLines {
        /// The field.
        what: &'static str,
        /// How many lines it has.
        lines: usize,
    },
    /// A text holds what a terminal obeys.
    #[error(
        "a text in `{what}` of an example has a control character; letters that only show would be right"
    )]
    NotPlain {
        /// The field.
        what: &'static str,
    },
    /// The kind is none of those that there are.
    #[error("`kind` of an example is none; one of {} would be right", Difference::SLUGS.join(", "))]
    Kind,
    /// A count is no number.
    #[error("`{what}` of an example is no count; a decimal number of at most 128 bits would be right")]
    Number {
        /// The field.
        what: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shrunk, Tag};

    /// A finding at the root of a position, by moves, with these differences.
    fn finding(fen: &str, difference: Difference, others: Vec<Difference>) -> Finding {
        let root: Position = fen.parse().expect("a FEN");
        Finding {
            root,
            path: Vec::new(),
            position: root,
            query: Query { root, moves: Vec::new(), depth: 2, way: Way::Moves },
            difference,
            others,
            tags: Tags::of(Tag::Rest),
            why: "it is so".to_owned(),
            smallest: Some(Shrunk { root, moves: Vec::new(), tries: 1, is_smallest: true }),
        }
    }

    const PAWN: &str = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1";

    #[test]
    fn each_kind_of_difference_has_its_parts() {
        let position: Position = PAWN.parse().expect("a FEN");
        let chosen = uci::read(&position, "a2a4").expect("a move");
        let text = || "a2a5\u{1b}".to_owned();
        for (difference, kind, about, ours, theirs) in [
            (Difference::Missing { chosen }, "missing", Some("a2a4"), None, None),
            (Difference::Extra { text: text() }, "extra", Some("a2a5\\u{1b}"), None, None),
            (Difference::Doubled { text: text() }, "doubled", Some("a2a5\\u{1b}"), None, None),
            (
                Difference::Miscounted { chosen, ours: 7, theirs: u128::MAX },
                "miscounted",
                Some("a2a4"),
                Some("7"),
                Some("340282366920938463463374607431768211455"),
            ),
            (Difference::Sum { total: 5, sum: None }, "sum", None, None, Some("5")),
            (Difference::Total { ours: 7, theirs: 6 }, "total", None, Some("7"), Some("6")),
            (Difference::Nothing, "nothing", None, None, None),
        ] {
            let exhibit = Exhibit::from(&finding(PAWN, difference, Vec::new()));
            assert_eq!(exhibit.kind, kind);
            assert_eq!(exhibit.chosen.as_deref(), about, "{kind}");
            assert_eq!((exhibit.ours.as_deref(), exhibit.theirs.as_deref()), (ours, theirs), "{kind}");
            assert_eq!(exhibit.seen_by.as_deref(), Some(&*format!("position fen {PAWN}")));
            assert_eq!(exhibit.checked(), Ok(()));
            let json = serde_json::to_string(&exhibit).expect("JSON");
            assert_eq!(serde_json::from_str::<Exhibit>(&json).expect("an exhibit"), exhibit);
        }
    }

    #[test]
    fn a_program_cannot_make_it_large() {
        let long = |letter: &str| letter.repeat(1_000);
        let mut others: Vec<Difference> = (0..5_000)
            .map(|number| Difference::Extra { text: format!("{number}{}", long("\u{7f}")) })
            .collect();
        others.extend((0..5_000).map(|_| Difference::Doubled { text: "é\n".repeat(99) }));
        let exhibit = Exhibit::from(&finding(PAWN, Difference::Extra { text: long("\u{10ffff}") }, others));
        assert_eq!(exhibit.checked(), Ok(()));
        let last = format!("and {} more", 5_001 - (Exhibit::MAX_LINES - 1));
        assert_eq!((exhibit.others.len(), exhibit.others.last()), (Exhibit::MAX_LINES, Some(&last)));
        assert!(exhibit.others[0].ends_with('…'), "{}", exhibit.others[0]);
        let json = serde_json::to_string(&exhibit).expect("JSON");
        assert!(json.len() < 20_000, "{}", json.len());
    }

    #[test]
    fn what_was_sent_is_looked_at() {
        let sound = Exhibit::from(&finding(PAWN, Difference::Nothing, Vec::new()));
        let spoiled = |spoil: fn(&mut Exhibit)| {
            let mut exhibit = sound.clone();
            spoil(&mut exhibit);
            exhibit.checked().expect_err("it is not sound").to_string()
        };
        for (told, spoil) in [
            ("in `path`", (|it| it.path = "a2a4 ".repeat(500)) as fn(&mut Exhibit)),
            ("in `seen_by`", |it| it.seen_by = Some("\u{1b}[31m".to_owned())),
            ("in `others`", |it| it.others = vec!["x".repeat(600)]),
            ("`warnings` of", |it| it.warnings = vec![String::new(); 17]),
            ("`kind` of", |it| it.kind = "Missing".to_owned()),
            ("`theirs` of", |it| it.theirs = Some("-1".to_owned())),
            ("in `ours`", |it| it.ours = Some("0".repeat(3_000))),
            ("in `smallest`", |it| it.smallest = Some("two\nlines".to_owned())),
        ] {
            let sentence = spoiled(spoil);
            assert!(sentence.contains(told) && sentence.ends_with("would be right"), "{sentence}");
        }
    }

    #[test]
    fn a_position_that_is_none_has_no_board() {
        let mut exhibit = Exhibit::from(&finding(PAWN, Difference::Nothing, Vec::new()));
        assert!(exhibit.to_string().contains("\n   a b c d e f g h\n"), "{exhibit}");
        exhibit.position = "nonsense".to_owned();
        let told = exhibit.to_string();
        assert!(told.contains("\n\nnonsense\n\n") && !told.contains("a b c d"), "{told}");
    }

    #[test]
    fn the_simpler_of_two_is_kept_whichever_comes_first() {
        let of = |fen| Exhibit::from(&finding(fen, Difference::Nothing, Vec::new()));
        let small = of(PAWN);
        let large = of("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1");
        // By its texts alone it would come first.
        let far = Exhibit { root: String::new(), path: "e8e7 e1e2".to_owned(), ..small.clone() };
        let told = Exhibit { told: "another clause".to_owned(), ..small.clone() };
        for (kept, left) in [(&small, &large), (&far, &large), (&small, &far), (&told, &small)] {
            assert_eq!(&kept.clone().simpler(left.clone()), kept);
            assert_eq!(&left.clone().simpler(kept.clone()), kept);
        }
    }
}
