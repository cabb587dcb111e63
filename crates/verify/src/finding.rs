//! One finding: where a program is wrong, in what, and which kind of rule that is.

use std::fmt;

use vezir_chess::{FenWarning, Move, Notation, Position, fen, uci};

use crate::{Difference, Query, Shrunk, Tags, Way};

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
}

impl fmt::Display for Finding {
    /// A few plain lines: the fault, the path, the board, the rest of the list, the smallest position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.difference.told(&self.position), self.why)?;
        writeln!(f, "kind: {}", self.tags)?;
        for warning in self.warnings() {
            writeln!(f, "mind: {warning}")?;
        }
        writeln!(f, "root: {}", self.root)?;
        if self.path.is_empty() {
            f.write_str("path: none, it is the root itself\n")?;
        } else {
            writeln!(f, "path: {}", written(&self.root, &self.path))?;
        }
        if self.query.way == Way::Moves {
            let Query { root, moves, .. } = &self.query;
            writeln!(f, "seen by: position fen {root} moves {}", written(root, moves))?;
        }
        writeln!(f, "\n{:?}", self.position)?;
        if !self.others.is_empty() {
            f.write_str("\nalso there:\n")?;
            for other in &self.others {
                writeln!(f, "  {}", other.told(&self.position))?;
            }
        }
        match &self.smallest {
            Some(smallest) => write!(f, "\nsmallest position that shows it: {smallest}"),
            None => Ok(()),
        }
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
