//! Own moves, man by man: most are accepted, and only summed up; the others are made.

use vezir_chess::{Bitboard, Piece, Square, Wing, attacks};

use super::Node;
use super::board::Board;
use super::replies::{Pinned, Unpinned};
use crate::army::Army;
use crate::castling::Castling;
use crate::leaf::Leaf;
use crate::machine::{Machine, Work};

impl<M: Machine, const WHITE: bool> Node<'_, M, WHITE> {
    /// The moves of everybody but pawns.
    #[inline(always)]
    pub(super) fn men(&mut self) {
        let (own, open) = (self.board.own, !self.board.own.all);
        let near = attacks::king(own.king);
        self.mover(Piece::King, own.king, near, near & open & !self.null.danger & !self.ties.behind);
        let open = open & self.ties.targets;
        for from in own.knights & !self.ties.pins {
            let attacked = attacks::knight(from);
            self.mover(Piece::Knight, from, attacked, attacked & open);
        }
        for from in own.slanted & !own.straight {
            let attacked = self.scratch.slanted[from.index()];
            self.mover(Piece::Bishop, from, attacked, attacked & open & self.kept(from));
        }
        for from in own.straight & !own.slanted {
            let attacked = self.scratch.straight[from.index()];
            self.mover(Piece::Rook, from, attacked, attacked & open & self.kept(from));
        }
        for from in own.slanted & own.straight {
            let attacked = self.scratch.slanted[from.index()] | self.scratch.straight[from.index()];
            self.mover(Piece::Queen, from, attacked, attacked & open & self.kept(from));
        }
    }

    /// One man, the squares that it attacks, and those that it may go to.
    #[inline(always)]
    pub(super) fn mover(&mut self, piece: Piece, from: Square, attacked: Bitboard, to: Bitboard) {
        if to.is_empty() {
            return;
        }
        let accepted = self.accept(piece, from, attacked, to);
        for to in to & !accepted {
            self.make(piece, from, to);
        }
    }

    /// Sums up the moves of one man that are plain; their targets.
    #[inline(always)]
    pub(super) fn accept(&mut self, piece: Piece, from: Square, attacked: Bitboard, to: Bitboard) -> Bitboard {
        if self.singled.has(from) {
            return Bitboard::EMPTY;
        }
        let mut accepted = to & !self.refused(piece);
        #[cfg(test)]
        {
            accepted &= super::tests::asked(from);
        }
        let pins = self.court.lines.has(from);
        if pins {
            // Whoever pins a man and stays on the line goes on to pin him.
            accepted &= !attacks::line(self.board.their.king, from);
        }
        if accepted.meets(self.reach.barred) {
            accepted = self.unbar(piece, from, attacked, accepted);
        }
        if !accepted.is_empty() {
            self.sum_up(piece, from, attacked, accepted);
            if pins {
                self.sum += self.board.machine.apart(Unpinned { board: self.board, from, to: accepted });
            }
            let pinning = accepted & self.pinning(piece);
            if !pinning.is_empty() {
                self.sum -= self.board.machine.apart(Pinned { board: self.board, from, to: pinning });
            }
        }
        accepted
    }

    /// Sums up the squares that a man frees for their king by stopping before another one; the targets for which
    /// that can be told.
    #[inline(always)]
    fn unbar(&mut self, piece: Piece, from: Square, attacked: Bitboard, to: Bitboard) -> Bitboard {
        let bars = self.scratch.bars.iter().take(self.reach.bars).filter(|bar| bar.slider != from);
        let alone = self.denied & !self.court.crossed;
        let mut kept = to;
        for bar in bars.clone() {
            // A square that is crossed in castling, or one that this man may free by leaving it as well.
            if !alone.has(bar.square) && (!self.reach.twice.has(bar.square) || attacked.has(bar.square)) {
                kept &= !bar.between;
            }
        }
        for bar in bars.filter(|bar| alone.has(bar.square) && bar.between.meets(kept)) {
            let again = self.board.origins(piece, bar.square, self.board.occupied ^ from.into());
            self.sum += (kept & bar.between & !again).count() as i32;
        }
        kept
    }

    #[inline(always)]
    fn sum_up(&mut self, piece: Piece, from: Square, attacked: Bitboard, to: Bitboard) {
        let number = to.count() as i32;
        self.accepted += number;
        self.planes.add(to);
        self.sum -= self.lost(piece, to);
        // A square that nobody else denied their king is free, unless it is attacked from the target again.
        for square in attacked & self.denied {
            let again = self.board.origins(piece, square, self.board.occupied ^ from.into());
            self.sum += (to & !again).count() as i32;
        }
        if self.stirred.has(from) {
            self.sum += self.by_origin(from, to, number);
        }
    }

    /// How many replies of their king moves to these targets cost.
    #[inline(always)]
    pub(super) fn lost(&self, piece: Piece, to: Bitboard) -> i32 {
        if !to.meets(self.staked[piece.index()]) {
            return 0;
        }
        let rows = self.scratch.stakes.iter().take(self.stakes);
        rows.map(|row| (to & row[piece.index()]).count() as i32).sum()
    }

    /// Makes one move that is neither a promotion nor a double step that could be answered en passant.
    #[inline(always)]
    pub(super) fn make(&mut self, piece: Piece, from: Square, to: Square) {
        self.made += u64::from(self.board.machine.apart(Made { board: self.board, piece, from, to }));
    }

    /// Adds the replies to a move after which the men stand so.
    #[inline(always)]
    pub(super) fn answer(&mut self, own: Army, their: Army, passed: Option<Square>) {
        self.made += u64::from(self.board.machine.apart(Replies { board: self.board, own, their, passed }));
    }

    #[inline(always)]
    pub(super) fn castle(&mut self) {
        let board = self.board;
        let rights = self.armies.rooks & board.own.all & !self.ties.pins;
        if rights.is_empty() || self.ties.check {
            return;
        }
        for (castling, wing) in self.castlings.of(Self::US).iter().zip(Wing::ALL) {
            let Castling { path, crossed, rook } = *castling;
            if !rights.meets(rook) || path.meets(board.occupied) || crossed.meets(self.null.danger) {
                continue;
            }
            // There is one rook in the set.
            let own = rook.first().map_or(*board.own, |rook| board.own.castled(wing, rook));
            self.answer(own, *board.their, None);
        }
    }
}

