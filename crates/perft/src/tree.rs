//! The recursion: leaves below a position; the last ply is never made, and of the ply before it little.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use vezir_chess::{Bitboard, Keys, Piece, Position, Sink, Sliders, Square};

use crate::castling::Castlings;
use crate::last_two::{self, Scratch};
use crate::{Figures, Table, leaf};

/// Remaining depth from which a stop is looked for: often enough to be prompt, too seldom to cost.
const STOP_DEPTH: u32 = 4;

/// The least remaining depth that is worth an entry of the table.
const HASH_DEPTH: u32 = 2;

/// Leaves that a thread walks before it tells of them: a few milliseconds' worth.
const TOLD_LEAVES: u64 = 1 << 20;

/// One thread's descent: what it may use, and what it has done so far.
pub(crate) struct Tree<'a> {
    /// The shared table with the keys that index it; none for a count without hash.
    pub(crate) hash: Option<(&'a Table, &'a Keys)>,
    /// Raised by others when the count is no longer wanted.
    pub(crate) stop: &'a AtomicBool,
    /// The leaves that all threads have told of.
    walked: &'a AtomicU64,
    /// The leaves that this one has told of.
    told: u64,
    pub(crate) figures: Figures,
    /// The ways to castle below the root.
    castlings: Castlings,
    scratch: Scratch,
}

impl<'a> Tree<'a> {
    /// For counts below `root`.
    pub(crate) fn new(
        root: &Position,
        hash: Option<(&'a Table, &'a Keys)>,
        stop: &'a AtomicBool,
        walked: &'a AtomicU64,
    ) -> Tree<'a> {
        let (castlings, scratch) = (Castlings::below(root), Scratch::new());
        Tree { hash, stop, walked, told: 0, figures: Figures::default(), castlings, scratch }
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
}

/// A proof that some instructions are there, and this recursion compiled with them.
pub(crate) trait Machine: Copy {
    /// The way to look sliders up on this machine.
    type Sliders: Sliders;

    fn sliders(self) -> Self::Sliders;

    /// [`below`], compiled for this machine.
    fn below(self, tree: &mut Tree<'_>, position: &Position, depth: u32) -> u128;

    /// Some other task, compiled for this machine.
    fn enter<T: Task>(self, task: T) -> T::Output;
}

/// Work that is compiled for each machine.
pub(crate) trait Task {
    /// What the work ends with.
    type Output;

    fn run<M: Machine>(self, machine: M) -> Self::Output;
}

/// Leaves `depth` plies below `position`; `u128::MAX` where they do not fit, any number once stopped.
#[inline(always)]
pub(crate) fn below<M: Machine>(machine: M, tree: &mut Tree<'_>, position: &Position, depth: u32) -> u128 {
    match depth {
        0 => 1,
        1 => bulk(machine, tree, position),
        _ if depth >= STOP_DEPTH && looks_up(tree) => 0,
        _ => match tree.hash {
            Some((table, keys)) if depth >= HASH_DEPTH => {
                let key = keys.key(position);
                tree.figures.probes += 1;
                if let Some(nodes) = table.get(key, depth) {
                    tree.figures.hits += 1;
                    return nodes;
                }
                let nodes = children(machine, tree, position, depth);
                // A stopped count is wrong, and the table outlives it.
                if !tree.stop.load(Ordering::Relaxed) {
                    table.put(key, depth, nodes);
                }
                nodes
            }
            _ => children(machine, tree, position, depth),
        },
    }
}

/// Tells of what was done, and whether to stop.
#[inline(always)]
fn looks_up(tree: &mut Tree<'_>) -> bool {
    tree.tell(TOLD_LEAVES);
    tree.stop.load(Ordering::Relaxed)
}

/// The number of legal moves: at the last ply nothing needs to be made.
#[inline(always)]
fn bulk<M: Machine>(machine: M, tree: &mut Tree<'_>, position: &Position) -> u128 {
    let moves = leaf::moves(position, machine.sliders(), &tree.castlings);
    tree.figures.walked += u64::from(moves);
    moves.into()
}

#[inline(always)]
fn children<M: Machine>(machine: M, tree: &mut Tree<'_>, position: &Position, depth: u32) -> u128 {
    if depth == 2
        && let Some(nodes) = last_two::count(position, machine.sliders(), &tree.castlings, &mut tree.scratch)
    {
        tree.figures.walked += nodes;
        return nodes.into();
    }
    let mut descent = Descent { machine, tree, position, depth: depth - 1, nodes: 0 };
    position.generate(machine.sliders(), &mut descent);
    descent.nodes
}

/// Makes each move as the generator finds it, and counts below it: no list is ever kept.
struct Descent<'a, 't, M> {
    machine: M,
    tree: &'a mut Tree<'t>,
    position: &'a Position,
    depth: u32,
    nodes: u128,
}

impl<M: Machine> Descent<'_, '_, M> {
    #[inline(always)]
    fn enter(&mut self, next: &Position) {
        // Saturation stands for "does not fit", and survives every further sum.
        self.nodes = self.nodes.saturating_add(self.machine.below(self.tree, next, self.depth));
    }
}

impl<M: Machine> Sink for Descent<'_, '_, M> {
    #[inline(always)]
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard) {
        for to in to {
            self.enter(&self.position.after_piece_move(piece, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, back: i8) {
        for to in to {
            let from = Square::wrapping((to.index() as u8).wrapping_add_signed(back));
            if Bitboard::BACK_RANKS.has(to) {
                for piece in Piece::PROMOTIONS {
                    let sliders = self.machine.sliders();
                    self.enter(&self.position.after_pawn_move(from, to, Some(piece), sliders));
                }
            } else {
                self.enter(&self.position.after_pawn_move(from, to, None, self.machine.sliders()));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.enter(&self.position.after_en_passant(from, to));
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.enter(&self.position.after_castling(king, rook));
    }
}
