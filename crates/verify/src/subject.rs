//! What a program is asked about: a tree, a list of places, or the positions of random games.

use std::fmt;
use std::sync::Arc;

use vezir_chess::Position;

use crate::{Place, playout};

/// What a program is asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// One position, and the tree below it.
    Tree {
        /// The position.
        root: Position,
        /// How deep, in plies.
        depth: u32,
        /// The split ply; `None` leaves it to the planner.
        split: Option<u32>,
    },
    /// These places, as a suite names them.
    Places(Arc<[Place]>),
    /// The positions of random games.
    Games {
        /// From which start positions.
        starts: Starts,
        /// What the games grow from.
        seed: u64,
        /// How many games.
        games: u32,
        /// How deep each position is asked about, in plies.
        depth: u32,
    },
}

/// Where random games begin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Starts {
    /// The start position of standard chess.
    Standard,
    /// Those of Chess960, one after another.
    Chess960,
    /// Those of double Fischer random: another row for either side.
    Double,
    /// All of these in turn.
    Mixed,
}

/// How many steps there are between the rows of White and Black in double Fischer random: prime to 960, so that
/// all pairs come.
const STRIDE: u32 = 7;

impl Starts {
    /// Where game `number` begins.
    pub fn root(self, number: u32) -> Position {
        let row = |number: u32| (number % u32::from(playout::STARTS)) as u16;
        let black = row(number.wrapping_mul(STRIDE).wrapping_add(number / u32::from(playout::STARTS)));
        let found = match self {
            Starts::Standard => None,
            Starts::Chess960 => playout::chess960(row(number)),
            Starts::Double => playout::double_fischer(row(number), black),
            Starts::Mixed => match number % 3 {
                0 => None,
                1 => return Starts::Chess960.root(number / 3),
                _ => return Starts::Double.root(number / 3),
            },
        };
        found.unwrap_or_else(Position::startpos)
    }

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Starts::Standard => "standard",
            Starts::Chess960 => "chess960",
            Starts::Double => "double",
            Starts::Mixed => "mixed",
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Tree { root, depth, .. } => write!(f, "depth {depth} of {root}"),
            Subject::Places(places) => write!(f, "{} places of a suite", places.len()),
            Subject::Games { starts, seed, games, depth } => {
                write!(f, "depth {depth} in {games} random games, {}, seed {seed}", starts.name())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn games_begin_where_they_should() {
        assert_eq!(Starts::Standard.root(7), Position::startpos());
        assert_eq!(Starts::Chess960.root(518), Position::startpos());
        assert_eq!(Some(Starts::Chess960.root(961)), playout::chess960(1));
        let begun = |starts: Starts, games: u32| {
            (0..games).map(|game| starts.root(game).to_string()).collect::<BTreeSet<_>>().len()
        };
        assert_eq!(begun(Starts::Chess960, 2_000), 960);
        assert_eq!(begun(Starts::Double, 2_000), 2_000);
        // The first rows of either side are the same row.
        assert_eq!(begun(Starts::Mixed, 300), 1 + 100 + 99);
    }
}
