//! The planted faults, each a function from a state and its moves to wrong ones.

use vezir_chess::{Bitboard, Color, Piece, Portable, Position, Rank, Sliders, Square, Wing, attacks};
use vezir_verify::Tag;

use crate::program::{Loss, Plant, State};

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

/// Captures en passant that look right, legal or not.
fn ep_captures(state: &State) -> Vec<(Square, Square)> {
    let Some(to) = state.passed() else { return Vec::new() };
    let near = attacks::pawn(!state.position.side(), to) & own(state, Piece::Pawn);
    near.into_iter().map(|from| (from, to)).collect()
}

fn ep_where(state: &State, texts: &mut Vec<String>, wanted: impl Fn(Square) -> bool) {
    for (from, to) in ep_captures(state) {
        if wanted(from) {
            add(texts, from, to);
        }
    }
}

fn ep_along_rank(state: &State, texts: &mut Vec<String>) {
    let calm = !state.position.in_check();
    ep_where(state, texts, |from| calm && from.rank() == king(state).rank());
}

fn ep_along_file(state: &State, texts: &mut Vec<String>) {
    let calm = !state.position.in_check();
    ep_where(state, texts, |from| calm && from.file() == king(state).file());
}

fn ep_along_diagonal(state: &State, texts: &mut Vec<String>) {
    let calm = !state.position.in_check();
    ep_where(state, texts, |from| calm && attacks::diagonals(from).has(king(state)));
}

fn ep_in_check(state: &State, texts: &mut Vec<String>) {
    ep_where(state, texts, |_| state.position.in_check());
}

fn ep_never_where(state: &State, texts: &mut Vec<String>, wanted: impl Fn(Square) -> bool) {
    let captures = ep_captures(state);
    let gone = |found: &String| captures.iter().any(|(from, to)| wanted(*from) && *found == text(*from, *to));
    texts.retain(|found| !gone(found));
}

fn ep_never_pinned(state: &State, texts: &mut Vec<String>) {
    let calm = !state.position.in_check();
    ep_never_where(state, texts, |from| calm && is_pinned(state, from));
}

fn ep_never_in_check(state: &State, texts: &mut Vec<String>) {
    ep_never_where(state, texts, |_| state.position.in_check());
}

fn ep_never(state: &State, texts: &mut Vec<String>) {
    ep_never_where(state, texts, |_| true);
}

fn ep_always(state: &State, texts: &mut Vec<String>) {
    let side = state.position.side();
    for from in own(state, Piece::Pawn) & Bitboard::rank(Rank::nth(side, 5)) {
        for to in attacks::pawn(side, from) & !state.position.occupied() {
            let prey = Square::at(to.file(), from.rank());
            if state.position.men(!side, Piece::Pawn).has(prey) && !state.position.in_check() {
                add(texts, from, to);
            }
        }
    }
}

fn ep_not_after_own_push(state: &State, texts: &mut Vec<String>) {
    if state.last.is_some() {
        ep_never(state, texts);
    }
}

fn ep_leaves_pawn(state: &State, texts: &mut Vec<String>) {
    let Some((before, chosen)) = state.last else { return };
    let pawn = before.pieces(Piece::Pawn).has(chosen.from());
    if pawn && before.en_passant() == Some(chosen.to()) && !state.position.in_check() {
        let ghost = Square::at(chosen.to().file(), chosen.from().rank());
        texts.extend(ghost.ahead(state.position.side(), 1).map(|to| text(ghost, to)));
    }
}

/// What castling on a wing would break.
#[derive(PartialEq, Eq)]
struct Broken {
    blocked: bool,
    check: bool,
    through: bool,
    into: bool,
    pinned: bool,
}

const SOUND: Broken = Broken { blocked: false, check: false, through: false, into: false, pinned: false };

fn broken(state: &State, wing: Wing, rook: Square) -> Broken {
    let (position, king) = (&state.position, king(state));
    let king_to = Square::at(wing.king_file(), king.rank());
    let rook_to = Square::at(wing.rook_file(), king.rank());
    let others = position.occupied() & !(Bitboard::of(king) | Bitboard::of(rook));
    let passed = attacks::between(king, king_to);
    let way = passed | king_to.into() | attacks::between(king, rook) | attacks::between(rook, rook_to);
    let lifted = position.occupied() & !Bitboard::of(king);
    let hit = |square| !attackers(position, square, lifted).is_empty();
    let castled = others | king_to.into() | rook_to.into();
    Broken {
        blocked: others.meets(way | rook_to.into()),
        check: position.in_check(),
        through: passed.into_iter().any(hit),
        into: king != king_to && hit(king_to),
        pinned: !hit(king_to) && !attackers(position, king_to, castled).is_empty(),
    }
}

