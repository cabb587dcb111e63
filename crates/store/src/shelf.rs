//! Every row of a store that keeps them in memory, changed by whole transactions.

use std::collections::BTreeSet;
use std::time::Duration;

use vezir_jobs::Tally;
use vezir_jobs::ledger::{Answered, Call, CallId, Ledger, Refusal, Tables, Verb};

use crate::Expired;
use crate::journal::{Journal, Key, Undo};

/// The rows, and which of them have changed since they were last written down.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    pub(crate) tables: Tables<Tally>,
    changed: BTreeSet<Key>,
}

/// The most calls that are forgotten at once: what is removed together is committed together, and others wait
/// for that. As many in each second are more than are ever made.
const FORGOTTEN: usize = 2_048;

impl Shelf {
    /// One call, whole or not at all.
    pub(crate) fn call(&mut self, now: Duration, id: CallId, verb: Verb<Tally>) -> Result<Answered, Refusal> {
        self.transact(|journal| Ledger::new(journal, now).call(id, verb))
    }

    /// Ends what time ends, each lease in a transaction of its own.
    pub(crate) fn expire(&mut self, now: Duration) -> Result<Vec<Expired>, Refusal> {
        let due = Ledger::new(&mut self.tables, now).due()?;
        let mut expired = Vec::new();
        for (run, attempt) in due {
            let (ended, effects) = self.transact(|journal| {
                let mut ledger = Ledger::new(journal, now);
                Ok((ledger.expire(run, attempt)?, ledger.take_effects()))
            })?;
            let lease = self.tables.leases.get(&(run, attempt));
            if let (Some(end), Some(lease)) = (ended, lease) {
                expired.push(Expired { run, attempt, worker: lease.worker, end, effects });
            }
        }
        self.forget_calls(now);
        Ok(expired)
    }

    /// The keys of rows that were written or removed since they were last asked for.
    pub(crate) fn take_changed(&mut self) -> BTreeSet<Key> {
        std::mem::take(&mut self.changed)
    }

    fn transact<T>(
        &mut self,
        happen: impl FnOnce(&mut Journal<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut undo = Undo::default();
        let happened = happen(&mut Journal::new(&mut self.tables, &mut undo));
        match &happened {
            Ok(_) => self.changed.extend(undo.changed()),
            Err(_) => undo.revert(&mut self.tables),
        }
        happened
    }

    fn forget_calls(&mut self, now: Duration) {
        let Some(last) = now.checked_sub(Call::KEPT) else { return };
        let old = self.tables.calls.marked(..=(last, CallId(u128::MAX)));
        let old: Vec<CallId> = old.take(FORGOTTEN).map(|call| call.id).collect();
        for id in old {
            self.tables.calls.remove(&id);
            self.changed.insert(Key::Call(id));
        }
    }
}
