//! What no position may have: the rules that every [`Position`] keeps, written once for FEN and for packings.

use crate::{Bitboard, Color, Piece, Portable, Position, Rank, Square, attacks};

/// How many pawns a side starts with, and so the most that it can ever have.
const MAX_PAWNS: u32 = 8;

/// A fault of a board that no game of chess could repair or overlook.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Defect {
    /// A side has no king.
    #[error("{color} has no king: exactly one `{}` would be right", Piece::King.fen_letter(*.color))]
    NoKing {
        /// The side without a king.
        color: Color,
    },
    /// A side has more than one king.
    #[error("{color} has {count} kings: exactly one `{}` would be right", Piece::King.fen_letter(*.color))]
    ManyKings {
        /// The side with the kings.
        color: Color,
        /// How many there are.
        count: u32,
        /// A king that is one too many.
        square: Square,
    },
    /// A side has more than eight pawns.
    #[error("{color} has {count} pawns: at most 8 would be right")]
    ManyPawns {
        /// The side with the pawns.
        color: Color,
        /// How many there are.
        count: u32,
        /// A pawn that is one too many.
        square: Square,
    },
    /// A pawn stands where pawns have promoted, or whence they cannot come.
    #[error(
        "a {} pawn stands on {square}, {}: ranks 2 to 7 would be right for it", .color.name(),
        if square.rank() == Rank::nth(*.color, 1) { "behind where pawns begin" }
        else { "where it would have become a piece" }
    )]
    PawnOnBackRank {
        /// Its color.
        color: Color,
        /// Where it stands.
        square: Square,
    },
    /// The two kings attack each other.
    #[error("the kings on {white} and {black} stand side by side: a square between them would be right")]
    KingsAdjacent {
        /// Where White's king stands.
        white: Square,
        /// Where Black's king stands.
        black: Square,
    },
    /// The side that has just moved left its king attacked.
    #[error(
        "{side} is to move, yet its {} on {by} already attacks the king on {king}: \
         a king that is safe there, or `{}` to move, would be right",
        .piece.name(), (!*.side).letter()
    )]
    IdleKingAttacked {
        /// The side to move.
        side: Color,
        /// The king of the other side.
        king: Square,
        /// Where a man stands that attacks it.
        by: Square,
        /// What that man is.
        piece: Piece,
    },
    /// The en passant square is not where a pawn of the other side passes in a double step.
    #[error(
        "{square} cannot be passed by a double step when {side} is to move: rank {} would be right",
        .rank.digit()
    )]
    EnPassantRank {
        /// The en passant square.
        square: Square,
        /// The side to move.
        side: Color,
        /// The rank that would be right.
        rank: Rank,
    },
    /// The en passant square is not empty.
    #[error(
        "a {} stands on {square}, so no pawn has just passed it: an empty square, or `-`, would be right",
        .by.name()
    )]
    EnPassantOccupied {
        /// The en passant square.
        square: Square,
        /// What stands on it.
        by: Piece,
    },
    /// There is no pawn that could have made the double step.
    #[error(
        "{pawn} has {} and no {} pawn that could have passed {square}: one there, or `-`, would be right",
        man_or_nothing(*.instead), .color.name()
    )]
    EnPassantWithoutPawn {
        /// The en passant square.
        square: Square,
        /// Where the pawn would stand.
        pawn: Square,
        /// The pawn's color.
        color: Color,
        /// What stands there.
        instead: Option<(Color, Piece)>,
    },
    /// The square that the pawn would have left is not empty.
    #[error(
        "{origin}, which the pawn that passed {square} has left, holds a {}: \
         an empty square there, or `-`, would be right",
        .by.name()
    )]
    EnPassantOriginOccupied {
        /// The en passant square.
        square: Square,
        /// Where the pawn would have come from.
        origin: Square,
        /// What stands there.
        by: Piece,
    },
}

