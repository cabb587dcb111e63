//! `vezir man`: a page of the manual for each command, made from the command line's help.

use std::fs;
use std::path::Path;

use clap::CommandFactory;

use crate::args::{CommandLine, ManArgs};
use crate::exit::{Exit, Failure};
use crate::talk::say;

/// Writes all pages, as section 1 of the manual has them.
pub(crate) fn run(args: &ManArgs) -> Result<Exit, Failure> {
    let unserved = |error: std::io::Error| {
        let sentence =
            format!("{}: {error}; a folder that can be written would be right", args.folder.display());
        Failure::new(Exit::Unserved, sentence)
    };
    fs::create_dir_all(&args.folder).map_err(unserved)?;
    write(&args.folder).map_err(unserved)?;
    say(&format!(
        "the manual is in {}; `man --local-file {0}/vezir.1` shows its first page",
        args.folder.display()
    ));
    Ok(Exit::Done)
}

fn write(folder: &Path) -> std::io::Result<()> {
    clap_mangen::generate_to(CommandLine::command(), folder)
}
