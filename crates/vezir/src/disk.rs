//! How much room a store takes, and how much is left beside it, told to metrics now and then.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::interval;
use vezir_coordinator::metrics::{Metrics, Place};

/// How often somebody looks.
const EVERY: Duration = Duration::from_secs(15);

/// What SQLite keeps beside a file, by the ends of the names.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Measures the disk on which the store of this file is, for ever.
pub(crate) async fn measure(store: PathBuf, metrics: Metrics) {
    let mut times = interval(EVERY);
    loop {
        times.tick().await;
        let path = store.clone();
        // A file system may take its time to answer.
        let found = tokio::task::spawn_blocking(move || Some((used(&path), free(&path)?))).await;
        if let Ok(Some((used, free))) = found {
            metrics.measured_disk(Place::Store, used, free);
        }
    }
}

/// The bytes of the store's files.
fn used(store: &Path) -> u64 {
    let beside = BESIDE.iter().map(|end| {
        let mut name = store.as_os_str().to_owned();
        name.push(end);
        fs::metadata(name).map_or(0, |it| it.len())
    });
    beside.sum()
}

/// The bytes that this user may still write on the file system of the store.
#[cfg(unix)]
fn free(store: &Path) -> Option<u64> {
    let found = nix::sys::statvfs::statvfs(store).ok()?;
    // Their types differ from system to system.
    #[allow(clippy::useless_conversion, reason = "on other systems it is none")]
    Some(u64::from(found.blocks_available()).saturating_mul(u64::from(found.fragment_size())))
}

/// Where nobody tells.
#[cfg(not(unix))]
fn free(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_what_lies_beside_it_are_measured() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("runs.sqlite");
        for (name, bytes) in [("runs.sqlite", 5), ("runs.sqlite-wal", 70), ("other", 900)] {
            fs::write(folder.path().join(name), vec![0; bytes]).unwrap();
        }
        assert_eq!(used(&store), 75);
        #[cfg(unix)]
        assert!(free(&store).is_some_and(|free| free > 0));
    }
}
