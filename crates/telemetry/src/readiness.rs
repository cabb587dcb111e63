//! Whether a process is ready for work, part by part.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The parts of a process that must be ready before it is. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Readiness(Arc<Mutex<BTreeMap<&'static str, Option<String>>>>);

impl Readiness {
    /// A new part, which is not ready yet. Another of the same name stands for the same part.
    pub fn part(&self, name: &'static str) -> Part {
        self.parts().entry(name).or_insert_with(|| Some("has not started yet".to_owned()));
        Part { name, of: self.clone() }
    }

    /// Whether every part is ready.
    ///
    /// # Errors
    /// A sentence that names those that are not, each with its reason.
    pub fn check(&self) -> Result<(), String> {
        let parts = self.parts();
        let waiting = parts.iter().filter_map(|(name, reason)| Some(format!("{name} {}", reason.as_ref()?)));
        let waiting: Vec<String> = waiting.collect();
        if waiting.is_empty() { Ok(()) } else { Err(format!("not ready: {}", waiting.join("; "))) }
    }

    fn parts(&self) -> MutexGuard<'_, BTreeMap<&'static str, Option<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.of.parts().insert(self.name, None);
    }

    /// It is not, or no longer. `reason` goes on from its name: "cannot reach its database".
    pub fn not_ready(&self, reason: impl Into<String>) {
        self.of.parts().insert(self.name, Some(reason.into()));
    }
}

#[cfg(test)]
mod tests {
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
        readiness.part("store").not_ready("cannot write");
        assert_eq!(readiness.check(), Err("not ready: store cannot write".to_owned()));
    }
}
