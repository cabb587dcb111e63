//! The store in a file keeps the contract.

use super::Sqlite;

#[tokio::test(start_paused = true)]
async fn sqlite_keeps_the_contract() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = std::cell::Cell::new(0);
    crate::exercise(|| {
        made.set(made.get() + 1);
        let path = folder.path().join(format!("{}.sqlite", made.get()));
        async { Sqlite::open(path).await.expect("a store") }
    })
    .await;
}
