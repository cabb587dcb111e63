//! Through which root moves, and by how many paths, each position of a frontier is reached.

use vezir_chess::Move;

use crate::Share;
use crate::column::Column;

/// The shares of all positions one after another, column by column, with the end of each position's: a
/// list for each would cost more than what it holds.
pub(crate) struct Shares {
    /// Where the shares of each position end; they begin where those of the one before it do.
    pub(crate) ends: Column<u32>,
    /// The root move of each share.
    pub(crate) roots: Column<Move>,
    /// The paths of each share.
    pub(crate) paths: Column<u64>,
}

impl Shares {
    /// The most shares that all positions may have together, so that ends fit in 32 bits.
    pub(crate) const MOST: usize = u32::MAX as usize;

    pub(crate) const fn new() -> Shares {
        Shares { ends: Column::new(), roots: Column::new(), paths: Column::new() }
    }

    /// The memory of so many shares of so many positions, in bytes.
    pub(crate) const fn bytes(positions: usize, shares: usize) -> usize {
        positions * size_of::<u32>() + shares * (size_of::<Move>() + size_of::<u64>())
    }

    /// How many shares there are, of all positions.
    pub(crate) fn len(&self) -> usize {
        self.roots.len()
    }

    /// Adds the shares of the next position, which come in the order of their root moves. All of them
    /// together must stay within [`Shares::MOST`].
    pub(crate) fn push(&mut self, shares: impl Iterator<Item = Share>) {
        for share in shares {
            self.roots.push(share.root);
            self.paths.push(share.paths);
        }
        self.ends.push(self.len() as u32);
    }

    /// Adds the shares of as many positions as the other has.
    pub(crate) fn extend(&mut self, other: &Shares) {
        let begin = self.len() as u32;
        (0..other.ends.len()).for_each(|at| self.ends.push(begin + other.ends.get(at)));
        self.roots.extend(&other.roots);
        self.paths.extend(&other.paths);
    }

    /// The shares of the position at `index`, in the order of their root moves.
    pub(crate) fn of(&self, index: usize) -> impl ExactSizeIterator<Item = Share> {
        let begin = if index == 0 { 0 } else { self.ends.get(index - 1) as usize };
        (begin..self.ends.get(index) as usize)
            .map(|at| Share { root: self.roots.get(at), paths: self.paths.get(at) })
    }

    /// All paths of all positions.
    pub(crate) fn total(&self) -> u128 {
        (0..self.len()).map(|at| u128::from(self.paths.get(at))).sum()
    }
}
