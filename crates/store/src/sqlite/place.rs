//! Which file a store is: one that was removed or replaced under its name must not be written on.

use std::path::Path;

use crate::{Fault, Unusable};

/// A file, whatever it is called by now. Where the system does not tell files apart, all are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    device: u64,
    file: u64,
}

impl Place {
    /// The file of this name; `None` where there is none, or it cannot be looked at.
    pub(super) fn of(path: &Path) -> Option<Place> {
        let found = std::fs::metadata(path).ok()?;
        #[cfg(unix)]
        let place = {
            use std::os::unix::fs::MetadataExt;
            Place { device: found.dev(), file: found.ino() }
        };
        #[cfg(not(unix))]
        let place = Place { device: 0, file: u64::from(found.is_file()) };
        Some(place)
    }

    /// Sees to it that the name still means this file.
    ///
    /// # Errors
    /// [`Unusable`] where it means another one, or none: what is written would be lost with the old one.
    pub(super) fn check(self, path: &Path) -> Result<(), Unusable> {
        if Place::of(path) == Some(self) {
            return Ok(());
        }
        let why = format!(
            "{}: the file was removed or replaced while it was in use; the old one in its place, or another \
             start, would be right",
            path.display()
        );
        Err(Unusable { fault: Fault::Unreachable, why })
    }
}
