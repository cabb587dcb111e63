//! Reading an answer, line by line: moves with their counts, and a total.

use std::sync::LazyLock;

use regex::Regex;

use crate::failure::{Failure, SHOWN};
use crate::query::Query;
use crate::said::{Note, Said};

/// `e2e4: 20`, `1. e2e4 20`, `e2e4 - 20`, with whatever stands behind after a blank.
static MOVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let numbered = r"(?:\(?\d{1,3}[.):]*\s+)?";
    let chosen = r"([a-hA-H][1-8][a-hA-H][1-8])(?:=?([qrbnkpQRBNKP]))?";
    let between = r"(?:\s*(?::|=|-+>?|=>|\|)\s*|\s+)";
    Regex::new(&format!(r"^\s*{numbered}{chosen}{between}{NUMBER}(?:\s.*)?$")).ok()
});

/// `Nodes searched: 400`, `Total: 400`, `nodes 400` and their like; nothing that is of time or speed, and not
/// `perft 4`, which may be a heading.
static TOTAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let total = r"total(?: leaf)?(?: nodes?| count)?";
    let nodes = r"(?:leaf )?nodes?(?: searched| count| visited| total)?";
    let words =
        format!(r"(?:(?:{total}|{nodes}|sum)\s*(?::|=|\s)|perft ?\(?\d+\)?(?: nodes| result)?\s*[:=])");
    let front = r"(?i)^\s*(?:info string\s+)?[*=#>-]*";
    Regex::new(&format!(r"{front}\s*{words}\s*{NUMBER}(?:[\s(,;.].*)?$")).ok()
});

/// A line that is nothing but a number.
static LONE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!(r"^\s*{NUMBER}\s*$")).ok());

/// Digits, in groups of three or not.
const NUMBER: &str = r"(\d{1,3}(?:[,_']\d{3})+|\d+)";

/// What a line is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A move and the leaves below it; the move's letters are made small, and `=` before a promotion left out.
    Move(String, u128),
    /// The number of all leaves.
    Total(u128),
    /// A number by itself.
    Lone(u128),
    /// Nothing at all.
    Blank,
    /// Something else.
    Other,
}

/// What `line` is by itself.
pub fn meaning(line: &str) -> Meaning {
    if line.trim().is_empty() {
        return Meaning::Blank;
    }
    let group = |regex: &Option<Regex>, at: usize| {
        let found = regex.as_ref()?.captures(line)?;
        Some(found.get(at).map_or("", |text| text.as_str()).to_owned())
    };
    let nodes = |text: Option<String>| number(&text?);
    if let Some(squares) = group(&MOVE, 1) {
        let promotion = group(&MOVE, 2).unwrap_or_default();
        let text = format!("{squares}{promotion}").to_lowercase();
        return nodes(group(&MOVE, 3)).map_or(Meaning::Other, |nodes| Meaning::Move(text, nodes));
    }
    let total = nodes(group(&TOTAL, 1)).map(Meaning::Total);
    total.or_else(|| nodes(group(&LONE, 1)).map(Meaning::Lone)).unwrap_or(Meaning::Other)
}

/// A number whose digits may stand in groups; `None` past 128 bits.
pub(crate) fn number(text: &str) -> Option<u128> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// An answer as far as it was heard.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    total: Option<u128>,
    moves: Vec<(String, u128)>,
    odd: Vec<String>,
    trouble: Option<String>,
    notes: Vec<Note>,
}

impl Answer {
    /// Takes in what a line was found to be.
    pub fn hear(&mut self, line: &str, meaning: Meaning) {
        match meaning {
            Meaning::Move(text, nodes) => self.moves.push((text, nodes)),
            Meaning::Total(total) | Meaning::Lone(total) => match self.total {
                Some(before) if before != total => {
                    self.blame(format!("two totals, {before} and {total}: one would be right"));
                }
                _ => self.total = Some(total),
            },
            Meaning::Blank => {}
            Meaning::Other if self.odd.len() < SHOWN => self.odd.push(line.to_owned()),
            Meaning::Other => {}
        }
    }