fn castling_where(state: &State, texts: &mut Vec<String>, wanted: impl Fn(&Broken) -> bool) {
    for wing in Wing::ALL {
        let Some(rook) = state.position.castling().rook(state.position.side(), wing) else { continue };
        if wanted(&broken(state, wing, rook)) {
            add(texts, king(state), rook);
        }
    }
}

fn castling_through(state: &State, texts: &mut Vec<String>) {
    castling_where(state, texts, |broken| *broken == Broken { through: true, ..SOUND });
}

fn castling_out_of(state: &State, texts: &mut Vec<String>) {
    castling_where(state, texts, |broken| *broken == Broken { check: true, ..SOUND });
}

fn castling_into(state: &State, texts: &mut Vec<String>) {
    castling_where(state, texts, |broken| *broken == Broken { into: true, ..SOUND });
}

fn castling_blocked(state: &State, texts: &mut Vec<String>) {
    castling_where(state, texts, |broken| *broken == Broken { blocked: true, ..SOUND });
}

fn castling_pinned_rook(state: &State, texts: &mut Vec<String>) {
    castling_where(state, texts, |broken| *broken == Broken { pinned: true, ..SOUND });
}

fn castlings(state: &State) -> Vec<String> {
    let moves = state.position.legal_moves().into_iter();
    moves
        .filter(|chosen| state.position.castles(*chosen).is_some())
        .map(|chosen| format!("{chosen:?}"))
        .collect()
}

fn castling_never(state: &State, texts: &mut Vec<String>) {
    let castlings = castlings(state);
    texts.retain(|found| !castlings.contains(found));
}

fn castling_rook_safe(state: &State, texts: &mut Vec<String>) {
    let position = &state.position;
    for wing in Wing::ALL {
        let Some(rook) = position.castling().rook(position.side(), wing) else { continue };
        let way = attacks::between(rook, king(state)) | rook.into();
        if way.into_iter().any(|square| !attackers(position, square, position.occupied()).is_empty()) {
            texts.retain(|found| *found != text(king(state), rook));
        }
    }
}

fn castling_without_right(state: &State, texts: &mut Vec<String>) {
    let (position, king) = (&state.position, king(state));
    for wing in Wing::ALL {
        let rook = Square::at(wing.corner(), king.rank());
        let home = king.rank() == Rank::nth(position.side(), 1) && king.file() == vezir_chess::File::E;
        let right = position.castling().rook(position.side(), wing).is_some();
        if home && !right && own(state, Piece::Rook).has(rook) && broken(state, wing, rook) == SOUND {
            add(texts, king, rook);
        }
    }
}

fn castling_other_rook(state: &State, texts: &mut Vec<String>) {
    let position = &state.position;
    for wing in Wing::ALL {
        let Some(right) = position.castling().rook(position.side(), wing) else { continue };
        for rook in own(state, Piece::Rook) & Bitboard::rank(right.rank()) {
            let same_wing = (rook > king(state)) == (wing == Wing::H);
            if rook != right && same_wing && broken(state, wing, rook) == SOUND {
                add(texts, king(state), rook);
            }
        }
    }
}

fn right_stays(state: &State, texts: &mut Vec<String>, loss: Loss) {
    let position = &state.position;
    for (how, color, wing) in &state.lost {
        let rook = Square::at(wing.corner(), Rank::nth(*color, 1));
        let home = *color == position.side() && king(state) == Square::at(vezir_chess::File::E, rook.rank());
        let free = !position.occupied().meets(attacks::between(king(state), rook));
        let sound = Broken { pinned: false, blocked: false, ..broken(state, *wing, rook) } == SOUND;
        if *how == loss && home && free && sound {
            add(texts, king(state), Square::at(wing.king_file(), rook.rank()));
        }
    }
}

fn right_after_promotion(state: &State, texts: &mut Vec<String>) {
    right_stays(state, texts, Loss::ToPromotion);
}

fn right_after_capture(state: &State, texts: &mut Vec<String>) {
    right_stays(state, texts, Loss::ToCapture);
}

fn right_after_rook_move(state: &State, texts: &mut Vec<String>) {
    right_stays(state, texts, Loss::RookMoved);
}

fn promotion_no_knight(_: &State, texts: &mut Vec<String>) {
    texts.retain(|found| !found.ends_with('n'));
}

fn promotion_to_king(_: &State, texts: &mut Vec<String>) {
    let kings = texts.iter().filter(|found| found.ends_with('q')).map(|found| found.replace('q', "k"));
    let kings: Vec<String> = kings.collect();
    texts.extend(kings);
}

