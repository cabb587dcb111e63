//! A program with planted faults: our legal moves, changed by functions, and counted by plain recursion.

use std::convert::Infallible;

use vezir_chess::{Color, Move, Piece, Position, Square, Wing};
use vezir_verify::{Oracle, Query, Said, Way};

/// A change of the moves of one state.
pub(crate) type Plant = fn(&State, &mut Vec<String>);

/// What the program believes about the board.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) position: Position,
    /// The position before and the move, where the program made it itself.
    pub(crate) last: Option<(Position, Move)>,
    /// Rights whose rook was captured by a pawn that promoted, by a man, or has moved.
    pub(crate) lost: Vec<(Loss, Color, Wing)>,
}

/// How a right was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Loss {
    ToPromotion,
    ToCapture,
    RookMoved,
}

impl State {
    pub(crate) fn at(position: Position) -> State {
        State { position, last: None, lost: Vec::new() }
    }

    pub(crate) fn after(&self, chosen: Move) -> State {
        let position = self.position.after(chosen);
        let mut lost = self.lost.clone();
        for color in Color::ALL {
            for wing in Wing::ALL {
                let rook = self.position.castling().rook(color, wing);
                let Some(rook) = rook.filter(|_| position.castling().rook(color, wing).is_none()) else {
                    continue;
                };
                if rook == chosen.from() {
                    lost.push((Loss::RookMoved, color, wing));
                } else if rook == chosen.to() && color != self.position.side() {
                    let loss = if chosen.promotion().is_some() { Loss::ToPromotion } else { Loss::ToCapture };
                    lost.push((loss, color, wing));
                }
            }
        }
        State { position, last: Some((self.position, chosen)), lost }
    }

    /// The square that a pawn has just passed, whether or not a capture there is legal.
    pub(crate) fn passed(&self) -> Option<Square> {
        let hidden = self.last.and_then(|(before, chosen)| {
            let pawn = before.pieces(Piece::Pawn).has(chosen.from());
            let double = chosen.from().ahead(before.side(), 2) == Some(chosen.to());
            chosen.from().ahead(before.side(), 1).filter(|_| pawn && double)
        });
        self.position.en_passant().or(hidden)
    }

    fn has_kings(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.position.men(color, Piece::King).count() == 1)
    }
}

/// The program.
pub(crate) struct Program {
    pub(crate) plants: Vec<Plant>,
    /// Whether it prints its divide.
    pub(crate) lists: bool,
}

impl Program {
    fn moves(&self, state: &State) -> Vec<String> {
        if !state.has_kings() {
            return Vec::new();
        }
        let mut texts = state.position.legal_moves().iter().map(|chosen| format!("{chosen:?}")).collect();
        self.plants.iter().for_each(|plant| plant(state, &mut texts));
        texts
    }

    fn count(&self, state: &State, depth: u32) -> u128 {
        let moves = if depth == 0 { Vec::new() } else { self.moves(state) };
        match depth {
            0 => 1,
            1 => moves.len() as u128,
            _ => moves.iter().map(|text| self.count(&after(state, text), depth - 1)).sum(),
        }
    }
}

fn after(state: &State, text: &str) -> State {
    let square = |range| text.get(range).and_then(|name: &str| name.parse::<Square>().ok());
    let (Some(from), Some(to)) = (square(0..2), square(2..4)) else { return state.clone() };
    let piece = text.chars().nth(4).and_then(Piece::from_letter);
    let piece = piece.filter(|piece| Piece::PROMOTIONS.contains(piece));
    state.after(piece.map_or(Move::new(from, to), |piece| Move::promoting(from, to, piece)))
}

impl Oracle for Program {
    type Error = Infallible;

    fn ask(&mut self, query: &Query) -> Result<Said, Infallible> {
        let state = match query.way {
            Way::Position => State::at(query.position()),
            Way::Moves => {
                query.moves.iter().fold(State::at(query.root), |state, chosen| state.after(*chosen))
            }
        };
        let count = |text: &String| (text.clone(), self.count(&after(&state, text), query.depth - 1));
        let lines: Vec<(String, u128)> = self.moves(&state).iter().map(count).collect();
        let total = lines.iter().map(|(_, count)| count).sum();
        Ok(Said { total: Some(total), moves: self.lists.then_some(lines) })
    }
}
