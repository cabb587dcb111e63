//! A store in memory that outlives coordinators, does not always say what it has done, and is watched.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fastrand::Rng;
use tokio::sync::watch;
use tokio::time::sleep;
use vezir_jobs::ledger::{Answered, CallId, Doubt, Finding, Lease, Reply, Tables, Verb};
use vezir_jobs::{RunId, Tally};
use vezir_store::{Expired, Memory, RunView, Stock, Store, StoreError, Unusable, WorkerView};

use crate::fault::Fault;
use crate::map::Map;

/// What stays when a coordinator crashes. Its clones are one.
#[derive(Clone)]
pub(crate) struct Disk {
    seed: u64,
    map: Map,
    fault: Option<Fault>,
    kept: Arc<Mutex<Kept>>,
}

struct Kept {
    rows: Memory,
    /// What a crash leaves, where that is not simply the rows.
    durable: Option<Tables<Tally>>,
    /// How often each call came.
    times: BTreeMap<CallId, u64>,
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
    pub(crate) fn new(seed: u64, map: Map, fault: Option<Fault>) -> Disk {
        let kept = Kept { rows: Memory::new(), durable: None, times: BTreeMap::new() };
        Disk { seed, map, fault, kept: Arc::new(Mutex::new(kept)) }
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
        let bells = Bells { change: rows.work(), work: Vec::new(), runs: Vec::new() };
        Opened { disk: self.clone(), rows, bells: Mutex::new(bells) }
    }

    /// Somebody sets the wall clock ahead.
    pub(crate) fn set_clock(&self, ahead: Duration) {
        if let Some(fault) = self.fault {
            self.kept().rows.alter(|tables| fault.set_clock(tables, ahead));
        }
    }

    /// Every row.
    pub(crate) fn tables(&self) -> Tables<Tally> {
        self.kept().rows.alter(|tables| tables.clone())
    }

    /// What becomes of a call. The seed decides, and the call itself: not what else the coordinator does.
    fn fate(&self, id: CallId) -> Commit {
        let Map { weather, judge } = &self.map;
        let mut kept = self.kept();
        let times = kept.times.entry(id).or_default();
        *times += 1;
        let mut rng = Rng::with_seed(self.seed ^ id.0 as u64 ^ *times << 32);
        let (commit, what) = match rng.u32(0..120) {
            _ if weather.is_calm() => return Commit::Known(Duration::ZERO),
            0..2 => (Commit::Silent, "commits that were not told"),
            2..4 => (Commit::Undone, "commits that did not happen"),
            4..20 => (Commit::Known(Duration::from_millis(rng.u64(1..300))), "late commits"),
            _ => return Commit::Known(Duration::ZERO),
        };
        judge.count(what);
        commit
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The store of one coordinator.
pub(crate) struct Opened {
    disk: Disk,
    rows: Memory,
    bells: Mutex<Bells>,
}

/// Who waits for a change. A channel wakes those who wait at it in an order that no seed decides, so each has
/// one of its own.
struct Bells {
    change: watch::Receiver<()>,
    work: Vec<watch::Sender<()>>,
    runs: Vec<(watch::Receiver<bool>, watch::Sender<bool>)>,
}

impl Bells {
    /// Tells everybody, in the order in which they came, what they have not been told yet.
    fn ring(&mut self) {
        self.work.retain(|bell| !bell.is_closed());
        if self.change.has_changed().unwrap_or_default() {
            self.change.mark_unchanged();
            self.work.iter().for_each(|bell| bell.send_replace(()));
        }
        self.runs.retain(|(_, bell)| !bell.is_closed());
        for (run, bell) in &mut self.runs {
            if run.has_changed().unwrap_or_default() {
                bell.send_replace(*run.borrow_and_update());
            }
        }
    }
}

impl Opened {
    /// Does what is asked, as wrongly as the fault wants it.
    async fn perform(&self, id: CallId, verb: &Verb<Tally>) -> Result<Answered, StoreError> {
        let Some(fault) = self.disk.fault else {
            return self.rows.call(id, verb.clone()).await;
        };
        if fault == Fault::AcknowledgedBeforeCommit {
            self.disk.kept().durable = Some(self.rows.alter(|tables| tables.clone()));
        }
        let mut taken = verb.clone();
        let before: Vec<Lease> = self.rows.alter(|tables| {
            fault.twist(tables, &mut taken);
            tables.live().copied().collect()
        });
        let answered = self.rows.call(id, taken.clone()).await?;
        self.rows.alter(|tables| fault.spoil(&before, tables, &taken));
        Ok(answered)
    }

    fn bells(&self) -> MutexGuard<'_, Bells> {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unusable() -> StoreError {
        let why = "the disk does not answer; one that does would be right".to_owned();
        StoreError::Unusable(Unusable { fault: vezir_store::Fault::Unreachable, why })
    }

    /// Fails now and then, as any reading may.
    fn read(&self) -> Result<&Memory, StoreError> {
        if self.disk.map.weather.strikes(100) { Err(Opened::unusable()) } else { Ok(&self.rows) }
    }
}

impl Store for Opened {
    async fn call(&self, id: CallId, verb: Verb<Tally>) -> Result<Answered, StoreError> {
        let judge = &self.disk.map.judge;
        let commit = self.disk.fate(id);
        if commit == Commit::Undone {
            return Err(Opened::unusable());
        }
        let performed = self.perform(id, &verb).await;
        self.bells().ring();
        let answered = performed?;
        let reply = &answered.reply;
        if !answered.repeated {
            judge.done(&verb, reply);
        }
        if !answered.repeated && !matches!(reply, Reply::Granted(None)) {
            judge.committed(|| self.rows.alter(|tables| tables.clone()));
        }
        match commit {
            Commit::Known(Duration::ZERO) => {}
            Commit::Known(wait) => sleep(wait).await,
            Commit::Silent | Commit::Undone => return Err(Opened::unusable()),
        }
        // Meanwhile a lease may have ended.
        if commit == Commit::Known(Duration::ZERO) || !matches!(reply, Reply::Renewed(_)) {
            self.rows.alter(|tables| judge.answered(id, &verb, reply, tables));
        }
        Ok(answered)
    }

    async fn expire(&self) -> Result<Vec<Expired>, StoreError> {
        self.read()?;
        let expired = self.rows.expire().await;
        self.bells().ring();
        let expired = expired?;
        if !expired.is_empty() {
            let tables = self.rows.alter(|tables| {
                for it in &expired {
                    if let (Some(fault), Some(lease)) =
                        (self.disk.fault, tables.leases.get(&(it.run, it.attempt)).copied())
                    {
                        fault.expire(tables, &lease);
                    }
                }
                tables.clone()
            });
            expired.iter().for_each(|it| self.disk.map.judge.expired(it, &tables));
            self.disk.map.judge.committed(|| tables);
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

    async fn findings(&self, run: RunId, units: Range<u32>) -> Result<Vec<Finding<Tally>>, StoreError> {
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

    async fn tables(&self) -> Result<Tables<Tally>, StoreError> {
        self.read()?.tables().await
    }

    async fn follow(&self, run: RunId) -> Result<watch::Receiver<bool>, StoreError> {
        let followed = self.read()?.follow(run).await?;
        let (bell, follower) = watch::channel(*followed.borrow());
        self.bells().runs.push((followed, bell));
        Ok(follower)
    }

    fn work(&self) -> watch::Receiver<()> {
        let (bell, waits) = watch::channel(());
        self.bells().work.push(bell);
        waits
    }
}
