//! Taking the last move back, to see whether a check can have come about.

use crate::{Bitboard, Piece, Portable, Position, Rank, Sliders, Square, attacks};

/// Whether the king of the side to move was attacked before a pawn passed `target` in a double step.
pub(super) fn checked_before_double_step(position: &Position, target: Square) -> bool {
    let side = position.side();
    let (Some(pawn), Some(origin)) = (target.ahead(side, -1), target.ahead(side, 1)) else { return false };
    let mut before = *position;
    before.lift(pawn);
    before.put(!side, Piece::Pawn, origin);
    before.in_check()
}

/// Whether some last move can have made both `checkers` attack the king, which was safe before it.
///
/// One of two checkers has moved, or a capture en passant has opened both their lines. Castling gives no
/// double check: no line to a king leads through a first rank but along it.
pub(super) fn one_move_explains(position: &Position, checkers: Bitboard) -> bool {
    checkers.into_iter().any(|checker| moved_last(position, checker)) || en_passant_explains(position)
}

fn moved_last(position: &Position, mover: Square) -> bool {
    let Some(piece) = position.piece_on(mover) else { return false };
    let enemy = !position.side();
    let quiet = origins(position, piece, mover).into_iter().map(|from| (piece, from, false));
    let captures = pawn_capture_origins(position, piece, mover).into_iter().map(|from| (piece, from, true));
    let promotes = mover.rank() == Rank::nth(enemy, 8) && Piece::PROMOTIONS.contains(&piece);
    let promotions = [false, true].into_iter().filter(|_| promotes).flat_map(|captures| {
        let from = if captures {
            pawn_capture_origins(position, Piece::Pawn, mover)
        } else {
            origins(position, Piece::Pawn, mover)
        };
        from.into_iter().map(move |from| (Piece::Pawn, from, captures))
    });
    quiet.chain(captures).chain(promotions).any(|(piece, from, captures)| {
        let mut before = *position;
        before.lift(mover);
        before.put(enemy, piece, from);
        if captures {
            // What was captured does not matter: it can only stand in the way.
            before.put(!enemy, Piece::Knight, mover);
        }
        !before.in_check()
    })
}

/// The empty squares from which an enemy `piece` reaches `to` without a pawn's capture.
fn origins(position: &Position, piece: Piece, to: Square) -> Bitboard {
    let enemy = !position.side();
    let occupied = position.occupied();
    let all = match piece {
        Piece::Knight => attacks::knight(to),
        Piece::Bishop => Portable.bishop(to, occupied),
        Piece::Rook => Portable.rook(to, occupied),
        Piece::Queen => Portable.queen(to, occupied),
        Piece::King => attacks::king(to),
        Piece::Pawn => {
            let single = Bitboard::of(to).ahead(!enemy) & !occupied & !Bitboard::rank(Rank::nth(enemy, 1));
            let double = single.ahead(!enemy) & Bitboard::rank(Rank::nth(enemy, 2));
            single | double
        }
    };
    all & !occupied
}

/// The empty squares from which an enemy pawn reaches `to` by a capture.
fn pawn_capture_origins(position: &Position, piece: Piece, to: Square) -> Bitboard {
    let side = position.side();
    let all = if piece == Piece::Pawn { attacks::pawn(side, to) } else { Bitboard::EMPTY };
    all & !position.occupied() & !Bitboard::rank(Rank::nth(!side, 1))
}

fn en_passant_explains(position: &Position) -> bool {
    let (side, enemy) = (position.side(), !position.side());
    let takers = position.men(enemy, Piece::Pawn) & Bitboard::rank(Rank::nth(enemy, 6));
    takers.into_iter().any(|taker| {
        let (Some(captured), Some(start)) = (taker.ahead(enemy, -1), taker.ahead(enemy, 1)) else {
            return false;
        };
        if position.occupied().has(captured) || position.occupied().has(start) {
            return false;
        }
        pawn_capture_origins(position, Piece::Pawn, taker).into_iter().any(|from| {
            let mut before = *position;
            before.lift(taker);
            before.put(enemy, Piece::Pawn, from);
            before.put(side, Piece::Pawn, captured);
            !before.in_check()
        })
    })
}
