//! One place to be visited: a position, how it is reached, and how far below it is asked.

use vezir_chess::{Move, Position};

use crate::{Query, Way};

/// One thing to be asked of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where the moves begin.
    pub root: Position,
    /// Legal moves from the root to the position, in their order; there may be none.
    pub moves: Vec<Move>,
    /// Plies below the position after the moves, at least 1.
    pub depth: u32,
    /// How many ways lead from the run's root to the position in as many plies; 0 where the leaves below it are no
    /// part of the run's total.
    pub paths: u64,
    /// How the position is told to the program.
    pub way: Way,
}

impl Place {
    /// The question about this place.
    pub fn query(&self) -> Query {
        Query { root: self.root, moves: self.moves.clone(), depth: self.depth, way: self.way }
    }

    /// The position that is asked about.
    pub fn position(&self) -> Position {
        self.query().position()
    }

    /// The first of the moves that is not legal where it is made, and the position there: for whoever did not make
    /// this place. Of one that has such a move no position may be asked for.
    pub fn illegal(&self) -> Option<(Move, Position)> {
        let mut position = self.root;
        for chosen in &self.moves {
            if !position.is_legal(*chosen) {
                return Some((*chosen, position));
            }
            position = position.after(*chosen);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use vezir_chess::uci;

    use super::*;

    #[test]
    fn both_ways_ask_about_the_same_position() {
        let root = Position::startpos();
        let chosen = uci::read(&root, "e2e4").expect("a move");
        for way in [Way::Position, Way::Moves] {
            let place = Place { root, moves: vec![chosen], depth: 3, paths: 7, way };
            assert_eq!(place.position(), root.after(chosen));
            let query = place.query();
            assert_eq!((query.position(), query.depth, query.way), (root.after(chosen), 3, way));
            assert_eq!((query.root, query.moves), (root, vec![chosen]));
            assert_eq!(place.illegal(), None);
            let twice = Place { moves: vec![chosen, chosen], ..place };
            assert_eq!(twice.illegal(), Some((chosen, root.after(chosen))));
        }
    }
}
