//! Random games that a printed seed brings back, from usual and unusual starts.

use std::env;

use vezir_chess::{Move, Position};
use vezir_perft::NAMED;

use crate::counting;

/// The longest random game, in plies.
const PLIES: usize = 120;

/// The environment variable that brings a seed back.
const SEED: &str = "SEED";

/// The seed of this run: the one in `SEED`, or a new one. It is printed, so that a failure shows it.
///
/// # Panics
/// If `SEED` is no number.
pub fn seed() -> u64 {
    let given =
        env::var(SEED).ok().map(|text| text.parse().unwrap_or_else(|error| panic!("{SEED}={text}: {error}")));
    let seed = given.unwrap_or_else(|| fastrand::u64(..));
    println!("{SEED}={seed} brings this run back");
    seed
}

/// One random game: where it starts, and the legal moves that were played.
pub struct Game {
    /// The FEN of its start.
    pub start: String,
    /// The positions, the first included, each with the move that was played there.
    pub line: Vec<(Position, Option<Move>)>,
}

impl Game {
    /// Plays one game from a start that `random` chooses.
    pub fn play(random: &mut fastrand::Rng) -> Game {
        let start = start(random);
        let mut position = counting::position(&start);
        let mut line = Vec::new();
        for _ in 0..PLIES {
            let chosen = choose(&position, random);
            line.push((position, chosen));
            let Some(chosen) = chosen else { break };
            position = position.after(chosen);
        }
        Game { start, line }
    }
}

/// A random legal move; captures and checks more often than by chance, so that games become sharp.
fn choose(position: &Position, random: &mut fastrand::Rng) -> Option<Move> {
    let moves = position.legal_moves();
    let sharp = |chosen: &&Move| {
        position.color(!position.side()).has(chosen.to()) || position.after(**chosen).in_check()
    };
    let sharpened: Vec<&Move> = moves.iter().filter(sharp).collect();
    match sharpened.is_empty() || random.u8(..4) > 0 {
        true => random.choice(&moves).copied(),
        false => random.choice(sharpened).copied(),
    }
}

/// Usual chess, a position with a name, Chess960, or a different row for each side.
fn start(random: &mut fastrand::Rng) -> String {
    match random.u8(..4) {
        0 => NAMED[0].fen.to_owned(),
        1 => NAMED[random.usize(..NAMED.len())].fen.to_owned(),
        2 => {
            let row = chess960_row(random);
            shuffled(row, row)
        }
        _ => shuffled(chess960_row(random), chess960_row(random)),
    }
}

fn shuffled(white: [char; 8], black: [char; 8]) -> String {
    let rooks = |row: [char; 8]| -> String {
        let files = ('a'..='h').zip(row).filter(|(_, man)| *man == 'R').map(|(file, _)| file);
        files.collect::<Vec<_>>().into_iter().rev().collect()
    };
    let [first, last] = [white, black].map(|row| row.into_iter().collect::<String>());
    let rights = format!("{}{}", rooks(white).to_uppercase(), rooks(black));
    format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{first} w {rights} - 0 1", last.to_lowercase())
}

/// Bishops on both colors, the king between the rooks.
fn chess960_row(random: &mut fastrand::Rng) -> [char; 8] {
    let mut row = [' '; 8];
    row[2 * random.usize(..4)] = 'B';
    row[2 * random.usize(..4) + 1] = 'B';
    for man in ['Q', 'N', 'N'] {
        let free: Vec<usize> = (0..8).filter(|file| row[*file] == ' ').collect();
        row[free[random.usize(..free.len())]] = man;
    }
    for man in ['R', 'K', 'R'] {
        if let Some(file) = row.iter().position(|man| *man == ' ') {
            row[file] = man;
        }
    }
    row
}
