//! Who attacks a square, on a board that a move has changed.

use vezir_chess::{Bitboard, Piece, Portable, Position, Sliders, Square, attacks};

/// The men among `by`, of the side not to move, that attack `square` when `occupied` squares block.
pub(crate) fn attackers(position: &Position, square: Square, occupied: Bitboard, by: Bitboard) -> Bitboard {
    let queens = position.pieces(Piece::Queen);
    let found = attacks::knight(square) & position.pieces(Piece::Knight)
        | attacks::king(square) & position.pieces(Piece::King)
        | attacks::pawn(position.side(), square) & position.pieces(Piece::Pawn)
        | Portable.bishop(square, occupied) & (position.pieces(Piece::Bishop) | queens)
        | Portable.rook(square, occupied) & (position.pieces(Piece::Rook) | queens);
    found & by & position.color(!position.side())
}

/// Who attacks the king of the side to move once the man on `from` has gone to `to` and `taken` is off the board.
pub(crate) fn exposed(position: &Position, from: Square, to: Square, taken: Bitboard) -> Bitboard {
    let king = position.king(position.side());
    let occupied = position.occupied() & !Bitboard::of(from) & !taken | to.into();
    attackers(position, king, occupied, !(taken | to.into()))
}

/// Who attacks the king once the man on `square` is lifted, those left out that do already.
pub(crate) fn behind(position: &Position, square: Square) -> Bitboard {
    let king = position.king(position.side());
    let occupied = position.occupied() & !Bitboard::of(square);
    attackers(position, king, occupied, !position.checkers())
}
