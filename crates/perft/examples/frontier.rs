//! Prints the size of the frontier at each ply up to the one given, and how long its growth took, below the
//! start position or the one given as a FEN after the ply. `RAYON_NUM_THREADS` sets the number of threads.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use vezir_chess::Position;
use vezir_perft::{Frontier, Limits};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let deepest: u32 = std::env::args().nth(1).as_deref().unwrap_or("6").parse()?;
    let root = std::env::args().nth(2).map_or(Ok(Position::startpos()), |fen| fen.parse())?;
    for ply in 1..=deepest {
        let begun = Instant::now();
        let frontier = Frontier::grow(&root, ply, Limits::CHOSEN, &AtomicBool::new(false))?;
        let seconds = begun.elapsed().as_secs_f64();
        println!(
            "ply {ply}: {} positions, {} paths, {} bytes, {seconds:.2} s",
            frontier.len(),
            frontier.paths(),
            frontier.bytes()
        );
    }
    Ok(())
}
