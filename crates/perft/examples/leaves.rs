//! Counts the leaves of one position on one thread without a table: what instructions are counted of.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use vezir_chess::Position;
use vezir_perft::{Counter, Frontier, Slot};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let depth: u32 = words.next().ok_or("a depth, then a FEN, would be right")?.parse()?;
    let root: Position = words.collect::<Vec<_>>().join(" ").parse()?;
    let counter = Counter::new(NonZero::<usize>::MIN)?;
    let slots: Vec<Slot> = Frontier::root(&root).slots(0..1).collect();
    let counted = counter.count(&slots, depth, false, &AtomicBool::new(false))?;
    println!("{}", counted.answer.nodes);
    Ok(())
}
