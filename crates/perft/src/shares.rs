//! Through which root moves, and by how many paths, each position of a frontier is reached.

use vezir_chess::Move;

use crate::Share;
use crate::column::Column;

/// A chain of shares for each position, kept column by column: two shares a position are usual, and a
/// list for each would cost more than what it holds.
pub(crate) struct Shares {
    heads: Column<u32>,
    roots: Column<Move>,
    paths: Column<u64>,
    next: Column<u32>,
}

/// Marks the end of a chain.
const END: u32 = u32::MAX;

impl Shares {
    /// What one share takes, in bytes.
    pub(crate) const BYTES: usize = size_of::<Move>() + size_of::<u64>() + size_of::<u32>();

    pub(crate) const fn new() -> Shares {
        Shares { heads: Column::new(), roots: Column::new(), paths: Column::new(), next: Column::new() }
    }

    /// How many shares there are, of all positions.
    pub(crate) fn len(&self) -> usize {
        self.roots.len()
    }

    /// Begins the chain of the next position, still without a share.
    pub(crate) fn open(&mut self) {
        self.heads.push(END);
    }

    /// The shares of the position at `index`, in no order.
    pub(crate) fn of(&self, index: usize) -> impl Iterator<Item = Share> {
        let follow = |at: u32| (at != END).then_some(at as usize);
        let head = if index < self.heads.len() { follow(self.heads.get(index)) } else { None };
        std::iter::successors(head, move |at| follow(self.next.get(*at)))
            .map(|at| Share { root: self.roots.get(at), paths: self.paths.get(at) })
    }

    /// Adds paths to the position at `index`; `None` where they pass 64 bits or the chains 2^32 shares.
    pub(crate) fn credit(&mut self, index: usize, share: Share) -> Option<()> {
        let head = self.heads.get(index);
        let mut at = head;
        while at != END {
            let place = at as usize;
            if self.roots.get(place) == share.root {
                let paths = self.paths.get_mut(place);
                *paths = paths.checked_add(share.paths)?;
                return Some(());
            }
            at = self.next.get(place);
        }
        let new = u32::try_from(self.len()).ok().filter(|new| *new != END)?;
        self.roots.push(share.root);
        self.paths.push(share.paths);
        self.next.push(head);
        *self.heads.get_mut(index) = new;
        Some(())
    }

    /// All paths of all positions.
    pub(crate) fn total(&self) -> u128 {
        (0..self.paths.len()).map(|at| u128::from(self.paths.get(at))).sum()
    }
}
