//! The frontier: the distinct positions some plies below the root, each with how many ways lead there.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use vezir_chess::{Move, Packed, Position};

use crate::column::Column;
use crate::shares::Shares;
use crate::{Share, Slot, growth};

/// How large a frontier may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Distinct positions.
    pub positions: usize,
    /// Memory of the positions and their shares, in bytes.
    pub bytes: usize,
}

impl Limits {
    /// What a coordinator allows: 2^24 positions, 2 GiB.
    pub const PLANNED: Limits = Limits { positions: 1 << 24, bytes: 2 << 30 };
    /// What a user may choose who has the memory: 2^27 positions, 16 GiB.
    pub const CHOSEN: Limits = Limits { positions: 1 << 27, bytes: 16 << 30 };

    /// The smaller of two, in both respects.
    pub const fn within(self, other: Limits) -> Limits {
        let positions = if self.positions < other.positions { self.positions } else { other.positions };
        let bytes = if self.bytes < other.bytes { self.bytes } else { other.bytes };
        Limits { positions, bytes }
    }

    /// Whether a frontier may have so many positions and, all together, so many shares.
    pub(crate) const fn allow(self, positions: usize, shares: usize) -> bool {
        // Indices of positions and of shares are kept in 32 bits, whatever is asked for.
        let numbered = positions < u32::MAX as usize && shares <= Shares::MOST;
        numbered && positions <= self.positions && bytes(positions, shares) <= self.bytes
    }
}

/// The memory of so many positions and shares, in bytes.
const fn bytes(positions: usize, shares: usize) -> usize {
    positions * Packed::BYTES + Shares::bytes(positions, shares)
}

/// A next ply is not begun where the last growth would take it this many times past the limit: growth slows
/// down from ply to ply, but not by as much.
const HOPELESS: usize = 2;

/// The distinct positions at one ply below a root, in the order in which they are first reached when each
/// position's moves are tried in the order of their sixteen bits, and the root's own before that by how many
/// moves they open for the side that makes them, most first.
///
/// What the root's first move opened cannot be reached without it, so its positions lie together, and two who
/// count a half each meet fewer of the same: both together 1.18 times the leaves of one from the start
/// position at ply 5, where the order of the bits alone gave 1.25.
///
/// Two positions are one where their [`Packed`] forms are equal; keys are never trusted for that.
pub struct Frontier {
    pub(crate) ply: u32,
    pub(crate) positions: Column<Packed>,
    pub(crate) shares: Shares,
}

impl Frontier {
    /// The frontier at ply 0: the root alone.
    pub fn root(position: &Position) -> Frontier {
        let mut frontier = Frontier::empty(0);
        frontier.push(position.pack(), std::iter::empty());
        frontier
    }

    /// A frontier without positions, to be filled.
    pub(crate) const fn empty(ply: u32) -> Frontier {
        Frontier { ply, positions: Column::new(), shares: Shares::new() }
    }

    /// Adds the next position, which is not there yet, with its shares in the order of their root moves.
    pub(crate) fn push(&mut self, position: Packed, shares: impl Iterator<Item = Share>) {
        self.positions.push(position);
        self.shares.push(shares);
    }

    /// The frontier exactly `ply` plies below `root`. Raising `stop` ends the growth.
    ///
    /// # Errors
    /// [`GrowError`] where it would pass `limits`, or a number of paths 64 bits.
    pub fn grow(root: &Position, ply: u32, limits: Limits, stop: &AtomicBool) -> Result<Frontier, GrowError> {
        let mut frontier = Frontier::root(root);
        while frontier.ply < ply {
            frontier = frontier.next(root, limits, stop)?;
        }
        Ok(frontier)
    }

