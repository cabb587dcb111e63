//! Counts the leaves of one position on one thread without a table: what instructions are counted of.
//!
//! `leaves DEPTH FEN`, or `leaves kinds DEPTH FEN` to have the moves of the last ply broken down as well.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use vezir_chess::Position;
use vezir_perft::{Counter, Frontier, Slot};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1).peekable();
    let kinds = words.next_if(|word| word == "kinds").is_some();
    let depth: u32 = words.next().ok_or("a depth, then a FEN, would be right")?.parse()?;
    let root: Position = words.collect::<Vec<_>>().join(" ").parse()?;
    let counter = Counter::new(NonZero::<usize>::MIN)?;
    let slots: Vec<Slot> = Frontier::root(&root).slots(0..1).collect();
    let counted = counter.count(&slots, depth, kinds, &AtomicBool::new(false))?;
    println!("{}", counted.answer.nodes);
    if let Some(breakdown) = counted.answer.breakdown {
        eprintln!("{breakdown:?}");
    }
    Ok(())
}
