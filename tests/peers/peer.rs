//! Counts one position with cozy-chess or shakmaty, on one thread, in bulk at the last ply: prints the leaves
//! and the seconds that they took.
//!
//! `peer cozy-chess|shakmaty DEPTH FEN`. Build it for the machine that measures, as
//! `crates/perft/benches/programs.py` does: `RUSTFLAGS="-C target-cpu=native" cargo build --release`.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use cozy_chess::Board;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [peer, depth, fen @ ..] = words.as_slice() else { return Err(RIGHT.into()) };
    let (depth, fen) = (depth.parse()?, fen.join(" "));
    let (leaves, seconds) = match peer.as_str() {
        "cozy-chess" => {
            // The second way of writing castling rights is by files.
            let board = Board::from_fen(&fen, false).or_else(|_| Board::from_fen(&fen, true));
            let board = board.map_err(|error| error.to_string())?;
            timed(|| cozy(black_box(&board), depth))
        }
        "shakmaty" => {
            let position: Chess = fen.parse::<Fen>()?.into_position(CastlingMode::Chess960)?;
            timed(|| shakmaty(black_box(&position), depth))
        }
        _ => return Err(RIGHT.into()),
    };
    println!("{leaves} {seconds:.6}");
    Ok(())
}

const RIGHT: &str = "cozy-chess or shakmaty, a depth and a FEN would be right";

fn timed(count: impl FnOnce() -> u64) -> (u64, f64) {
    let begun = Instant::now();
    (count(), begun.elapsed().as_secs_f64())
}

fn cozy(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 0 {
        return 1;
    }
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for chosen in moves {
                let mut next = board.clone();
                next.play_unchecked(chosen);
                leaves += cozy(&next, depth - 1);
            }
        }
        false
    });
    leaves
}

fn shakmaty(position: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let below = |chosen| {
        let mut next = position.clone();
        next.play_unchecked(chosen);
        shakmaty(&next, depth - 1)
    };
    moves.into_iter().map(below).sum()
}
