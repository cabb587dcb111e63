//! How the runs that workers are busy with are split, at hand without asking the store.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use vezir_jobs::{Outline, RunId, Task};

/// How runs are split, and what is to be done with their units: it never changes.
#[derive(Default)]
pub(crate) struct Outlines(Mutex<HashMap<RunId, (Outline, Task)>>);

/// Outlines that are kept before all are forgotten, and asked for again.
const OUTLINES_KEPT: usize = 1_024;

impl Outlines {
    pub(crate) fn get(&self, run: RunId) -> Option<(Outline, Task)> {
        self.all().get(&run).cloned()
    }

    pub(crate) fn keep(&self, run: RunId, outline: (Outline, Task)) {
        let mut all = self.all();
        if all.len() >= OUTLINES_KEPT {
            all.clear();
        }
        all.insert(run, outline);
    }

    fn all(&self) -> MutexGuard<'_, HashMap<RunId, (Outline, Task)>> {
        // Entries come and go whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
