//! Counts one position with the crate alone, to hold the cluster against: prints the nodes and the seconds.
//!
//! `count DEPTH THREADS HASH_MIB whole|PLY [FEN]`: the tree as a whole, or split into the positions of a ply
//! as a run is.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use vezir_chess::Position;
use vezir_perft::{Counter, Limits, Plan, Slot, Wish};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [depth, threads, hash, split, fen @ ..] = arguments.as_slice() else {
        return Err("DEPTH THREADS HASH_MIB whole|PLY [FEN] would be right".into());
    };
    let threads: NonZero<usize> = threads.parse()?;
    let split = if split == "whole" { 0 } else { split.parse()? };
    let root = fen.first().map_or(Ok(Position::startpos()), |fen| fen.parse())?;
    let (depth, hash, stop) = (depth.parse()?, hash.parse::<u64>()? << 20, AtomicBool::new(false));

    let begun = Instant::now();
    let mut counter = Counter::new(threads)?;
    let plan = Plan::new(&root, Wish { depth, split: Some(split), units: None }, Limits::CHOSEN, &stop)?;
    counter.reserve(plan.hash_bytes.min(hash))?;
    let slots: Vec<Slot> = plan.frontier.slots(0..plan.frontier.len()).collect();
    let nodes = counter.count(&slots, plan.remaining, false, &stop)?.answer.nodes;
    println!("{nodes} {:.3}", begun.elapsed().as_secs_f64());
    Ok(())
}
