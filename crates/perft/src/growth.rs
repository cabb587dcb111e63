//! Grows a frontier by one ply on all threads, in the same order whatever their number.
//!
//! Parents are expanded in rounds, each by many tasks. A task deals the children that it finds into drawers
//! by their hash; then each drawer, small enough for a core's cache, takes in what all tasks dealt to it, in
//! the order of the tasks. So every drawer sees its positions in the order in which they are first reached,
//! and its memory stays warm, where one large index would miss the cache for each child. At the end the
//! drawers are merged by the first step to each position.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::drawer::{Child, Drawer, Step};
use crate::{Frontier, GrowError, Limits, Share};

/// Into how many drawers the positions are dealt.
const DRAWERS: usize = 256;

/// Parents that one task expands, or whose children one task merges.
const TASK: usize = 1 << 10;

/// Parents of the first rounds.
const SMALL_ROUND: usize = 1 << 14;

/// A round has one parent for each so many positions that are already there: so it brings about as many
/// children as there are positions, which pays for going through the drawers once more, and takes less
/// memory than the merge will.
const POSITIONS_PER_PARENT: usize = 32;

/// A guess at the moves of a position, for room that is made beforehand.
const USUAL_MOVES: usize = 40;

/// Tasks of the merge whose results are held at once.
const MERGED: usize = 32;

/// What one task dealt into each drawer.
type Dealt = Vec<Vec<Child>>;

/// The frontier one ply below `parents`, which are not the root. Memory at the most: about two and a half times
/// its own.
pub(crate) fn next(parents: &Frontier, limits: Limits, stop: &AtomicBool) -> Result<Frontier, GrowError> {
    let mut drawers: Vec<Drawer> = std::iter::repeat_with(Drawer::new).take(DRAWERS).collect();
    let (mut begin, mut tasks, mut positions) = (0, 0, 0);
    while begin < parents.len() {
        let round = SMALL_ROUND.max(positions / POSITIONS_PER_PARENT);
        let end = parents.len().min(begin + round);
        let dealt = expand(parents, begin..end, stop)?;
        take_in(&mut drawers, parents, &dealt, stop)?;
        positions = measure(&drawers, parents.ply() + 1, limits)?;
        tasks += dealt.len();
        begin = end;
    }
    merge(parents.ply() + 1, drawers, tasks, stop)
}

/// Finds the children of some parents.
fn expand(parents: &Frontier, range: Range<usize>, stop: &AtomicBool) -> Result<Vec<Dealt>, GrowError> {
    tasks(range).into_par_iter().map(|task| deal(parents, task, stop)).collect()
}

fn tasks(range: Range<usize>) -> Vec<Range<usize>> {
    range.clone().step_by(TASK).map(|begin| begin..range.end.min(begin + TASK)).collect()
}

fn deal(parents: &Frontier, task: Range<usize>, stop: &AtomicBool) -> Result<Dealt, GrowError> {
    let usual = task.len() * USUAL_MOVES / DRAWERS;
    let mut dealt: Dealt = std::iter::repeat_with(|| Vec::with_capacity(usual)).take(DRAWERS).collect();
    for parent in task {
        if stop.load(Ordering::Relaxed) {
            return Err(GrowError::Stopped);
        }
        let position = parents.position(parent).unpack().map_err(|_| GrowError::Damaged)?;
        let mut moves = position.legal_moves();
        // Without this the order would follow the generator's habits, which may change.
        moves.sort_unstable();
        for chosen in moves {
            let child = Child::new(position.after(chosen).pack(), Step { parent: parent as u32, chosen });
            dealt[child.drawer(DRAWERS)].push(child);
        }
    }
    Ok(dealt)
}

/// Puts the children of a round into their drawers.
fn take_in(
    drawers: &mut [Drawer],
    parents: &Frontier,
    dealt: &[Dealt],
    stop: &AtomicBool,
) -> Result<(), GrowError> {
    drawers.par_iter_mut().enumerate().try_for_each(|(number, drawer)| {
        for task in dealt {
            if stop.load(Ordering::Relaxed) {
                return Err(GrowError::Stopped);
            }
            for child in &task[number] {
                hand_down(parents, child, drawer)
                    .ok_or(GrowError::TooManyPaths { ply: parents.ply() + 1 })?;
            }
            drawer.end_task();
        }
        Ok(())
    })
}

/// Puts a child into its drawer with what leads to its parent.
fn hand_down(parents: &Frontier, child: &Child, drawer: &mut Drawer) -> Option<()> {
    drawer.take_in(child, parents.shares_of(child.step.parent as usize))
}

/// How many positions there are, where they keep to the limits.
fn measure(drawers: &[Drawer], ply: u32, limits: Limits) -> Result<usize, GrowError> {
    let positions = drawers.iter().map(Drawer::len).sum();
    let shares = drawers.iter().map(Drawer::shares).sum();
    if limits.allow(positions, shares) {
        return Ok(positions);
    }
    Err(GrowError::TooLarge { ply, positions: positions.min(limits.positions) })
}