    /// Remembers what is wrong with the lines, the first of it.
    pub fn blame(&mut self, what: String) {
        self.trouble.get_or_insert(what);
    }

    /// Adds a note, once.
    pub fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Whether a total was heard.
    pub fn has_total(&self) -> bool {
        self.total.is_some()
    }

    /// Whether anything was heard that is part of an answer.
    pub fn has_begun(&self) -> bool {
        self.total.is_some() || !self.moves.is_empty()
    }

    /// How many moves were heard.
    pub fn moves_heard(&self) -> usize {
        self.moves.len()
    }

    /// The first lines that could not be read.
    pub fn odd(&self) -> &[String] {
        &self.odd
    }

    /// The answer to `query`.
    ///
    /// # Errors
    /// [`Failure::Garbage`] where there is none, [`Failure::WrongLines`] where a move or the total came twice.
    pub fn finish(self, query: &Query) -> Result<Said, Failure> {
        if !self.has_begun() {
            return Err(Failure::Garbage { printed: self.odd });
        }
        if let Some(what) = self.trouble {
            return Err(Failure::WrongLines { what });
        }
        let ours = |(text, nodes): (String, u128)| (query.in_our_notation(&text), nodes);
        let moves: Vec<(String, u128)> = self.moves.into_iter().map(ours).collect();
        let mut names: Vec<&str> = moves.iter().map(|(text, _)| text.as_str()).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Failure::WrongLines {
                what: format!("`{}` stands there twice: each move once would be right", twice[0]),
            });
        }
        let moves = (!moves.is_empty()).then_some(moves);
        Ok(Said { total: self.total, moves, notes: self.notes }.checked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_move(text: &str, nodes: u128) -> Meaning {
        Meaning::Move(text.to_owned(), nodes)
    }

    #[test]
    fn moves_in_every_spelling() {
        for line in
            ["e2e4: 20", "  e2e4:20", "e2e4 20", "1. e2e4 20", "12) e2e4: 20", "e2e4 - 20", "e2e4 -> 20"]
        {
            assert_eq!(meaning(line), a_move("e2e4", 20), "{line}");
        }
        for line in ["e2e4\t20", "e2e4 = 20", "E2E4: 20", "e2e4 | 20", "e2e4: 20 (0.1 s)", "3 e2e4 20"] {
            assert_eq!(meaning(line), a_move("e2e4", 20), "{line}");
        }
        assert_eq!(meaning("a7a8q: 1,234,567"), a_move("a7a8q", 1_234_567));
        assert_eq!(meaning("a7a8=Q 3"), a_move("a7a8q", 3));
        assert_eq!(meaning("c1c1: 19"), a_move("c1c1", 19));
    }

    #[test]
    fn totals_in_every_spelling() {
        for line in
            ["Nodes searched: 400", "Nodes searched  : 400", "Total: 400", "nodes 400", "total nodes = 400"]
        {
            assert_eq!(meaning(line), Meaning::Total(400), "{line}");
        }
        for line in
            ["Nodes: 400 (0.2 s)", "info string nodes 400", "perft 2: 400", "perft(2) = 400", "TOTAL 400"]
        {
            assert_eq!(meaning(line), Meaning::Total(400), "{line}");
        }
        assert_eq!(meaning(" 400 "), Meaning::Lone(400));
        assert_eq!(meaning("61885021521585529237"), Meaning::Lone(61_885_021_521_585_529_237));
    }

    #[test]
    fn what_is_neither() {
        for line in ["info depth 1 nodes 20 nps 4000", "Nodes/second: 400", "Total time: 12", "nodes 1e3"] {
            assert_eq!(meaning(line), Meaning::Other, "{line}");
        }
        for line in [
            "bestmove e2e4",
            "perft 4",
            "e2e4",
            "e2e4 best 20",
            "i9j4: 3",
            &format!("e2e4: {}", "9".repeat(40)),
        ] {
            assert_eq!(meaning(line), Meaning::Other, "{line}");
        }
        assert_eq!(meaning(" \t"), Meaning::Blank);
    }
}
