//! How the answer of a perft looks: Stockfish's lines for people, one JSON object for scripts.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Map, Value, json};
use vezir_chess::uci;
use vezir_perft::{Answer, Breakdown};

use crate::args::{Convention, Like};
use crate::exit::{Exit, Failure};
use crate::root::Root;
use crate::size::show_count;
use crate::talk::{print, say};

/// More wrong answers of the table than this are worth a warning.
const MANY_FALSE_HITS: f64 = 1e-6;

/// Whether a count is the published one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Published {
    /// It is.
    Agrees,
    /// Another was published.
    Differs(u128),
    /// None was published, as far as is known here.
    Unknown,
}

impl Published {
    /// Compares a count with the published one of the same position and depth.
    pub(crate) fn compare(root: &Root, depth: u32, nodes: u128) -> Published {
        match vezir_perft::published(&root.position, depth) {
            Some(known) if known == nodes => Published::Agrees,
            Some(known) => Published::Differs(known),
            None => Published::Unknown,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Published::Agrees => "agrees",
            Published::Differs(_) => "differs",
            Published::Unknown => "unknown",
        }
    }
}

/// Everything that is told of a finished perft.
pub(crate) struct Report {
    /// Where it was counted from.
    pub(crate) root: Root,
    /// How deep.
    pub(crate) depth: u32,
    /// What was counted.
    pub(crate) answer: Answer,
    /// How long it took.
    pub(crate) time: Duration,
    /// How the count stands to the published one.
    pub(crate) published: Published,
    /// How many wrong answers of the table are to be expected: practically none.
    pub(crate) expected_false_hits: f64,
}

impl Report {
    /// The answer in Stockfish's format, with the divide if it is wanted, and the breakdown behind it.
    pub(crate) fn text(&self, divide: bool, convention: Option<Convention>) -> String {
        let mut text = String::new();
        if divide {
            for (name, nodes) in self.divide() {
                let _ = writeln!(text, "{name}: {nodes}");
            }
            text.push('\n');
        }
        let _ = writeln!(text, "Nodes searched: {}", self.answer.nodes);
        if let Some((convention, breakdown)) = self.breakdown(convention) {
            let _ = write!(text, "\n{}", table(&breakdown, convention));
        }
        text
    }

    /// Prints the answer as another program does, for those who read that.
    pub(crate) fn tell_like(&self, like: Like) -> Result<Exit, Failure> {
        match like {
            Like::Stockfish => self.tell(true, None, false),
            Like::Perftree => {
                let lines = self.divide().into_iter().map(|(name, nodes)| format!("{name} {nodes}\n"));
                print(&format!("{}\n{}\n", lines.collect::<String>(), self.answer.nodes))?;
                Ok(Exit::Done)
            }
        }
    }

    /// Prints the answer, and tells everything else; exits with no where another count was published.
    pub(crate) fn tell(
        &self,
        divide: bool,
        convention: Option<Convention>,
        json: bool,
    ) -> Result<Exit, Failure> {
        if json {
            print(&format!("{}\n", self.json(convention)))?;
        } else {
            print(&self.text(divide, convention))?;
            say(&self.summary());
        }
        if self.expected_false_hits > MANY_FALSE_HITS {
            say(&format!(
                "warning: the table may have answered wrongly ({:e} times expected)",
                self.expected_false_hits
            ));
        }
        Ok(if matches!(self.published, Published::Differs(_)) { Exit::No } else { Exit::Done })
    }

    /// Time, speed and how the count stands to the published one.
    pub(crate) fn summary(&self) -> String {
        let published = match self.published {
            Published::Agrees => "agrees with the published count".to_owned(),
            Published::Differs(known) => format!("DIFFERS from the published count, {known}"),
            Published::Unknown => "no published count to compare with".to_owned(),
        };
        let seconds = self.time.as_secs_f64();
        format!("{seconds:.3} s, {} nodes/s, {published}", show_count(self.nodes_per_second()))
    }

