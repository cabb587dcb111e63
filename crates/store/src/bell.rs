//! Who waits for a change, and how they are told.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use vezir_jobs::ledger::Tables;
use vezir_jobs::{RunId, Tally};

use crate::journal::Key;

/// Rung after each commit, for those whom it concerns.
#[derive(Debug)]
pub(crate) struct Bell {
    work: watch::Sender<()>,
    runs: Mutex<HashMap<RunId, watch::Sender<bool>>>,
}

impl Bell {
    pub(crate) fn new() -> Bell {
        Bell { work: watch::Sender::new(()), runs: Mutex::default() }
    }

    /// Tells of what was committed.
    pub(crate) fn ring(&self, changed: &BTreeSet<Key>, tables: &Tables<Tally>) {
        let gives_work = |key: &Key| matches!(key, Key::Slice(..) | Key::Doubt(..) | Key::Lease(..));
        if changed.iter().any(gives_work) {
            self.work.send_replace(());
        }
        let mut runs = self.runs();
        for id in changed.iter().filter_map(Key::run) {
            let Some(follower) = runs.get(&id) else { continue };
            if follower.is_closed() {
                runs.remove(&id);
            } else {
                let ended = tables.runs.get(&id).is_some_and(|run| run.state.has_ended());
                follower.send_replace(ended);
            }
        }
    }

    /// Tells everybody: what was committed is not known.
    pub(crate) fn ring_all(&self, tables: &Tables<Tally>) {
        self.work.send_replace(());
        let mut runs = self.runs();
        runs.retain(|_, follower| !follower.is_closed());
        for (id, follower) in runs.iter() {
            follower.send_replace(tables.runs.get(id).is_some_and(|run| run.state.has_ended()));
        }
    }

    pub(crate) fn work(&self) -> watch::Receiver<()> {
        self.work.subscribe()
    }

    /// Follows a run that has ended, or has not.
    pub(crate) fn follow(&self, run: RunId, ended: bool) -> watch::Receiver<bool> {
        let mut runs = self.runs();
        let follower = runs.entry(run).or_insert_with(|| watch::Sender::new(ended));
        let receiver = follower.subscribe();
        follower.send_replace(ended);
        receiver
    }

    fn runs(&self) -> MutexGuard<'_, HashMap<RunId, watch::Sender<bool>>> {
        // What is told is a single value: it is whole at any moment.
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
