//! Own pawns: all at once where nothing of theirs is touched, the others one by one.

use vezir_chess::{Bitboard, Piece, Rank, Square, attacks};

use super::Node;
use super::replies::Answers;
use crate::armies::captors;
use crate::machine::Machine;

impl<M: Machine, const WHITE: bool> Node<'_, M, WHITE> {
    const THIRD: Bitboard = Bitboard::rank(Rank::nth(Self::US, 3));
    const BACK: i8 = if WHITE { -8 } else { 8 };
    const SEVENTH: Bitboard = Bitboard::rank(Rank::nth(Self::US, 7));

    /// The moves of all pawns.
    #[inline(always)]
    pub(super) fn pawns(&mut self) {
        if let Some(passed) = self.armies.passed {
            self.capture_en_passant(passed);
        }
        // From here a pawn attacks what matters to their king.
        let guards = (self.denied | self.court.crossed & self.reach.once).ahead(Self::THEM);
        let touched = self.singled
            | self.stirred
            | self.ties.pins
            | guards.east()
            | guards.west()
            | Self::SEVENTH
            | self.asked_for_one();
        self.march(self.board.own.pawns & !touched);
        for from in self.board.own.pawns & touched {
            self.pawn(from);
        }
    }

    #[cfg(not(test))]
    #[inline(always)]
    fn asked_for_one(&self) -> Bitboard {
        Bitboard::EMPTY
    }

    /// Where a test asks for one move, pawns go one by one.
    #[cfg(test)]
    fn asked_for_one(&self) -> Bitboard {
        if super::tests::asks_for_one() { Bitboard::FULL } else { Bitboard::EMPTY }
    }

    /// Pawns whose squares matter to nobody.
    #[inline(always)]
    fn march(&mut self, pawns: Bitboard) {
        let (their, empty, targets) = (self.board.their, !self.board.occupied, self.ties.targets);
        let ahead = pawns.ahead(Self::US);
        let single = ahead & empty;
        let double = (single & Self::THIRD).ahead(Self::US) & empty & targets;
        let (single, prey) = (single & targets, their.all & targets);
        let (east, west) = (ahead.east() & prey, ahead.west() & prey);
        let refused = self.refused(Piece::Pawn) | self.reach.barred;
        self.accept_pawns((single | double) & !refused);
        // Beside a pawn of theirs, a double step may be answered en passant.
        for to in double & !refused & (their.pawns.east() | their.pawns.west()) {
            self.sum += self.answers(came_from(to, 2 * Self::BACK), to);
        }
        if !(east | west).is_empty() {
            self.accept_pawns(east & !refused);
            self.accept_pawns(west & !refused);
        }
        if (single | double | east | west).meets(refused) {
            self.make_pawns(single & refused, Self::BACK);
            self.make_pawns(east & refused, Self::BACK - 1);
            self.make_pawns(west & refused, Self::BACK + 1);
            for to in double & refused {
                self.step(came_from(to, 2 * Self::BACK), to);
            }
        }
    }

    #[inline(always)]
    fn accept_pawns(&mut self, to: Bitboard) {
        self.accepted += to.count() as i32;
        self.planes.add(to);
        self.sum -= self.lost(Piece::Pawn, to);
    }

    #[inline(always)]
    fn make_pawns(&mut self, to: Bitboard, back: i8) {
        for to in to {
            self.make(Piece::Pawn, came_from(to, back), to);
        }
    }

    /// One pawn.
    #[inline(always)]
    fn pawn(&mut self, from: Square) {
        let (their, empty) = (self.board.their, !self.board.occupied);
        let attacked = attacks::pawn(Self::US, from);
        let single = Bitboard::of(from).ahead(Self::US) & empty;
        let double = (single & Self::THIRD).ahead(Self::US) & empty;
        let to = (single | double | attacked & their.all) & self.kept(from);
        if Self::SEVENTH.has(from) {
            return self.promote(from, to);
        }
        let accepted = self.accept(Piece::Pawn, from, attacked, to);
        for to in to & !accepted & !double {
            self.make(Piece::Pawn, from, to);
        }
        for to in double & to {
            if accepted.has(to) {
                self.sum += self.answers(from, to);
            } else {
                self.step(from, to);
            }
        }
    }

    #[inline(always)]
    fn promote(&mut self, from: Square, to: Bitboard) {
        let attacked = attacks::pawn(Self::US, from);
        // Who looks back through the square that was left sees more than what is known of its kind.
        let behind = to.into_iter().filter(|to| {
            let back = attacks::line(from, *to);
            back.meets(self.court.zone | self.board.their.king.into())
        });
        let behind: Bitboard = behind.collect();
        for piece in Piece::PROMOTIONS {
            let plain = if piece == Piece::Knight { to } else { to & !behind };
            let accepted = self.accept(piece, from, attacked, plain);
            for to in to & !accepted {
                let mut own = *self.board.own;
                own.flip(Piece::Pawn, from.into());
                own.flip(piece, to.into());
                self.answer(own, self.board.their.without(to.into()), None);
            }
        }
    }

    /// How many captures en passant answer a double step that gives no check.
    #[inline(always)]
    fn answers(&self, from: Square, to: Square) -> i32 {
        self.board.machine.apart(Answers { board: self.board, from, to })
    }

    /// Makes a double step, which may be answered en passant.
    #[inline(always)]
    fn step(&mut self, from: Square, to: Square) {
        let own = self.board.own.moved(Piece::Pawn, from, to);
        let passed = Square::wrapping(((from.index() + to.index()) / 2) as u8);
        self.answer(own, *self.board.their, Some(passed));
    }

    #[inline(always)]
    fn capture_en_passant(&mut self, passed: Square) {
        let board = self.board;
        for from in captors::<M::Sliders, WHITE>(board.sliders, (board.own, board.their), passed) {
            let own = self.board.own.moved(Piece::Pawn, from, passed);
            let taken = Square::at(passed.file(), from.rank());
            self.answer(own, self.board.their.without(taken.into()), None);
        }
    }
}

/// Where a pawn came from that now stands `back` squares on.
#[inline(always)]
fn came_from(to: Square, back: i8) -> Square {
    Square::wrapping((to.index() as u8).wrapping_add_signed(back))
}
