//! What cannot be opened is refused with one sentence, and left as it was.

use std::fs;
use std::path::Path;

use sqlx::{ConnectOptions, Connection};

use super::super::file::options;
use super::{Sqlite, place};
use crate::Store;

async fn refusal(path: &Path) -> String {
    let error = Sqlite::open(path).await.expect_err("a store that cannot be opened");
    error.to_string().replace(&path.display().to_string(), "FILE")
}

async fn execute(path: &Path, statement: &'static str) {
    let mut connection = options(path).create_if_missing(true).connect().await.expect("a database");
    sqlx::query(statement).execute(&mut connection).await.expect("a statement that works");
    connection.close().await.expect("a database that closes");
}

#[tokio::test]
async fn a_second_coordinator_is_refused_until_the_first_has_ended() {
    let (_folder, path) = place();
    let first = Sqlite::open(&path).await.expect("a store");
    let id = std::process::id();
    let refused = format!("FILE: process {id} has this store open; its end, or another file, would be right");
    assert_eq!(refusal(&path).await, refused);
    assert_eq!(Sqlite::inspect(&path).await.expect("a store").in_use, Some(Some(id)));
    let clone = first.clone();
    first.close().await;
    assert_eq!(Sqlite::inspect(&path).await.expect("a store").in_use, None);
    let second = Sqlite::open(&path).await.expect("a store that is free");
    let error = clone.stock().await.expect_err("a closed store");
    assert!(error.to_string().contains("it is closed"), "{error}");
    second.close().await;
}

#[tokio::test]
async fn a_store_that_nobody_holds_any_longer_is_free() {
    let (_folder, path) = place();
    drop(Sqlite::open(&path).await.expect("a store"));
    // Its thread ends on its own: the next one waits for the lock a little.
    let again = Sqlite::open(&path).await.expect("a store that is free");
    again.close().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_store_is_in_use_by_whatever_name() {
    let (folder, path) = place();
    let first = Sqlite::open(&path).await.expect("a store");
    let [symbolic, hard] = ["symbolic", "hard"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink(&path, &symbolic).expect("a link");
    fs::hard_link(&path, &hard).expect("a link");
    for name in [&symbolic, &hard] {
        let refused = refusal(name).await;
        assert!(refused.contains("has this store open"), "{refused}");
    }
    fs::remove_file(folder.path().join("vezir.sqlite.lock")).expect("a lock");
    let refused = refusal(&path).await;
    assert!(refused.contains("another process has this store open"), "{refused}");
    first.close().await;
    Sqlite::open(&symbolic).await.expect("a store that is free").close().await;
}

#[tokio::test]
async fn a_store_that_is_taken_away_is_missed() {
    let (folder, path) = place();
    let store = Sqlite::open(&path).await.expect("a store");
    let aside = folder.path().join("aside");
    fs::rename(&path, &aside).expect("another name");
    let missing = store.stock().await.expect_err("no file").to_string();
    assert!(missing.contains("removed or replaced") && missing.contains("would be right"), "{missing}");
    fs::write(&path, b"").expect("another file");
    assert_eq!(store.stock().await.expect_err("another file").to_string(), missing);
    fs::rename(&aside, &path).expect("the old name");
    store.stock().await.expect("it is there again");
    store.close().await;
}

#[tokio::test]
async fn what_is_no_store_is_refused_and_left_alone() {
    let (folder, path) = place();
    let text = "This is a letter, and no database. ".repeat(100);
    fs::write(&path, &text).expect("a file");
    let refused = "FILE: that is no SQLite database; a store of Vezir's, or a new name, would be right";
    assert_eq!(refusal(&path).await, refused);
    assert_eq!(fs::read_to_string(&path).expect("the file"), text);
    let beside = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(beside, 1, "nothing is written beside a letter");

    let error = Sqlite::inspect(&path).await.expect_err("a letter").to_string();
    assert!(error.ends_with("that is no store; a file that Vezir has made would be right"), "{error}");

    let other = folder.path().join("other.sqlite");
    execute(&other, "CREATE TABLE notes (text TEXT)").await;
    let before = fs::read(&other).expect("the file");
    let refused =
        "FILE: that is another program's database; a store of Vezir's, or a new name, would be right";
    assert_eq!(refusal(&other).await, refused);
    assert_eq!(fs::read(&other).expect("the file"), before);

    let nowhere = folder.path().join("none/vezir.sqlite");
    let missing = folder.path().join("none").display().to_string();
    let refused = format!("{missing}: there is no such folder; one that exists would be right");
    assert_eq!(refusal(&nowhere).await, refused);
    assert_eq!(refusal(folder.path()).await, "FILE: that is no file; the name of a file would be right");
    let absent = folder.path().join("absent.sqlite");
    let error = Sqlite::inspect(&absent).await.expect_err("no file").to_string();
    assert!(error.ends_with("there is no such file; a store of Vezir's would be right"), "{error}");
    assert!(!absent.exists(), "an inspection has made a file");
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let (_folder, path) = place();
    Sqlite::open(&path).await.expect("a store").close().await;
    execute(
        &path,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (999, 'later', TRUE, x'00', 0)",
    )
    .await;
    let refused = "FILE: another Vezir has written it (step 999 of its schema); that one, or a newer one, \
                   would be right";
    assert_eq!(refusal(&path).await, refused);
}

#[tokio::test]
async fn an_inspection_leaves_nothing_behind() {
    let (folder, path) = place();
    let names = || {
        let entries =
            fs::read_dir(folder.path()).expect("a folder").map(|it| it.expect("a file").file_name());
        entries.collect::<std::collections::BTreeSet<_>>()
    };
    Sqlite::open(&path).await.expect("a store").close().await;
    let before = names();
    assert!(Sqlite::inspect(&path).await.expect("a store").is_sound());
    assert_eq!(names(), before);
    let open = Sqlite::open(&path).await.expect("a store");
    assert!(Sqlite::inspect(&path).await.expect("a store").in_use.is_some());
    open.close().await;
    assert_eq!(names(), before);
}

#[tokio::test]
async fn an_inspection_finds_what_is_wrong() {
    let (_folder, path) = place();
    Sqlite::open(&path).await.expect("a store").close().await;
    let sound = Sqlite::inspect(&path).await.expect("a store");
    assert!(sound.is_sound(), "{sound:?}");
    execute(&path, "INSERT INTO enrolments VALUES (1, 'ann', 'north')").await;
    execute(&path, "INSERT INTO workers VALUES (1, zeroblob(8), 4, 3, 'active', 0, NULL, NULL)").await;
    execute(&path, "PRAGMA foreign_keys = OFF; INSERT INTO queue VALUES (7, 0, 9)").await;
    let inspection = Sqlite::inspect(&path).await.expect("a store");
    assert_eq!(inspection.violations, ["worker 1 has 3 busy cores, but live leases on 0"]);
    assert_eq!(inspection.faults, ["a row of queue names a row of runs that is not there"]);
    assert_eq!(inspection.rows.iter().find(|(table, _)| *table == "workers"), Some(&("workers", 1)));
    assert!(!inspection.is_sound());
}
