//! A program to be run: which file, with which arguments, and what it may read besides.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::failure::StartError;

/// Where programs are looked for that are named without a folder, after `PATH`.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// A program of somebody else's, and how it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The file, or its name in `PATH`.
    pub path: PathBuf,
    /// Its arguments, one each; never read by a shell.
    pub arguments: Vec<String>,
    /// Files and folders that it may read besides itself and the system's libraries, such as a net.
    pub readable: Vec<PathBuf>,
    /// Variables of its environment, which is otherwise that of a bare system.
    pub environment: Vec<(String, String)>,
}

impl Program {
    /// A program without arguments.
    pub fn new(path: impl Into<PathBuf>) -> Program {
        Program { path: path.into(), arguments: Vec::new(), readable: Vec::new(), environment: Vec::new() }
    }

    /// The same with arguments.
    pub fn with_arguments<T: Into<String>>(mut self, arguments: impl IntoIterator<Item = T>) -> Program {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// The file itself, links followed.
    ///
    /// # Errors
    /// Where there is none, or it cannot be run.
    pub(crate) fn file(&self) -> Result<PathBuf, StartError> {
        let found = self.candidates().into_iter().find(|path| path.exists());
        let Some(found) = found else {
            let named = self.path.components().count() == 1;
            let place = if named { "in PATH or /usr/games" } else { "there" };
            return Err(self.error(format!("no such file {place}: the path of a program would be right")));
        };
        let file = fs::canonicalize(&found).map_err(|error| self.error(error.to_string()))?;
        let meta = fs::metadata(&file).map_err(|error| self.error(error.to_string()))?;
        if meta.is_dir() {
            return Err(self.error("it is a folder: the path of a program would be right".to_owned()));
        }
        if meta.permissions().mode() & 0o111 == 0 {
            return Err(self.error("it is not executable: `chmod +x` if it is the right file".to_owned()));
        }
        Ok(file)
    }

    pub(crate) fn error(&self, why: String) -> StartError {
        StartError { what: self.path.display().to_string(), why }
    }

    fn candidates(&self) -> Vec<PathBuf> {
        if self.path.is_absolute() || self.path.components().count() != 1 || self.path.starts_with(".") {
            return vec![self.path.clone()];
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain(GAMES.map(PathBuf::from));
        let named = folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(&self.path));
        named.filter(|path| path.is_file()).collect()
    }
}

/// Whether every user may run `file` where it lies.
pub(crate) fn is_open_to_all(file: &Path) -> bool {
    let mode = |path: &Path| fs::metadata(path).map_or(0, |meta| meta.permissions().mode());
    mode(file) & 0o005 == 0o005 && file.ancestors().skip(1).all(|folder| mode(folder) & 0o001 != 0)
}

#[test]
fn programs_are_found_by_name_and_by_path() {
    assert!(Program::new("sh").file().is_ok());
    assert!(Program::new("/bin/sh").file().is_ok());
    let missing = Program::new("no-such-engine").file().expect_err("there is none");
    assert!(missing.to_string().contains("no-such-engine"), "{missing}");
    let folder = Program::new("/usr").file().expect_err("a folder");
    assert!(folder.to_string().contains("folder"), "{folder}");
    let plain = Program::new("/etc/passwd").file().expect_err("no program");
    assert!(plain.to_string().contains("not executable"), "{plain}");
}
