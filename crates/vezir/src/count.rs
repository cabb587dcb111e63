//! Asks for one count after another, and can be interrupted: where the commands meet the cluster.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use vezir_chess::Position;
use vezir_perft::{Answer, Counter, Plan, Wish};

use crate::args::MeansArgs;
use crate::exit::{Exit, Failure};
use crate::interrupt::{Interrupt, interrupted};
use crate::machine;

/// What should be counted.
pub(crate) struct Request {
    /// From where.
    pub(crate) position: Position,
    /// How deep.
    pub(crate) depth: u32,
    /// The split ply, where the user chose one.
    pub(crate) split: Option<u32>,
    /// The number of units, where the user chose one.
    pub(crate) units: Option<NonZero<u32>>,
    /// Whether the last moves are broken down.
    pub(crate) breakdown: bool,
}

impl Request {
    /// A bare count.
    pub(crate) fn plain(position: Position, depth: u32) -> Request {
        Request { position, depth, split: None, units: None, breakdown: false }
    }
}

/// How far a count is.
pub(crate) struct Part {
    /// Which part of the units is done.
    pub(crate) fraction: f64,
    /// What they counted.
    pub(crate) nodes: u128,
}

/// What was counted.
pub(crate) struct Counted {
    /// The answer.
    pub(crate) answer: Answer,
    /// How long it took.
    pub(crate) time: Duration,
    /// How many wrong answers of the table are to be expected.
    pub(crate) expected_false_hits: f64,
}

/// Where counts are asked for.
pub(crate) struct Desk {
    interrupt: Interrupt,
    counter: Arc<std::sync::Mutex<Counter>>,
    hash: u64,
}

impl Desk {
    /// Sets up what counts on this machine.
    pub(crate) async fn open(means: &MeansArgs) -> Result<Desk, Failure> {
        let interrupt = Interrupt::catch()?;
        let threads = means.threads.unwrap_or_else(machine::cores);
        let counter =
            Counter::new(threads).map_err(|error| Failure::new(Exit::Unserved, error.to_string()))?;
        let hash = means.hash.unwrap_or_else(machine::default_hash);
        Ok(Desk { interrupt, counter: Arc::new(std::sync::Mutex::new(counter)), hash })
    }

    /// Counts.
    pub(crate) async fn count(
        &mut self,
        request: &Request,
        show: impl FnMut(Part),
    ) -> Result<Counted, Failure> {
        let begun = Instant::now();
        let _ = show;
        let wish =
            Wish { depth: request.depth, split: request.split, units: request.units.map(NonZero::get) };
        let plan = Plan::new(&request.position, wish)
            .map_err(|error| Failure::new(Exit::BadInput, error.to_string()))?;
        let stop = Arc::new(AtomicBool::new(false));
        let (raised, counter) = (stop.clone(), self.counter.clone());
        let (hash, kinds) = (self.hash.min(plan.hash_bytes), request.breakdown);
        let work = tokio::task::spawn_blocking(move || {
            let mut counter = counter.lock().expect("scaffold");
            counter.reserve(hash).map_err(|error| error.to_string())?;
            let slots: Vec<_> = plan.frontier.slots(0..plan.frontier.len()).collect();
            counter.count(&slots, plan.remaining, kinds, &raised).map_err(|error| error.to_string())
        });
        let counted = tokio::select! {
            counted = work => counted,
            () = self.interrupt.wait() => {
                stop.store(true, Ordering::Relaxed);
                return Err(interrupted());
            }
        };
        let counted = counted.map_err(|error| error.to_string()).flatten();
        let counted = counted.map_err(|error| Failure::new(Exit::NoAnswer, error))?;
        Ok(Counted { answer: counted.answer, time: begun.elapsed(), expected_false_hits: 0.0 })
    }
}
