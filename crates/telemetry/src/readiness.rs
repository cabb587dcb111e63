//! Whether a process is ready for work, part by part.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The parts of a process that must be ready before it is. Cheap to clone.
#[derive(Clone, Default)]
pub struct Readiness(Arc<Mutex<BTreeMap<&'static str, State>>>);

/// How a part stands.
enum State {
    /// As it said last: why it is not ready, if it is not.
    Told(Option<String>),
    /// As this finds when somebody asks.
    Judged(Box<dyn Fn() -> Result<(), String> + Send>),
}

impl State {
    fn reason(&self) -> Option<String> {
        match self {
            State::Told(reason) => reason.clone(),
            State::Judged(judge) => judge().err(),
        }
    }
}

impl Readiness {
    /// A new part, which is not ready yet. Another of the same name stands for the same part.
    pub fn part(&self, name: &'static str) -> Part {
        let waits = || State::Told(Some("has not started yet".to_owned()));
        self.parts().entry(name).or_insert_with(waits);
        Part { name, of: self.clone() }
    }

    /// A part about which `judge` is asked whenever somebody wants to know; its error goes on from the part's
    /// name.
    pub fn judge(&self, name: &'static str, judge: impl Fn() -> Result<(), String> + Send + 'static) {
        self.parts().insert(name, State::Judged(Box::new(judge)));
    }

    /// Whether every part is ready.
    ///
    /// # Errors
    /// A sentence that names those that are not, each with its reason.
    pub fn check(&self) -> Result<(), String> {
        let parts = self.parts();
        let waiting = parts.iter().filter_map(|(name, state)| Some(format!("{name} {}", state.reason()?)));
        let waiting: Vec<String> = waiting.collect();
        if waiting.is_empty() { Ok(()) } else { Err(format!("not ready: {}", waiting.join("; "))) }
    }

    fn parts(&self) -> MutexGuard<'_, BTreeMap<&'static str, State>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Readiness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Readiness").field(&self.check()).finish()
    }
}

/// One part of a process, as that part sees its readiness. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Part {
    name: &'static str,
    of: Readiness,
}

impl Part {
    /// It is ready.
    pub fn ready(&self) {
        self.of.parts().insert(self.name, State::Told(None));
    }

    /// It is not, or no longer. `reason` goes on from its name: "cannot reach its database".
    pub fn not_ready(&self, reason: impl Into<String>) {
        self.of.parts().insert(self.name, State::Told(Some(reason.into())));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::Readiness;

    #[test]
    fn every_part_must_be_ready() {
        let readiness = Readiness::default();
        assert_eq!(readiness.check(), Ok(()));
        let [store, listener] = ["store", "listener"].map(|name| readiness.part(name));
        store.ready();
        assert_eq!(readiness.check(), Err("not ready: listener has not started yet".to_owned()));
        listener.clone().ready();
        assert_eq!(readiness.check(), Ok(()));
        let silent = Arc::new(AtomicBool::new(true));
        let seen = silent.clone();
        readiness.judge("line", move || {
            if seen.load(Ordering::Relaxed) { Err("is silent".to_owned()) } else { Ok(()) }
        });
        assert_eq!(readiness.check(), Err("not ready: line is silent".to_owned()));
        silent.store(false, Ordering::Relaxed);
        assert_eq!(readiness.check(), Ok(()));
        readiness.part("store").not_ready("cannot write");
        assert_eq!(readiness.check(), Err("not ready: store cannot write".to_owned()));
    }
}
