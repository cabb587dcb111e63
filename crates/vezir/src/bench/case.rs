//! What is measured: positions that are counted, how deep, and with what.

use std::num::NonZero;

use vezir_chess::Position;
use vezir_perft::{NAMED, Named, SHUFFLED};

/// A position, and how deep it is counted in a moment or two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    /// The position, with its published counts.
    pub(crate) named: Named,
    /// Plies that are counted without a table.
    plain: u32,
    /// Plies that are counted with one.
    hashed: u32,
}

/// The positions that are measured, in the order in which they are told of.
pub(crate) const CASES: [Case; 8] = [
    Case { named: NAMED[0], plain: 6, hashed: 7 },
    Case { named: NAMED[1], plain: 5, hashed: 6 },
    Case { named: NAMED[2], plain: 7, hashed: 8 },
    Case { named: NAMED[3], plain: 6, hashed: 6 },
    Case { named: NAMED[4], plain: 5, hashed: 6 },
    Case { named: NAMED[5], plain: 5, hashed: 6 },
    Case { named: SHUFFLED[0], plain: 6, hashed: 6 },
    Case { named: SHUFFLED[1], plain: 5, hashed: 6 },
];

/// One count: of a position, with or without a table, on some threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    /// The position's name, its FEN and its published counts.
    pub(crate) named: Named,
    /// The position itself.
    pub(crate) position: Position,
    /// Plies that are counted.
    pub(crate) depth: u32,
    /// The largest table, in bytes; 0 for none.
    pub(crate) hash_bytes: u64,
    /// On how many threads.
    pub(crate) threads: NonZero<usize>,
}

impl Task {
    /// How many leaves were published.
    pub(crate) fn published(&self) -> Option<u128> {
        self.named.nodes.get(self.depth as usize).copied()
    }

    /// Whether a table is used, in a word.
    pub(crate) const fn mode(&self) -> &'static str {
        if self.hash_bytes == 0 { "unhashed" } else { "hashed" }
    }
}

/// The counts of the positions that are wanted, all where none is named: each without a table and with one of at most
/// `hash_bytes`, on one thread and on `threads`; where `is_quick`, one ply less deep.
pub(crate) fn tasks(
    wanted: &[String],
    hash_bytes: u64,
    threads: NonZero<usize>,
    is_quick: bool,
) -> Vec<Task> {
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|it| it.eq_ignore_ascii_case(name));
    let mut tasks = Vec::new();
    for Case { named, plain, hashed } in CASES.into_iter().filter(|case| is_wanted(case.named.name)) {
        let Some(position) = named.position() else { continue };
        for (depth, hash_bytes) in [(plain, 0), (hashed, hash_bytes)].into_iter().take(modes(hash_bytes)) {
            let depth = depth - u32::from(is_quick);
            let one = NonZero::<usize>::MIN;
            let threads = [one, threads].into_iter().take(if threads == one { 1 } else { 2 });
            tasks.extend(threads.map(|threads| Task { named, position, depth, hash_bytes, threads }));
        }
    }
    tasks
}

/// Without memory for a table there is only one way to count.
const fn modes(hash_bytes: u64) -> usize {
    if hash_bytes == 0 { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_was_published() {
        let two = NonZero::new(2).unwrap();
        for is_quick in [false, true] {
            let tasks = tasks(&[], 1, two, is_quick);
            assert_eq!(tasks.len(), 4 * CASES.len());
            assert!(tasks.iter().all(|task| task.published().is_some_and(|nodes| nodes > 100_000)));
        }
    }

    #[test]
    fn only_what_is_wanted_is_counted() {
        let one = NonZero::<usize>::MIN;
        let tasks = tasks(&["Kiwipete".to_owned()], 0, one, false);
        let [only] = tasks.as_slice() else { panic!("{tasks:?}") };
        assert_eq!((only.named.name, only.depth, only.mode()), ("kiwipete", 5, "unhashed"));
    }
}
