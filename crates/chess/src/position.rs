//! A position: who stands where, whose turn it is, and what is still allowed.

use std::fmt;

use crate::{Bitboard, Castling, Color, File, Move, Piece, Portable, Rank, Sliders, Square, Wing, attacks};

/// A position of standard chess, Chess960 or double Fischer random.
///
/// Every value holds exactly one king a side, the side that is not to move is not in check, every castling
/// right has its king and rook, and an en passant square is present exactly where a capture on it is
/// legal. Two positions in which the same moves are possible therefore differ at most in their counters.
///
/// ```
/// use vezir_chess::Position;
///
/// let position = Position::startpos();
/// assert_eq!(position.legal_moves().len(), 20);
/// println!("{position:?}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pieces: [Bitboard; 6],
    colors: [Bitboard; 2],
    castling: Castling,
    side: Color,
    en_passant: Option<Square>,
    halfmoves: u32,
    fullmoves: u32,
}

impl Position {
    /// The start position of standard chess.
    pub fn startpos() -> Position {
        use Piece::{Bishop, King, Knight, Queen, Rook};
        let mut position = Position::bare(Color::White);
        let row = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        for (file, piece) in File::ALL.into_iter().zip(row) {
            for color in Color::ALL {
                position.put(color, piece, Square::at(file, Rank::nth(color, 1)));
                position.put(color, Piece::Pawn, Square::at(file, Rank::nth(color, 2)));
            }
        }
        for color in Color::ALL {
            for wing in Wing::ALL {
                position.castling.grant(color, wing, wing.corner());
            }
        }
        position
    }

    /// An empty board, for the rooms of this crate that set positions up. Not a position until it has kings.
    pub(crate) const fn bare(side: Color) -> Position {
        Position {
            pieces: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            castling: Castling::NONE,
            side,
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    pub(crate) fn put(&mut self, color: Color, piece: Piece, square: Square) {
        self.pieces[piece.index()] |= square.into();
        self.colors[color.index()] |= square.into();
    }

    /// Empties `square`.
    pub(crate) fn lift(&mut self, square: Square) {
        let kept = !Bitboard::of(square);
        self.pieces.iter_mut().chain(&mut self.colors).for_each(|squares| *squares &= kept);
    }

    pub(crate) fn set_side(&mut self, side: Color) {
        self.side = side;
    }

    pub(crate) fn set_castling(&mut self, castling: Castling) {
        self.castling = castling;
    }

    pub(crate) fn set_counters(&mut self, halfmoves: u32, fullmoves: u32) {
        self.halfmoves = halfmoves;
        self.fullmoves = fullmoves;
    }

    /// Keeps `square` as the en passant square if a capture on it is legal; tells whether it was kept.
    pub(crate) fn offer_en_passant(&mut self, square: Square) -> bool {
        self.en_passant = self.can_capture_en_passant(square, Portable).then_some(square);
        self.en_passant.is_some()
    }

    /// The squares of all men of one kind, both colors.
    #[inline(always)]
    pub const fn pieces(&self, piece: Piece) -> Bitboard {
        self.pieces[piece.index()]
    }

    /// The squares of all men of one color.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of the men of one color and kind.
    #[inline(always)]
    pub fn men(&self, color: Color, piece: Piece) -> Bitboard {
        self.color(color) & self.pieces(piece)
    }

    /// Every square that is not empty.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The kind of the man on `square`, whatever its color.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| self.pieces(*piece).has(square))
    }

    /// The color of the man on `square`.
    #[inline(always)]
    pub fn color_on(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.color(*color).has(square))
    }

