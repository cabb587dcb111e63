//! The recursion: leaves below a position; the last ply is never made, and of the ply before it little.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use vezir_chess::{Bitboard, Color, Piece, Position, Sink, Square};

use crate::armies::Armies;
use crate::castling::Castlings;
use crate::fork::Fork;
use crate::keys::{Key, Keys};
use crate::last_two::{self, Scratch};
use crate::machine::{Machine, Work};
use crate::{Figures, Table, leaf};

/// Remaining depth from which a stop is looked for: often enough to be prompt, too seldom to cost.
const STOP_DEPTH: u32 = 4;

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
    pub(crate) castlings: Castlings,
    pub(crate) scratch: Scratch,
    /// Positions two plies above the leaves that wait to be counted, and their keys.
    children: Vec<Armies>,
    keys: Vec<Key>,
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
            children: Vec::new(),
            keys: Vec::new(),
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
}

/// Leaves `depth` plies below `position`; `u128::MAX` where they do not fit, any number once stopped.
pub(crate) fn below<M: Machine>(machine: M, tree: &mut Tree<'_>, position: &Position, depth: u32) -> u128 {
    machine.apart(Below { machine, tree, position, depth })
}

/// The count below one position.
struct Below<'a, 't, M> {
    machine: M,
    tree: &'a mut Tree<'t>,
    position: &'a Position,
    depth: u32,
}

impl<M: Machine> Work for Below<'_, '_, M> {
    type Done = u128;

    #[inline(always)]
    fn done(self) -> u128 {
        let Below { machine, tree, position, depth } = self;
        match depth {
            0 => 1,
            1 => bulk(machine, tree, position),
            _ if depth >= STOP_DEPTH && looks_up(tree) => 0,
            _ => match tree.hash {
                Some((table, keys)) => {
                    let key = keys.key(&Armies::of(position), position.side() == Color::White);
                    tree.figures.probes += 1;
                    if let Some(nodes) = table.get(key, depth) {
                        tree.figures.hits += 1;
                        return nodes;
                    }
                    let nodes = children(machine, tree, position, key, depth);
                    // A stopped count is wrong, and the table outlives it.
                    if !tree.stop.load(Ordering::Relaxed) {
                        table.put(key, depth, nodes);
                    }
                    nodes
                }
                None => children(machine, tree, position, Key(0), depth),
            },
        }
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

/// Leaves below a position, whose key is `key` where there is a table.
#[inline(always)]
fn children<M: Machine>(machine: M, tree: &mut Tree<'_>, position: &Position, key: Key, depth: u32) -> u128 {
    match (depth, position.side()) {
        (2, Color::White) => last_two::<M, true>(machine, tree, &Armies::of(position)).into(),
        (2, Color::Black) => last_two::<M, false>(machine, tree, &Armies::of(position)).into(),
        (3, Color::White) => last_three::<M, true>(machine, tree, position, key),
        (3, Color::Black) => last_three::<M, false>(machine, tree, position, key),
        _ => {
            let mut descent = Descent { machine, tree, position, depth: depth - 1, nodes: 0 };
            position.generate(machine.sliders(), &mut descent);
            descent.nodes
        }
    }
}

/// Leaves three plies below a position in which White moves if `WHITE`.
///
/// All its moves are made before the first of them is counted, so that the table's memory is on its way by then.
#[inline(always)]
fn last_three<M: Machine, const WHITE: bool>(
    machine: M,
    tree: &mut Tree<'_>,
    position: &Position,
    key: Key,
) -> u128 {
    let parent = Armies::of(position);
    let mut children = std::mem::take(&mut tree.children);
    Fork::<_, WHITE>::list(position, &parent, machine.sliders(), &mut children);
    let nodes = match tree.hash {
        None => children.iter().map(|child| other::<M, WHITE>(machine, tree, child)).sum(),
        Some((table, keys)) => {
            let mut list = std::mem::take(&mut tree.keys);
            list.clear();
            for child in &children {
                let key = keys.after(key, WHITE, &parent, child);
                table.prefetch(key, 2);
                list.push(key);
            }
            let mut nodes = 0;
            for (child, key) in children.iter().zip(&list) {
                tree.figures.probes += 1;
                nodes += match table.get(*key, 2) {
                    Some(found) => {
                        tree.figures.hits += 1;
                        found
                    }
                    None => {
                        let counted = other::<M, WHITE>(machine, tree, child);
                        table.put(*key, 2, counted.into());
                        counted.into()
                    }
                };
            }
            tree.keys = list;
            nodes
        }
    };
    tree.children = children;
    nodes
}

/// Leaves two plies below a position in which White moves if not `WHITE`.
#[inline(always)]
fn other<M: Machine, const WHITE: bool>(machine: M, tree: &mut Tree<'_>, armies: &Armies) -> u128 {
    if WHITE {
        last_two::<M, false>(machine, tree, armies).into()
    } else {
        last_two::<M, true>(machine, tree, armies).into()
    }
}

/// Leaves two plies below a position in which White moves if `WHITE`.
#[inline(always)]
fn last_two<M: Machine, const WHITE: bool>(machine: M, tree: &mut Tree<'_>, armies: &Armies) -> u64 {
    let Tree { castlings, scratch, .. } = tree;
    let nodes = machine.apart(LastTwo::<M, WHITE> { machine, armies, castlings, scratch });
    tree.figures.walked += nodes;
    nodes
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
        self.nodes = self.nodes.saturating_add(below(self.machine, self.tree, next, self.depth));
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
