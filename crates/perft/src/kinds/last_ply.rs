//! The last ply: its moves sorted into kinds, most of them without being made.

use vezir_chess::{Bitboard, Color, Piece, Position, Sink, Sliders, Square, attacks};

use super::board::Board;
use super::checks::{Checks, Made};
use super::tally::Tally;
use crate::machine::Machine;

/// Adds the moves of `position` to `tally`.
#[inline(always)]
pub(super) fn count<M: Machine>(machine: M, position: &Position, tally: &mut Tally) {
    match position.side() {
        Color::White => moves::<M, true>(machine, position, tally),
        Color::Black => moves::<M, false>(machine, position, tally),
    }
}

#[inline(always)]
fn moves<M: Machine, const WHITE: bool>(machine: M, position: &Position, tally: &mut Tally) {
    let board = Board::<WHITE>::of(position);
    let mut ply = LastPly::new(machine, &board, tally);
    position.generate(machine.sliders(), &mut ply);
    let (moves, captures) = (ply.moves, ply.captures);
    tally.leaves += u64::from(moves);
    tally.captures += u64::from(captures);
}

/// The moves of one position, seen from the king that they may check.
///
/// A man that opens no line of another man's gives check exactly where it attacks the king from, and one that does
/// open a line gives check wherever else it goes: so whole sets of moves are counted at once. Checks alone are
/// looked at one by one, to see whether they mate. Captures en passant and castling move two men, and are made.
struct LastPly<'a, M, const WHITE: bool> {
    machine: M,
    board: &'a Board<WHITE>,
    tally: &'a mut Tally,
    moves: u32,
    captures: u32,
    /// The squares from which a man of each kind would give check.
    checking: [Bitboard; 6],
    /// Own men that stand alone between an own slider and the enemy's king.
    screens: Bitboard,
}

impl<'a, M: Machine, const WHITE: bool> LastPly<'a, M, WHITE> {
    #[inline(always)]
    fn new(machine: M, board: &'a Board<WHITE>, tally: &'a mut Tally) -> Self {
        let (own, king, occupied) = (&board.own, board.their.king, board.occupied());
        let slanted = machine.sliders().bishop(king, occupied);
        let straight = machine.sliders().rook(king, occupied);
        let pawn = attacks::pawn(Board::<WHITE>::THEM, king);
        let checking = [pawn, attacks::knight(king), slanted, straight, slanted | straight, Bitboard::EMPTY];
        let mut screens = Bitboard::EMPTY;
        for slider in attacks::diagonals(king) & own.slanted | attacks::cross(king) & own.straight {
            let men = attacks::between(king, slider) & occupied;
            if !men.is_many() {
                screens |= men & own.all;
            }
        }
        LastPly { machine, board, tally, moves: 0, captures: 0, checking, screens }
    }

    #[inline(always)]
    fn made(&mut self, board: Board<WHITE>, mover: Square) {
        self.machine.enter(Made { board: &board, mover: mover.into(), passed: None, tally: self.tally });
    }

    /// Pawns that become other men on squares of the last rank, from `back` away.
    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, back: i8) {
        let moves = 4 * to.count();
        self.moves += moves;
        self.tally.promotions += u64::from(moves);
        self.captures += 4 * (to & self.board.their.all).count();
        let king = self.board.their.king;
        for to in to {
            let from = origin(to, back);
            // They look through the square that they left.
            let open = !attacks::between(king, to).meets(self.board.occupied() & !Bitboard::of(from));
            let screened = self.screens.has(from);
            let slanted = open && attacks::diagonals(king).has(to);
            let straight = open && attacks::cross(king).has(to);
            let checking = [slanted | straight, straight, slanted, attacks::knight(king).has(to)];
            for (piece, checks) in Piece::PROMOTIONS.into_iter().zip(checking) {
                if checks || screened {
                    self.made(self.board.after_promotion(piece, from, to), to);
                }
            }
        }
    }
}

impl<M: Machine, const WHITE: bool> Sink for LastPly<'_, M, WHITE> {
    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard) {
        self.moves += to.count();
        self.captures += (to & self.board.their.all).count();
        let mut checks = to & self.checking[piece.index()];
        if self.screens.has(from) {
            checks |= to & !attacks::line(self.board.their.king, from);
        }
        if !checks.is_empty() {
            self.machine.enter(Checks { board: self.board, tally: self.tally, piece, from, to: checks });
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, back: i8) {
        let last = to & Bitboard::BACK_RANKS;
        if !last.is_empty() {
            self.promotions(last, back);
        }
        let to = to & !Bitboard::BACK_RANKS;
        self.moves += to.count();
        if back % 8 != 0 {
            self.captures += (to & self.board.their.all).count();
        }
        let screened = Bitboard(self.screens.0.rotate_right((back & 63) as u32));
        let checks = to & (self.checking[Piece::Pawn.index()] | screened);
        for to in checks {
            let from = origin(to, back);
            let passed = (back.abs() == 16).then(|| origin(to, back / 2));
            let board = self.board.after(Piece::Pawn, from, to);
            self.machine.enter(Made { board: &board, mover: to.into(), passed, tally: self.tally });
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.moves += 1;
        self.captures += 1;
        self.tally.en_passants += 1;
        self.made(self.board.after_en_passant(from, to), to);
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.moves += 1;
        self.tally.castles += 1;
        let (board, rook) = self.board.after_castling(king, rook);
        self.made(board, rook);
    }
}

/// The square `back` indices away from `to`.
#[inline(always)]
fn origin(to: Square, back: i8) -> Square {
    Square::wrapping((to.index() as u8).wrapping_add_signed(back))
}
