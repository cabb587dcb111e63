//! Takes men and rights away while a fault still shows, down to the smallest position that shows it.

use std::fmt;

use vezir_chess::{Color, FenWarning, File, Move, Piece, Position, Rank, Square, Wing, fen};

use crate::difference::compare;
use crate::finding::written;
use crate::node::passed;
use crate::{Counts, Difference, Failure, Finding, Oracle, Query, Reason, Tag, Way};

/// The smallest position that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shrunk {
    /// The position.
    pub root: Position,
    /// Moves from it, where the fault shows only after them.
    pub moves: Vec<Move>,
    /// Smaller positions that were tried.
    pub tries: u32,
    /// Whether nothing more can be taken away; else the tries ran out.
    pub is_smallest: bool,
}

impl fmt::Display for Shrunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.root)?;
        if !self.moves.is_empty() {
            write!(f, " moves {}", written(&self.root, &self.moves))?;
        }
        if self.is_smallest { Ok(()) } else { f.write_str(" (perhaps not the smallest: the tries ran out)") }
    }
}

/// The smallest position for which `shows` still holds, perhaps after moves, in at most `limit` tries.
///
/// Moves are taken away two by two, one of each side; men one by one, then castling rights, then the en passant
/// square; and all that again until nothing more goes. Only what reads as a position, and moves that are legal
/// from it, are ever asked about. That `root` and `moves` themselves show the fault is taken for granted.
///
/// # Errors
/// The first that `shows` gives.
pub fn shrink<E>(
    root: &Position,
    moves: &[Move],
    limit: u32,
    shows: impl FnMut(&Position, &[Move]) -> Result<bool, E>,
) -> Result<Shrunk, E> {
    let smallest = Shrunk { root: *root, moves: moves.to_vec(), tries: 0, is_smallest: true };
    let mut search = Search { smallest, limit, shows };
    while search.fewer_moves()? | search.fewer_parts()? {}
    Ok(search.smallest)
}

/// A search for the smallest position, and what it has come to so far.
struct Search<F> {
    smallest: Shrunk,
    limit: u32,
    shows: F,
}

impl<E, F: FnMut(&Position, &[Move]) -> Result<bool, E>> Search<F> {
    /// Takes a smaller position, if the fault shows there; tells whether it does.
    fn takes(&mut self, root: Position, moves: Vec<Move>) -> Result<bool, E> {
        if !are_legal(&root, &moves) {
            return Ok(false);
        }
        if self.smallest.tries == self.limit {
            self.smallest.is_smallest = false;
            return Ok(false);
        }
        self.smallest.tries += 1;
        let shows = (self.shows)(&root, &moves)?;
        if shows {
            (self.smallest.root, self.smallest.moves) = (root, moves);
        }
        Ok(shows)
    }

    /// Takes moves away, one of each side at a time; tells whether any went.
    fn fewer_moves(&mut self) -> Result<bool, E> {
        let (mut changed, mut first) = (false, 0);
        while first < self.smallest.moves.len() {
            let mut gone = false;
            for second in (first + 1..self.smallest.moves.len()).step_by(2) {
                let mut moves = self.smallest.moves.clone();
                moves.remove(second);
                moves.remove(first);
                // The last move must not go for nothing: a fault of making moves needs one.
                gone = !moves.is_empty() && self.takes(self.smallest.root, moves)?;
                if gone {
                    break;
                }
            }
            changed |= gone;
            first += usize::from(!gone);
        }
        Ok(changed)
    }

    /// Takes men, rights and the en passant square away; tells whether any went.
    fn fewer_parts(&mut self) -> Result<bool, E> {
        let mut changed = false;
        for part in Part::all() {
            if let Some(candidate) = without(&self.smallest.root, part) {
                changed |= self.takes(candidate, self.smallest.moves.clone())?;
            }
        }
        Ok(changed)
    }
}

/// Shrinks the position of a finding, as long as a difference of the same kind shows there, in at most `limit` tries.
///
/// A try is one question, and two where the finding is of making moves: as a FEN it must not show.
///
/// # Errors
/// Where the program or our own count gives no answer; the finding itself stands.
pub fn shrink_finding<O: Oracle, C: Counts>(
    oracle: &mut O,
    counts: &mut C,
    finding: &Finding,
    limit: u32,
) -> Result<Shrunk, Failure<O::Error>> {
    let query = &finding.query;
    let position = query.position();
    let (root, moves) = match query.way {
        Way::Position => (&position, &[][..]),
        Way::Moves => (&query.root, &query.moves[..]),
    };
    let mut shows = |asked: &Query| -> Result<bool, Failure<O::Error>> {
        let position = asked.position();
        let ours = counts.count(&position, asked.depth)?;
        let said = oracle.ask(asked).map_err(Failure::Oracle)?;
        let found = compare(&position, &ours, &said);
        Ok(found.iter().any(|difference| is_alike(finding, asked, difference)))
    };
    let by_moves = finding.tags.has(Tag::MakeMoveOnly);
    shrink(root, moves, limit, |root, moves| {
        let asked = Query { root: *root, moves: moves.to_vec(), ..*query };
        let straight = Query { way: Way::Position, ..asked.clone() };
        Ok(shows(&asked)? && !(by_moves && shows(&straight)?))
    })
}

