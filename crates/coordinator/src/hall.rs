//! Who is there: the workers that were heard of, in whose name they work, and how orders reach them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;
use vezir_jobs::ledger::Cut;
use vezir_jobs::{RunId, WorkerId};
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::wire::workers::v1::orders_response::Order;

/// Orders that wait for a worker that does not listen: it misses those beyond, and hears what matters when it
/// reports or renews.
const ORDERS_WAITING: usize = 64;

/// The workers that were heard of since this coordinator started. What must not be lost is in the store.
#[derive(Default)]
pub(crate) struct Hall(Mutex<BTreeMap<WorkerId, Presence>>);

struct Presence {
    owner: String,
    version: String,
    incarnation: u64,
    heard: Instant,
    drains: bool,
    orders: Option<mpsc::Sender<Order>>,
}

/// In whose name a worker works, and in which life.
pub(crate) struct Known {
    pub(crate) owner: String,
    pub(crate) incarnation: u64,
}

/// What is known of a worker besides what the store says.
#[derive(Clone, Default)]
pub(crate) struct Seen {
    /// How long ago it was heard of.
    pub(crate) heard: Option<Duration>,
    /// The version of its program.
    pub(crate) version: String,
    /// Whether it listens to orders.
    pub(crate) listens: bool,
}

impl Hall {
    /// A worker has begun a life.
    pub(crate) fn enter(&self, worker: WorkerId, owner: &str, version: &str, incarnation: u64) {
        let presence = Presence {
            owner: owner.to_owned(),
            version: version.to_owned(),
            incarnation,
            heard: Instant::now(),
            drains: false,
            orders: None,
        };
        let mut all = self.all();
        let again = all.get(&worker).is_some_and(|known| known.incarnation == incarnation);
        if !again {
            all.insert(worker, presence);
        }
    }

    /// Notes a sign of life; tells who the worker is, if it was heard of before.
    pub(crate) fn hear(&self, worker: WorkerId) -> Option<Known> {
        let mut all = self.all();
        let known = all.get_mut(&worker)?;
        known.heard = Instant::now();
        Some(Known { owner: known.owner.clone(), incarnation: known.incarnation })
    }

    /// Whether a worker is to take no other job.
    pub(crate) fn drains(&self, worker: WorkerId) -> bool {
        self.all().get(&worker).is_some_and(|known| known.drains)
    }

    /// What is known of a worker.
    pub(crate) fn seen(&self, worker: WorkerId) -> Seen {
        self.all().get(&worker).map_or_else(Seen::default, |known| Seen {
            heard: Some(known.heard.elapsed()),
            version: known.version.clone(),
            listens: known.orders.as_ref().is_some_and(|orders| !orders.is_closed()),
        })
    }

    /// A new stream of orders for a worker of this version; the one before it ends. `None` if it was not heard of.
    pub(crate) fn listen(&self, worker: WorkerId, version: String) -> Option<mpsc::Receiver<Order>> {
        let mut all = self.all();
        let known = all.get_mut(&worker)?;
        let (sender, receiver) = mpsc::channel(ORDERS_WAITING);
        if known.drains {
            let _ = sender.try_send(Order::Drain(wire::Drain {}));
        }
        known.orders = Some(sender);
        known.version = version;
        Some(receiver)
    }

    /// Has every worker drop what it does for a run that has ended.
    pub(crate) fn drop_run(&self, run: RunId) {
        for known in self.all().values_mut() {
            known.order(Order::DropRun(run.0));
        }
    }

    /// Tells a holder that its job was shortened.
    pub(crate) fn cut(&self, run: RunId, cut: Cut) {
        if let Some(known) = self.all().get_mut(&cut.worker) {
            known.order(Order::Cut(wire::Cut { run: run.0, attempt: cut.attempt.0, end: cut.end }));
        }
    }

    /// Has a worker finish what it holds, and end.
    pub(crate) fn drain(&self, worker: WorkerId) {
        if let Some(known) = self.all().get_mut(&worker) {
            known.drains = true;
            known.order(Order::Drain(wire::Drain {}));
        }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<WorkerId, Presence>> {
        // Each entry is whole at any moment.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Presence {
    fn order(&mut self, order: Order) {
        // One that is full or gone is caught up with by the next reply to its worker.
        if let Some(orders) = &self.orders {
            let _ = orders.try_send(order);
        }
    }
}
