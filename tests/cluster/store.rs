//! The file in which a coordinator keeps its runs, in a folder that goes when it is dropped.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::vezir;

/// A store's file. Its folder is deleted when it is dropped.
pub struct StoreFile {
    folder: TempDir,
}

impl StoreFile {
    /// A place for a store that does not exist yet.
    ///
    /// # Panics
    /// If no folder can be made.
    #[expect(clippy::new_without_default, reason = "it makes a folder")]
    pub fn new() -> StoreFile {
        StoreFile { folder: TempDir::new().expect("a temporary folder") }
    }

    /// The folder, in which other files of the test may lie.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The file.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("runs.sqlite")
    }

    /// The file, as a word of a command.
    pub fn word(&self) -> String {
        self.path().display().to_string()
    }

    /// Has `vezir doctor` read every row.
    ///
    /// # Panics
    /// If the file is damaged or any law is broken.
    pub fn check(&self) {
        let found = vezir(&["doctor", "--json", "--store", &self.word()]).code(0).json();
        assert_eq!(found["sound"], true, "{found}");
        assert_eq!(found["violations"].as_array().map(Vec::len), Some(0), "{found}");
        assert!(found["rows"].as_object().is_some_and(|rows| !rows.is_empty()), "nothing was read: {found}");
    }
}
