//! A position as counting needs it: both armies, as the side to move sees them.

use vezir_chess::{Bitboard, Position, Sliders, Square, attacks};

use crate::army::Army;

/// Who stands where, and what is still allowed; which color moves is known to whoever holds it.
#[derive(Clone, Copy)]
pub(crate) struct Armies {
    /// The side to move.
    pub(crate) own: Army,
    pub(crate) their: Army,
    /// The rooks of both sides that may still castle.
    pub(crate) rooks: Bitboard,
    /// The square behind a pawn that has just made a double step, whether it can be captured there or not.
    pub(crate) passed: Option<Square>,
}

impl Armies {
    /// Those of a position.
    #[inline(always)]
    pub(crate) fn of(position: &Position) -> Armies {
        Armies {
            own: Army::of(position, position.side()),
            their: Army::of(position, !position.side()),
            rooks: position.castling().rooks(),
            passed: position.en_passant(),
        }
    }
}

/// The pawns of `own` that may capture en passant on `passed`, where `WHITE` is whether White moves.
///
/// Such a capture empties two squares of one rank at once: each is tried on the board.
#[inline(always)]
pub(crate) fn captors<S: Sliders, const WHITE: bool>(
    sliders: S,
    (own, their): (&Army, &Army),
    passed: Square,
) -> Bitboard {
    let (us, them) = crate::army::colors(WHITE);
    let king = own.king;
    let mut captors = Bitboard::EMPTY;
    for from in attacks::pawn(them, passed) & own.pawns {
        let taken = Bitboard::of(Square::at(passed.file(), from.rank()));
        let after = ((own.all | their.all) ^ from.into() ^ taken) | passed.into();
        let attackers = attacks::knight(king) & their.knights
            | attacks::pawn(us, king) & their.pawns & !taken
            | sliders.bishop(king, after) & their.slanted
            | sliders.rook(king, after) & their.straight;
        if attackers.is_empty() {
            captors |= from.into();
        }
    }
    captors
}
