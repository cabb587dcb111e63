//! Counts slices of a frontier on all threads: what a worker does all day.

use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use vezir_chess::{Move, NotPacked, Position};

use crate::answer::product;
use crate::keys::Keys;
use crate::tree::Tree;
use crate::{Answer, Breakdown, Counted, Figures, Isa, IsaError, Overflow, Share, Slot, Table, kinds};

/// Threads and a table, kept from one slice to the next: entries stay true for every position.
pub struct Counter {
    pool: ThreadPool,
    table: Option<Table>,
    keys: Box<Keys>,
    isa: Isa,
    walked: Arc<AtomicU64>,
}

impl Counter {
    /// The seed of the table's keys where nobody asks for others.
    pub const SEED: u64 = 0;

    /// A counter on `threads` threads, so far without a table.
    ///
    /// # Errors
    /// [`StartError`] where the system starts no such threads.
    pub fn new(threads: NonZero<usize>) -> Result<Counter, StartError> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .thread_name(|index| format!("count-{index}"))
            .build()?;
        Ok(Counter {
            pool,
            table: None,
            keys: Keys::new(Counter::SEED),
            isa: Isa::detect(),
            walked: Arc::default(),
        })
    }

    /// The same counter with these instructions instead of the best there are.
    ///
    /// # Errors
    /// [`StartError::Isa`] where this machine lacks them.
    pub fn with_isa(self, isa: Isa) -> Result<Counter, StartError> {
        Ok(Counter { isa: isa.here()?, ..self })
    }

    /// The same counter with other keys for its table, those that grow from `seed`; what its table held is lost.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Counter {
        Counter { keys: Keys::new(seed), table: None, ..self }
    }

    /// Sees to a table of at least `bytes`; one that is large enough is kept with all that it knows.
    ///
    /// 0 bytes make the next counts go without a table.
    ///
    /// # Errors
    /// [`StartError`] where the system gives no such memory; there is then no table.
    pub fn reserve(&mut self, bytes: u64) -> Result<(), StartError> {
        if bytes == 0 || self.hash_bytes() < bytes {
            // The old table must be gone before the new one is asked for.
            self.table = None;
        }
        if bytes > self.hash_bytes() {
            self.table = Some(Table::new(bytes).map_err(|source| StartError::Table { bytes, source })?);
        }
        Ok(())
    }

    /// How many threads count.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// The size of the table, in bytes; 0 where there is none.
    pub fn hash_bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, Table::bytes)
    }

    /// The leaves that were really reached so far, by all counts; it grows while a count goes on.
    pub fn walked(&self) -> Arc<AtomicU64> {
        self.walked.clone()
    }

    /// Which part of the table's entries is in use, 0 to 1; 0 where there is none.
    pub fn hash_fill(&self) -> f64 {
        self.table.as_ref().map_or(0.0, Table::fill)
    }

    /// Counts several units side by side, each as [`Counter::count`] does.
    ///
    /// They are begun in their order. `begin` is asked right before each, with the unit's index; where it says
    /// `None` the unit is left out. What it gives goes to `done`, with the answer, as soon as that is there.
    /// Both are called on the counting threads, whose work waits for them. Units may be as small as one slot:
    /// this is what keeps all threads busy then.
    pub fn count_units<B>(
        &self,
        units: &[Vec<Slot>],
        remaining: u32,
        kinds: bool,
        stop: &AtomicBool,
        begin: impl Fn(usize) -> Option<B> + Sync,
        done: impl Fn(usize, B, Result<Counted, CountError>) + Sync,
    ) {
        let next = AtomicUsize::new(0);
        // A thread without a unit of its own helps with the slots of the others'.
        self.pool.broadcast(|_| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(slots) = units.get(index) else { break };
                if let Some(begun) = begin(index) {
                    done(index, begun, self.count(slots, remaining, kinds, stop));
                }
            }
        });
    }

    /// Counts the leaves `remaining` plies below each slot, weighted by its paths.
    ///
    /// A slot without shares is the root itself: its moves make the divide. With `kinds`, the moves of the
    /// last ply are broken down, which takes the table out of use. Raising `stop` ends the count early.
    ///
    /// # Errors
    /// [`CountError`]; nothing is then counted.
    pub fn count(
        &self,
        slots: &[Slot],
        remaining: u32,
        kinds: bool,
        stop: &AtomicBool,
    ) -> Result<Counted, CountError> {
        let counted = self.pool.install(|| {
            slots
                .par_iter()
                .map(|slot| self.slot(slot, remaining, kinds, stop))
                .try_reduce(Counted::default, joined)
        })?;
        if stop.load(Ordering::Relaxed) { Err(CountError::Stopped) } else { Ok(counted) }
    }

    fn slot(
        &self,
        slot: &Slot,
        remaining: u32,
        kinds: bool,
        stop: &AtomicBool,
    ) -> Result<Counted, CountError> {
        let position = slot.position.unpack()?;
        if slot.shares.is_empty() {
            return self.root(&position, remaining, kinds, stop);
        }
        let (nodes, kinds_below, figures) = self.below(&position, remaining, kinds, stop);
        let mut counted = Counted { figures, ..Counted::default() };
        for share in &slot.shares {
            counted.answer.credit(share.root, product(nodes, share.paths)?)?;
            if let Some(part) = &kinds_below {
                counted.answer.breakdown.get_or_insert_default().add(part, share.paths)?;
            }
        }
        Ok(counted)
    }

    /// The root itself: each of its moves is a slice of its own.
    fn root(
        &self,
        root: &Position,
        depth: u32,
        kinds: bool,
        stop: &AtomicBool,
    ) -> Result<Counted, CountError> {
        if depth == 0 || (kinds && depth == 1) {
            return Ok(self.flat(root, depth, kinds, stop));
        }
        let slots: Vec<Slot> = root.legal_moves().into_iter().map(|chosen| child(root, chosen)).collect();
        let parts = slots.par_iter().map(|slot| self.slot(slot, depth - 1, kinds, stop));
        parts.try_reduce(Counted::default, joined)
    }

    fn below(
        &self,
        position: &Position,
        depth: u32,
        kinds: bool,
        stop: &AtomicBool,
    ) -> (u128, Option<Breakdown>, Figures) {
        if kinds {
            let (nodes, kinds) = kinds::count(self.isa, position, depth, stop, &self.walked);
            return (nodes.into(), Some(kinds), Figures { walked: nodes, ..Figures::default() });
        }
        let hash = self.table.as_ref().map(|table| (table, &*self.keys));
        let mut tree = Tree::new(position, hash, stop, &self.walked);
        let nodes = self.isa.count(&mut tree, position, depth);
        (nodes, None, tree.figures)
    }

    /// A root at its own leaves, or one ply above them where those are broken down.
    fn flat(&self, root: &Position, depth: u32, kinds: bool, stop: &AtomicBool) -> Counted {
        let (nodes, breakdown) = kinds::count(self.isa, root, depth, stop, &self.walked);
        let moves = if depth == 0 { Vec::new() } else { root.legal_moves() };
        let divide = moves.into_iter().map(|chosen| (chosen, 1)).collect();
        let figures = Figures { walked: nodes, ..Figures::default() };
        Counted {
            answer: Answer { nodes: nodes.into(), divide, breakdown: kinds.then_some(breakdown) },
            figures,
        }
    }
}

