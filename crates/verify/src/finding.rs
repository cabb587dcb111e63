//! One finding: where a program is wrong, in what, and which kind of rule that is.

use std::fmt;

use vezir_chess::{Move, Position};

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
    /// The finding as it stands in a report, its smallest position found.
    #[must_use]
    pub fn with_smallest(self, smallest: Shrunk) -> Finding {
        Finding { smallest: Some(smallest), ..self }
    }
}

impl fmt::Display for Finding {
    /// A few plain lines: the fault, the path, the board, the rest of the list, the smallest position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.difference, self.why)?;
        writeln!(f, "kind: {}", self.tags)?;
        writeln!(f, "root: {}", self.root)?;
        let path = if self.path.is_empty() { "the root itself".to_owned() } else { spaced(&self.path) };
        writeln!(f, "path: {path}")?;
        if self.query.way == Way::Moves {
            writeln!(f, "shows by moves only: {} moves {}", self.query.root, spaced(&self.query.moves))?;
        }
        writeln!(f, "\n{:?}", self.position)?;
        if !self.others.is_empty() {
            writeln!(f, "\nalso there:")?;
            for other in &self.others {
                writeln!(f, "  {other}")?;
            }
        }
        match &self.smallest {
            Some(smallest) => write!(f, "\nsmallest position that shows it: {smallest}"),
            None => Ok(()),
        }
    }
}

/// Moves with blanks between them, castling as the king taking its rook.
pub(crate) fn spaced(moves: &[Move]) -> String {
    let texts: Vec<String> = moves.iter().map(|chosen| format!("{chosen:?}")).collect();
    texts.join(" ")
}
