//! Counts too large for an entry of the table, kept exactly and in a place of their own.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::keys::Key;

/// The least depth at which so large a count can be: 300 moves in each position make 2^41 leaves in five plies.
const LEAST_DEPTH: u32 = 6;

/// How many are kept; those that come later are counted again each time.
const MAX_COUNTS: usize = 1 << 20;

/// A list of few entries, each of which stands for a huge tree: without it, deep counts of positions with few
/// moves would not end.
#[derive(Default)]
pub(crate) struct Large(Mutex<HashMap<(u128, u32), u128>>);

impl Large {
    /// The count kept for a position and depth.
    pub(crate) fn get(&self, key: Key, depth: u32) -> Option<u128> {
        if depth < LEAST_DEPTH { None } else { self.counts().get(&(key.0, depth)).copied() }
    }

    /// Keeps a count, where there is room.
    pub(crate) fn put(&self, key: Key, depth: u32, count: u128) {
        let mut counts = self.counts();
        if depth >= LEAST_DEPTH && counts.len() < MAX_COUNTS {
            counts.insert((key.0, depth), count);
        }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<(u128, u32), u128>> {
        // Each entry is whole, whatever became of the thread that held the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