/// The replies to a move that is neither a promotion nor a double step that could be answered en passant.
///
/// Counted apart from the node, whose values would be pushed out of the registers.
struct Made<'a, M: Machine, const WHITE: bool> {
    board: &'a Board<'a, M, WHITE>,
    piece: Piece,
    from: Square,
    to: Square,
}

impl<M: Machine, const WHITE: bool> Work for Made<'_, M, WHITE> {
    type Done = u32;

    #[inline(always)]
    fn done(self) -> u32 {
        let Made { board, piece, from, to } = self;
        let own = board.own.moved(piece, from, to);
        let their = board.their.without(to.into());
        replies(board, &own, &their, None)
    }
}

/// The replies when the men stand so.
struct Replies<'a, M: Machine, const WHITE: bool> {
    board: &'a Board<'a, M, WHITE>,
    own: Army,
    their: Army,
    passed: Option<Square>,
}

impl<M: Machine, const WHITE: bool> Work for Replies<'_, M, WHITE> {
    type Done = u32;

    #[inline(always)]
    fn done(self) -> u32 {
        replies(self.board, &self.own, &self.their, self.passed)
    }
}

#[inline(always)]
fn replies<M: Machine, const WHITE: bool>(
    board: &Board<'_, M, WHITE>,
    own: &Army,
    their: &Army,
    passed: Option<Square>,
) -> u32 {
    let rooks = board.rooks & their.all;
    let (sliders, castlings) = (board.sliders, board.castlings);
    let leaf = Leaf { sliders, own: their, their: own, castlings, rooks, passed };
    if WHITE { leaf.moves::<false>() } else { leaf.moves::<true>() }
}
