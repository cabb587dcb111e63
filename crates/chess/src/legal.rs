//! Which moves are legal: the generator, and the lists made from it.

use crate::{Bitboard, Color, Move, Piece, Portable, Position, Rank, Sliders, Square, Wing, attacks};

/// What the generator hands its moves to, many at a time: a list, a count, or a walk down the tree.
pub trait Sink {
    /// The man on `from`, not a pawn, may go to each square of `to`.
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard);

    /// To each square of `to` one pawn may go, from the square `back` indices away (`to + back`), and where
    /// `to` is on a last rank it becomes any of the four [`Piece::PROMOTIONS`].
    fn pawns(&mut self, to: Bitboard, back: i8);

    /// The pawn on `from` may capture en passant on `to`.
    fn en_passant(&mut self, from: Square, to: Square);

    /// The king on `king` may castle with the rook on `rook`.
    fn castle(&mut self, king: Square, rook: Square);
}

impl Position {
    /// All legal moves, without an order that anyone may rely on. There is no upper bound of 218.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut list = List(Vec::with_capacity(48));
        self.generate(Portable, &mut list);
        list.0
    }

    /// How many moves are legal.
    pub fn count_moves(&self) -> u32 {
        let mut count = Count(0);
        self.generate(Portable, &mut count);
        count.0
    }

    /// Whether `wanted` is one of the legal moves.
    pub fn is_legal(&self, wanted: Move) -> bool {
        self.color(self.side()).has(wanted.from()) && self.legal_moves().contains(&wanted)
    }

    /// Hands every legal move to `sink`, each exactly once.
    #[inline(always)]
    pub fn generate<S: Sliders, T: Sink>(&self, sliders: S, sink: &mut T) {
        match self.side() {
            Color::White => Generator::<S, true>::new(self, sliders).run(sink),
            Color::Black => Generator::<S, false>::new(self, sliders).run(sink),
        }
    }
}

