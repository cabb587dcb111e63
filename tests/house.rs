//! The tree that the tests look at: where it is and which files in it are ours.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that tools make and that hold nothing of ours.
const MADE_BY_TOOLS: [&str; 7] =
    ["target", ".git", ".venv", "__pycache__", "artifacts", "coverage", "corpus"];

/// The top of the tree.
///
/// # Panics
/// If this package does not lie one folder below it.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the tree")
}

/// Every file of ours below `folder`, in order, as paths from the top of the tree.
///
/// # Panics
/// If a folder cannot be read.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&root().join(folder), &mut found);
    found.sort();
    found.into_iter().map(|path| path.strip_prefix(root()).map(Path::to_path_buf).unwrap_or(path)).collect()
}

/// What a file of the tree says, by its path from the top.
///
/// # Panics
/// If it cannot be read as UTF-8.
pub fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names in `folder`, folders with a slash behind them.
///
/// # Panics
/// If it cannot be read.
pub fn entries(folder: &str) -> Vec<String> {
    let mut names: Vec<String> = list(&root().join(folder))
        .into_iter()
        .map(|path| format!("{}{}", name(&path), if path.is_dir() { "/" } else { "" }))
        .collect();
    names.sort();
    names
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in list(folder) {
        if path.is_dir() {
            if !MADE_BY_TOOLS.contains(&name(&path).as_str()) {
                collect(&path, found);
            }
        } else {
            found.push(path);
        }
    }
}

fn list(folder: &Path) -> Vec<PathBuf> {
    let listing = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    listing.map(|entry| entry.expect("a folder can be listed to its end").path()).collect()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
