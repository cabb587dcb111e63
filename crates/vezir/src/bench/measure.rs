//! Counts that are timed: each task in every round, by one counter for each number of threads.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use vezir_chess::Position;
use vezir_perft::{
    CountError, Counter, Figures, Isa, Plan, Share, SignatureError, Slot, StartError, Wish, signature,
};

use crate::bench::case::Task;
use crate::machine;

/// Plies that are made before counting begins, so that all threads have something to do.
const SPLIT: u32 = 2;

/// What is counted, how often, and with what.
pub(crate) struct Bench {
    /// The counts, in the order in which they are told of.
    pub(crate) tasks: Vec<Task>,
    /// How often each is counted.
    pub(crate) rounds: NonZero<u32>,
    /// The instructions.
    pub(crate) isa: Isa,
    /// What the keys of tables grow from.
    pub(crate) seed: u64,
}

/// What came of one task in all rounds.
pub(crate) struct Measured {
    /// The task.
    pub(crate) task: Task,
    /// The leaves that were counted; of a task that went wrong in some round, what was counted in that one.
    pub(crate) nodes: u128,
    /// The memory of the table, in bytes.
    pub(crate) hash_bytes: u64,
    /// The seconds that each round took, in order of length.
    pub(crate) seconds: Vec<f64>,
    /// What all rounds together did.
    pub(crate) figures: Figures,
}

/// What came of all tasks.
pub(crate) struct Outcome {
    /// Each task's part.
    pub(crate) measured: Vec<Measured>,
    /// What pins how counting is done.
    pub(crate) signature: u32,
}

/// Why there is no outcome.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BenchError {
    /// Threads, memory or instructions are lacking.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A count had no answer.
    #[error(transparent)]
    Count(#[from] CountError),
}

impl From<SignatureError> for BenchError {
    fn from(error: SignatureError) -> BenchError {
        match error {
            SignatureError::Start(error) => error.into(),
            SignatureError::Count(error) => error.into(),
        }
    }
}

impl Bench {
    /// Counts everything, round by round: what disturbs the machine for a while then disturbs all alike. `show`
    /// learns of the leaves that each count had, right after it.
    pub(crate) fn run(&self, stop: &AtomicBool, mut show: impl FnMut(u128)) -> Result<Outcome, BenchError> {
        let signature = signature(self.isa, stop)?;
        let mut measured: Vec<Measured> = self.tasks.iter().map(|task| Measured::new(*task, stop)).collect();
        let mut counters: Vec<Counter> = Vec::new();
        for _ in 0..self.rounds.get() {
            for measured in &mut measured {
                let threads = measured.task.threads;
                let counter = match counters.iter_mut().find(|it| it.threads() == threads.get()) {
                    Some(counter) => counter,
                    None => counters.push_mut(self.counter(threads)?),
                };
                show(measured.count(counter, stop)?);
            }
        }
        measured.iter_mut().for_each(|measured| measured.seconds.sort_by(f64::total_cmp));
        Ok(Outcome { measured, signature })
    }

    fn counter(&self, threads: NonZero<usize>) -> Result<Counter, StartError> {
        Ok(Counter::new(threads)?.with_isa(self.isa)?.with_seed(self.seed))
    }
}

impl Measured {
    /// Nothing so far. The table is no larger than the tree can fill, as in a run.
    fn new(task: Task, stop: &AtomicBool) -> Measured {
        let mut hash_bytes = task.hash_bytes;
        let wish = Wish { depth: task.depth, split: None, units: None };
        if hash_bytes > 0
            && let Ok(plan) = Plan::new(&task.position, wish, machine::frontier(), stop)
        {
            hash_bytes = hash_bytes.min(plan.hash_bytes);
        }
        Measured { task, nodes: 0, hash_bytes, seconds: Vec::new(), figures: Figures::default() }
    }

    /// Counts once, and tells what was counted.
    fn count(&mut self, counter: &mut Counter, stop: &AtomicBool) -> Result<u128, BenchError> {
        // Each count begins with a table that knows nothing, and takes the time to fill it.
        counter.reserve(0)?;
        counter.reserve(self.hash_bytes)?;
        let begun = Instant::now();
        let slots = slots(&self.task.position);
        let counted = counter.count(&slots, self.task.depth.saturating_sub(SPLIT), false, stop)?;
        self.seconds.push(begun.elapsed().as_secs_f64());
        counter.reserve(0)?;
        self.figures = self.figures.plus(counted.figures);
        if self.seconds.len() == 1 || self.is_right() {
            self.nodes = counted.answer.nodes;
        }
        Ok(counted.answer.nodes)
    }

    /// Whether every round counted what was published.
    pub(crate) fn is_right(&self) -> bool {
        self.task.published().is_none_or(|published| published == self.nodes)
    }

    /// The median of the seconds.
    pub(crate) fn median(&self) -> f64 {
        self.seconds.get(self.seconds.len() / 2).copied().unwrap_or_default()
    }

    /// Leaves a second, those that the table answered for among them.
    pub(crate) fn speed(&self) -> u128 {
        (self.nodes as f64 / self.median().max(1e-6)) as u128
    }

    /// Which part of the look-ups was answered, 0 to 1.
    pub(crate) fn hit_rate(&self) -> Option<f64> {
        let Figures { probes, hits, .. } = self.figures;
        (probes > 0).then(|| hits as f64 / probes as f64)
    }
}

/// The positions two plies below `root`, in order and as often as there are ways to them: nothing is merged, so
/// that a count without a table walks all its leaves.
fn slots(root: &Position) -> Vec<Slot> {
    let mut slots = Vec::new();
    for first in root.legal_moves() {
        let next = root.after(first);
        for second in next.legal_moves() {
            let shares = vec![Share { root: first, paths: 1 }];
            slots.push(Slot { position: next.after(second).pack(), shares });
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::case::tasks;

    fn bench(tasks: Vec<Task>) -> Bench {
        Bench { tasks, rounds: NonZero::new(2).unwrap(), isa: Isa::Baseline, seed: 5 }
    }

    #[test]
    fn counts_are_held_against_the_published_ones() {
        let mut tasks = tasks(&["startpos".to_owned()], 1 << 20, NonZero::new(2).unwrap(), true);
        tasks[3].named.nodes = &[1, 20, 400, 8_902, 197_281, 4_865_609, 7];
        let mut told = Vec::new();
        let outcome = bench(tasks).run(&AtomicBool::new(false), |nodes| told.push(nodes)).unwrap();
        let right: Vec<bool> = outcome.measured.iter().map(Measured::is_right).collect();
        assert_eq!(right, [true, true, true, false]);
        assert_eq!(told, [4_865_609, 4_865_609, 119_060_324, 119_060_324].repeat(2));
        for measured in &outcome.measured {
            assert_eq!((measured.seconds.len(), measured.hash_bytes), (2, measured.task.hash_bytes));
            assert_eq!(measured.hit_rate().is_some(), measured.task.hash_bytes > 0);
            assert!(measured.seconds[0] <= measured.median() && measured.speed() > 0);
        }
        assert_eq!(outcome.measured[0].figures.walked, 2 * 4_865_609, "every leaf is walked");
    }

    #[test]
    fn a_raised_stop_ends_it() {
        let tasks = tasks(&[], 1 << 20, NonZero::<usize>::MIN, false);
        let ended = bench(tasks).run(&AtomicBool::new(true), |_| panic!("nothing is counted"));
        assert!(matches!(ended, Err(BenchError::Count(CountError::Stopped))));
    }
}