    /// The frontier at `ply`, or at the deepest ply before it that keeps to `limits`.
    ///
    /// # Errors
    /// [`GrowError::Stopped`] and [`GrowError::Damaged`] only.
    pub fn grow_within(
        root: &Position,
        ply: u32,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Frontier, GrowError> {
        let mut frontier = Frontier::root(root);
        let mut growth = 1;
        // A ply that is bound to pass the limits would take its time before it did.
        while frontier.ply < ply && frontier.len().saturating_mul(growth) / HOPELESS <= limits.positions {
            match frontier.next(root, limits, stop) {
                Ok(next) => {
                    growth = next.len() / frontier.len().max(1);
                    frontier = next;
                }
                Err(GrowError::TooLarge { .. } | GrowError::TooManyPaths { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(frontier)
    }

    fn next(&self, root: &Position, limits: Limits, stop: &AtomicBool) -> Result<Frontier, GrowError> {
        if self.ply == 0 { Frontier::first(root, limits) } else { growth::next(self, limits, stop) }
    }

    /// The frontier at ply 1. No two moves lead to the same position.
    fn first(root: &Position, limits: Limits) -> Result<Frontier, GrowError> {
        let mut moves = root.legal_moves();
        moves.sort_by_cached_key(|chosen| (Reverse(opened(root, *chosen)), *chosen));
        if !limits.allow(moves.len(), moves.len()) {
            return Err(GrowError::TooLarge { ply: 1, positions: moves.len().min(limits.positions) });
        }
        let mut frontier = Frontier::empty(1);
        for chosen in moves {
            let share = Share { root: chosen, paths: 1 };
            frontier.push(root.after(chosen).pack(), std::iter::once(share));
        }
        Ok(frontier)
    }

    /// Adds the positions of other pieces of the same frontier.
    pub(crate) fn extend(&mut self, pieces: &[Frontier]) {
        let (positions, shares) = (&mut self.positions, &mut self.shares);
        rayon::join(
            || pieces.iter().for_each(|piece| positions.extend(&piece.positions)),
            || pieces.iter().for_each(|piece| shares.extend(&piece.shares)),
        );
    }

    /// Plies between the root and these positions.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// How many distinct positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether no position is left: every line ended before this ply.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All paths from the root to these positions: perft of the ply.
    pub fn paths(&self) -> u128 {
        if self.ply == 0 { 1 } else { self.shares.total() }
    }

    /// The memory of the positions and their shares, in bytes.
    pub fn bytes(&self) -> usize {
        bytes(self.len(), self.shares.len())
    }

    /// The position at `index`.
    pub fn position(&self, index: usize) -> Packed {
        self.positions.get(index)
    }

    /// The positions with indices in `range`, in order, with their shares; what is past the end is left out.
    pub fn slots(&self, range: Range<usize>) -> impl Iterator<Item = Slot> {
        (range.start..range.end.min(self.len())).map(|index| Slot {
            position: self.positions.get(index),
            shares: self.shares_of(index).collect(),
        })
    }

    /// The shares of the position at `index`, in the order of their root moves.
    pub(crate) fn shares_of(&self, index: usize) -> impl ExactSizeIterator<Item = Share> {
        self.shares.of(index)
    }
}

/// The moves of the side that has made this one, were it to move again; none where it gave check.
fn opened(position: &Position, chosen: Move) -> u32 {
    position.after(chosen).after_null().map_or(0, |again| again.count_moves())
}

/// Why a frontier could not be grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GrowError {
    /// There are more positions than allowed.
    #[error(
        "the frontier at ply {ply} passes {positions} positions, the most allowed; a smaller split would be right"
    )]
    TooLarge {
        /// The ply that was being grown.
        ply: u32,
        /// How many positions it had when it was given up.
        positions: usize,
    },
    /// A position is reached by more paths than 64 bits hold.
    #[error("a position at ply {ply} is reached by more than 2^64 paths; a smaller split would be right")]
    TooManyPaths {
        /// The ply that was being grown.
        ply: u32,
    },
    /// It is no longer wanted.
    #[error("the growth of the frontier was stopped before its end")]
    Stopped,
    /// A stored position cannot be read back.
    #[error("a position of the frontier cannot be read back: the memory that held it was damaged")]
    Damaged,
}

#[cfg(test)]
mod tests {
    use super::*;

    static QUIET: AtomicBool = AtomicBool::new(false);

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    /// Distinct positions and paths at plies 0, 1, …: OEIS A083276 and A048987, Chess Programming Wiki.
    fn expect(root: &Position, published: &[(usize, u128)]) {
        for (ply, (positions, paths)) in published.iter().enumerate() {
            let frontier = Frontier::grow(root, ply as u32, Limits::CHOSEN, &QUIET).expect("small enough");
            assert_eq!((frontier.len(), frontier.paths()), (*positions, *paths), "ply {ply}");
        }
    }

    #[test]
    fn start_position_has_the_published_positions() {
        let published = [
            (1, 1),
            (20, 20),
            (400, 400),
            (5_362, 8_902),
            (72_078, 197_281),
            (822_518, 4_865_609),
            (9_417_681, 119_060_324),
        ];
        expect(&Position::startpos(), &published);
    }

    #[test]
    fn kiwipete_has_the_published_positions() {
        let root = KIWIPETE.parse().expect("a position");
        expect(&root, &[(1, 1), (48, 48), (2_038, 2_039), (57_548, 97_862), (1_374_152, 4_085_603)]);
    }

    #[test]
    fn shares_name_the_root_moves_of_all_paths() {
        let root = Position::startpos();
        let frontier = Frontier::grow(&root, 3, Limits::CHOSEN, &QUIET).expect("small enough");
        let mut divide = std::collections::BTreeMap::new();
        for slot in frontier.slots(0..frontier.len()) {
            for share in slot.shares {
                *divide.entry(share.root).or_insert(0) += share.paths;
            }
        }
        for chosen in root.legal_moves() {
            let below = root.after(chosen);
            let counted: u32 =
                below.legal_moves().iter().map(|reply| below.after(*reply).count_moves()).sum();
            assert_eq!(divide[&chosen], u64::from(counted), "{chosen:?}");
        }
    }

    #[test]
    fn limits_end_the_growth() {
        let root = Position::startpos();
        let limits = Limits { positions: 399, bytes: usize::MAX };
        assert_eq!(
            Frontier::grow(&root, 2, limits, &QUIET).err(),
            Some(GrowError::TooLarge { ply: 2, positions: 399 })
        );
        assert_eq!(Frontier::grow_within(&root, 4, limits, &QUIET).map(|it| it.ply()), Ok(1));
        let tight = Limits { positions: usize::MAX, bytes: 1_000 };
        assert_eq!(Frontier::grow_within(&root, 4, tight, &QUIET).map(|it| it.ply()), Ok(1));
    }

    #[test]
    fn paths_past_64_bits_are_refused() {
        // Two kings alone: few positions, and soon more paths than 64 bits hold.
        let root: Position = "k7/8/8/8/8/8/8/7K w - - 0 1".parse().expect("a position");
        let error = Frontier::grow(&root, 60, Limits::CHOSEN, &QUIET).err();
        assert!(matches!(error, Some(GrowError::TooManyPaths { ply: 20..60 })), "{error:?}");
    }

    #[test]
    fn a_raised_stop_ends_the_growth() {
        let stopped = Frontier::grow(&Position::startpos(), 3, Limits::PLANNED, &AtomicBool::new(true));
        assert_eq!(stopped.err(), Some(GrowError::Stopped));
    }
}
