//! One part of a frontier in the making: the positions whose hashes agree in a few bits.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use vezir_chess::{Move, Packed};

use crate::Share;
use crate::column::Column;

/// A position that is reached from one a ply before.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    /// The position.
    pub(crate) position: Packed,
    /// How it is reached.
    pub(crate) step: Step,
    hash: u32,
}

impl Child {
    pub(crate) fn new(position: Packed, step: Step) -> Child {
        let mut hasher = FixedState::default().build_hasher();
        position.0.into_iter().for_each(|plane| hasher.write_u64(plane));
        Child { position, step, hash: hasher.finish() as u32 }
    }

    /// The number of the drawer, of so many, that it belongs into.
    pub(crate) const fn drawer(&self, drawers: usize) -> usize {
        // The other bits are what tells the positions of a drawer apart.
        self.hash as usize % drawers
    }
}

/// The hash as the index wants it: the lowest bits choose a bucket, the highest are compared.
const fn spread(hash: u32) -> u64 {
    (hash as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32)
}

/// A way to reach a position.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// The index of the position one ply before.
    pub(crate) parent: u32,
    /// What is played there.
    pub(crate) chosen: Move,
}

impl Step {
    /// Grows from step to step in the order in which they are tried.
    pub(crate) const fn ordinal(self) -> u64 {
        (self.parent as u64) << 16 | self.chosen.bits() as u64
    }
}

/// Distinct positions in the order of their first steps, with the index that finds one again and a chain of
/// shares for each.
pub(crate) struct Drawer {
    index: HashTable<Place>,
    found: Column<Found>,
    /// What does not fit into `found`: the second share of a position, the third and so on.
    links: Column<Link>,
    /// How many positions there were after each task.
    ends: Vec<usize>,
}

/// Where the position with this hash is. The hash is kept so that the index can grow without a look at what
/// it points to.
#[derive(Clone, Copy)]
struct Place {
    hash: u32,
    at: u32,
}

/// What a drawer holds of a position, side by side: whoever asks for one part asks for most.
#[derive(Clone, Copy)]
struct Found {
    position: Packed,
    step: Step,
    first: Link,
}

/// One share of a position, and where its next one is.
#[derive(Clone, Copy)]
struct Link {
    paths: u64,
    next: u32,
    root: Move,
}

/// Marks the end of a chain.
const END: u32 = u32::MAX;

impl Link {
    const fn last(share: Share) -> Link {
        Link { paths: share.paths, next: END, root: share.root }
    }

    const fn share(&self) -> Share {
        Share { root: self.root, paths: self.paths }
    }

    fn add(&mut self, paths: u64) -> Option<()> {
        self.paths = self.paths.checked_add(paths)?;
        Some(())
    }
}

impl Drawer {
    pub(crate) const fn new() -> Drawer {
        Drawer { index: HashTable::new(), found: Column::new(), links: Column::new(), ends: Vec::new() }
    }

    /// How many positions it holds.
    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// How many shares they have.
    pub(crate) fn shares(&self) -> usize {
        self.found.len() + self.links.len()
    }

    /// Takes in a child, whose steps must come in order, with the shares of its parent; `None` where paths
    /// pass 64 bits or the chains 2^32 shares.
    pub(crate) fn take_in(&mut self, child: &Child, mut shares: impl Iterator<Item = Share>) -> Option<()> {
        let found = &self.found;
        let same = |place: &Place| {
            place.hash == child.hash && found.get(place.at as usize).position == child.position
        };
        let at = match self.index.entry(spread(child.hash), same, |place| spread(place.hash)) {
            Entry::Occupied(place) => place.get().at as usize,
            Entry::Vacant(vacant) => {
                let first = Link::last(shares.next()?);
                let at = found.len();
                vacant.insert(Place { hash: child.hash, at: at as u32 });
                self.found.push(Found { position: child.position, step: child.step, first });
                at
            }
        };
        shares.try_for_each(|share| self.credit(at, share))
    }

    fn credit(&mut self, at: usize, share: Share) -> Option<()> {
        let first = &mut self.found.get_mut(at).first;
        if first.root == share.root {
            return first.add(share.paths);
        }
        let mut next = first.next;
        while next != END {
            let link = self.links.get_mut(next as usize);
            if link.root == share.root {
                return link.add(share.paths);
            }
            next = link.next;
        }
        let new = u32::try_from(self.links.len()).ok().filter(|new| *new != END)?;
        self.links.push(Link { next: first.next, ..Link::last(share) });
        first.next = new;
        Some(())
    }

    /// Gives back the memory of the index; nothing can be taken in any more.
    pub(crate) fn close(&mut self) {
        self.index = HashTable::new();
    }

    /// Marks the end of what one task found.
    pub(crate) fn end_task(&mut self) {
        self.ends.push(self.len());
    }

    /// The positions that were first found by the task with this number.
    pub(crate) fn found_by(&self, task: usize) -> Range<usize> {
        let begin = if task == 0 { 0 } else { self.ends[task - 1] };
        begin..self.ends[task]
    }

    /// The first step to the position at `at`.
    pub(crate) fn step(&self, at: usize) -> Step {
        self.found.get(at).step
    }

    /// The position at `at`.
    pub(crate) fn position(&self, at: usize) -> Packed {
        self.found.get(at).position
    }

    /// The shares of the position at `at`, in no order.
    pub(crate) fn shares_of(&self, at: usize) -> impl Iterator<Item = Share> {
        let follow = |link: &Link| (link.next != END).then(|| self.links.get(link.next as usize));
        std::iter::successors(Some(self.found.get(at).first), follow).map(|link| link.share())
    }
}

#[cfg(test)]
mod tests {
    use vezir_chess::Position;

    use super::*;

    /// The children of the start position, all with one hash.
    fn clashing() -> Vec<Child> {
        let root = Position::startpos();
        let step = |chosen| Step { parent: 0, chosen };
        let child = |chosen| Child { hash: 7, ..Child::new(root.after(chosen).pack(), step(chosen)) };
        root.legal_moves().into_iter().map(child).collect()
    }

    #[test]
    fn an_equal_hash_does_not_make_positions_equal() {
        let children = clashing();
        let mut drawer = Drawer::new();
        for paths in [1, 10] {
            for child in &children {
                let share = Share { root: child.step.chosen, paths };
                assert_eq!(drawer.take_in(child, std::iter::once(share)), Some(()));
            }
        }
        assert_eq!((drawer.len(), drawer.shares()), (20, 20));
        for (at, child) in children.iter().enumerate() {
            assert_eq!(drawer.position(at), child.position);
            let shares: Vec<Share> = drawer.shares_of(at).collect();
            assert_eq!(shares, [Share { root: child.step.chosen, paths: 11 }]);
        }
    }

    #[test]
    fn paths_past_64_bits_are_noticed_in_every_share() {
        let children = clashing();
        let mut drawer = Drawer::new();
        let shares = || children.iter().map(|child| Share { root: child.step.chosen, paths: u64::MAX });
        assert_eq!(drawer.take_in(&children[0], shares()), Some(()));
        assert_eq!(drawer.shares(), 20);
        for share in shares() {
            let more = std::iter::once(Share { paths: 1, ..share });
            assert_eq!(drawer.take_in(&children[0], more), None);
        }
    }
}
