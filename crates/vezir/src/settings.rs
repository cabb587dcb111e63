//! Where options come from: a file, before it the environment, before both the command line.
//!
//! What the file says becomes the defaults of the command line's parser, so that one parser judges all.

mod effective;
mod file;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};

use crate::args::CommandLine;

/// The commands that take settings from a file, each from the table of its name.
const COMMANDS: [&str; 5] = ["coordinator", "worker", "standalone", "perft", "suite"];

/// The option that names the file.
const CONFIG: &str = "config";

/// The option that asks for the settings instead of the command.
const PRINT: &str = "print_settings";

/// What the user wants.
pub(crate) enum Asked {
    /// A command, with its options.
    Run(Box<CommandLine>),
    /// The settings that a command would have, as TOML.
    Print(String),
}

/// Why it is not known what the user wants.
pub(crate) enum Unclear {
    /// The command line or the environment is wrong, or asks for help.
    Words(clap::Error),
    /// The file is wrong: all its faults, a sentence each.
    File(Vec<String>),
}

/// Reads the words of a command line, the environment, and the file that one of them names.
pub(crate) fn read(words: impl Iterator<Item = OsString>) -> Result<Asked, Unclear> {
    let words: Vec<OsString> = words.collect();
    let mut command = CommandLine::command();
    let named = named(&command, &words);
    let mut from_file = Vec::new();
    if let Some((name, path)) = &named {
        from_file = file::read(path, &command, name).map_err(Unclear::File)?;
        command = command.mut_subcommand(name, |command| with_defaults(command, &from_file));
    }
    let matches = command.clone().try_get_matches_from(words).map_err(Unclear::Words)?;
    if let Some((name, of_command)) = matches.subcommand()
        && asks_for_print(of_command)
        && let Some(command) = command.find_subcommand(name)
    {
        let path = named.as_ref().map(|(_, path)| path.as_path());
        return Ok(Asked::Print(effective::show(command, of_command, &from_file, path)));
    }
    let line = CommandLine::from_arg_matches(&matches);
    line.map(|line| Asked::Run(Box::new(line))).map_err(|error| Unclear::Words(error.format(&mut command)))
}

/// The command and its file of settings, if it has one, in words that may have faults elsewhere.
fn named(command: &Command, words: &[OsString]) -> Option<(String, PathBuf)> {
    let matches = command.clone().ignore_errors(true).try_get_matches_from(words).ok()?;
    let (name, of_command) = matches.subcommand()?;
    let path = of_command.try_get_one::<PathBuf>(CONFIG).ok()??;
    Some((name.to_owned(), path.clone()))
}

fn with_defaults(command: Command, settings: &[file::Setting]) -> Command {
    // One option changed alone would move to the end of the help.
    command.mut_args(|option| match settings.iter().find(|it| option.get_id() == it.option.as_str()) {
        Some(setting) => option.default_value(setting.value.clone()),
        None => option,
    })
}

fn asks_for_print(matches: &ArgMatches) -> bool {
    matches.try_get_one(PRINT).ok().flatten().copied().unwrap_or(false)
}

/// Whether an option is a setting, which a file may hold: those that the environment may hold as well.
fn is_setting(option: &clap::Arg) -> bool {
    option.get_env().is_some() && option.get_long().is_some() && option.get_id() != CONFIG
}

/// The options of a command that are settings.
fn settings_of(command: &Command) -> impl Iterator<Item = &clap::Arg> {
    command.get_arguments().filter(|option| is_setting(option))
}
