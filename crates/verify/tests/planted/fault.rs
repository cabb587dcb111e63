//! The planted faults, each a function from a state and its moves to wrong ones.

#[path = "fault/castling.rs"]
mod castling;
#[path = "fault/en_passant.rs"]
mod en_passant;
#[path = "fault/men.rs"]
mod men;
#[path = "fault/pawns.rs"]
mod pawns;
#[path = "fault/safety.rs"]
mod safety;

use castling::{
    castling_blocked, castling_into, castling_never, castling_other_rook, castling_out_of,
    castling_pinned_rook, castling_rook_safe, castling_through, castling_without_right, right_after_capture,
    right_after_promotion, right_after_rook_move,
};
use en_passant::{
    ep_along_diagonal, ep_along_file, ep_along_rank, ep_always, ep_in_check, ep_leaves_pawn, ep_never,
    ep_never_in_check, ep_never_pinned, ep_not_after_own_push,
};
use men::{
    ghost_knight, knight_shy, knight_takes_own, knight_wraps, only_at_ply_one, only_at_ply_two, short_list,
    sliding_through,
};
use pawns::{
    double_from_third, double_never, double_through, pawn_goes_aside, pawn_takes_ahead, pawn_wraps,
    promotion_early, promotion_no_knight, promotion_to_king,
};
use safety::{
    check_never_blocked, check_overlooked, double_check_capture, double_check_no_flight, king_along_line,
    king_careless, kings_touch, pinned_move, pinned_never,
};
use vezir_chess::{Bitboard, Piece, Portable, Position, Sliders, Square, attacks};
use vezir_verify::Tag;

use crate::program::{Plant, State};

/// One planted fault: its name, the tag that it must be found under, and what it does.
pub(crate) const FAULTS: &[(&str, Tag, Plant)] = &[
    ("en passant pinned along the rank", Tag::EnPassantRank, ep_along_rank),
    ("en passant pinned along the file", Tag::EnPassantFile, ep_along_file),
    ("en passant pinned along the diagonal", Tag::EnPassantDiagonal, ep_along_diagonal),
    ("pinned pawns never capture en passant", Tag::EnPassantDiagonal, ep_never_pinned),
    ("en passant leaves the check", Tag::EnPassantCheck, ep_in_check),
    ("en passant never answers a check", Tag::EnPassantCheck, ep_never_in_check),
    ("no en passant", Tag::EnPassant, ep_never),
    ("en passant at any time", Tag::EnPassant, ep_always),
    ("castling through check", Tag::CastlingThroughCheck, castling_through),
    ("no castling with an attacked rook", Tag::CastlingThroughCheck, castling_rook_safe),
    ("castling out of check", Tag::CastlingOutOfCheck, castling_out_of),
    ("castling into check", Tag::CastlingIntoCheck, castling_into),
    ("castling without the right", Tag::CastlingRight, castling_without_right),
    ("castling through men", Tag::CastlingBlocked, castling_blocked),
    ("castling with the other rook", Tag::CastlingWrongRook, castling_other_rook),
    ("castling with a pinned rook", Tag::CastlingPinnedRook, castling_pinned_rook),
    ("no castling", Tag::Castling, castling_never),
    ("no promotion to a knight", Tag::PromotionMissing, promotion_no_knight),
    ("promotion to a king", Tag::PromotionExtra, promotion_to_king),
    ("promotion a rank early", Tag::PromotionExtra, promotion_early),
    ("pinned men move", Tag::Pinned, pinned_move),
    ("pinned men never move", Tag::Pinned, pinned_never),
    ("a double check is answered by a capture", Tag::DoubleCheck, double_check_capture),
    ("no flight from a double check", Tag::DoubleCheck, double_check_no_flight),
    ("checks are overlooked", Tag::CheckNotAnswered, check_overlooked),
    ("checks are never blocked", Tag::CheckNotAnswered, check_never_blocked),
    ("the king flees along the line", Tag::KingAlongLine, king_along_line),
    ("kings touch", Tag::KingsAdjacent, kings_touch),
    ("the king is not careful", Tag::KingIntoAttack, king_careless),
    ("sliders pass one man", Tag::SlidingThrough, sliding_through),
    ("double push from the third rank", Tag::PawnDoublePush, double_from_third),
    ("double push through a man", Tag::PawnDoublePush, double_through),
    ("no double push", Tag::PawnDoublePush, double_never),
    ("pawns take ahead", Tag::PawnStep, pawn_takes_ahead),
    ("pawns go aside", Tag::PawnStep, pawn_goes_aside),
    ("pawns capture from h to a", Tag::WrapAround, pawn_wraps),
    ("knights cross the edge", Tag::WrapAround, knight_wraps),
    ("knights take their own", Tag::OwnManTaken, knight_takes_own),
    ("a knight that is not there", Tag::NoSuchMan, ghost_knight),
    ("the right stays when a promoting pawn takes the rook", Tag::MakeMoveOnly, right_after_promotion),
    ("the right stays when the rook is captured", Tag::MakeMoveOnly, right_after_capture),
    ("the right stays when the rook moves", Tag::MakeMoveOnly, right_after_rook_move),
    ("a double push sets no en passant square", Tag::MakeMoveOnly, ep_not_after_own_push),
    ("a pawn captured en passant stays", Tag::MakeMoveOnly, ep_leaves_pawn),
    ("knights stay off the rim", Tag::Rest, knight_shy),
    ("a list of 128 moves at most", Tag::Rest, short_list),
    ("black's h-pawn forgets its first double push", Tag::PawnDoublePush, only_at_ply_one),
    ("white's second move has no b-knight", Tag::Rest, only_at_ply_two),
];

fn own(state: &State, piece: Piece) -> Bitboard {
    state.position.men(state.position.side(), piece)
}

/// The men of the side not to move that attack `square` when `occupied` squares block.
fn attackers(position: &Position, square: Square, occupied: Bitboard) -> Bitboard {
    let of = |piece| position.men(!position.side(), piece);
    (attacks::knight(square) & of(Piece::Knight))
        | (attacks::king(square) & of(Piece::King))
        | (attacks::pawn(position.side(), square) & of(Piece::Pawn))
        | (Portable.bishop(square, occupied) & (of(Piece::Bishop) | of(Piece::Queen)))
        | (Portable.rook(square, occupied) & (of(Piece::Rook) | of(Piece::Queen)))
}

fn king(state: &State) -> Square {
    state.position.king(state.position.side())
}

fn text(from: Square, to: Square) -> String {
    format!("{from}{to}")
}

fn add(texts: &mut Vec<String>, from: Square, to: Square) {
    if !texts.contains(&text(from, to)) {
        texts.push(text(from, to));
    }
}
