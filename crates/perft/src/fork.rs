//! The moves of a position three plies above the leaves, each as what stands after it.

use vezir_chess::{Bitboard, Piece, Position, Sink, Sliders, Square, Wing};

use crate::armies::{Armies, captors};
use crate::army::Army;

/// Takes the moves of a position, of which White is to move if `WHITE`, and lists what stands after them.
pub(crate) struct Fork<'a, S, const WHITE: bool> {
    sliders: S,
    armies: &'a Armies,
    children: &'a mut Vec<Armies>,
}

impl<S: Sliders, const WHITE: bool> Fork<'_, S, WHITE> {
    /// Lists in `children` what stands after each move of `position`, whose armies are `armies`.
    #[inline(always)]
    pub(crate) fn list(position: &Position, armies: &Armies, sliders: S, children: &mut Vec<Armies>) {
        children.clear();
        position.generate(sliders, &mut Fork::<S, WHITE> { sliders, armies, children });
    }

    /// Lists what stands after a move that takes what is on `taken`, with the rights that are left.
    #[inline(always)]
    fn enter(&mut self, own: Army, taken: Bitboard, rooks: Bitboard) {
        let their = self.armies.their.without(taken);
        self.children.push(Armies { own: their, their: own, rooks, passed: None });
    }

    /// A double step: it may be answered en passant where that leaves no king in check.
    #[inline(always)]
    fn step(&mut self, from: Square, to: Square) {
        let (own, their) = (self.armies.own.moved(Piece::Pawn, from, to), self.armies.their);
        let beside = Bitboard::of(to).east() | Bitboard::of(to).west();
        let mut passed = None;
        if beside.meets(their.pawns) {
            let behind = Square::wrapping(((from.index() + to.index()) / 2) as u8);
            let found = if WHITE {
                captors::<S, false>(self.sliders, (&their, &own), behind)
            } else {
                captors::<S, true>(self.sliders, (&their, &own), behind)
            };
            passed = (!found.is_empty()).then_some(behind);
        }
        self.children.push(Armies { own: their, their: own, rooks: self.armies.rooks, passed });
    }
}

impl<S: Sliders, const WHITE: bool> Sink for Fork<'_, S, WHITE> {
    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard) {
        let kept = if piece == Piece::King { self.armies.their.all } else { !Bitboard::of(from) };
        for to in to {
            let own = self.armies.own.moved(piece, from, to);
            self.enter(own, to.into(), self.armies.rooks & kept & !Bitboard::of(to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, back: i8) {
        for to in to {
            let from = Square::wrapping((to.index() as u8).wrapping_add_signed(back));
            let rooks = self.armies.rooks & !Bitboard::of(to);
            if Bitboard::BACK_RANKS.has(to) {
                for piece in Piece::PROMOTIONS {
                    let mut own = self.armies.own;
                    own.flip(Piece::Pawn, from.into());
                    own.flip(piece, to.into());
                    self.enter(own, to.into(), rooks);
                }
            } else if back.unsigned_abs() == 16 {
                self.step(from, to);
            } else {
                self.enter(self.armies.own.moved(Piece::Pawn, from, to), to.into(), rooks);
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        let own = self.armies.own.moved(Piece::Pawn, from, to);
        let taken = Square::at(to.file(), from.rank());
        self.enter(own, taken.into(), self.armies.rooks);
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        let wing = if rook > king { Wing::H } else { Wing::A };
        let own = self.armies.own.castled(wing, rook);
        self.enter(own, Bitboard::EMPTY, self.armies.rooks & self.armies.their.all);
    }
}