impl Defect {
    /// The square to point at, if the fault has one.
    pub fn square(&self) -> Option<Square> {
        match *self {
            Defect::NoKing { .. } => None,
            Defect::KingsAdjacent { black, .. } => Some(black),
            Defect::IdleKingAttacked { king, .. } => Some(king),
            Defect::ManyKings { square, .. }
            | Defect::ManyPawns { square, .. }
            | Defect::PawnOnBackRank { square, .. }
            | Defect::EnPassantRank { square, .. }
            | Defect::EnPassantOccupied { square, .. }
            | Defect::EnPassantWithoutPawn { square, .. }
            | Defect::EnPassantOriginOccupied { square, .. } => Some(square),
        }
    }
}

fn man_or_nothing(man: Option<(Color, Piece)>) -> String {
    match man {
        Some((color, piece)) => format!("a {} {}", color.name(), piece.name()),
        None => "no man".to_owned(),
    }
}

/// The first fault of the men alone, whoever is to move.
pub(crate) fn of_men(position: &Position) -> Option<Defect> {
    let first = |of: fn(&Position, Color) -> Option<Defect>| {
        Color::ALL.into_iter().find_map(|color| of(position, color))
    };
    first(of_kings)
        .or_else(|| pawn_on_back_rank(position))
        .or_else(|| first(of_pawns))
        .or_else(|| adjacent_kings(position))
}

/// Whether the side that is not to move may be where it is; for a board without [`of_men`] faults.
pub(crate) fn of_turn(position: &Position) -> Option<Defect> {
    let side = position.side();
    let king = position.king(!side);
    let attackers = position.attackers(king, position.occupied(), Portable) & position.color(side);
    let by = attackers.first()?;
    let piece = position.piece_on(by)?;
    Some(Defect::IdleKingAttacked { side, king, by, piece })
}

/// Whether a pawn can just have passed `square` in a double step, legal to capture or not.
pub(crate) fn of_en_passant(position: &Position, square: Square) -> Option<Defect> {
    let side = position.side();
    let rank = Rank::nth(side, 6);
    let (Some(pawn), Some(origin)) = (square.ahead(side, -1), square.ahead(side, 1)) else {
        return Some(Defect::EnPassantRank { square, side, rank });
    };
    if square.rank() != rank {
        Some(Defect::EnPassantRank { square, side, rank })
    } else if let Some(by) = position.piece_on(square) {
        Some(Defect::EnPassantOccupied { square, by })
    } else if !position.men(!side, Piece::Pawn).has(pawn) {
        let instead = position.color_on(pawn).zip(position.piece_on(pawn));
        Some(Defect::EnPassantWithoutPawn { square, pawn, color: !side, instead })
    } else {
        position.piece_on(origin).map(|by| Defect::EnPassantOriginOccupied { square, origin, by })
    }
}

fn of_kings(position: &Position, color: Color) -> Option<Defect> {
    let kings = position.men(color, Piece::King);
    match kings.first() {
        None => Some(Defect::NoKing { color }),
        Some(square) if kings.is_many() => Some(Defect::ManyKings { color, count: kings.count(), square }),
        Some(_) => None,
    }
}

fn pawn_on_back_rank(position: &Position) -> Option<Defect> {
    let square = (position.pieces(Piece::Pawn) & Bitboard::BACK_RANKS).last()?;
    let color = position.color_on(square)?;
    Some(Defect::PawnOnBackRank { color, square })
}

fn of_pawns(position: &Position, color: Color) -> Option<Defect> {
    let pawns = position.men(color, Piece::Pawn);
    let square = pawns.first()?;
    (pawns.count() > MAX_PAWNS).then(|| Defect::ManyPawns { color, count: pawns.count(), square })
}

fn adjacent_kings(position: &Position) -> Option<Defect> {
    let (white, black) = (position.king(Color::White), position.king(Color::Black));
    attacks::king(white).has(black).then_some(Defect::KingsAdjacent { white, black })
}
