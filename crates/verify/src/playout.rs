//! Random positions from seeded playouts, and the start positions of Chess960 by their numbers.
//!
//! The same seed gives the same positions on every machine and in every version: the stream is written out here,
//! and a change of it would make old seeds worthless.

use vezir_chess::{Color, Move, Position};

/// How many start positions Chess960 has; double Fischer random has this many for each side.
pub const STARTS: u16 = 960;

/// The longest playout, in plies: half of it is past the middle game.
const MAX_PLIES: usize = 160;

/// The moves of the `number`-th random game of `seed` from `root`: to its end, or 160 plies.
///
/// Each game has a stream of its own, so that any of them can be had without those before it.
pub fn game(root: &Position, seed: u64, number: u64) -> Vec<Move> {
    let mut stream = Stream(Stream(seed).next() ^ number.wrapping_mul(Stream::STEP));
    let mut position = *root;
    let mut played = Vec::new();
    while played.len() < MAX_PLIES {
        let mut moves = position.legal_moves();
        // Only sorted is their order the same in every version.
        moves.sort_unstable();
        let Some(chosen) = stream.pick(&moves) else { break };
        position = position.after(chosen);
        played.push(chosen);
    }
    played
}

/// All positions of random games from `root`, game after game without end, each game without its root.
///
/// Nothing where the root has no legal move.
pub fn positions(root: Position, seed: u64) -> impl Iterator<Item = Position> {
    let games = (0..).map(move |number| game(&root, seed, number));
    games.take_while(|moves| !moves.is_empty()).flat_map(move |moves| {
        moves.into_iter().scan(root, |position, chosen| {
            *position = position.after(chosen);
            Some(*position)
        })
    })
}

/// A start position of Chess960, 0 to 959 by the usual numbering; 518 is that of standard chess.
pub fn chess960(number: u16) -> Option<Position> {
    double_fischer(number, number)
}

/// A start position of double Fischer random: the numbers of White's and Black's first rank.
pub fn double_fischer(white: u16, black: u16) -> Option<Position> {
    let row = |number, color| -> Option<(String, String)> {
        let row = first_rank(number)?;
        let text = row.iter().map(|letter| cased(*letter, color)).collect();
        let rooks = (0..8_u8).rev().filter(|file| row[usize::from(*file)] == 'r');
        Some((text, rooks.map(|file| cased((b'a' + file) as char, color)).collect()))
    };
    let (white, white_rights) = row(white, Color::White)?;
    let (black, black_rights) = row(black, Color::Black)?;
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {white_rights}{black_rights} - 0 1").parse().ok()
}

fn cased(letter: char, color: Color) -> char {
    if color == Color::White { letter.to_ascii_uppercase() } else { letter }
}

/// The men of a first rank by number, from a to h.
///
/// Source: Chess960 numbering by R. Scharnagl: two bishops by their files of each square color, the queen on the
/// n-th free file, the knights by one of ten pairs of free files, then rook, king, rook.
fn first_rank(number: u16) -> Option<[char; 8]> {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    if number >= STARTS {
        return None;
    }
    let mut number = usize::from(number);
    let mut digit = |base: usize| {
        let digit = number % base;
        number /= base;
        digit
    };
    let mut row = ['.'; 8];
    row[2 * digit(4) + 1] = 'b';
    row[2 * digit(4)] = 'b';
    let queen = free(&row, digit(6))?;
    row[queen] = 'q';
    let (first, second) = KNIGHTS[digit(10)];
    let (first, second) = (free(&row, first)?, free(&row, second)?);
    (row[first], row[second]) = ('n', 'n');
    for letter in ['r', 'k', 'r'] {
        let file = free(&row, 0)?;
        row[file] = letter;
    }
    Some(row)
}

/// The `index`-th free file.
fn free(row: &[char; 8], index: usize) -> Option<usize> {
    (0..8).filter(|file| row[*file] == '.').nth(index)
}

/// A stream of numbers.
///
/// Source: SplitMix64 by S. Vigna (public domain), after G. Steele, D. Lea and C. Flood, "Fast splittable
/// pseudorandom number generators", 2014.
struct Stream(u64);

impl Stream {
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Stream::STEP);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// One of the moves; the bias of at most 2^-32 is no matter here.
    fn pick(&mut self, moves: &[Move]) -> Option<Move> {
        let index = ((self.next() >> 32) * moves.len() as u64) >> 32;
        moves.get(index as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_numbers_are_the_usual_ones() {
        assert_eq!(chess960(518), Some(Position::startpos()));
        let first = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1".parse().ok();
        assert_eq!(chess960(0), first);
        let last = "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1".parse().ok();
        assert_eq!(chess960(959), last);
        let all: BTreeSet<String> =
            (0..STARTS).filter_map(chess960).map(|position| position.to_string()).collect();
        assert_eq!(all.len(), usize::from(STARTS));
        assert_eq!((chess960(960), double_fischer(0, 960)), (None, None));
        assert!(double_fischer(518, 0).is_some_and(|position| position.needs_chess960()));
    }

    #[test]
    fn a_seed_gives_the_same_positions_for_ever() {
        let root = Position::startpos();
        let texts = |seed| positions(root, seed).take(400).map(|position| position.to_string());
        assert!(texts(7).eq(texts(7)));
        assert!(!texts(7).eq(texts(8)));
        assert_eq!(format!("{:?}", &game(&root, 7, 3)[..4]), "[g2g4, b7b5, c2c3, d7d6]");
        let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3".parse().expect("a FEN");
        assert_eq!(positions(mated, 7).count(), 0);
    }
}
