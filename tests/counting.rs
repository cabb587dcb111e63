//! Counts for tests: by the product's counter with a table, and by the plainest recursion there is.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use vezir_chess::{Position, fen};
use vezir_perft::{Answer, Counter, Slot};

/// Memory of the table that [`counter`] has.
const TABLE_BYTES: u64 = 16 << 20;

/// The position of a FEN that is known to be right.
///
/// # Panics
/// If it is refused.
pub fn position(text: &str) -> Position {
    fen::read(text).unwrap_or_else(|error| panic!("{text}: {error}")).position
}

/// A counter on two threads, with a table.
///
/// # Panics
/// If the machine gives neither.
pub fn counter() -> Counter {
    let mut counter =
        Counter::new(NonZero::<usize>::MIN.saturating_add(1)).expect("two threads can be started");
    counter.reserve(TABLE_BYTES).expect("a small table can be had");
    counter
}

/// What `counter` counts below `position`.
///
/// # Panics
/// If it gives no answer.
pub fn count(counter: &Counter, position: &Position, depth: u32, kinds: bool) -> Answer {
    let root = Slot { position: position.pack(), shares: Vec::new() };
    counter.count(&[root], depth, kinds, &AtomicBool::new(false)).expect("a small count has an answer").answer
}

/// The same count without a table, threads, bulk counting or any other refinement.
pub fn plain(position: &Position, depth: u32) -> u128 {
    let below = depth.checked_sub(1);
    below.map_or(1, |below| {
        position.legal_moves().into_iter().map(|it| plain(&position.after(it), below)).sum()
    })
}
