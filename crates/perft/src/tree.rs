//! The recursion: leaves below a position; the last ply is never made, and of the ply before it little.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use vezir_chess::{Color, Position};

use crate::armies::Armies;
use crate::castling::Castlings;
use crate::fork::Fork;
use crate::keys::{Key, Keys};
use crate::last_two::{self, Scratch};
use crate::machine::{Machine, Work};
use crate::moved::Moved;
use crate::{Figures, Table, leaf};

/// Leaves that a thread walks before it tells of them: a few milliseconds' worth.
const TOLD_LEAVES: u64 = 1 << 20;

/// One thread's descent: what it may use, and what it has done so far.
pub(crate) struct Tree<'a> {
    /// The shared table with the keys that index it; none for a count without hash.
    hash: Option<(&'a Table, &'a Keys)>,
    /// Raised by others when the count is no longer wanted.
    stop: &'a AtomicBool,
    /// The leaves that all threads have told of.
    walked: &'a AtomicU64,
    /// The leaves that this one has told of.
    told: u64,
    pub(crate) figures: Figures,
    /// The ways to castle below the root.
    castlings: Castlings,
    scratch: Scratch,
    /// What waits to be counted, two plies above the leaves and higher up by remaining depth.
    last: Waiting<Armies>,
    upper: Vec<Waiting<Position>>,
}

/// The positions after all moves of one, and their keys where there is a table.
struct Waiting<T> {
    positions: Vec<T>,
    keys: Vec<Key>,
}

impl<T> Default for Waiting<T> {
    fn default() -> Waiting<T> {
        Waiting { positions: Vec::new(), keys: Vec::new() }
    }
}

impl<'a> Tree<'a> {
    /// For counts below `root`.
    pub(crate) fn new(
        root: &Position,
        hash: Option<(&'a Table, &'a Keys)>,
        stop: &'a AtomicBool,
        walked: &'a AtomicU64,
    ) -> Tree<'a> {
        Tree {
            hash,
            stop,
            walked,
            told: 0,
            figures: Figures::default(),
            castlings: Castlings::below(root),
            scratch: Scratch::new(),
            last: Waiting::default(),
            upper: Vec::new(),
        }
    }

    /// Tells of the leaves walked since the last time, where they are at least so many.
    #[inline(always)]
    pub(crate) fn tell(&mut self, least: u64) {
        let fresh = self.figures.walked - self.told;
        if fresh >= least {
            self.walked.fetch_add(fresh, Ordering::Relaxed);
            self.told = self.figures.walked;
        }
    }

    /// The key of a position, where there is a table.
    fn key(&self, position: &Position) -> Key {
        let white = position.side() == Color::White;
        self.hash.map_or(Key::NONE, |(_, keys)| keys.key(&Armies::of(position), white))
    }

    /// Fills in the keys of what stands after the moves of `parent`, where White moves if `white`, and has `depth`
    /// plies left; the table's memory for them is on its way when this returns.
    #[inline(always)]
    fn prepare<T>(
        &self,
        (parent, key, white): (&Armies, Key, bool),
        waiting: &mut Waiting<T>,
        armies: impl Fn(&T) -> Armies,
        depth: u32,
    ) {
        waiting.keys.resize(waiting.positions.len(), Key::NONE);
        if let Some((table, keys)) = self.hash {
            for (child, place) in waiting.positions.iter().zip(&mut waiting.keys) {
                *place = keys.after(key, white, parent, &armies(child));
                table.prefetch(*place, depth);
            }
        }
    }

    /// The count of a position, if the table remembers it.
    #[inline(always)]
    fn recall(&mut self, key: Key, depth: u32) -> Option<u128> {
        let (table, _) = self.hash?;
        self.figures.probes += 1;
        let found = table.get(key, depth)?;
        self.figures.hits += 1;
        Some(found)
    }

    /// Has the table remember a count, unless it was stopped: it is wrong then, and the table outlives it.
    #[inline(always)]
    fn note(&self, key: Key, depth: u32, nodes: u128) {
        if let Some((table, _)) = self.hash
            && !self.stop.load(Ordering::Relaxed)
        {
            table.put(key, depth, nodes);
        }
    }
}

/// Leaves `depth` plies below `position`; `u128::MAX` where they do not fit, any number once stopped.
pub(crate) fn below<M: Machine>(machine: M, tree: &mut Tree<'_>, position: &Position, depth: u32) -> u128 {
    let key = tree.key(position);
    if depth < 2 {
        return machine.apart(Below { machine, tree, position, key, depth });
    }
    tree.recall(key, depth).unwrap_or_else(|| {
        let nodes = machine.apart(Below { machine, tree: &mut *tree, position, key, depth });
        tree.note(key, depth, nodes);
        nodes
    })
}

