//! A position in exactly 32 bytes, for storing, sending and comparing.

use crate::{Bitboard, Castling, Color, Piece, Position, Rank, Square, Wing, defect};

/// A position without its counters, as four bit planes: bit *n* of the planes, lowest first, makes the
/// four-bit code of square *n*. Every position has one packing, and equal packings mean equal positions.
///
/// | code | square |
/// | --- | --- |
/// | 0 | empty |
/// | 1–6 | white pawn, knight, bishop, rook, queen, king |
/// | 9–14 | the same in black |
/// | 7, 15 on a first or last rank | a white, black rook that may castle |
/// | 7, 15 on rank 4, 5 | a white, black pawn that may be captured en passant |
/// | 8 | the king of the side to move |
///
/// The planes are little-endian. This layout is stored and sent: it must not change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Packed(pub [u64; 4]);

/// Code of a rook that may castle or of a pawn that may be captured en passant.
const SPECIAL: u8 = 7;

impl Packed {
    /// How many bytes [`Packed::to_bytes`] gives.
    pub const BYTES: usize = 32;

    /// The planes one after another, each little-endian.
    pub fn to_bytes(self) -> [u8; Packed::BYTES] {
        let mut bytes = [0; Packed::BYTES];
        for (chunk, plane) in bytes.chunks_exact_mut(8).zip(self.0) {
            chunk.copy_from_slice(&plane.to_le_bytes());
        }
        bytes
    }

    /// The planes of 32 bytes. Whether they are a position is told by [`Packed::unpack`].
    pub fn from_bytes(bytes: &[u8; Packed::BYTES]) -> Packed {
        let mut planes = [0; 4];
        for (plane, chunk) in planes.iter_mut().zip(bytes.chunks_exact(8)) {
            *plane = chunk.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        }
        Packed(planes)
    }

    /// The position, with its counters at 0 and 1.
    ///
    /// # Errors
    /// Planes that no position packs to: they were damaged, or made by something else.
    pub fn unpack(self) -> Result<Position, NotPacked> {
        let position = self.read().ok_or(NotPacked)?;
        let sound = defect::of_men(&position).or_else(|| defect::of_turn(&position)).is_none();
        if sound && position.pack() == self { Ok(position) } else { Err(NotPacked) }
    }

    fn code(self, square: Square) -> u8 {
        let bit = |plane: u64| (plane >> square.index() & 1) as u8;
        bit(self.0[0]) | bit(self.0[1]) << 1 | bit(self.0[2]) << 2 | bit(self.0[3]) << 3
    }

    fn read(self) -> Option<Position> {
        let [low, middle, high, color] = self.0.map(Bitboard);
        let moving = (!low & !middle & !high & color).first()?;
        let idle = (!low & middle & high).first()?;
        let side = if color.has(idle) { Color::White } else { Color::Black };
        let mut position = Position::bare(side);
        position.put(side, Piece::King, moving);
        let mut rooks = Bitboard::EMPTY;
        let mut passed = None;
        for square in (low | middle | high) & !Bitboard::of(moving) {
            let code = self.code(square);
            let color = if code & 8 == 0 { Color::White } else { Color::Black };
            let piece = match code & 7 {
                SPECIAL if Bitboard::BACK_RANKS.has(square) => {
                    rooks |= square.into();
                    Piece::Rook
                }
                SPECIAL => {
                    passed = square.ahead(color, -1);
                    Piece::Pawn
                }
                kind => *Piece::ALL.get(usize::from(kind) - 1)?,
            };
            position.put(color, piece, square);
        }
        position.set_castling(rights(&position, rooks)?);
        match passed {
            Some(square) if defect::of_en_passant(&position, square).is_some() => None,
            Some(square) if !position.offer_en_passant(square) => None,
            _ => Some(position),
        }
    }
}

/// The rights of `rooks` that may castle: each is on the h-wing of its king, or on the a-wing.
fn rights(position: &Position, rooks: Bitboard) -> Option<Castling> {
    let mut castling = Castling::NONE;
    for rook in rooks {
        let color = position.color_on(rook)?;
        let king = position.king(color);
        if rook.rank() != Rank::nth(color, 1) || king.rank() != rook.rank() {
            return None;
        }
        let wing = if rook > king { Wing::H } else { Wing::A };
        castling.grant(color, wing, rook.file());
    }
    Some(castling)
}

impl Position {
    /// The position without its counters in 32 bytes.
    pub fn pack(&self) -> Packed {
        let pushed =
            self.en_passant().map_or(Bitboard::EMPTY, |square| Bitboard::of(square).ahead(!self.side()));
        let special = self.castling().rooks() | pushed;
        let moving = Bitboard::of(self.king(self.side()));
        let of = |piece| self.pieces(piece);
        let kings = of(Piece::King) & !moving;
        let low = of(Piece::Pawn) | of(Piece::Bishop) | of(Piece::Queen) | special;
        let middle = of(Piece::Knight) | of(Piece::Bishop) | kings | special;
        let high = of(Piece::Rook) | of(Piece::Queen) | kings | special;
        let color = self.color(Color::Black) | moving;
        Packed([low, middle, high, color].map(|plane| plane.0))
    }
}

/// Bytes that are not a packed position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a packed position: 32 bytes that this program packed would be right")]
pub struct NotPacked;