    /// Where the king of `color` stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        Square::wrapping(self.men(color, Piece::King).0.trailing_zeros() as u8)
    }

    /// The side to move.
    #[inline(always)]
    pub const fn side(&self) -> Color {
        self.side
    }

    /// The castling rights.
    #[inline(always)]
    pub const fn castling(&self) -> &Castling {
        &self.castling
    }

    /// The square behind a pawn that just made a double step, if a capture there is legal.
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move, as the fifty-move rule counts them.
    pub const fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// The number of the move, counted up after each of Black's.
    pub const fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// Whether castling here can only be written in Chess960's way: a king with a right off the e-file, or
    /// its rook off the a- and h-file.
    pub fn needs_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            Wing::ALL.into_iter().any(|wing| {
                let file = self.castling.file(color, wing);
                file.is_some_and(|file| file != wing.corner() || self.king(color).file() != File::E)
            })
        })
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The men that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        let occupied = self.occupied();
        self.attackers(self.king(self.side), occupied, Portable) & self.color(!self.side)
    }

    /// The men of both colors that attack `square` when `occupied` squares block.
    #[inline(always)]
    pub(crate) fn attackers<S: Sliders>(&self, square: Square, occupied: Bitboard, sliders: S) -> Bitboard {
        let queens = self.pieces(Piece::Queen);
        attacks::knight(square) & self.pieces(Piece::Knight)
            | attacks::king(square) & self.pieces(Piece::King)
            | attacks::pawn(Color::White, square) & self.men(Color::Black, Piece::Pawn)
            | attacks::pawn(Color::Black, square) & self.men(Color::White, Piece::Pawn)
            | sliders.bishop(square, occupied) & (self.pieces(Piece::Bishop) | queens)
            | sliders.rook(square, occupied) & (self.pieces(Piece::Rook) | queens)
    }

    /// The position after a legal move; [`Position::is_legal`] tells which moves are.
    ///
    /// For any other move the result is some position or board, never a panic.
    pub fn after(&self, chosen: Move) -> Position {
        let (from, to) = (chosen.from(), chosen.to());
        match self.piece_on(from) {
            Some(Piece::King) if self.color(self.side).has(to) => self.after_castling(from, to),
            Some(Piece::Pawn) if self.en_passant == Some(to) && from.file() != to.file() => {
                self.after_en_passant(from, to)
            }
            Some(Piece::Pawn) => self.after_pawn_move(from, to, chosen.promotion(), Portable),
            Some(piece) => self.after_piece_move(piece, from, to),
            None => *self,
        }
    }

    /// The wing on which `chosen` castles, if it takes the king to a rook of its own.
    pub fn castles(&self, chosen: Move) -> Option<Wing> {
        let (from, to) = (chosen.from(), chosen.to());
        let own = self.color(self.side);
        let is_castling =
            (self.pieces(Piece::King) & own).has(from) && (self.pieces(Piece::Rook) & own).has(to);
        is_castling.then_some(if to > from { Wing::H } else { Wing::A })
    }

    /// The position after the side to move has passed; only where it is not in check.
    pub fn after_null(&self) -> Option<Position> {
        if self.in_check() {
            return None;
        }
        let mut next = self.begin_next();
        next.halfmoves = self.halfmoves.saturating_add(1);
        Some(next)
    }

    /// After a move of anything but a pawn, castling left out.
    ///
    /// This and its three siblings are [`Position::after`] for a caller that knows, as a
    /// [`crate::Sink`] does, what kind of legal move it makes.
    #[inline(always)]
    pub fn after_piece_move(&self, piece: Piece, from: Square, to: Square) -> Position {
        let mut next = self.begin_next();
        let captures = next.clear_target(to);
        next.shift(piece, from, to, self.side);
        next.halfmoves = if captures { 0 } else { self.halfmoves.saturating_add(1) };
        if self.castling.rooks().meets(Bitboard::of(from) | Bitboard::of(to)) {
            next.castling.revoke(from);
            next.castling.revoke(to);
        }
        if piece == Piece::King {
            next.castling.revoke_all(self.side);
        }
        next
    }

    /// After a pawn's step, double step, capture or promotion, en passant left out.
    #[inline(always)]
    pub fn after_pawn_move<S: Sliders>(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Piece>,
        sliders: S,
    ) -> Position {
        let mut next = self.begin_next();
        next.clear_target(to);
        next.shift(Piece::Pawn, from, to, self.side);
        next.halfmoves = 0;
        next.castling.revoke(to);
        if let Some(piece) = promotion {
            next.pieces[Piece::Pawn.index()] &= !Bitboard::of(to);
            next.pieces[piece.index()] |= to.into();
        } else if from.index().abs_diff(to.index()) == 16 {
            let passed = Square::wrapping(((from.index() + to.index()) / 2) as u8);
            next.en_passant = next.can_capture_en_passant(passed, sliders).then_some(passed);
        }
        next
    }

    /// After a capture en passant from `from` to the en passant square `to`.
    #[inline(always)]
    pub fn after_en_passant(&self, from: Square, to: Square) -> Position {
        let mut next = self.begin_next();
        let captured = !Bitboard::of(Square::at(to.file(), from.rank()));
        next.pieces[Piece::Pawn.index()] &= captured;
        next.colors[(!self.side).index()] &= captured;
        next.shift(Piece::Pawn, from, to, self.side);
        next.halfmoves = 0;
        next
    }

    /// After the king on `king` has castled with its rook on `rook`.
    #[inline(always)]
    pub fn after_castling(&self, king: Square, rook: Square) -> Position {
        let mut next = self.begin_next();
        let wing = if rook > king { Wing::H } else { Wing::A };
        let lifted = !(Bitboard::of(king) | Bitboard::of(rook));
        next.pieces[Piece::King.index()] &= lifted;
        next.pieces[Piece::Rook.index()] &= lifted;
        next.colors[self.side.index()] &= lifted;
        next.put(self.side, Piece::King, Square::at(wing.king_file(), king.rank()));
        next.put(self.side, Piece::Rook, Square::at(wing.rook_file(), king.rank()));
        next.halfmoves = self.halfmoves.saturating_add(1);
        next.castling.revoke_all(self.side);
        next
    }

    /// A copy with the turn passed on and the en passant square gone.
    #[inline(always)]
    fn begin_next(&self) -> Position {
        let mut next = *self;
        next.side = !self.side;
        next.en_passant = None;
        next.fullmoves = self.fullmoves.saturating_add(self.side.index() as u32);
        next
    }

    /// Takes a man of the side now to move off `to`; tells whether there was one.
    #[inline(always)]
    fn clear_target(&mut self, to: Square) -> bool {
        let captures = self.color(self.side).has(to);
        if captures {
            let kept = !Bitboard::of(to);
            self.colors[self.side.index()] &= kept;
            for squares in &mut self.pieces {
                *squares &= kept;
            }
        }
        captures
    }

    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square, color: Color) {
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.pieces[piece.index()] ^= both;
        self.colors[color.index()] ^= both;
    }

    /// Whether a pawn of the side to move may legally capture on `target`, just passed by a double step.
    #[inline(always)]
    fn can_capture_en_passant<S: Sliders>(&self, target: Square, sliders: S) -> bool {
        let near = attacks::pawn(!self.side, target) & self.men(self.side, Piece::Pawn);
        near.into_iter().any(|from| self.en_passant_is_safe(from, target, sliders))
    }

    /// Whether the king is safe after the pawn on `from` captured en passant on `target`.
    #[inline(always)]
    pub(crate) fn en_passant_is_safe<S: Sliders>(&self, from: Square, target: Square, sliders: S) -> bool {
        let captured = Bitboard::of(Square::at(target.file(), from.rank()));
        let occupied = (self.occupied() ^ from.into() ^ captured) | target.into();
        let enemies = self.color(!self.side) & !captured;
        !self.attackers(self.king(self.side), occupied, sliders).meets(enemies)
    }
}

impl fmt::Debug for Position {
    /// Draws the board as White sees it, with the FEN below.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{} ", rank.digit())?;
            for file in File::ALL {
                let square = Square::at(file, rank);
                let letter = match (self.color_on(square), self.piece_on(square)) {
                    (Some(color), Some(piece)) => piece.fen_letter(color),
                    _ => '.',
                };
                write!(f, " {letter}")?;
            }
            f.write_str("\n")?;
        }
        write!(f, "\n   a b c d e f g h\n\n{self}")
    }
}
