//! A store in memory that fails, or holds what it is asked, when a test wants it to.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::watch;
use vezir_jobs::ledger::{Answered, CallId, Doubt, Finding, Lease, Tables, Verb};
use vezir_jobs::{RunId, Tally};
use vezir_store::{Expired, Fault, Memory, RunView, Stock, Store, StoreError, Unusable, WorkerView};

/// Its clones are one store.
#[derive(Clone)]
pub(super) struct Willful {
    memory: Memory,
    full: Arc<AtomicBool>,
    /// Whether leases and reads are held.
    held: Arc<watch::Sender<bool>>,
    inside: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Willful {
    pub(super) fn new() -> Willful {
        Willful {
            memory: Memory::new(),
            full: Arc::default(),
            held: Arc::new(watch::Sender::new(false)),
            inside: Arc::default(),
            most: Arc::default(),
        }
    }

    /// Whether its disk is full from now on.
    pub(super) fn fill(&self, full: bool) {
        self.full.store(full, Ordering::SeqCst);
    }

    /// Whether leases and reads are held from now on.
    pub(super) fn hold(&self, held: bool) {
        self.held.send_replace(held);
    }

    /// How many are held, and the most that ever were.
    pub(super) fn inside(&self) -> (usize, usize) {
        (self.inside.load(Ordering::SeqCst), self.most.load(Ordering::SeqCst))
    }

    /// Waits where things are held.
    async fn pass(&self) {
        let mut held = self.held.subscribe();
        if *held.borrow() {
            let _inside = Inside::enter(self);
            // The sender is in `self`.
            let _ = held.wait_for(|held| !held).await;
        }
    }
}

/// Somebody who is held, until dropped.
struct Inside(Arc<AtomicUsize>);

impl Inside {
    fn enter(store: &Willful) -> Inside {
        let inside = store.inside.fetch_add(1, Ordering::SeqCst) + 1;
        store.most.fetch_max(inside, Ordering::SeqCst);
        Inside(store.inside.clone())
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Store for Willful {
    async fn call(&self, id: CallId, verb: Verb<Tally>) -> Result<Answered, StoreError> {
        if self.full.load(Ordering::SeqCst) {
            let why = "the disk is full; free space would be right".to_owned();
            return Err(StoreError::Unusable(Unusable { fault: Fault::Full, why }));
        }
        if matches!(verb, Verb::Lease { .. }) {
            self.pass().await;
        }
        self.memory.call(id, verb).await
    }

    async fn expire(&self) -> Result<Vec<Expired>, StoreError> {
        self.memory.expire().await
    }

    async fn run(&self, run: RunId) -> Result<RunView, StoreError> {
        self.pass().await;
        self.memory.run(run).await
    }

    async fn runs(&self, before: Option<RunId>, most: u32) -> Result<Vec<RunView>, StoreError> {
        self.pass().await;
        self.memory.runs(before, most).await
    }

    async fn open_runs(&self) -> Result<Vec<RunView>, StoreError> {
        self.memory.open_runs().await
    }

    async fn findings(&self, run: RunId, units: Range<u32>) -> Result<Vec<Finding<Tally>>, StoreError> {
        self.pass().await;
        self.memory.findings(run, units).await
    }

    async fn decisions(&self, run: RunId) -> Result<(Vec<Lease>, Vec<Doubt>), StoreError> {
        self.pass().await;
        self.memory.decisions(run).await
    }

    async fn workers(&self) -> Result<Vec<WorkerView>, StoreError> {
        self.pass().await;
        self.memory.workers().await
    }

    async fn stock(&self) -> Result<Stock, StoreError> {
        self.memory.stock().await
    }

    async fn tables(&self) -> Result<Tables<Tally>, StoreError> {
        self.memory.tables().await
    }

    async fn follow(&self, run: RunId) -> Result<watch::Receiver<bool>, StoreError> {
        self.pass().await;
        self.memory.follow(run).await
    }

    fn work(&self) -> watch::Receiver<()> {
        self.memory.work()
    }
}
