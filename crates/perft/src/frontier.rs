//! The frontier: the distinct positions some plies below the root, each with how many ways lead there.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use vezir_chess::{Packed, Position};

use crate::column::Column;
use crate::shares::Shares;
use crate::{Share, Slot};

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
}

/// A next ply is not begun where the last growth would take it this many times past the limit: growth slows
/// down from ply to ply, but not by as much.
const HOPELESS: usize = 2;

/// The distinct positions at one ply below a root, in the order in which they are first reached when each
/// position's moves are tried in the order of their sixteen bits.
///
/// Two positions are one where their [`Packed`] forms are equal; keys are never trusted for that.
pub struct Frontier {
    ply: u32,
    positions: Column<Packed>,
    shares: Shares,
}

impl Frontier {
    /// The frontier at ply 0: the root alone.
    pub fn root(position: &Position) -> Frontier {
        let mut positions = Column::new();
        positions.push(position.pack());
        Frontier { ply: 0, positions, shares: Shares::new() }
    }

    /// The frontier exactly `ply` plies below `root`. Raising `stop` ends the growth.
    ///
    /// # Errors
    /// [`GrowError`] where it would pass `limits`, or a number of paths 64 bits.
    pub fn grow(root: &Position, ply: u32, limits: Limits, stop: &AtomicBool) -> Result<Frontier, GrowError> {
        let mut frontier = Frontier::root(root);
        for _ in 0..ply {
            frontier = frontier.next(limits, stop)?;
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
            match frontier.next(limits, stop) {
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
        self.positions.len() * Packed::BYTES + self.shares.len() * Shares::BYTES
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

    fn shares_of(&self, index: usize) -> impl Iterator<Item = Share> {
        self.shares.of(index)
    }

    /// The frontier one ply further.
    fn next(&self, limits: Limits, stop: &AtomicBool) -> Result<Frontier, GrowError> {
        let mut growth = Growth::new(self.ply + 1, limits);
        for index in 0..self.len() {
            if stop.load(Ordering::Relaxed) {
                return Err(GrowError::Stopped);
            }
            let packed = self.positions.get(index);
            let position = packed.unpack().map_err(|_| GrowError::Damaged)?;
            let mut moves = position.legal_moves();
            // Without this the order would follow the generator's habits, which may change.
            moves.sort_unstable();
            for chosen in moves {
                let at = growth.enter(position.after(chosen).pack())?;
                if self.ply == 0 {
                    growth.credit(at, Share { root: chosen, paths: 1 })?;
                } else {
                    for share in self.shares_of(index) {
                        growth.credit(at, share)?;
                    }
                }
            }
        }
        Ok(growth.finish())
    }
}

/// A frontier in the making, with the index that finds a position again.
struct Growth {
    frontier: Frontier,
    index: HashTable<u32>,
    hasher: FixedState,
    limits: Limits,
}

impl Growth {
    fn new(ply: u32, limits: Limits) -> Growth {
        let frontier = Frontier { ply, positions: Column::new(), shares: Shares::new() };
        Growth { frontier, index: HashTable::new(), hasher: FixedState::default(), limits }
    }

    /// The index of a position, which is added if it is new.
    fn enter(&mut self, packed: Packed) -> Result<usize, GrowError> {
        let positions = &self.frontier.positions;
        let hasher = &self.hasher;
        let same = |at: &u32| positions.get(*at as usize) == packed;
        let again = |at: &u32| hasher.hash_one(positions.get(*at as usize));
        let vacant = match self.index.entry(hasher.hash_one(packed), same, again) {
            Entry::Occupied(found) => return Ok(*found.get() as usize),
            Entry::Vacant(vacant) => vacant,
        };
        let at = positions.len();
        if at >= self.limits.positions || self.frontier.bytes() > self.limits.bytes {
            return Err(GrowError::TooLarge { ply: self.frontier.ply, positions: at });
        }
        vacant.insert(at as u32);
        self.frontier.positions.push(packed);
        self.frontier.shares.open();
        Ok(at)
    }

    fn credit(&mut self, at: usize, share: Share) -> Result<(), GrowError> {
        self.frontier.shares.credit(at, share).ok_or(GrowError::TooManyPaths { ply: self.frontier.ply })
    }

    fn finish(self) -> Frontier {
        self.frontier
    }
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
