//! How a foreign divide differs from ours: line by line, whatever their order.

use vezir_chess::{Move, Notation, Position, uci};
use vezir_perft::Answer;

use crate::quote::quoted;
use crate::{Lines, Said};

/// One thing that a foreign program said otherwise than it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// A legal move has no line.
    Missing {
        /// The move.
        chosen: Move,
    },
    /// A line's move is not legal.
    Extra {
        /// The move as it was printed.
        text: String,
    },
    /// A move has more than one line.
    Doubled {
        /// The move as it was printed the second time.
        text: String,
    },
    /// A legal move's leaves are counted wrong.
    Miscounted {
        /// The move.
        chosen: Move,
        /// The leaves below it.
        ours: u128,
        /// What the program says.
        theirs: u128,
    },
    /// The total is not the sum of the lines.
    Sum {
        /// The total that was printed.
        total: u128,
        /// The sum of the lines; `None` where it does not fit in 128 bits.
        sum: Option<u128>,
    },
    /// The total is wrong, and there are no lines.
    Total {
        /// The leaves.
        ours: u128,
        /// What the program says.
        theirs: u128,
    },
    /// There is neither a total nor a line.
    Nothing,
}

/// Everything in which `said` differs from `ours`, the true answer for `position`.
///
/// Missing moves come first, then extra ones, doubled lines, miscounted moves, and the sum. A move without leaves
/// may do without a line, as some programs print it; at depth 1 there is none such.
pub fn compare(position: &Position, ours: &Answer, said: &Said) -> Vec<Difference> {
    let Some(moves) = &said.moves else {
        return match said.total {
            None => vec![Difference::Nothing],
            Some(theirs) if theirs != ours.nodes => vec![Difference::Total { ours: ours.nodes, theirs }],
            Some(_) => Vec::new(),
        };
    };
    let lines = Lines::read(position, moves);
    let lacks = |(chosen, leaves): &(&Move, &u128)| **leaves > 0 && !lines.legal.contains_key(*chosen);
    let missing = ours.divide.iter().filter(lacks);
    let mut found: Vec<Difference> =
        missing.map(|(chosen, _)| Difference::Missing { chosen: *chosen }).collect();
    found.extend(lines.odd.into_iter().map(|line| Difference::Extra { text: line.text }));
    found.extend(lines.doubled.into_iter().map(|line| Difference::Doubled { text: line.text }));
    for (chosen, theirs) in &lines.legal {
        let ours = ours.divide.get(chosen).copied().unwrap_or_default();
        if ours != *theirs {
            found.push(Difference::Miscounted { chosen: *chosen, ours, theirs: *theirs });
        }
    }
    if let Some(total) = said.total.filter(|total| lines.sum != Some(*total)) {
        found.push(Difference::Sum { total, sum: lines.sum });
    }
    found
}

impl Difference {
    /// The words of [`Difference::slug`], in the order of the variants.
    pub const SLUGS: [&'static str; 7] =
        ["missing", "extra", "doubled", "miscounted", "sum", "total", "nothing"];

    /// One lower-case word for the kind of difference, for tables and wires. These must not change.
    pub const fn slug(&self) -> &'static str {
        Difference::SLUGS[match self {
            Difference::Missing { .. } => 0,
            Difference::Extra { .. } => 1,
            Difference::Doubled { .. } => 2,
            Difference::Miscounted { .. } => 3,
            Difference::Sum { .. } => 4,
            Difference::Total { .. } => 5,
            Difference::Nothing => 6,
        }]
    }

    /// One plain clause without a full stop; moves are written as in `position`, whose divide it is.
    pub fn told(&self, position: &Position) -> String {
        let written = |chosen: &Move| uci::write(position, *chosen, Notation::Standard);
        match self {
            Difference::Missing { chosen } => format!("the legal move `{}` is missing", written(chosen)),
            Difference::Extra { text } => format!("{} is listed and not legal", quoted(text)),
            Difference::Doubled { text } => format!("{} is listed more than once", quoted(text)),
            Difference::Miscounted { chosen, ours, theirs } => {
                let leaves = if *ours == 1 { "is 1 leaf".to_owned() } else { format!("are {ours} leaves") };
                format!("below `{}` {leaves}, and {theirs} were counted", written(chosen))
            }
            Difference::Sum { total, sum: Some(sum) } => {
                format!("the total is given as {total}, and the lines sum to {sum}")
            }
            Difference::Sum { total, sum: None } => {
                format!("the total is given as {total}, and the lines sum to more than 128 bits hold")
            }
            Difference::Total { ours, theirs } => format!("the total is {ours}, and {theirs} was counted"),
            Difference::Nothing => "neither a total nor a move was said".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counts, Plain};

    fn said(total: Option<u128>, lines: &[(&str, u128)]) -> Said {
        let moves = lines.iter().map(|(text, count)| ((*text).to_owned(), *count));
        Said { total, moves: Some(moves.collect()) }
    }

    #[test]
    fn every_kind_of_difference_is_seen() {
        let position: Position = "8/8/8/8/8/k7/7P/K7 w - - 0 1".parse().expect("a FEN");
        let ours = Plain.count(&position, 1).expect("a count");
        let of = |said: Said| compare(&position, &ours, &said);
        assert_eq!(of(said(Some(3), &[("h2h4", 1), ("a1b1", 1), ("h2h3", 1)])), []);
        assert_eq!(of(Said { total: Some(3), moves: None }), []);
        assert_eq!(of(Said { total: Some(4), moves: None }), [Difference::Total { ours: 3, theirs: 4 }]);
        assert_eq!(of(Said::default()), [Difference::Nothing]);
        let stalemate: Position = "7k/8/8/6Q1/8/8/8/K7 w - - 0 1".parse().expect("a FEN");
        let deep = Plain.count(&stalemate, 2).expect("a count");
        let printed = deep.divide.iter().filter(|(_, leaves)| **leaves > 0);
        let lines = printed.map(|(chosen, leaves)| (format!("{chosen:?}"), *leaves)).collect();
        assert!(deep.divide.values().any(|leaves| *leaves == 0));
        assert_eq!(compare(&stalemate, &deep, &Said { total: Some(deep.nodes), moves: Some(lines) }), []);
        let found = of(said(Some(9), &[("h2h3", 1), ("h2h3", 1), ("h2h4", 2), ("a1a2", 1)]));
        let kinds: Vec<String> = found.iter().map(|found| found.told(&position)).collect();
        assert_eq!(
            kinds,
            [
                "the legal move `a1b1` is missing",
                "`a1a2` is listed and not legal",
                "`h2h3` is listed more than once",
                "below `h2h4` is 1 leaf, and 2 were counted",
                "the total is given as 9, and the lines sum to 5",
            ]
        );
    }
}