fn joined(sum: Counted, part: Counted) -> Result<Counted, CountError> {
    Ok(sum.plus(part)?)
}

/// The position after one root move, as a slot of its own.
fn child(root: &Position, chosen: Move) -> Slot {
    Slot { position: root.after(chosen).pack(), shares: vec![Share { root: chosen, paths: 1 }] }
}

/// Why a counter could not be made.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The system starts no more threads.
    #[error("cannot start the counting threads: {0}; fewer threads would be right")]
    Threads(#[from] ThreadPoolBuildError),
    /// The machine has no such instructions.
    #[error(transparent)]
    Isa(#[from] IsaError),
    /// The system gives no such piece of memory.
    #[error("cannot reserve a hash table of {bytes} bytes: {source}; a smaller --hash would be right")]
    Table {
        /// The size that was asked for.
        bytes: u64,
        /// What the system said.
        source: io::Error,
    },
}

/// Why a slice was not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CountError {
    /// The count was stopped before its end.
    #[error("the count was stopped before its end")]
    Stopped,
    /// A slot does not hold a position.
    #[error(transparent)]
    Damaged(#[from] NotPacked),
    /// The sum does not fit.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::{Limits, Plan, Wish};

    static QUIET: AtomicBool = AtomicBool::new(false);

    fn counter(threads: usize, hash_bytes: u64) -> Counter {
        let mut counter = Counter::new(NonZero::new(threads).expect("some threads")).expect("threads");
        counter.reserve(hash_bytes).expect("memory");
        counter
    }

    fn total(counter: &Counter, root: &Position, wish: Wish, kinds: bool) -> Counted {
        let plan = Plan::new(root, wish, Limits::CHOSEN, &QUIET).expect("a plan");
        (0..plan.units).fold(Counted::default(), |sum, unit| {
            let slots: Vec<Slot> = plan.frontier.slots(plan.slice(unit)).collect();
            sum.plus(counter.count(&slots, plan.remaining, kinds, &QUIET).expect("a count")).expect("a sum")
        })
    }

    #[test]
    fn every_way_to_count_agrees() {
        let root: Position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
            .parse()
            .expect("a position");
        let plain = counter(1, 0);
        let wish = Wish { depth: 3, split: Some(0), units: None };
        let reference = total(&plain, &root, wish, false).answer;
        assert_eq!(reference.nodes, 97_862);
        assert_eq!(reference.divide.values().sum::<u128>(), reference.nodes);
        for split in 0..=3 {
            for units in [1, 17] {
                for (threads, hash) in [(1, 0), (2, 0), (2, 1 << 12), (2, 1 << 20)] {
                    let wish = Wish { depth: 3, split: Some(split), units: Some(units) };
                    let counted = total(&counter(threads, hash), &root, wish, false);
                    assert_eq!(counted.answer, reference, "split {split} units {units} hash {hash}");
                    assert!(counted.figures.hits <= counted.figures.probes);
                }
            }
        }
        let kinds = total(&plain, &root, wish, true).answer;
        assert_eq!((kinds.nodes, &kinds.divide), (reference.nodes, &reference.divide));
    }

    #[test]
    fn shallow_counts_have_their_divide() {
        let root = Position::startpos();
        let wish = |depth| Wish { depth, split: None, units: None };
        let none = total(&counter(1, 0), &root, wish(0), false).answer;
        assert_eq!((none.nodes, none.divide.len()), (1, 0));
        let one = total(&counter(1, 0), &root, wish(1), false).answer;
        assert_eq!((one.nodes, one.divide.len()), (20, 20));
    }

    #[test]
    fn a_large_table_is_kept_and_a_small_one_replaced() {
        let mut counter = counter(1, 1 << 16);
        let first =
            total(&counter, &Position::startpos(), Wish { depth: 4, split: Some(0), units: None }, false);
        counter.reserve(1 << 12).expect("memory");
        assert_eq!(counter.hash_bytes(), 1 << 16);
        let again =
            total(&counter, &Position::startpos(), Wish { depth: 4, split: Some(0), units: None }, false);
        assert_eq!(again.answer, first.answer);
        assert!(again.figures.walked < first.figures.walked / 10, "the table knew the answer");
        assert!(counter.hash_fill() > 0.1, "{}", counter.hash_fill());
        counter.reserve(0).expect("nothing");
        assert_eq!(counter.hash_bytes(), 0);
    }

    #[test]
    fn units_are_begun_in_order_and_can_be_left_out() {
        let root = Position::startpos();
        let wish = Wish { depth: 4, split: Some(2), units: Some(9) };
        let plan = Plan::new(&root, wish, Limits::CHOSEN, &QUIET).expect("a plan");
        let units: Vec<Vec<Slot>> =
            (0..plan.units).map(|unit| plan.frontier.slots(plan.slice(unit)).collect()).collect();
        let all: u128 = 197_281;
        for threads in [1, 2] {
            let counter = counter(threads, 0);
            let (asked, told) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
            let begin = |index| {
                asked.lock().expect("a list").push(index);
                (index != 4).then_some(index)
            };
            let done = |index, begun, counted: Result<Counted, CountError>| {
                assert_eq!(index, begun);
                told.lock().expect("a list").push((index, counted.expect("a count").answer.nodes));
            };
            counter.count_units(&units, plan.remaining, false, &QUIET, begin, done);
            let (mut asked, mut told) =
                (asked.into_inner().expect("a list"), told.into_inner().expect("a list"));
            if threads > 1 {
                asked.sort_unstable();
                told.sort_unstable();
            }
            assert_eq!(asked, (0..units.len()).collect::<Vec<_>>());
            let indexes: Vec<usize> = told.iter().map(|(index, _)| *index).collect();
            assert_eq!(indexes, [0, 1, 2, 3, 5, 6, 7, 8]);
            let left = counter.count(&units[4], plan.remaining, false, &QUIET).expect("a count").answer.nodes;
            assert_eq!(told.iter().map(|(_, nodes)| nodes).sum::<u128>() + left, all);
            assert_eq!(u128::from(counter.walked().load(Ordering::Relaxed)), all);
        }
    }

    #[test]
    fn leaves_are_told_of_while_a_count_goes_on() {
        let slots: Vec<Slot> = crate::Frontier::root(&Position::startpos()).slots(0..1).collect();
        let (counter, stop) = (counter(2, 0), AtomicBool::new(false));
        let walked = counter.walked();
        for kinds in [false, true] {
            let before = walked.load(Ordering::Relaxed);
            stop.store(false, Ordering::Relaxed);
            std::thread::scope(|scope| {
                let counting = scope.spawn(|| counter.count(&slots, 20, kinds, &stop));
                // The count would take years: that this ends is the proof.
                while walked.load(Ordering::Relaxed) == before {
                    std::thread::yield_now();
                }
                stop.store(true, Ordering::Relaxed);
                assert_eq!(counting.join().expect("no panic"), Err(CountError::Stopped));
            });
        }
    }

    #[test]
    fn a_raised_stop_ends_the_count() {
        let slots: Vec<Slot> = crate::Frontier::root(&Position::startpos()).slots(0..1).collect();
        let stopped = counter(1, 1 << 16).count(&slots, 30, false, &AtomicBool::new(true));
        assert_eq!(stopped, Err(CountError::Stopped));
    }

    #[test]
    fn deep_counts_end_and_what_does_not_fit_is_refused() {
        // Two kings wander: few positions, and at last more than 2^128 ways.
        let root: Position = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().expect("a position");
        let slots: Vec<Slot> = crate::Frontier::root(&root).slots(0..1).collect();
        let counter = counter(2, 1 << 24);
        let deep = counter.count(&slots, 46, false, &QUIET).map(|counted| counted.answer.nodes);
        assert_eq!(deep, Ok(137_974_457_681_696_428_029_580_569_788_150_227_924));
        assert_eq!(counter.count(&slots, 47, false, &QUIET), Err(CountError::Overflow(Overflow)));
        assert_eq!(counter.count(&slots, 64, false, &QUIET), Err(CountError::Overflow(Overflow)));
    }

    #[test]
    fn sums_past_128_bits_are_refused() {
        let mut sum = Answer { nodes: u128::MAX - 1, ..Answer::default() };
        assert_eq!(sum.add(&Answer { nodes: 1, ..Answer::default() }), Err(Overflow));
        assert_eq!(product(1 << 127, 2), Err(Overflow));
    }
}
