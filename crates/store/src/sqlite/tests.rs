//! The store in a file: it keeps the contract, it is what a store in memory is, and it says what is wrong.

mod opening;
mod pace;
mod rows;
#[path = "../../tests/crash/script.rs"]
mod script;
mod shelved;
mod twin;

use std::path::PathBuf;

use tempfile::TempDir;

use super::{Opening, Sqlite, Trial};

/// A folder, and the name of a store in it.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder for a store");
    let path = folder.path().join("vezir.sqlite");
    (folder, path)
}

/// A store whose commits do not wait for the disk: no test here takes its power away.
async fn quick(path: &std::path::Path, remembered: usize) -> Sqlite {
    let trial = Trial { synced: false, remembered, ..Trial::default() };
    let opening = Opening { trial, ..Opening::default() };
    Sqlite::open_with(path, opening).await.expect("a store")
}

#[tokio::test(start_paused = true)]
async fn sqlite_keeps_the_contract() {
    let folder = tempfile::tempdir().expect("a folder for stores");
    let made = std::cell::Cell::new(0);
    crate::exercise(|| {
        made.set(made.get() + 1);
        let path = folder.path().join(format!("{}.sqlite", made.get()));
        async { Sqlite::open(path).await.expect("a store") }
    })
    .await;
}
