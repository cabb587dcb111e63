//! What is done to calls on their way, how often, and how often it was done.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::dice::Dice;

/// How likely something is done to a call.
const CHANCE: f64 = 0.25;

/// What is left alone: whether anybody is there, which is asked once, and never again.
const LEFT_ALONE: [&str; 1] = ["Check"];

/// What a worker waits for for a minute, and tests do not.
const PATIENT: &str = "Page";

/// Calls that are answered bit by bit, and never twice.
const STREAMS: [&str; 3] = ["Orders", "Watch", "Export"];

/// What is done to a call. The coordinator gets it in any case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Trick {
    /// There is never an answer.
    Swallowed,
    /// The call breaks instead of an answer.
    Broken,
    /// The coordinator gets it twice, one after the other, and either answer is given.
    TwiceInTurn,
    /// The coordinator gets it twice at the same time, and either answer is given.
    TwiceAtOnce,
    /// The coordinator gets it again when it was answered long ago.
    Again,
    /// The answer comes late: after the caller's patience, or after a lease.
    Late,
}

/// Who plays tricks.
pub(crate) struct Mischief {
    tricks: Vec<Trick>,
    pub(crate) dice: Arc<Dice>,
    over: AtomicBool,
    played: Mutex<BTreeMap<(String, Trick), u64>>,
}

impl Mischief {
    /// One who plays these: the first of them on the first call of each method, and then any of them on some.
    pub(crate) fn new(tricks: &[Trick], dice: &Arc<Dice>) -> Mischief {
        let (tricks, dice) = (tricks.to_vec(), dice.clone());
        Mischief { tricks, dice, over: AtomicBool::new(false), played: Mutex::default() }
    }

    /// What is to be done to a call of this method.
    pub(crate) fn choose(&self, method: &str) -> Option<Trick> {
        if self.over.load(Ordering::Relaxed) || LEFT_ALONE.contains(&method) {
            return None;
        }
        let first = self.times(method) == 0;
        if !first && !self.dice.strikes(CHANCE) {
            return None;
        }
        let trick = if first { self.tricks.first().copied() } else { self.dice.one_of(&self.tricks) }?;
        let trick = if trick == Trick::Swallowed && method == PATIENT { Trick::Broken } else { trick };
        let bears = !STREAMS.contains(&method) || matches!(trick, Trick::Swallowed | Trick::Broken);
        if bears {
            *self.played().entry((method.to_owned(), trick)).or_default() += 1;
        }
        bears.then_some(trick)
    }

    /// How often something was done to a call of this method.
    pub(crate) fn times(&self, method: &str) -> u64 {
        self.played().iter().filter(|((it, _), _)| it == method).map(|(_, times)| times).sum()
    }

    /// How often something was done at all.
    pub(crate) fn all(&self) -> u64 {
        self.played().values().sum()
    }

    /// Plays no more.
    pub(crate) fn stop(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// All that was done, in words.
    pub(crate) fn told(&self) -> String {
        format!("{:?}", self.played())
    }

    fn played(&self) -> MutexGuard<'_, BTreeMap<(String, Trick), u64>> {
        self.played.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a method's answer comes bit by bit.
pub(crate) fn is_stream(method: &str) -> bool {
    STREAMS.contains(&method)
}
