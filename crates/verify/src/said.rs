//! What a foreign program said of one query, and how its lines are read against a position.

use std::collections::{BTreeMap, BTreeSet};

use vezir_chess::{Move, Piece, Position, Square, san, uci};

/// The answer to one query, as it was printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Said {
    /// The total in leaves, where the program prints one.
    pub total: Option<u128>,
    /// The lines of its divide, move and leaves, where it prints one; their order means nothing.
    pub moves: Option<Vec<(String, u128)>>,
}

/// One line of a divide, its move as it was printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The move.
    pub text: String,
    /// The leaves below it.
    pub count: u128,
}

/// The lines of a divide, sorted by what they mean in a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    /// Leaves below the moves that are legal, each by its first line.
    pub legal: BTreeMap<Move, u128>,
    /// Lines whose move is not legal, each text once.
    pub odd: Vec<Line>,
    /// Lines whose move had a line already.
    pub doubled: Vec<Line>,
    /// The sum of all lines; `None` where it does not fit in 128 bits.
    pub sum: Option<u128>,
}

impl Lines {
    /// Reads lines against the position whose divide they are.
    ///
    /// Castling may be written as the king's step or as the king taking its rook, in every variant; a promotion
    /// in upper case or with `=` before it; and any move as SAN.
    pub fn read(position: &Position, lines: &[(String, u128)]) -> Lines {
        let mut legal_moves = position.legal_moves();
        legal_moves.sort_unstable();
        let mut read = Lines { sum: Some(0), ..Lines::default() };
        let mut odd_texts = BTreeSet::new();
        for (text, count) in lines {
            read.sum = read.sum.and_then(|sum| sum.checked_add(*count));
            let line = || Line { text: text.trim().to_owned(), count: *count };
            match meant(position, &legal_moves, text) {
                Some(chosen) if read.legal.contains_key(&chosen) => read.doubled.push(line()),
                Some(chosen) => drop(read.legal.insert(chosen, *count)),
                None if odd_texts.insert(text.trim()) => read.odd.push(line()),
                None => read.doubled.push(line()),
            }
        }
        read
    }
}

/// The legal move that a text means; `sorted` holds all of them.
fn meant(position: &Position, sorted: &[Move], text: &str) -> Option<Move> {
    let tidy = tidied(text);
    let Some((from, to, letter)) = squares(&tidy) else {
        return san::read(position, text.trim()).ok();
    };
    let plain = match letter {
        None => Some(Move::new(from, to)),
        Some(letter) => Piece::from_letter(letter)
            .filter(|piece| Piece::PROMOTIONS.contains(piece))
            .map(|piece| Move::promoting(from, to, piece)),
    };
    // Nearly every line ends here; what is left is castling as a step, or no legal move.
    plain.filter(|chosen| sorted.binary_search(chosen).is_ok()).or_else(|| uci::read(position, &tidy).ok())
}

/// A move's text in lower case, without blanks around it and `=` inside.
pub(crate) fn tidied(text: &str) -> String {
    text.trim().chars().filter(|letter| *letter != '=').map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The two squares of a tidied text, and the one letter that may follow them.
pub(crate) fn squares(tidy: &str) -> Option<(Square, Square, Option<char>)> {
    let (from, to) = (tidy.get(..2)?.parse().ok()?, tidy.get(2..4)?.parse().ok()?);
    let mut rest = tidy.get(4..)?.chars();
    let letter = rest.next();
    rest.next().is_none().then_some((from, to, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, texts: &[&str]) -> Lines {
        let lines: Vec<(String, u128)> = texts.iter().map(|text| ((*text).to_owned(), 1)).collect();
        Lines::read(&fen.parse().expect("a FEN"), &lines)
    }

    #[test]
    fn castling_is_read_in_every_notation() {
        for (fen, texts) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["e1g1", "E1H1", "O-O"]),
            ("4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 1", ["e1g1", "e1f1", "e1f1 "]),
        ] {
            for text in texts {
                let lines = read(fen, &[text]);
                assert!(
                    lines.legal.keys().all(|chosen| chosen.to().rank() == chosen.from().rank()),
                    "{text}"
                );
                assert_eq!((lines.legal.len(), lines.odd.len()), (1, 0), "{text}");
            }
        }
    }

    #[test]
    fn promotions_are_read_in_either_case() {
        let lines = read("8/4P3/8/8/k7/8/8/4K3 w - - 0 1", &["e7e8q", "e7e8R", "e7e8=N", "e7e8", "e7e8k"]);
        assert_eq!((lines.legal.len(), lines.odd.len(), lines.sum), (3, 2, Some(5)));
    }

    #[test]
    fn doubled_and_odd_lines_are_told_apart() {
        let texts = ["e2e4", "e2e4", "e2e5", "e2e5", "nonsense", "", "é"];
        let lines = read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &texts);
        assert_eq!((lines.legal.len(), lines.odd.len(), lines.doubled.len()), (1, 4, 2));
    }
}
