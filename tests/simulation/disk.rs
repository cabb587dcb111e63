//! A store in memory that outlives coordinators, does not always say what it has done, and is watched.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;
use vezir_jobs::RunId;
use vezir_jobs::ledger::{CallId, Doubt, Finding, Lease, Reply, Tables, Verb};
use vezir_perft::Counted;
use vezir_store::{Expired, Memory, RunView, Stock, Store, StoreError, WorkerView};

use crate::fault::Fault;
use crate::map::Map;

/// What stays when a coordinator crashes. Its clones are one.
#[derive(Clone)]
pub(crate) struct Disk {
    map: Map,
    fault: Option<Fault>,
    kept: Arc<Mutex<Kept>>,
}

struct Kept {
    rows: Memory,
    /// What a crash leaves, where that is not simply the rows.
    durable: Option<Tables<Counted>>,
}

/// What becomes of a transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Commit {
    /// It is committed and answered, after a while.
    Known(Duration),
    /// It is committed, and the answer is that the store cannot be used.
    Silent,
    /// It is not, and that is the answer as well.
    Undone,
}

impl Disk {
    pub(crate) fn new(map: Map, fault: Option<Fault>) -> Disk {
        let kept = Kept { rows: Memory::new(), durable: None };
        Disk { map, fault, kept: Arc::new(Mutex::new(kept)) }
    }

    /// The store as a coordinator that starts finds it.
    pub(crate) fn open(&self) -> Opened {
        let mut kept = self.kept();
        let rows = kept.rows.reopen();
        let durable = kept.durable.take();
        let tables = rows.alter(|tables| {
            if let Some(durable) = durable {
                *tables = durable;
                tables.deadlines.clear();
            }
            if let Some(fault) = self.fault {
                fault.reopen(tables);
            }
            tables.clone()
        });
        kept.rows = rows.clone();
        drop(kept);
        self.map.judge.reopened(tables);
        Opened { disk: self.clone(), rows }
    }

    /// Somebody sets the wall clock ahead.
    pub(crate) fn set_clock(&self, ahead: Duration) {
        if let Some(fault) = self.fault {
            self.kept().rows.alter(|tables| fault.set_clock(tables, ahead));
        }
    }

    /// Every row.
    pub(crate) fn tables(&self) -> Tables<Counted> {
        self.kept().rows.alter(|tables| tables.clone())
    }

    fn fate(&self) -> Commit {
        let Map { weather, judge } = &self.map;
        if weather.strikes(60) {
            judge.count("commits that were not told");
            Commit::Silent
        } else if weather.strikes(60) {
            judge.count("commits that did not happen");
            Commit::Undone
        } else if weather.strikes(8) {
            judge.count("late commits");
            Commit::Known(Duration::from_millis(fastrand::u64(1..300)))
        } else {
            Commit::Known(Duration::ZERO)
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The store of one coordinator.
pub(crate) struct Opened {
    disk: Disk,
    rows: Memory,
}

impl Opened {
    /// Does what is asked, as wrongly as the fault wants it.
    async fn perform(&self, id: CallId, verb: &Verb<Counted>) -> Result<(Reply, bool), StoreError> {
        let Some(fault) = self.disk.fault else {
            let is_new = self.rows.alter(|tables| !tables.calls.contains_key(&id));
            return Ok((self.rows.call(id, verb.clone()).await?, is_new));
        };
        if fault == Fault::AcknowledgedBeforeCommit {
            self.disk.kept().durable = Some(self.rows.alter(|tables| tables.clone()));
        }
        let mut taken = verb.clone();
        let (is_new, before) = self.rows.alter(|tables| {
            fault.twist(tables, &mut taken);
            let before: Vec<Lease> = tables.live().copied().collect();
            (!tables.calls.contains_key(&id), before)
        });
        let reply = self.rows.call(id, taken.clone()).await?;
        self.rows.alter(|tables| fault.spoil(&before, tables, &taken));
        Ok((reply, is_new))
    }

    fn unusable() -> StoreError {
        StoreError::Unusable("the disk does not answer".to_owned())
    }

    /// Fails now and then, as any reading may.
    fn read(&self) -> Result<&Memory, StoreError> {
        if self.disk.map.weather.strikes(100) { Err(Opened::unusable()) } else { Ok(&self.rows) }
    }
}

impl Store for Opened {
    async fn call(&self, id: CallId, verb: Verb<Counted>) -> Result<Reply, StoreError> {
        let judge = &self.disk.map.judge;
        let commit = self.disk.fate();
        if commit == Commit::Undone {
            return Err(Opened::unusable());
        }
        let (reply, is_new) = self.perform(id, &verb).await?;
        if is_new {
            judge.done(&verb, &reply);
        }
        let changed = is_new && !matches!(reply, Reply::Granted(None));
        if changed {
            judge.committed(self.rows.alter(|tables| tables.clone()));
        }
        match commit {
            Commit::Known(Duration::ZERO) => {}
            Commit::Known(wait) => sleep(wait).await,
            Commit::Silent | Commit::Undone => return Err(Opened::unusable()),
        }
        // Meanwhile a lease may have ended.
        if commit == Commit::Known(Duration::ZERO) || !matches!(reply, Reply::Renewed(_)) {
            self.rows.alter(|tables| judge.answered(id, &verb, &reply, tables));
        }
        Ok(reply)
    }

    async fn expire(&self) -> Result<Vec<Expired>, StoreError> {
        self.read()?;
        let expired = self.rows.expire().await?;
        if !expired.is_empty() {
            let tables = self.rows.alter(|tables| {
                for it in &expired {
                    if let (Some(fault), Some(lease)) = (self.disk.fault, tables.leases.get(&(it.run, it.attempt)).copied()) {
                        fault.expire(tables, &lease);
                    }
                }
                tables.clone()
            });
            expired.iter().for_each(|it| self.disk.map.judge.expired(it, &tables));
            self.disk.map.judge.committed(tables);
        }
        Ok(expired)
    }

    async fn run(&self, run: RunId) -> Result<RunView, StoreError> {
        self.read()?.run(run).await
    }

    async fn runs(&self, before: Option<RunId>, most: u32) -> Result<Vec<RunView>, StoreError> {
        self.read()?.runs(before, most).await
    }

    async fn open_runs(&self) -> Result<Vec<RunView>, StoreError> {
        self.read()?.open_runs().await
    }

    async fn findings(&self, run: RunId, units: Range<u32>) -> Result<Vec<Finding<Counted>>, StoreError> {
        self.read()?.findings(run, units).await
    }

    async fn decisions(&self, run: RunId) -> Result<(Vec<Lease>, Vec<Doubt>), StoreError> {
        self.read()?.decisions(run).await
    }

    async fn workers(&self) -> Result<Vec<WorkerView>, StoreError> {
        self.read()?.workers().await
    }

    async fn stock(&self) -> Result<Stock, StoreError> {
        self.read()?.stock().await
    }

    async fn tables(&self) -> Result<Tables<Counted>, StoreError> {
        self.read()?.tables().await
    }

    async fn follow(&self, run: RunId) -> Result<watch::Receiver<bool>, StoreError> {
        self.read()?.follow(run).await
    }

    fn work(&self) -> watch::Receiver<()> {
        self.rows.work()
    }
}