/// Counts moves without looking at them.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count(
    /// Moves so far.
    pub u32,
);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Piece, _: Square, to: Bitboard) {
        self.0 += to.count();
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i8) {
        self.0 += to.count() + 3 * (to & Bitboard::BACK_RANKS).count();
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castle(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

struct List(Vec<Move>);

impl Sink for List {
    fn piece(&mut self, _: Piece, from: Square, to: Bitboard) {
        self.0.extend(to.into_iter().map(|to| Move::new(from, to)));
    }

    fn pawns(&mut self, to: Bitboard, back: i8) {
        for to in to {
            let from = Square::wrapping((to.index() as u8).wrapping_add_signed(back));
            if Bitboard::BACK_RANKS.has(to) {
                self.0.extend(Piece::PROMOTIONS.map(|piece| Move::promoting(from, to, piece)));
            } else {
                self.0.push(Move::new(from, to));
            }
        }
    }

    fn en_passant(&mut self, from: Square, to: Square) {
        self.0.push(Move::new(from, to));
    }

    fn castle(&mut self, king: Square, rook: Square) {
        self.0.push(Move::new(king, rook));
    }
}

/// One position seen from the side to move, which is White where `WHITE` is true.
struct Generator<'a, S, const WHITE: bool> {
    position: &'a Position,
    sliders: S,
    king: Square,
    own: Bitboard,
    occupied: Bitboard,
    /// Enemies that slide along diagonals, and along ranks and files.
    slanted: Bitboard,
    straight: Bitboard,
    checkers: Bitboard,
    /// The lines, pinner included, along which own men shield the king from each kind of slider.
    slanted_pins: Bitboard,
    straight_pins: Bitboard,
}

impl<'a, S: Sliders, const WHITE: bool> Generator<'a, S, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = if WHITE { Color::Black } else { Color::White };

    #[inline(always)]
    fn new(position: &'a Position, sliders: S) -> Self {
        let enemies = position.color(Self::THEM);
        let own = position.color(Self::US);
        let king = position.king(Self::US);
        let queens = position.pieces(Piece::Queen);
        let slanted = (position.pieces(Piece::Bishop) | queens) & enemies;
        let straight = (position.pieces(Piece::Rook) | queens) & enemies;
        let checkers = attacks::knight(king) & position.pieces(Piece::Knight) & enemies
            | attacks::pawn(Self::US, king) & position.pieces(Piece::Pawn) & enemies;
        let mut generator = Generator {
            position,
            sliders,
            king,
            own,
            occupied: own | enemies,
            slanted,
            straight,
            checkers,
            slanted_pins: Bitboard::EMPTY,
            straight_pins: Bitboard::EMPTY,
        };
        generator.slanted_pins = generator.pins(attacks::diagonals(king) & slanted);
        generator.straight_pins = generator.pins(attacks::cross(king) & straight);
        generator
    }

    /// The pin lines of sliders that see the king on an empty board; those that see it now become checkers.
    #[inline(always)]
    fn pins(&mut self, snipers: Bitboard) -> Bitboard {
        let mut pins = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(self.king, sniper);
            let blockers = between & self.occupied;
            if blockers.is_empty() {
                self.checkers |= sniper.into();
            } else if !blockers.is_many() && blockers.meets(self.own) {
                pins |= between | sniper.into();
            }
        }
        pins
    }

    #[inline(always)]
    fn run<T: Sink>(&self, sink: &mut T) {
        self.king_moves(sink);
        if self.checkers.is_empty() {
            self.other_moves(sink, !self.own, false);
        } else if !self.checkers.is_many() {
            // One checker can be captured or its line blocked; two can only be fled from.
            let checker = Square::wrapping(self.checkers.0.trailing_zeros() as u8);
            self.other_moves(sink, self.checkers | attacks::between(self.king, checker), true);
        }
    }

    #[inline(always)]
    fn king_moves<T: Sink>(&self, sink: &mut T) {
        let near = attacks::king(self.king) & !self.own;
        let rooks = self.position.castling().rooks_of(Self::US);
        let may_castle = !rooks.is_empty() && self.checkers.is_empty();
        if near.is_empty() && !may_castle {
            return;
        }
        let danger = self.danger();
        let safe = near & !danger;
        if !safe.is_empty() {
            sink.piece(Piece::King, self.king, safe);
        }
        if may_castle {
            self.castling(sink, danger);
        }
    }

    /// Every square that the enemy attacks once the king has left its own.
    #[inline(always)]
    fn danger(&self) -> Bitboard {
        let enemies = self.position.color(Self::THEM);
        let occupied = self.occupied ^ self.king.into();
        let mut danger = attacks::pawns(Self::THEM, self.position.pieces(Piece::Pawn) & enemies)
            | attacks::king(self.position.king(Self::THEM));
        for knight in self.position.pieces(Piece::Knight) & enemies {
            danger |= attacks::knight(knight);
        }
        for slider in self.slanted {
            danger |= self.sliders.bishop(slider, occupied);
        }
        for slider in self.straight {
            danger |= self.sliders.rook(slider, occupied);
        }
        danger
    }

    #[inline(always)]
    fn castling<T: Sink>(&self, sink: &mut T, danger: Bitboard) {
        for wing in Wing::ALL {
            let Some(rook) = self.position.castling().rook(Self::US, wing) else { continue };
            let king_to = Square::at(wing.king_file(), self.king.rank());
            let rook_to = Square::at(wing.rook_file(), self.king.rank());
            let king_path = attacks::between(self.king, king_to) | king_to.into();
            let rook_path =
                attacks::between(self.king, rook) | attacks::between(rook, rook_to) | rook_to.into();
            let others = self.occupied ^ self.king.into() ^ rook.into();
            // In Chess960 a rook can be pinned on its own first rank: when it leaves, its king is in check.
            let shields = self.straight_pins.has(rook);
            if !(king_path | rook_path).meets(others) && !king_path.meets(danger) && !shields {
                sink.castle(self.king, rook);
            }
        }
    }

    /// The moves of all men but the king to squares of `targets`.
    #[inline(always)]
    fn other_moves<T: Sink>(&self, sink: &mut T, targets: Bitboard, in_check: bool) {
        let pinned = (self.slanted_pins | self.straight_pins) & self.own;
        let free = self.own & !pinned;
        self.pawn_moves(sink, targets);
        let position = self.position;
        for from in position.pieces(Piece::Knight) & free {
            sink.piece(Piece::Knight, from, attacks::knight(from) & targets);
        }
        for from in position.pieces(Piece::Bishop) & free {
            sink.piece(Piece::Bishop, from, self.sliders.bishop(from, self.occupied) & targets);
        }
        for from in position.pieces(Piece::Rook) & free {
            sink.piece(Piece::Rook, from, self.sliders.rook(from, self.occupied) & targets);
        }
        for from in position.pieces(Piece::Queen) & free {
            sink.piece(Piece::Queen, from, self.sliders.queen(from, self.occupied) & targets);
        }
        // A pinned man stays on its line, and lines through the king meet nowhere else: it stops no check.
        if !in_check && !pinned.is_empty() {
            self.pinned_slides(sink, pinned);
        }
    }

    /// The moves of pinned men along their pin lines; a pinned knight has none.
    #[inline(always)]
    fn pinned_slides<T: Sink>(&self, sink: &mut T, pinned: Bitboard) {
        let queens = self.position.pieces(Piece::Queen);
        let slanted = pinned & self.slanted_pins & (self.position.pieces(Piece::Bishop) | queens);
        for from in slanted {
            let piece = if queens.has(from) { Piece::Queen } else { Piece::Bishop };
            let to = attacks::line(self.king, from) & self.slanted_pins;
            sink.piece(piece, from, to & self.sliders.bishop(from, self.occupied));
        }
        let straight = pinned & self.straight_pins & (self.position.pieces(Piece::Rook) | queens);
        for from in straight {
            let piece = if queens.has(from) { Piece::Queen } else { Piece::Rook };
            let to = attacks::line(self.king, from) & self.straight_pins;
            sink.piece(piece, from, to & self.sliders.rook(from, self.occupied));
        }
    }

    #[inline(always)]
    fn pawn_moves<T: Sink>(&self, sink: &mut T, targets: Bitboard) {
        let pawns = self.position.pieces(Piece::Pawn) & self.own;
        let back: i8 = if WHITE { -8 } else { 8 };
        let empty = !self.occupied;

        // A pawn on a pin line that steps onto a pin line is still on its own: no other is one step away.
        let steppers = pawns & !self.slanted_pins;
        let single = self.kept_by_pins(steppers, self.straight_pins, |set| set.ahead(Self::US)) & empty;
        sink.pawns(single & targets, back);
        let third = Bitboard::rank(Rank::nth(Self::US, 3));
        let double = (single & third).ahead(Self::US) & empty & targets;
        sink.pawns(double, 2 * back);

        let takers = pawns & !self.straight_pins;
        let prey = self.position.color(Self::THEM) & targets;
        let east = self.kept_by_pins(takers, self.slanted_pins, |set| set.ahead(Self::US).east());
        sink.pawns(east & prey, back - 1);
        let west = self.kept_by_pins(takers, self.slanted_pins, |set| set.ahead(Self::US).west());
        sink.pawns(west & prey, back + 1);

        if let Some(target) = self.position.en_passant() {
            self.en_passant(sink, target, pawns);
        }
    }

    /// Where `step` takes pawns, those on `pins` only as far as they stay on them.
    #[inline(always)]
    fn kept_by_pins(&self, pawns: Bitboard, pins: Bitboard, step: impl Fn(Bitboard) -> Bitboard) -> Bitboard {
        step(pawns & !pins) | step(pawns & pins) & pins
    }

    /// En passant empties two squares of one rank at once, so each capture is tried on the board.
    #[inline(always)]
    fn en_passant<T: Sink>(&self, sink: &mut T, target: Square, pawns: Bitboard) {
        for from in attacks::pawn(Self::THEM, target) & pawns {
            if self.position.en_passant_is_safe(from, target, self.sliders) {
                sink.en_passant(from, target);
            }
        }
    }
}
