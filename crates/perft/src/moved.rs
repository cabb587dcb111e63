//! The moves of a position four plies above the leaves or more, each as the position after it.

use vezir_chess::{Bitboard, Piece, Position, Sink, Sliders, Square};

/// Takes the moves of a position, and lists the positions after them.
pub(crate) struct Moved<'a, S> {
    sliders: S,
    position: &'a Position,
    children: &'a mut Vec<Position>,
}

impl<S: Sliders> Moved<'_, S> {
    /// Lists in `children` the positions after the moves of `position`.
    #[inline(always)]
    pub(crate) fn list(position: &Position, sliders: S, children: &mut Vec<Position>) {
        children.clear();
        position.generate(sliders, &mut Moved { sliders, position, children });
    }
}

impl<S: Sliders> Sink for Moved<'_, S> {
    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard) {
        self.children.extend(to.into_iter().map(|to| self.position.after_piece_move(piece, from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, back: i8) {
        for to in to {
            let from = Square::wrapping((to.index() as u8).wrapping_add_signed(back));
            let after = |piece| self.position.after_pawn_move(from, to, piece, self.sliders);
            if Bitboard::BACK_RANKS.has(to) {
                self.children.extend(Piece::PROMOTIONS.map(|piece| after(Some(piece))));
            } else {
                self.children.push(after(None));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.children.push(self.position.after_en_passant(from, to));
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.children.push(self.position.after_castling(king, rook));
    }
}