    /// The breakdown where one was asked for: all zeros where no line is so long.
    fn breakdown(&self, convention: Option<Convention>) -> Option<(Convention, Breakdown)> {
        convention.map(|convention| (convention, self.answer.breakdown.unwrap_or_default()))
    }

    /// The whole report as one JSON object. Counts are decimal strings: they may not fit in 64 bits.
    pub(crate) fn json(&self, convention: Option<Convention>) -> Value {
        let divide: Map<String, Value> =
            self.divide().into_iter().map(|(name, nodes)| (name, nodes.to_string().into())).collect();
        let breakdown = self.breakdown(convention);
        json!({
            "nodes": self.answer.nodes.to_string(),
            "depth": self.depth,
            "fen": self.root.fen(),
            "divide": divide,
            "breakdown": breakdown.map(|(convention, breakdown)| object(&breakdown, convention)),
            "seconds": self.time.as_secs_f64(),
            "nps": self.nodes_per_second() as u64,
            "published": self.published.word(),
            "expected_false_hits": self.expected_false_hits,
        })
    }

    /// Root moves as UCI writes them, in alphabetical order, each with its part.
    fn divide(&self) -> Vec<(String, u128)> {
        let name = |chosen| uci::write(&self.root.position, chosen, self.root.notation);
        let mut parts: Vec<_> =
            self.answer.divide.iter().map(|(chosen, nodes)| (name(*chosen), *nodes)).collect();
        parts.sort();
        parts
    }

    fn nodes_per_second(&self) -> u128 {
        (self.answer.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u128
    }
}

impl Convention {
    fn word(self) -> &'static str {
        match self {
            Convention::Wiki => "wiki",
            Convention::WithoutMates => "without-mates",
            Convention::Both => "both",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Convention::Wiki => "wiki: mates are counted among the checks",
            Convention::WithoutMates => "without-mates: mates are not counted among the checks",
            Convention::Both => "both conventions",
        }
    }
}

/// The columns of a breakdown in the order of published tables, by what each is called.
fn columns(breakdown: &Breakdown, convention: Convention) -> Vec<(&'static str, u128)> {
    let (with, without) = (breakdown.checks, breakdown.checks_without_mates());
    let checks = match convention {
        Convention::Wiki => vec![("checks", with)],
        Convention::WithoutMates => vec![("checks", without)],
        Convention::Both => vec![("checks (wiki)", with), ("checks (without-mates)", without)],
    };
    let before = [
        ("captures", breakdown.captures),
        ("en_passants", breakdown.en_passants),
        ("castles", breakdown.castles),
        ("promotions", breakdown.promotions),
    ];
    let after =
        [("discovered", breakdown.discovered), ("double", breakdown.double), ("mates", breakdown.mates)];
    before.into_iter().chain(checks).chain(after).collect()
}

fn table(breakdown: &Breakdown, convention: Convention) -> String {
    let columns = columns(breakdown, convention);
    let name_width = columns.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let count_width = columns.iter().map(|(_, count)| count.to_string().len()).max().unwrap_or_default();
    let mut text = format!("Breakdown of the last ply ({})\n", convention.meaning());
    for (name, count) in columns {
        let _ = writeln!(text, "{:name_width$}  {count:>count_width$}", name.replace('_', " "));
    }
    text
}

/// One convention as an object of its columns; both as an object of two such.
fn object(breakdown: &Breakdown, convention: Convention) -> Value {
    let mut object = Map::new();
    object.insert("convention".to_owned(), convention.word().into());
    if convention == Convention::Both {
        for each in [Convention::Wiki, Convention::WithoutMates] {
            object.insert(each.word().to_owned(), cells(breakdown, each).into());
        }
    } else {
        object.extend(cells(breakdown, convention));
    }
    object.into()
}

fn cells(breakdown: &Breakdown, convention: Convention) -> Map<String, Value> {
    let columns = columns(breakdown, convention).into_iter();
    columns.map(|(name, count)| (name.to_owned(), count.to_string().into())).collect()
}
