//! Room that one thread writes anew at each node, and never clears.

use vezir_chess::{Bitboard, Piece, Square};

use super::movers::Mover;

/// The most squares and rights of the opponent's king that moves may cost: eight squares around it, two castlings.
const STAKES: usize = 10;

/// More sliders, counted by their lines, than own men that are looked at can have.
const SLIDERS: usize = 32;

/// More lines of own sliders to the zone than there can be: three squares beside the king in each of two
/// directions, and four that it would cross in castling.
const BARS: usize = 10 * SLIDERS;

/// More than own men can be, each promoting pawn counted four times.
const MOVERS: usize = 96;

/// A line of an own slider to a square that the opponent's king could use.
#[derive(Clone, Copy)]
pub(super) struct Bar {
    pub(super) slider: Square,
    pub(super) square: Square,
    pub(super) between: Bitboard,
}

/// What a node knows by square, or in lists.
pub(crate) struct Scratch {
    /// What own men attack along diagonals, by their squares.
    pub(super) slanted: [Bitboard; 64],
    /// The same along ranks and files.
    pub(super) straight: [Bitboard; 64],
    /// Own sliders, and the squares of the zone that an own man hides from them.
    pub(super) hidden: [(Square, Bitboard); SLIDERS],
    /// Lines of own sliders to the zone.
    pub(super) bars: [Bar; BARS],
    /// Own men that can move.
    pub(super) movers: [Mover; MOVERS],
    /// For each reply that targets may cost: which ones do, by kind of the man that moves.
    pub(super) stakes: [[Bitboard; 6]; STAKES],
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        let (none, corner) = (Bitboard::EMPTY, Square::wrapping(0));
        Scratch {
            slanted: [none; 64],
            straight: [none; 64],
            hidden: [(corner, none); SLIDERS],
            bars: [Bar { slider: corner, square: corner, between: none }; BARS],
            movers: [Mover { piece: Piece::King, from: corner, attacked: none, to: none }; MOVERS],
            stakes: [[none; 6]; STAKES],
        }
    }
}
