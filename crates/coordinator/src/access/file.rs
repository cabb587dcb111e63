//! The file in which a coordinator's tokens are kept, and how changes of it are noticed.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use super::tokens::{Faults, MAX_TEXT_BYTES, Tokens};

/// A file of tokens as it was last read.
#[derive(Debug)]
pub struct TokenFile {
    path: PathBuf,
    held: RwLock<Held>,
}

#[derive(Clone, Debug)]
struct Held {
    tokens: Arc<Tokens>,
    stamp: Stamp,
    shared: bool,
}

/// By what a change is noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stamp {
    written: Option<SystemTime>,
    bytes: u64,
    inode: u64,
}

impl TokenFile {
    /// Reads the file.
    ///
    /// # Errors
    /// [`TokenFileError`] where it cannot be read, is wrong, or holds no token: then nobody could call.
    pub fn open(path: impl Into<PathBuf>) -> Result<TokenFile, TokenFileError> {
        let path = path.into();
        let held = read(&path)?;
        if held.tokens.entries().is_empty() {
            return Err(TokenFileError::Empty { path });
        }
        Ok(TokenFile { path, held: RwLock::new(held) })
    }

    /// The tokens, as they were last read.
    #[must_use]
    pub fn tokens(&self) -> Arc<Tokens> {
        self.held.read().unwrap_or_else(PoisonError::into_inner).tokens.clone()
    }

    /// Reads the file again. A file that has lost its last token is right: then nobody may call.
    ///
    /// # Errors
    /// [`TokenFileError`]; the tokens stay as they were.
    pub fn reload(&self) -> Result<(), TokenFileError> {
        let held = read(&self.path)?;
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = held;
        Ok(())
    }

    /// Reads the file again if it has changed, and tells whether it had.
    ///
    /// # Errors
    /// As [`TokenFile::reload`].
    pub fn reload_if_changed(&self) -> Result<bool, TokenFileError> {
        let metadata = std::fs::metadata(&self.path).map_err(|error| self.unreadable(error))?;
        let known = self.held.read().unwrap_or_else(PoisonError::into_inner).stamp;
        let changed = Stamp::of(&metadata) != known;
        if changed {
            self.reload()?;
        }
        Ok(changed)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A sentence for the operator, where others on the machine may read the file: hashes cannot be called
    /// with, but they tell who may.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let shared = self.held.read().unwrap_or_else(PoisonError::into_inner).shared;
        shared.then(|| {
            format!("{}: others on this machine may read it; chmod 600 would be right", self.path.display())
        })
    }

    fn unreadable(&self, error: io::Error) -> TokenFileError {
        TokenFileError::Unreadable { path: self.path.clone(), error }
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        Stamp { written: metadata.modified().ok(), bytes: metadata.len(), inode: inode(metadata) }
    }
}

fn read(path: &Path) -> Result<Held, TokenFileError> {
    let unreadable = |error| TokenFileError::Unreadable { path: path.to_owned(), error };
    let file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if mode(&metadata) & WRITABLE != 0 {
        return Err(TokenFileError::Writable { path: path.to_owned() });
    }
    let mut text = Vec::new();
    file.take(MAX_TEXT_BYTES as u64 + 1).read_to_end(&mut text).map_err(unreadable)?;
    let wrong = |faults| TokenFileError::Wrong { path: path.to_owned(), faults };
    let tokens = Tokens::parse(&String::from_utf8_lossy(&text)).map_err(wrong)?;
    let shared = mode(&metadata) & READABLE != 0;
    Ok(Held { tokens: Arc::new(tokens), stamp: Stamp::of(&metadata), shared })
}

/// Permissions of group and others.
const READABLE: u32 = 0o044;
const WRITABLE: u32 = 0o022;

#[cfg(unix)]
fn mode(metadata: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(metadata)
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn mode(_: &Metadata) -> u32 {
    0
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}

/// Why a file of tokens cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokenFileError {
    /// It is not there, or may not be read.
    #[error("{}: {error}; a file that `vezir tokens add` wrote would be right", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Others may write it, and so let in whom they like.
    #[error("{}: others on this machine may change it; chmod 600 would be right", .path.display())]
    Writable {
        /// The file.
        path: PathBuf,
    },
    /// It holds no token.
    #[error("{}: it holds no token, so nobody could call; `vezir tokens add` makes one", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be understood.
    #[error("{}", told(.path, .faults))]
    Wrong {
        /// The file.
        path: PathBuf,
        /// All that is wrong.
        faults: Faults,
    },
}

/// Each fault with its file before it.
fn told(path: &Path, Faults(faults): &Faults) -> String {
    let lines: Vec<String> = faults.iter().map(|fault| format!("{}: {fault}", path.display())).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::token::{TOKEN_BYTES, Token};
    use super::*;

    fn line(number: u8) -> String {
        format!("owner{number} view {}\n", Token::from_random([number; TOKEN_BYTES]).hash())
    }

    fn knows(file: &TokenFile, number: u8) -> bool {
        file.tokens().holder(&Token::from_random([number; TOKEN_BYTES])).is_some()
    }

    fn set_mode(path: &Path, mode: u32) {
        #[cfg(unix)]
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).expect("it is ours");
        #[cfg(not(unix))]
        let _ = (path, mode);
    }

    /// Writes as somebody whose files nobody else may change.
    fn write(path: &Path, text: &str) {
        fs::write(path, text).expect("there is room");
        set_mode(path, 0o600);
    }

    #[test]
    fn a_change_is_noticed_and_a_wrong_one_changes_nothing() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("tokens");
        write(&path, &line(1));
        let file = TokenFile::open(&path).expect("it is right");
        assert!(knows(&file, 1) && !knows(&file, 2));
        assert!(!file.reload_if_changed().expect("it is right"));

        write(&path, &(line(1) + &line(2)));
        assert!(file.reload_if_changed().expect("it is right"));
        assert!(knows(&file, 1) && knows(&file, 2));

        write(&path, "nonsense");
        let error = file.reload_if_changed().expect_err("it is wrong").to_string();
        assert!(error.starts_with(&format!("{}: line 1, column 9: ", path.display())), "{error}");
        assert!(knows(&file, 1) && knows(&file, 2));

        write(&path, "");
        assert!(file.reload_if_changed().expect("nobody is left"));
        assert!(!knows(&file, 1) && !knows(&file, 2));

        fs::remove_file(&path).expect("it is ours");
        assert!(matches!(file.reload_if_changed(), Err(TokenFileError::Unreadable { .. })));
    }

    #[test]
    fn a_file_that_lets_nobody_in_is_refused_at_first() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("tokens");
        assert!(matches!(TokenFile::open(&path), Err(TokenFileError::Unreadable { .. })));
        write(&path, "# nobody\n");
        assert!(matches!(TokenFile::open(&path), Err(TokenFileError::Empty { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_change_is_refused() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("tokens");
        write(&path, &line(1));
        set_mode(&path, 0o600);
        assert_eq!(TokenFile::open(&path).expect("it is right").warning(), None);
        set_mode(&path, 0o640);
        let warning = TokenFile::open(&path).expect("it is right").warning().expect("others may read it");
        assert!(warning.contains("chmod 600 would be right"), "{warning}");
        set_mode(&path, 0o602);
        assert!(matches!(TokenFile::open(&path), Err(TokenFileError::Writable { .. })));
    }
}