/// Whether a difference is of the kind of a finding.
fn is_alike(finding: &Finding, asked: &Query, difference: &Difference) -> bool {
    let has = |tag| finding.tags.has(tag);
    if has(Tag::TotalOnly) {
        return matches!(difference, Difference::Total { .. });
    }
    let same_shape = std::mem::discriminant(difference) == std::mem::discriminant(&finding.difference);
    if has(Tag::SearchOnly) {
        return same_shape;
    }
    let reason = Reason::of(&asked.position(), passed(asked.last()), difference);
    // What only the way of asking shows is no part of the reason.
    let tags = if has(Tag::MakeMoveOnly) { reason.tags.with(Tag::MakeMoveOnly) } else { reason.tags };
    same_shape && tags == finding.tags
}

fn are_legal(root: &Position, moves: &[Move]) -> bool {
    let mut position = *root;
    moves.iter().all(|chosen| {
        let legal = position.is_legal(*chosen);
        position = position.after(*chosen);
        legal
    })
}

/// Something that a position can do without.
#[derive(Clone, Copy, Debug)]
enum Part {
    Man(Square),
    Right(Color, Wing),
    EnPassant,
}

impl Part {
    fn all() -> impl Iterator<Item = Part> {
        let men = (0..Square::COUNT as u8).map(|index| Part::Man(Square::wrapping(index)));
        let rights = (0..4).map(|index| Part::Right(Color::ALL[index / 2], Wing::ALL[index % 2]));
        men.chain(rights).chain([Part::EnPassant])
    }
}

/// A position without a part, if it has that part and the rest is a position.
fn without(position: &Position, part: Part) -> Option<Position> {
    let has = match part {
        Part::Man(square) => (position.occupied() & !position.pieces(Piece::King)).has(square),
        Part::Right(color, wing) => position.castling().rook(color, wing).is_some(),
        Part::EnPassant => position.en_passant().is_some(),
    };
    if !has {
        return None;
    }
    let mut text = board(position, part);
    text.push(' ');
    text.push(position.side().letter());
    text.push(' ');
    text.push_str(&rights(position, part));
    let captured = position.en_passant().and_then(|square| square.ahead(position.side(), -1));
    match (part, position.en_passant()) {
        (Part::EnPassant, _) | (_, None) => text.push_str(" -"),
        (Part::Man(square), _) if Some(square) == captured => text.push_str(" -"),
        (_, Some(square)) => text.push_str(&format!(" {square}")),
    }
    text.push_str(&format!(" {} {}", position.halfmoves(), position.fullmoves()));
    let reading = fen::read(&text).ok()?;
    // Where no game can lead, good programs differ: a smaller position must not lead there.
    let strange = reading.warnings.iter().any(is_impossible) && !is_strange(position);
    (!strange).then_some(reading.position)
}

fn is_strange(position: &Position) -> bool {
    fen::read(&position.to_string()).is_ok_and(|reading| reading.warnings.iter().any(is_impossible))
}

fn is_impossible(warning: &FenWarning) -> bool {
    matches!(
        warning,
        FenWarning::ManyCheckers { .. }
            | FenWarning::ImpossibleDoubleCheck { .. }
            | FenWarning::CheckBeforeDoubleStep { .. }
    )
}

fn board(position: &Position, part: Part) -> String {
    let man = |square: Square| {
        let taken = matches!(part, Part::Man(taken) if taken == square);
        let piece = position.piece_on(square).filter(|_| !taken);
        piece.zip(position.color_on(square)).map_or('1', |(piece, color)| piece.fen_letter(color))
    };
    let rank =
        |rank: Rank| -> String { File::ALL.into_iter().map(|file| man(Square::at(file, rank))).collect() };
    let ranks: Vec<String> = Rank::ALL.into_iter().rev().map(rank).collect();
    joined_digits(&ranks.join("/"))
}

/// `11p1` as `2p1`: FEN has no two digits in a row.
fn joined_digits(board: &str) -> String {
    let mut text = String::with_capacity(board.len());
    let mut empty: u8 = 0;
    for letter in board.chars().chain(['\n']) {
        if letter == '1' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push((b'0' + empty) as char);
            empty = 0;
        }
        text.push(letter);
    }
    text.pop();
    text
}

fn rights(position: &Position, part: Part) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for wing in Wing::ALL {
            let Some(rook) = position.castling().rook(color, wing) else { continue };
            let gone = match part {
                Part::Man(square) => square == rook,
                Part::Right(of, on) => (of, on) == (color, wing),
                Part::EnPassant => false,
            };
            let letter = rook.file().letter();
            let letter = if color == Color::White { letter.to_ascii_uppercase() } else { letter };
            text.extend((!gone).then_some(letter));
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().expect("a FEN")
    }

    #[test]
    fn what_is_not_needed_goes() {
        let root = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 7");
        let castles = |found: &Position, _: &[Move]| {
            let right = found.castling().rook(Color::White, Wing::A).is_some();
            Ok::<bool, Infallible>(
                right && found.legal_moves().iter().any(|chosen| found.castles(*chosen).is_some()),
            )
        };
        let shrunk = shrink(&root, &[], 1_000, castles).expect("no error");
        assert_eq!(shrunk.root, position("4k3/8/8/8/8/8/8/R3K3 w Q - 3 7"));
        assert!(shrunk.is_smallest);
        let cut = shrink(&root, &[], 5, castles).expect("no error");
        assert_eq!((cut.tries, cut.is_smallest), (5, false));
    }

    #[test]
    fn the_moves_stay_legal() {
        let root = position("4k3/3p4/8/4P3/8/8/2N5/4K3 b - - 0 1");
        let moves = vec![vezir_chess::uci::read(&root, "d7d5").expect("a move")];
        let shrunk = shrink(&root, &moves, 1_000, |_, _| Ok::<bool, Infallible>(true)).expect("no error");
        assert_eq!(shrunk.root.occupied().count(), 3);
    }
}
