//! A place in the descent: how it is reached from the root, and how the program is asked there.

use vezir_chess::{Move, Piece, Position, Square};

use crate::{Query, Way};

/// Where the descent stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Moves from the root of the descent.
    pub(crate) path: Vec<Move>,
    /// What is asked; by moves its root is the last position that the program had right as a FEN.
    pub(crate) query: Query,
}

impl Node {
    /// The place one move further down and one ply shallower, asked as a FEN.
    pub(crate) fn straight(&self, chosen: Move) -> Node {
        let position = self.query.position();
        let query = Query {
            root: position,
            moves: vec![chosen],
            depth: self.query.depth.saturating_sub(1),
            way: Way::Position,
        };
        Node { path: self.longer(chosen), query }
    }

    /// The same place as [`Node::straight`], asked by moves.
    pub(crate) fn moved(&self, chosen: Move) -> Node {
        let mut query = self.query.clone();
        if query.way == Way::Position {
            (query.root, query.moves) = (query.position(), Vec::new());
        }
        query.moves.push(chosen);
        query.depth = query.depth.saturating_sub(1);
        query.way = Way::Moves;
        Node { path: self.longer(chosen), query }
    }

    /// The same place, asked to another depth.
    pub(crate) fn to_depth(&self, depth: u32) -> Node {
        Node { path: self.path.clone(), query: Query { depth, ..self.query.clone() } }
    }

    /// The same place by moves, with all but the last `kept` of them made into the root.
    pub(crate) fn with_tail(&self, kept: usize) -> Node {
        let (before, tail) = self.query.moves.split_at(self.query.moves.len().saturating_sub(kept));
        let root = before.iter().fold(self.query.root, |position, chosen| position.after(*chosen));
        Node { path: self.path.clone(), query: Query { root, moves: tail.to_vec(), ..self.query.clone() } }
    }

    fn longer(&self, chosen: Move) -> Vec<Move> {
        let mut path = self.path.clone();
        path.push(chosen);
        path
    }
}

/// The square that a pawn passed in a double step, if the last move was one.
pub(crate) fn passed(last: Option<(Position, Move)>) -> Option<Square> {
    let (position, chosen) = last?;
    let (from, to) = (chosen.from(), chosen.to());
    let double = position.pieces(Piece::Pawn).has(from) && from.ahead(position.side(), 2) == Some(to);
    if double { from.ahead(position.side(), 1) } else { None }
}
