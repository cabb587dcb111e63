//! Where a user's runs are kept: the file that the command line names, or the usual one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use vezir_jobs::RunId;
use vezir_store::{Artifacts, InspectError, Memory, OpenError, Opening, Sqlite};

use crate::args::StoreArgs;
use crate::exit::{Exit, Failure};
use crate::talk::say;

/// The file's name.
const FILE: &str = "vezir.sqlite";

/// How many stores a user's commands may have open side by side.
const MOST_STORES: u32 = 64;

/// The file that `args` names, or the usual one, whose folder is made if it is not there.
pub(crate) fn path(args: &StoreArgs) -> Result<PathBuf, Failure> {
    if let Some(path) = &args.store {
        return Ok(path.clone());
    }
    let folder = users_folder().ok_or_else(|| {
        Failure::new(Exit::Unserved, "there is no HOME to keep runs in; --store FILE would be right")
    })?;
    fs::create_dir_all(&folder).map_err(|error| {
        let sentence = format!("{}: {error}; --store FILE would be right", folder.display());
        Failure::new(Exit::Unserved, sentence)
    })?;
    Ok(folder.join(FILE))
}

/// The usual file, whether or not it is there; `None` where the user has no home.
pub(crate) fn usual() -> Option<PathBuf> {
    Some(users_folder()?.join(FILE))
}

fn users_folder() -> Option<PathBuf> {
    folder(|name| env::var_os(name).filter(|value| !value.is_empty()))
}

/// The user's folder for what programs remember, as the XDG base directory specification has it.
fn folder(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Option<PathBuf> {
    let state = variable("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || variable("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    Some(state.or_else(home)?.join("vezir"))
}

/// Opens the store in a file.
pub(crate) async fn open(path: &Path, opening: Opening) -> Result<Sqlite, Failure> {
    Sqlite::open_with(path, opening).await.map_err(refuse)
}

/// Reads a store, with all that is known of one of its runs, to be looked at; nothing is written. Tells whether
/// somebody has it open.
pub(crate) async fn look(args: &StoreArgs, run: Option<RunId>) -> Result<(Memory, bool), Failure> {
    let path = path(args)?;
    if args.store.is_none() && !path.exists() {
        return Ok((Memory::new(), false));
    }
    let (tables, in_use) = Sqlite::glance(path, run).await.map_err(unseen)?;
    Ok((Memory::holding(tables), in_use))
}

/// Why a store cannot be looked at.
pub(crate) fn unseen(error: InspectError) -> Failure {
    let exit = match error {
        InspectError::NoFile { .. } | InspectError::NoStore { .. } => Exit::BadInput,
        InspectError::Lock { .. } | InspectError::Unreadable { .. } => Exit::Unserved,
    };
    Failure::new(exit, error.to_string())
}

/// Opens the store in a file to change what is in it: it must be there, and only its coordinator can change it
/// while it has one.
pub(crate) async fn open_to_change(path: &Path) -> Result<Sqlite, Failure> {
    if !path.exists() {
        return Err(unseen(InspectError::NoFile { path: path.to_owned() }));
    }
    Sqlite::open(path).await.map_err(|error| match error {
        OpenError::InUse { .. } => {
            let sentence =
                format!("{error}; so would --coordinator with its address, if it is a coordinator");
            Failure::new(Exit::Unserved, sentence)
        }
        error => refuse(error),
    })
}

/// The stores that commands made beside one that was in use, if there are any.
pub(crate) fn beside(path: &Path) -> Vec<PathBuf> {
    (2..=MOST_STORES).map(|number| numbered(path, number)).filter(|beside| beside.is_file()).collect()
}

/// The folder of the artifacts of the store in a file. It lies beside it, under its name: stores that share a
/// folder do not remove each other's.
pub(crate) fn artifacts_folder(store: &Path) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(".artifacts");
    PathBuf::from(name)
}

/// The artifacts of the store in a file; their folder is made if it is not there.
pub(crate) fn artifacts(store: &Path) -> Result<Artifacts, Failure> {
    let opened = Artifacts::in_folder(&artifacts_folder(store));
    opened.map_err(|error| Failure::new(Exit::Unserved, error.to_string()))
}

/// Opens the store in a file or, if another command has it, one beside it; tells which one it was.
pub(crate) async fn open_free(path: &Path) -> Result<(Sqlite, PathBuf), Failure> {
    for number in 1..=MOST_STORES {
        let candidate = numbered(path, number);
        match Sqlite::open(&candidate).await {
            Ok(store) => return Ok((store, candidate)),
            Err(OpenError::InUse { .. }) => {}
            Err(error) => return Err(refuse(error)),
        }
    }
    Err(Failure::new(
        Exit::Unserved,
        format!("{}: this and {MOST_STORES} stores beside it are in use", path.display()),
    ))
}

/// The file itself, or one beside it: `vezir.sqlite`, `vezir-2.sqlite` and so on.
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    let mut beside = path.with_file_name(name);
    if let Some(extension) = path.extension() {
        beside.set_extension(extension);
    }
    beside
}

fn refuse(error: OpenError) -> Failure {
    let exit = match error {
        OpenError::NoFile { .. } | OpenError::NoDatabase { .. } | OpenError::Foreign { .. } => Exit::BadInput,
        _ => Exit::Unserved,
    };
    Failure::new(exit, error.to_string())
}

/// Whether a store that is not the usual one must be named to be found again.
pub(crate) fn hint(path: &Path) -> String {
    match self::path(&StoreArgs::default()) {
        Ok(usual) if usual == path => String::new(),
        _ => format!(" --store {}", path.display()),
    }
}

/// Warns of what is remembered in vain.
pub(crate) fn warn_forgetful(why: &Failure) {
    say(&format!("warning: {why}; nothing of this run is kept if it is interrupted"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_folder_is_the_users() {
        let at = |state: &'static str, home: &'static str| {
            folder(move |name| {
                let value = if name == "HOME" { home } else { state };
                Some(value.into()).filter(|_| !value.is_empty())
            })
        };
        assert_eq!(at("/state", "/home/ann"), Some("/state/vezir".into()));
        assert_eq!(at("relative", "/home/ann"), Some("/home/ann/.local/state/vezir".into()));
        assert_eq!(at("", ""), None);
    }

    #[test]
    fn stores_beside_one_have_numbers() {
        let path = Path::new("/runs/vezir.sqlite");
        assert_eq!(numbered(path, 1), path);
        assert_eq!(numbered(path, 2), Path::new("/runs/vezir-2.sqlite"));
        assert_eq!(numbered(Path::new("runs"), 3), Path::new("runs-3"));
    }
}
