//! One finding: where a program is wrong, in what, and which kind of rule that is.

use std::fmt;

use vezir_chess::{FenWarning, Move, Notation, Position, fen, uci};

use crate::quote::quoted;
use crate::{Difference, Exhibit, Query, Shrunk, Tags};

/// A place where a foreign program differs from the rules, and nothing above it on its path is to blame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Where the descent began.
    pub root: Position,
    /// Moves from the root to the place.
    pub path: Vec<Move>,
    /// The position there.
    pub position: Position,
    /// The question whose answer shows it: its way, and by moves the shortest sequence that does.
    pub query: Query,
    /// What was said otherwise than it is.
    pub difference: Difference,
    /// What else was said otherwise there, of whatever kind.
    pub others: Vec<Difference>,
    /// The kind of fault.
    pub tags: Tags,
    /// One plain clause on why the move is illegal, or which rule a legal one needs.
    pub why: String,
    /// The smallest position that shows the same kind, where it was looked for.
    pub smallest: Option<Shrunk>,
}

impl Finding {
    /// The same finding with its smallest position.
    #[must_use]
    pub fn with_smallest(self, smallest: Shrunk) -> Finding {
        Finding { smallest: Some(smallest), ..self }
    }

    /// What is strange about the position: good programs differ where no game can lead.
    pub fn warnings(&self) -> Vec<FenWarning> {
        fen::read(&self.position.to_string()).map(|reading| reading.warnings).unwrap_or_default()
    }

    /// What else was said there: a line for all missing moves, one for all that are not legal, one for each of the rest.
    pub(crate) fn list(&self) -> Vec<String> {
        let (mut missing, mut extra, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for other in &self.others {
            match other {
                Difference::Missing { chosen } => missing.push(written(&self.position, &[*chosen])),
                Difference::Extra { text } => extra.push(quoted(text)),
                other => rest.push(format!("also: {}", other.told(&self.position))),
            }
        }
        let line = |name: &str, moves: Vec<String>| {
            (!moves.is_empty()).then(|| format!("{name}: {}", moves.join(" ")))
        };
        let lines = [line("also missing", missing), line("also not legal", extra)];
        lines.into_iter().flatten().chain(rest).collect()
    }
}

impl fmt::Display for Finding {
    /// The lines of its [`Exhibit`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Exhibit::from(self).fmt(f)
    }
}

/// Moves one after another as UCI writes them, with blanks between.
pub(crate) fn written(root: &Position, moves: &[Move]) -> String {
    let mut position = *root;
    let texts = moves.iter().map(|chosen| {
        let text = uci::write(&position, *chosen, Notation::Standard);
        position = position.after(*chosen);
        text
    });
    texts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use vezir_chess::Square;

    use super::*;
    use crate::{Tag, Way};

    #[test]
    fn a_finding_says_everything_in_a_few_lines() {
        let at = |name: &str| name.parse::<Square>().expect("a square");
        let root: Position = "4k3/8/8/8/8/8/P7/R3K3 b Q - 0 1".parse().expect("a FEN");
        let path = vec![Move::new(at("e8"), at("d8"))];
        let position = root.after(path[0]);
        let finding = Finding {
            root,
            query: Query { root, moves: path.clone(), depth: 1, way: Way::Moves },
            path,
            position,
            difference: Difference::Missing { chosen: Move::new(at("e1"), at("a1")) },
            others: vec![
                Difference::Missing { chosen: Move::new(at("a2"), at("a3")) },
                Difference::Extra { text: "a1a2\u{1b}".to_owned() },
                Difference::Extra { text: "e1e3".to_owned() },
                Difference::Sum { total: 5, sum: Some(6) },
            ],
            tags: Tags::of(Tag::Castling).with(Tag::MakeMoveOnly),
            why: "the right is there".to_owned(),
            smallest: Some(Shrunk { root, moves: Vec::new(), tries: 7, is_smallest: true }),
        };
        let wanted = "\
the legal move `e1c1` is missing: the right is there
kind: castling; make-move only
root: 4k3/8/8/8/8/8/P7/R3K3 b Q - 0 1
path: e8d8
seen by: position fen 4k3/8/8/8/8/8/P7/R3K3 b Q - 0 1 moves e8d8

8  . . . k . . . .
7  . . . . . . . .
6  . . . . . . . .
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . . . .
2  P . . . . . . .
1  R . . . K . . .

   a b c d e f g h

3k4/8/8/8/8/8/P7/R3K3 w Q - 1 2

also missing: a2a3
also not legal: `a1a2\\u{1b}` `e1e3`
also: the total is given as 5, and the lines sum to 6
smallest position that shows it: 4k3/8/8/8/8/8/P7/R3K3 b Q - 0 1
";
        assert_eq!(finding.to_string(), wanted);
    }
}