/// The count below one position.
struct Below<'a, 't, M> {
    machine: M,
    tree: &'a mut Tree<'t>,
    position: &'a Position,
    key: Key,
    depth: u32,
}

impl<M: Machine> Work for Below<'_, '_, M> {
    type Done = u128;

    #[inline(always)]
    fn done(self) -> u128 {
        match (self.depth, self.position.side()) {
            (0, _) => 1,
            (1, _) => self.last_ply(),
            (2, Color::White) => last_two::<M, true>(self.machine, self.tree, &Armies::of(self.position)),
            (2, Color::Black) => last_two::<M, false>(self.machine, self.tree, &Armies::of(self.position)),
            (3, Color::White) => self.last_three::<true>(),
            (3, Color::Black) => self.last_three::<false>(),
            (_, Color::White) => self.more::<true>(),
            (_, Color::Black) => self.more::<false>(),
        }
    }
}

impl<M: Machine> Below<'_, '_, M> {
    /// The number of legal moves.
    #[inline(always)]
    fn last_ply(self) -> u128 {
        let moves = leaf::moves(self.position, self.machine.sliders(), &self.tree.castlings);
        self.tree.figures.walked += u64::from(moves);
        moves.into()
    }

    /// Leaves three plies below, where White moves if `WHITE`: the moves after these are never made as positions.
    #[inline(always)]
    fn last_three<const WHITE: bool>(self) -> u128 {
        let Below { machine, tree, position, key, .. } = self;
        let armies = Armies::of(position);
        let mut waiting = std::mem::take(&mut tree.last);
        Fork::<_, WHITE>::list(position, &armies, machine.sliders(), &mut waiting.positions);
        tree.prepare((&armies, key, WHITE), &mut waiting, Armies::clone, 2);
        let mut nodes = 0;
        for (child, key) in waiting.positions.iter().zip(&waiting.keys) {
            nodes += if let Some(found) = tree.recall(*key, 2) {
                found
            } else {
                let counted = if WHITE {
                    last_two::<M, false>(machine, tree, child)
                } else {
                    last_two::<M, true>(machine, tree, child)
                };
                tree.note(*key, 2, counted);
                counted
            };
        }
        tree.last = waiting;
        nodes
    }

    /// Leaves four plies below or more.
    #[inline(always)]
    fn more<const WHITE: bool>(self) -> u128 {
        let Below { machine, tree, position, key, depth } = self;
        tree.tell(TOLD_LEAVES);
        if tree.stop.load(Ordering::Relaxed) {
            return 0;
        }
        if tree.upper.len() <= depth as usize {
            tree.upper.resize_with(depth as usize + 1, Waiting::default);
        }
        let mut waiting = std::mem::take(&mut tree.upper[depth as usize]);
        Moved::list(position, machine.sliders(), &mut waiting.positions);
        tree.prepare((&Armies::of(position), key, WHITE), &mut waiting, Armies::of, depth - 1);
        let mut nodes = 0_u128;
        for (child, key) in waiting.positions.iter().zip(&waiting.keys) {
            let below = if let Some(found) = tree.recall(*key, depth - 1) {
                found
            } else {
                let (position, key, depth) = (child, *key, depth - 1);
                let counted = machine.apart(Below { machine, tree: &mut *tree, position, key, depth });
                tree.note(key, depth, counted);
                counted
            };
            // Saturation stands for "does not fit", and survives every further sum.
            nodes = nodes.saturating_add(below);
        }
        tree.upper[depth as usize] = waiting;
        nodes
    }
}

/// Leaves two plies below a position in which White moves if `WHITE`.
#[inline(always)]
fn last_two<M: Machine, const WHITE: bool>(machine: M, tree: &mut Tree<'_>, armies: &Armies) -> u128 {
    let Tree { castlings, scratch, .. } = tree;
    let nodes = machine.apart(LastTwo::<M, WHITE> { machine, armies, castlings, scratch });
    tree.figures.walked += nodes;
    nodes.into()
}

/// The count of the last two plies below one position.
struct LastTwo<'a, M, const WHITE: bool> {
    machine: M,
    armies: &'a Armies,
    castlings: &'a Castlings,
    scratch: &'a mut Scratch,
}

impl<M: Machine, const WHITE: bool> Work for LastTwo<'_, M, WHITE> {
    type Done = u64;

    #[inline(always)]
    fn done(self) -> u64 {
        last_two::count::<M, WHITE>(self.armies, self.machine, self.castlings, self.scratch)
    }
}
