//! Prints the size of the frontier below the start position at each ply up to the one given.

use std::sync::atomic::AtomicBool;

use vezir_chess::Position;
use vezir_perft::{Frontier, Limits};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let deepest: u32 = std::env::args().nth(1).as_deref().unwrap_or("6").parse()?;
    let root = Position::startpos();
    for ply in 1..=deepest {
        let frontier = Frontier::grow(&root, ply, Limits::CHOSEN, &AtomicBool::new(false))?;
        println!(
            "ply {ply}: {} positions, {} paths, {} bytes",
            frontier.len(),
            frontier.paths(),
            frontier.bytes()
        );
    }
    Ok(())
}