/// All positions in the order of their first steps.
fn merge(ply: u32, mut drawers: Vec<Drawer>, tasks: usize, stop: &AtomicBool) -> Result<Frontier, GrowError> {
    drawers.iter_mut().for_each(Drawer::close);
    let mut merged = Frontier::empty(ply);
    for begin in (0..tasks).step_by(MERGED) {
        if stop.load(Ordering::Relaxed) {
            return Err(GrowError::Stopped);
        }
        let batch = begin..tasks.min(begin + MERGED);
        let pieces: Vec<Frontier> = batch.into_par_iter().map(|task| piece(ply, &drawers, task)).collect();
        merged.extend(&pieces);
    }
    Ok(merged)
}

/// The part of a frontier that one task was the first to find.
fn piece(ply: u32, drawers: &[Drawer], task: usize) -> Frontier {
    let mut order: Vec<(u64, u32, u32)> = Vec::new();
    for (number, drawer) in drawers.iter().enumerate() {
        let found = drawer.found_by(task);
        order.extend(found.map(|at| (drawer.step(at).ordinal(), number as u32, at as u32)));
    }
    order.sort_unstable();
    let mut piece = Frontier::empty(ply);
    let mut shares: Vec<Share> = Vec::new();
    for (_, number, at) in order {
        let drawer = &drawers[number as usize];
        shares.clear();
        shares.extend(drawer.shares_of(at as usize));
        shares.sort_unstable_by_key(|share| share.root);
        piece.push(drawer.position(at as usize), shares.iter().copied());
    }
    piece
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use vezir_chess::{Move, Packed, Position};

    use super::*;
    use crate::Slot;

    static QUIET: AtomicBool = AtomicBool::new(false);

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    /// All slots `ply` plies below `root`, found as simply as can be.
    fn simply(root: &Position, ply: u32) -> Vec<Slot> {
        let mut slots = vec![Slot { position: root.pack(), shares: Vec::new() }];
        for _ in 0..ply {
            let mut places: HashMap<Packed, usize> = HashMap::new();
            let mut found: Vec<(Packed, BTreeMap<Move, u64>)> = Vec::new();
            for slot in &slots {
                let position = slot.position.unpack().expect("a position");
                let mut moves = position.legal_moves();
                moves.sort_unstable();
                if slot.shares.is_empty() {
                    let again = |it: &Move| position.after(*it).after_null().map_or(0, |it| it.count_moves());
                    moves.sort_by_key(|it| std::cmp::Reverse(again(it)));
                }
                for chosen in moves {
                    let child = position.after(chosen).pack();
                    let at = *places.entry(child).or_insert(found.len());
                    if at == found.len() {
                        found.push((child, BTreeMap::new()));
                    }
                    let first = [Share { root: chosen, paths: 1 }];
                    for share in if slot.shares.is_empty() { &first } else { &slot.shares[..] } {
                        *found[at].1.entry(share.root).or_default() += share.paths;
                    }
                }
            }
            let shares = |credits: BTreeMap<Move, u64>| {
                credits.into_iter().map(|(root, paths)| Share { root, paths }).collect()
            };
            slots = found
                .into_iter()
                .map(|(position, credits)| Slot { position, shares: shares(credits) })
                .collect();
        }
        slots
    }

    fn slots(root: &Position, ply: u32, threads: usize) -> Vec<Slot> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let frontier = pool.install(|| Frontier::grow(root, ply, Limits::CHOSEN, &QUIET)).expect("small");
        frontier.slots(0..frontier.len()).collect()
    }

    /// The last of them takes several rounds.
    #[test]
    fn threads_and_rounds_change_nothing() {
        for (fen, ply) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
            ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
            ("k7/8/8/8/8/8/8/7K w - - 0 1", 9),
            (KIWIPETE, 4),
        ] {
            let root = fen.parse().expect("a position");
            let simple = simply(&root, ply);
            assert!(fen != KIWIPETE || simple.len() > 2 * SMALL_ROUND);
            for threads in [1, 2, 5] {
                assert!(slots(&root, ply, threads) == simple, "{fen} on {threads} threads");
            }
        }
    }

    #[test]
    fn a_position_that_is_none_is_noticed() {
        let mut parents = Frontier::empty(1);
        parents.push(Packed([0; 4]), std::iter::empty());
        assert_eq!(next(&parents, Limits::CHOSEN, &QUIET).err(), Some(GrowError::Damaged));
    }

    #[test]
    fn a_frontier_may_be_as_large_as_the_limits_and_no_larger() {
        let root = Position::startpos();
        let grown = Frontier::grow(&root, 3, Limits::CHOSEN, &QUIET).expect("small");
        let exact = Limits { positions: grown.len(), bytes: grown.bytes() };
        assert!(Frontier::grow(&root, 3, exact, &QUIET).is_ok());
        for limits in
            [Limits { positions: exact.positions - 1, ..exact }, Limits { bytes: exact.bytes - 1, ..exact }]
        {
            let refused = Frontier::grow(&root, 3, limits, &QUIET).err();
            assert_eq!(refused, Some(GrowError::TooLarge { ply: 3, positions: limits.positions }));
        }
    }
}
