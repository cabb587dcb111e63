//! How much room a store and its artifacts take, and how much is left beside them, told to metrics now and then.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::interval;
use vezir_coordinator::metrics::{Metrics, Place};

use crate::home::artifacts_folder;

/// How often somebody looks.
const EVERY: Duration = Duration::from_secs(15);

/// What SQLite keeps beside a file, by the ends of the names.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Measures the disks on which the store of this file and its artifacts are, for ever.
pub(crate) async fn measure(store: PathBuf, metrics: Metrics) {
    let mut times = interval(EVERY);
    loop {
        times.tick().await;
        let (path, metrics) = (store.clone(), metrics.clone());
        // A file system may take its time to answer.
        let measured = tokio::task::spawn_blocking(move || {
            let artifacts = artifacts_folder(&path);
            if let Some(free) = free(&path) {
                metrics.measured_disk(Place::Store, used(&path), free);
            }
            if let Some(free) = free(&artifacts) {
                metrics.measured_disk(Place::Artifacts, below(&artifacts), free);
            }
        });
        if let Err(error) = measured.await {
            tracing::warn!(%error, "the disk was not measured");
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

/// The bytes of all files below a folder, as far as it can be read.
fn below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| {
        let found = entry.metadata().ok()?;
        Some(if found.is_dir() { below(&entry.path()) } else { found.len() })
    });
    sizes.sum()
}

/// The bytes that this user may still write on the file system of a file or a folder.
#[cfg(unix)]
fn free(place: &Path) -> Option<u64> {
    let found = nix::sys::statvfs::statvfs(place).ok()?;
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

    #[test]
    fn artifacts_are_measured_in_their_folders() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(below(&folder.path().join("none")), 0);
        for (name, bytes) in [("ab/abcd", 5), ("cd/cdef", 70), ("staging/1", 900)] {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, vec![0; bytes]).unwrap();
        }
        assert_eq!(below(folder.path()), 975);
    }

    #[tokio::test]
    async fn the_store_and_its_artifacts_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("runs.sqlite");
        fs::write(&store, [0; 5]).unwrap();
        fs::create_dir(artifacts_folder(&store)).unwrap();
        fs::write(artifacts_folder(&store).join("ab"), [0; 70]).unwrap();
        let registry = vezir_telemetry::Registry::new("0").unwrap();
        let metrics = Metrics::new(&registry).unwrap();
        let shown = async {
            loop {
                let text = registry.text().unwrap();
                let used = |place: &str, bytes: u64| {
                    text.contains(&format!("vezir_disk_used_bytes{{place=\"{place}\"}} {bytes}\n"))
                };
                if used("store", 5) && used("artifacts", 70) {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            () = shown => {}
            () = measure(store, metrics) => {}
        }
    }
}
