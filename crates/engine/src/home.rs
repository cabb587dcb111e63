//! A fresh folder of the program's own, the only place where it may write; gone when the value is.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use nix::unistd::{self, Gid, Uid};

/// The folder. Dropping it removes it with all that is in it.
#[derive(Debug)]
pub(crate) struct Home(PathBuf);

impl Home {
    /// Makes one, for `owner` if the program runs as another user.
    pub(crate) fn make(owner: Option<u32>) -> io::Result<Home> {
        let template = std::env::temp_dir().join("vezir-engine-XXXXXX");
        let home = Home(fs::canonicalize(unistd::mkdtemp(&template)?)?);
        if let Some(owner) = owner {
            unistd::chown(&home.0, Some(Uid::from_raw(owner)), Some(Gid::from_raw(owner)))?;
        }
        Ok(home)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let removed = fs::remove_dir_all(&self.0).or_else(|_| {
            // A program may lock folders of its own against its own user, who may be us.
            open_all(&self.0);
            fs::remove_dir_all(&self.0)
        });
        if let Err(error) = removed {
            tracing::warn!(folder = %self.0.display(), %error, "a program's folder cannot be removed");
        }
    }
}

/// Gives back the right to enter and change `folder` and all folders in it.
fn open_all(folder: &Path) {
    // What fails here shows when the folder is removed.
    let _ = fs::set_permissions(folder, Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_all(&entry.path());
        }
    }
}

#[test]
fn a_home_goes_with_all_that_is_in_it() {
    let home = Home::make(None).expect("a folder");
    let path = home.path().to_owned();
    let locked = path.join("a/b");
    fs::create_dir_all(&locked).expect("folders");
    fs::write(locked.join("file"), "text").expect("a file");
    fs::set_permissions(path.join("a"), Permissions::from_mode(0o000)).expect("locked");
    drop(home);
    assert!(!path.exists());
}
