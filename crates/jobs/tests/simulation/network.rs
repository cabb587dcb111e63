//! What is on its way, and what happens to it there.

use std::collections::BTreeMap;
use std::time::Duration;

use fastrand::Rng;
use vezir_jobs::ledger::{CallId, Refusal, Reply, Verb};

use crate::truth::Leaves;

/// Something that happens at some time.
#[derive(Clone)]
pub(crate) enum Event {
    /// A call reaches the store; `from` is the worker's place, or nobody's who waits for an answer.
    Call { from: Option<usize>, life: u64, id: CallId, verb: Verb<Leaves> },
    /// An answer reaches a worker.
    Answer { to: usize, life: u64, id: CallId, result: Result<Reply, Refusal> },
    /// A worker goes on.
    Tick(usize),
    /// The store looks at its deadlines.
    Sweep,
    /// Something goes wrong.
    Trouble,
}

/// Everything that is still to happen, in order.
#[derive(Default)]
pub(crate) struct Network {
    events: BTreeMap<(Duration, u64), Event>,
    last: u64,
    /// Whether nothing is lost any longer.
    pub(crate) calm: bool,
    pub(crate) lost: u64,
    pub(crate) doubled: u64,
}

impl Network {
    pub(crate) fn next(&mut self) -> Option<(Duration, Event)> {
        self.events.pop_first().map(|((at, _), event)| (at, event))
    }

    /// Something that happens for certain, and once.
    pub(crate) fn at(&mut self, time: Duration, event: Event) {
        self.last += 1;
        self.events.insert((time, self.last), event);
    }

    /// A message: lost, doubled, late or overtaken.
    pub(crate) fn send(&mut self, rng: &mut Rng, now: Duration, event: Event) {
        let copies = match rng.u32(0..100) {
            _ if self.calm => 1,
            0..8 => 0,
            8..16 => 2,
            _ => 1,
        };
        self.lost += u64::from(copies == 0);
        self.doubled += u64::from(copies == 2);
        for _ in 0..copies {
            let most = if !self.calm && rng.u32(0..20) == 0 { 15_000 } else { 200 };
            self.at(now + Duration::from_millis(rng.u64(1..most)), event.clone());
        }
    }
}