fn promotion_early(state: &State, texts: &mut Vec<String>) {
    let seventh = Rank::nth(state.position.side(), 7).digit();
    for from in own(state, Piece::Pawn) {
        let steps: Vec<String> = texts
            .iter()
            .filter(|found| found.starts_with(&from.to_string()) && found.ends_with(seventh))
            .map(|found| format!("{found}q"))
            .collect();
        texts.extend(steps);
    }
}

fn is_pinned(state: &State, from: Square) -> bool {
    let position = &state.position;
    let lifted = position.occupied() & !Bitboard::of(from);
    let open = attackers(position, king(state), lifted) & !position.checkers();
    from != king(state) && !open.is_empty()
}

/// Where a man goes that does not care for its king.
fn reach(state: &State, from: Square) -> Bitboard {
    let position = &state.position;
    let (side, occupied) = (position.side(), position.occupied());
    let to = match position.piece_on(from) {
        Some(Piece::Knight) => attacks::knight(from),
        Some(Piece::Bishop) => Portable.bishop(from, occupied),
        Some(Piece::Rook) => Portable.rook(from, occupied),
        Some(Piece::Queen) => Portable.queen(from, occupied),
        Some(Piece::Pawn) if from.ahead(side, 2).is_some() => {
            let ahead = from.ahead(side, 1).map_or(Bitboard::EMPTY, Bitboard::of) & !occupied;
            ahead | (attacks::pawn(side, from) & position.color(!side))
        }
        _ => Bitboard::EMPTY,
    };
    to & !position.color(side)
}

fn careless(state: &State, texts: &mut Vec<String>, wanted: impl Fn(Square, Square) -> bool) {
    for from in state.position.color(state.position.side()) {
        for to in reach(state, from) {
            if wanted(from, to) {
                add(texts, from, to);
            }
        }
    }
}

fn pinned_move(state: &State, texts: &mut Vec<String>) {
    let calm = !state.position.in_check();
    careless(state, texts, |from, _| calm && is_pinned(state, from));
}

fn pinned_never(state: &State, texts: &mut Vec<String>) {
    let passed = state.position.en_passant().map(|square| square.to_string());
    texts.retain(|found| {
        let from = found[..2].parse().expect("a square");
        let special = found.len() > 4 || passed.as_deref() == Some(&found[2..4]);
        special || state.position.in_check() || !is_pinned(state, from)
    });
}

fn double_check_capture(state: &State, texts: &mut Vec<String>) {
    let checkers = state.position.checkers();
    careless(state, texts, |_, to| checkers.is_many() && checkers.has(to));
}

fn double_check_no_flight(state: &State, texts: &mut Vec<String>) {
    if state.position.checkers().is_many() {
        texts.clear();
    }
}

fn check_overlooked(state: &State, texts: &mut Vec<String>) {
    let checkers = state.position.checkers();
    let one = checkers.count() == 1;
    careless(state, texts, |from, _| one && !is_pinned(state, from));
}

fn check_never_blocked(state: &State, texts: &mut Vec<String>) {
    if state.position.checkers().count() == 1 && state.position.en_passant().is_none() {
        let king = king(state).to_string();
        texts.retain(|found| found.starts_with(&king) || found.len() > 4);
    }
}

fn king_where(state: &State, texts: &mut Vec<String>, wanted: impl Fn(Bitboard, Bitboard) -> bool) {
    let (position, from) = (&state.position, king(state));
    for to in attacks::king(from) & !position.color(position.side()) {
        let now = attackers(position, to, position.occupied());
        let then = attackers(position, to, position.occupied() & !Bitboard::of(from));
        if wanted(now, then) {
            add(texts, from, to);
        }
    }
}

fn king_along_line(state: &State, texts: &mut Vec<String>) {
    king_where(state, texts, |now, then| now.is_empty() && !then.is_empty());
}

fn kings_touch(state: &State, texts: &mut Vec<String>) {
    let kings = state.position.pieces(Piece::King);
    king_where(state, texts, |_, then| !then.is_empty() && then.within(kings));
}

fn king_careless(state: &State, texts: &mut Vec<String>) {
    let kings = state.position.pieces(Piece::King);
    king_where(state, texts, |now, _| !now.is_empty() && !now.meets(kings));
}

fn sliding_through(state: &State, texts: &mut Vec<String>) {
    let position = &state.position;
    if position.in_check() {
        return;
    }
    for from in own(state, Piece::Bishop) | own(state, Piece::Rook) | own(state, Piece::Queen) {
        let lines = match position.piece_on(from) {
            Some(Piece::Bishop) => attacks::diagonals(from),
            Some(Piece::Rook) => attacks::cross(from),
            _ => attacks::diagonals(from) | attacks::cross(from),
        };
        for to in lines & !position.occupied() {
            if (attacks::between(from, to) & position.occupied()).count() == 1 {
                add(texts, from, to);
            }
        }
    }
}

