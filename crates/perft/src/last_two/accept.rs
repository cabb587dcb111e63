//! Own moves, man by man: those whose replies are only summed up.

use vezir_chess::{Bitboard, Piece, Square, attacks};

use super::Node;
use super::movers::Mover;
use super::replies::{Answers, Pinned, Pinner};
use crate::machine::Machine;

impl<M: Machine, const WHITE: bool> Node<'_, M, WHITE> {
    /// The moves of everybody who is listed: what can be summed up is, the others are made.
    #[inline(always)]
    pub(super) fn listed(&mut self) {
        for at in 0..self.listed {
            let Some(mover) = self.scratch.movers.get(at).copied() else { break };
            let accepted =
                if self.watch.singled.has(mover.from) { Bitboard::EMPTY } else { self.accept(mover) };
            for to in mover.to & !accepted {
                self.make(mover.piece, mover.from, to);
            }
        }
    }

    /// Sums up the moves of one man that are plain; their targets.
    #[inline(always)]
    fn accept(&mut self, mover: Mover) -> Bitboard {
        let Mover { piece, from, attacked, to } = mover;
        let mut accepted = to & !self.lines.refused[piece.index()];
        let pins = self.court.lines.has(from);
        if pins {
            // Along the line he goes on to pin his man; taking him would give check.
            let line = attacks::line(self.board.their.king, from);
            accepted = accepted & !line | to & line & !self.court.pinned;
        }
        #[cfg(test)]
        {
            accepted &= super::tests::asked(from);
        }
        if self.board.own.pawns.has(from) && piece != Piece::Pawn {
            accepted &= !self.seen_back(piece, from, accepted);
        }
        if accepted.meets(self.reach.barred) {
            accepted = self.unbar(piece, from, attacked, accepted);
        }
        if accepted.is_empty() {
            return accepted;
        }
        self.sum_up(piece, from, attacked, accepted);
        if pins {
            self.sum += self.board.machine.apart(Pinner { board: self.board, from, to: accepted });
        }
        let pinning = accepted & self.lines.pins[piece.index()];
        if !pinning.is_empty() {
            self.sum -= self.board.machine.apart(Pinned { board: self.board, from, to: pinning });
        }
        if piece == Piece::Pawn && accepted.meets(self.watch.late) {
            self.late_steps(from, accepted);
        }
        accepted
    }

    /// Targets from which a man who was a pawn sees the court through the square that he left: more than is known
    /// of his kind.
    #[inline(always)]
    fn seen_back(&self, piece: Piece, from: Square, to: Bitboard) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        if piece != Piece::Knight {
            for to in to {
                if attacks::line(from, to).meets(self.court.zone | self.board.their.king.into()) {
                    seen |= to.into();
                }
            }
        }
        seen
    }

    /// Adds the captures en passant that answer double steps of one pawn.
    #[inline(always)]
    fn late_steps(&mut self, from: Square, to: Bitboard) {
        for to in to & self.watch.late {
            if from.index().abs_diff(to.index()) == 16 {
                self.sum += self.answers(from, to);
            }
        }
    }

    /// How many captures en passant answer a double step that gives no check.
    #[inline(always)]
    pub(super) fn answers(&self, from: Square, to: Square) -> i32 {
        self.board.machine.apart(Answers { board: self.board, from, to })
    }

    /// Sums up the squares that a man frees for their king by stopping before another one; the targets for which
    /// that can be told.
    #[inline(always)]
    fn unbar(&mut self, piece: Piece, from: Square, attacked: Bitboard, to: Bitboard) -> Bitboard {
        let bars = self
            .scratch
            .bars
            .get(..self.reach.bars)
            .unwrap_or_default()
            .iter()
            .filter(|bar| bar.slider != from);
        let alone = self.watch.denied & !self.court.crossed;
        let mut kept = to;
        for bar in bars.clone() {
            // A square that is crossed in castling, or one that this man may free by leaving it as well.
            if !alone.has(bar.square) && (!self.reach.twice.has(bar.square) || attacked.has(bar.square)) {
                kept &= !bar.between;
            }
        }
        let mut freed = 0;
        for bar in bars.filter(|bar| alone.has(bar.square) && bar.between.meets(kept)) {
            let again = self.board.origins(piece, bar.square, self.board.occupied ^ from.into());
            freed += (kept & bar.between & !again).count() as i32;
        }
        self.sum += freed;
        kept
    }

    #[inline(always)]
    fn sum_up(&mut self, piece: Piece, from: Square, attacked: Bitboard, to: Bitboard) {
        let number = to.count() as i32;
        self.accepted += number;
        self.planes.add(to);
        self.sum -= self.lost(piece, to);
        // A square that nobody else denied their king is free, unless it is attacked from the target again.
        for square in attacked & self.watch.denied {
            let again = self.board.origins(piece, square, self.board.occupied ^ from.into());
            self.sum += (to & !again).count() as i32;
        }
        if self.watch.stirred.has(from) {
            self.sum += self.by_origin(from, to, number);
        }
    }

    /// How many replies of their king moves to these targets cost.
    #[inline(always)]
    pub(super) fn lost(&self, piece: Piece, to: Bitboard) -> i32 {
        if !to.meets(self.stakes.targets[piece.index()]) {
            return 0;
        }
        let rows = self.scratch.stakes.get(..self.stakes.used).unwrap_or_default();
        rows.iter().map(|row| (to & row[piece.index()]).count() as i32).sum()
    }
}
