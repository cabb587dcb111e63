//! Which moves the toy believes in, and how it counts: by plain recursion over them.

use vezir_chess::{Bitboard, Color, Move, Piece, Position, Square};

use crate::faults::{FAULTS, Fault};

/// The moves of a position, with every planted fault.
#[derive(Default)]
pub(crate) struct Rules(Vec<Fault>);

impl Rules {
    /// Plants a fault by its name.
    pub(crate) fn plant(&mut self, name: &str) -> Result<(), String> {
        let found = FAULTS.iter().find(|(known, _)| *known == name);
        let names = || FAULTS.map(|(known, _)| known).join(", ");
        let (_, fault) =
            found.ok_or_else(|| format!("no fault is called `{name}`; one of {} would be right", names()))?;
        self.0.push(*fault);
        Ok(())
    }

    /// What the toy plays in `position`. `passed` is the square over which a pawn has just stepped, whether
    /// somebody may capture there or not.
    pub(crate) fn moves(&self, position: &Position, passed: Option<Square>) -> Vec<Move> {
        let mut moves = position.legal_moves();
        for fault in &self.0 {
            fault(position, passed, &mut moves);
        }
        moves
    }

    /// Leaves below `position`.
    pub(crate) fn count(&self, position: &Position, passed: Option<Square>, depth: u32) -> u128 {
        if depth == 0 {
            return 1;
        }
        if !Color::ALL.into_iter().all(|color| position.men(color, Piece::King) != Bitboard::EMPTY) {
            // A wrong move has let a king be taken.
            return 0;
        }
        let moves = self.moves(position, passed);
        let below =
            |chosen: &Move| self.count(&position.after(*chosen), stepped_over(position, *chosen), depth - 1);
        moves.iter().map(below).sum()
    }
}

/// The square that a pawn's double step passes.
pub(crate) fn stepped_over(position: &Position, chosen: Move) -> Option<Square> {
    let (from, to) = (chosen.from(), chosen.to());
    let steps = position.piece_on(from) == Some(Piece::Pawn) && from.index().abs_diff(to.index()) == 16;
    steps.then(|| {
        Square::at(from.file(), vezir_chess::Rank::ALL[(from.rank().index() + to.rank().index()) / 2])
    })
}
