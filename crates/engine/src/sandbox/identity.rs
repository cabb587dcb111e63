//! Users of programs' own: numbers that belong to nobody, each lent to one program at a time.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::RangeInclusive;
use std::process;
use std::sync::{Mutex, PoisonError};

/// The range that systemd keeps for users that come and go, so that no real one is in it.
const RANGE: RangeInclusive<u32> = 61_184..=65_519;

static LENT: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// A user's number, lent until the value is dropped.
#[derive(Debug)]
pub(crate) struct Identity(u32);

impl Identity {
    /// Lends a number under which nothing runs.
    ///
    /// # Errors
    /// Where the processes of this machine cannot be listed, or all numbers are in use.
    pub(crate) fn borrow() -> io::Result<Identity> {
        let busy: BTreeSet<u32> = crowd()?.into_iter().map(|(user, _)| user).collect();
        let mut lent = LENT.lock().unwrap_or_else(PoisonError::into_inner);
        // Two of us on one machine begin at different places.
        let size = RANGE.end() - RANGE.start() + 1;
        let first = process::id().wrapping_mul(67) % size;
        let mut candidates = (0..size).map(|step| RANGE.start() + (first + step) % size);
        let free = candidates.find(|id| !busy.contains(id) && !lent.contains(id));
        let free = free.ok_or_else(|| io::Error::other("all users kept for programs are in use"))?;
        lent.insert(free);
        Ok(Identity(free))
    }

    pub(crate) fn id(&self) -> u32 {
        self.0
    }
}

impl Drop for Identity {
    fn drop(&mut self) {
        LENT.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// How many processes and threads a user has.
pub(crate) fn present(user: u32) -> io::Result<u64> {
    Ok(crowd()?.into_iter().filter(|(owner, _)| *owner == user).map(|(_, threads)| threads).sum())
}

/// Every process, as its user and its number of threads. One that ends meanwhile is left out.
fn crowd() -> io::Result<Vec<(u32, u64)>> {
    let processes = fs::read_dir("/proc")?.flatten().filter(|entry| {
        let name = entry.file_name();
        name.to_str().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let read = processes.filter_map(|entry| {
        let status = fs::read_to_string(entry.path().join("status")).ok()?;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        Some((u32::try_from(field("Uid:")?).ok()?, field("Threads:")?))
    });
    Ok(read.collect())
}

#[test]
fn no_number_is_lent_twice() {
    let first = Identity::borrow().expect("a number");
    let second = Identity::borrow().expect("another");
    assert_ne!(first.id(), second.id());
    assert!(RANGE.contains(&first.id()));
}

#[test]
fn our_own_threads_are_counted() {
    let user = nix::unistd::getuid().as_raw();
    assert!(present(user).expect("a count") >= 1);
}