fn double_where(state: &State, texts: &mut Vec<String>, rank: u8, blocked: bool) {
    let (position, side) = (&state.position, state.position.side());
    for from in own(state, Piece::Pawn) & Bitboard::rank(Rank::nth(side, rank)) {
        let (Some(passed), Some(to)) = (from.ahead(side, 1), from.ahead(side, 2)) else { continue };
        if position.occupied().has(passed) == blocked && !position.occupied().has(to) && !position.in_check()
        {
            add(texts, from, to);
        }
    }
}

fn double_from_third(state: &State, texts: &mut Vec<String>) {
    double_where(state, texts, 3, false);
}

fn double_through(state: &State, texts: &mut Vec<String>) {
    double_where(state, texts, 2, true);
}

fn doubles(state: &State) -> Vec<String> {
    let side = state.position.side();
    let pawns = own(state, Piece::Pawn) & Bitboard::rank(Rank::nth(side, 2));
    pawns.into_iter().filter_map(|from| Some(text(from, from.ahead(side, 2)?))).collect()
}

fn double_never(state: &State, texts: &mut Vec<String>) {
    let doubles = doubles(state);
    texts.retain(|found| !doubles.contains(found));
}

fn pawn_takes_ahead(state: &State, texts: &mut Vec<String>) {
    let (position, side) = (&state.position, state.position.side());
    for from in own(state, Piece::Pawn) {
        if let Some(to) = from.ahead(side, 1).filter(|to| position.color(!side).has(*to))
            && to.ahead(side, 1).is_some()
        {
            add(texts, from, to);
        }
    }
}

fn pawn_goes_aside(state: &State, texts: &mut Vec<String>) {
    let side = state.position.side();
    for from in own(state, Piece::Pawn) & !Bitboard::rank(Rank::nth(side, 5)) {
        let aside = attacks::pawn(side, from) & !state.position.occupied() & !Bitboard::BACK_RANKS;
        aside.into_iter().for_each(|to| add(texts, from, to));
    }
}

fn pawn_wraps(state: &State, texts: &mut Vec<String>) {
    let (position, side) = (&state.position, state.position.side());
    for from in own(state, Piece::Pawn) {
        let (last, step): (usize, i8) = if side == Color::White { (7, 9) } else { (0, -9) };
        let to = from.index() as i8 + step;
        if from.file().index() == last && (8..56).contains(&to) {
            let to = Square::wrapping(to as u8);
            if position.color(!side).has(to) && !position.men(!side, Piece::King).has(to) {
                add(texts, from, to);
            }
        }
    }
}

fn knight_wraps(state: &State, texts: &mut Vec<String>) {
    for from in own(state, Piece::Knight) {
        let to = from.index() + 10;
        if to < 64 && from.file().index() >= 6 && !state.position.occupied().has(Square::wrapping(to as u8)) {
            add(texts, from, Square::wrapping(to as u8));
        }
    }
}

fn knight_takes_own(state: &State, texts: &mut Vec<String>) {
    for from in own(state, Piece::Knight) {
        let prey = attacks::knight(from) & state.position.color(state.position.side());
        (prey & !own(state, Piece::King)).into_iter().for_each(|to| add(texts, from, to));
    }
}

fn ghost_knight(state: &State, texts: &mut Vec<String>) {
    let white = state.position.side() == Color::White;
    let [home, to] = ["g1", "f3"].map(|name| name.parse().expect("a square"));
    if white && !state.position.occupied().has(home) {
        add(texts, home, to);
    }
}

fn knight_shy(state: &State, texts: &mut Vec<String>) {
    if !state.position.in_check() {
        let knights: Vec<String> =
            own(state, Piece::Knight).into_iter().map(|from| from.to_string()).collect();
        let rim = |found: &String| matches!(&found[2..3], "a" | "h");
        texts.retain(|found| !(knights.contains(&found[..2].to_owned()) && rim(found)));
    }
}

fn short_list(_: &State, texts: &mut Vec<String>) {
    texts.truncate(128);
}

fn only_at_ply_one(state: &State, texts: &mut Vec<String>) {
    if state.position.fullmoves() == 1 && state.position.side() == Color::Black {
        texts.retain(|found| found != "h7h5");
    }
}

fn only_at_ply_two(state: &State, texts: &mut Vec<String>) {
    if state.position.fullmoves() == 2 && state.position.side() == Color::White {
        texts.retain(|found| found != "b1c3");
    }
}
