//! Faults of move generators, each a function from a position and its right moves to wrong ones.

use vezir_chess::{File, Move, Piece, Position, Rank, Square, Wing};

/// A fault: the position, the square that a pawn has just passed, and the moves that are to become wrong.
pub(crate) type Fault = fn(&Position, Option<Square>, &mut Vec<Move>);

/// Every fault by its name.
pub(crate) const FAULTS: [(&str, Fault); 7] = [
    ("en-passant-missing", |position, _, moves| {
        moves.retain(|chosen| !captures_en_passant(position, *chosen))
    }),
    ("en-passant-rank-pin", en_passant_rank_pin),
    ("castling-through-check", castling_through_check),
    ("castling-missing", |position, _, moves| moves.retain(|chosen| position.castles(*chosen).is_none())),
    ("promotion-missing", |_, _, moves| moves.retain(|chosen| chosen.promotion() != Some(Piece::Knight))),
    ("double-push-over-man", double_push_over_man),
    ("wrap-around", wrap_around),
];

fn captures_en_passant(position: &Position, chosen: Move) -> bool {
    position.en_passant() == Some(chosen.to()) && position.piece_on(chosen.from()) == Some(Piece::Pawn)
}

/// Takes en passant though both pawns leave the rank on which the king stands.
fn en_passant_rank_pin(position: &Position, passed: Option<Square>, moves: &mut Vec<Move>) {
    let Some(passed) = passed else { return };
    let side = position.side();
    let rank = Rank::nth(side, 5);
    if position.king(side).rank() != rank || position.in_check() {
        return;
    }
    for from in position.men(side, Piece::Pawn) {
        let is_beside = from.rank() == rank && from.file().index().abs_diff(passed.file().index()) == 1;
        let capture = Move::new(from, passed);
        if is_beside && !moves.contains(&capture) {
            moves.push(capture);
        }
    }
}

/// Looks only at what stands between king and rook.
fn castling_through_check(position: &Position, _: Option<Square>, moves: &mut Vec<Move>) {
    let king = position.king(position.side());
    for wing in Wing::ALL {
        let Some(rook) = position.castling().rook(position.side(), wing) else { continue };
        let (low, high) = (king.index().min(rook.index()), king.index().max(rook.index()));
        let is_free = (low + 1..high).all(|index| !position.occupied().has(square(index)));
        let castles = Move::new(king, rook);
        if is_free && king.file() == File::E && !position.in_check() && !moves.contains(&castles) {
            moves.push(castles);
        }
    }
}

/// Looks only at where a double step ends.
fn double_push_over_man(position: &Position, _: Option<Square>, moves: &mut Vec<Move>) {
    let side = position.side();
    for from in position.men(side, Piece::Pawn).into_iter().filter(|from| from.rank() == Rank::nth(side, 2)) {
        let (over, to) =
            (Square::at(from.file(), Rank::nth(side, 3)), Square::at(from.file(), Rank::nth(side, 4)));
        if position.occupied().has(over) && !position.occupied().has(to) && !position.in_check() {
            moves.push(Move::new(from, to));
        }
    }
}

/// Lets pawns of the h-file capture on the a-file, as a shift without a mask does.
fn wrap_around(position: &Position, _: Option<Square>, moves: &mut Vec<Move>) {
    let side = position.side();
    for from in position.men(side, Piece::Pawn).into_iter().filter(|from| from.file() == File::ALL[7]) {
        let shift = if side == vezir_chess::Color::White { 9 } else { -7 };
        let to = from.index().checked_add_signed(shift).filter(|index| *index < 64).map(square);
        let hits = to.filter(|to| position.color(!side).has(*to) && !position.in_check());
        let promotes = |to: &Square| [Rank::nth(side, 8), Rank::nth(side, 1)].contains(&to.rank());
        moves.extend(hits.filter(|to| !promotes(to)).map(|to| Move::new(from, to)));
    }
}

fn square(index: usize) -> Square {
    Square::at(File::ALL[index % 8], Rank::ALL[index / 8 % 8])
}
