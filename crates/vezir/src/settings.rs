//! Where options come from: a file, before it the environment, before both the command line.
//!
//! What the file says becomes the defaults of the command line's parser, so that one parser judges all.

mod effective;
mod file;
mod words;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};

use crate::args::{self, CommandLine};

/// The commands that take settings from a file, each from the table of its name. A command of a command, as
/// `runs list`, takes them from the table of the first.
const COMMANDS: [&str; 9] =
    ["coordinator", "worker", "standalone", "perft", "suite", "bench", "runs", "workers", "doctor"];

/// How the variables of the environment begin that are settings.
const PREFIX: &str = "VEZIR_";

/// The environment variable that says what is logged, as `info` or `vezir_worker=debug`.
pub(crate) const LOG_FILTER: &str = "VEZIR_LOG";

/// The option that names the file.
const CONFIG: &str = "config";

/// The option that asks for the settings instead of the command.
const PRINT: &str = "print_settings";

/// Commands that a coordinator elsewhere may be asked to do, and their options that are about this machine.
const ELSEWHERE: [(&str, &[&str]); 3] = [
    ("perft", &["threads", "isa", "seed", "store"]),
    ("runs", &["threads", "hash", "isa", "seed", "store"]),
    ("workers", &["store"]),
];

/// What the user wants.
pub(crate) enum Asked {
    /// A command, with its options.
    Run {
        /// The command.
        line: Box<CommandLine>,
        /// What was written in vain, a sentence each.
        vain: Vec<String>,
    },
    /// The settings that a command would have, as TOML.
    Print(String),
}

/// Why it is not known what the user wants.
pub(crate) enum Unclear {
    /// The command line or the environment is wrong: a sentence.
    Words(String),
    /// Help is asked for, or is the answer where nothing is.
    Help(clap::Error),
    /// The file is wrong: all its faults, a sentence each.
    File(Vec<String>),
}

/// Reads the words of a command line, the environment, and the file that one of them names.
pub(crate) fn read(words: impl Iterator<Item = OsString>) -> Result<Asked, Unclear> {
    let words: Vec<OsString> = words.collect();
    let whole = CommandLine::command();
    let mut command = without_empty(whole.clone());
    let named = named(&command, &words);
    let mut from_file = Vec::new();
    if let Some((name, path)) = &named {
        from_file = file::read(path, &whole, name).map_err(Unclear::File)?;
        command = with_defaults(command, &from_file);
        command = command.mut_subcommand(name, |command| {
            with_defaults(command, &from_file).mut_subcommands(|inner| with_defaults(inner, &from_file))
        });
    }
    let matches = command.clone().try_get_matches_from(&words);
    let matches = matches.map_err(|error| unclear(&mut command, &words, error))?;
    if let Some((name, of_command)) = matches.subcommand()
        && asks_for_print(of_command)
        && let Some(of_name) = whole.find_subcommand(name)
    {
        let path = named.as_ref().map(|(_, path)| path.as_path());
        let options: Vec<&Arg> = settings_of(&whole, of_name).collect();
        let from_file = effective::FromFile { settings: &from_file, path };
        return Ok(Asked::Print(effective::show(name, &options, of_command, &from_file)));
    }
    let mut vain = vain(&matches);
    vain.extend(strangers(&whole, std::env::vars_os().map(|(name, _)| name)));
    match CommandLine::from_arg_matches(&matches) {
        Ok(line) => Ok(Asked::Run { line: Box::new(line), vain }),
        Err(error) => Err(unclear(&mut command, &words, error)),
    }
}

/// What is said of words that the parser refused.
fn unclear(command: &mut Command, words: &[OsString], error: clap::Error) -> Unclear {
    command.build();
    let Some(sentence) = words::sentence(command, &error) else { return Unclear::Help(error) };
    let words: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    Unclear::Words(args::hint(&words).unwrap_or(sentence))
}

/// The same command, for which variables of the environment that are empty are not set at all.
fn without_empty(command: Command) -> Command {
    let command = command.mut_args(|option| {
        let empty = option.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty());
        if empty { option.env(None) } else { option }
    });
    command.mut_subcommands(without_empty)
}

/// What was written on the command line in vain, because a coordinator elsewhere is asked. What the environment
/// or a file says in vain may be for other commands.
fn vain(matches: &ArgMatches) -> Vec<String> {
    let Some((name, of_command)) = matches.subcommand() else { return Vec::new() };
    let of_command = innermost(of_command);
    let Ok(Some(address)) = of_command.try_get_one::<String>("coordinator") else { return Vec::new() };
    let here = ELSEWHERE.iter().filter(|(command, _)| *command == name).flat_map(|(_, options)| *options);
    let written = here.filter(|option| {
        matches!(of_command.try_contains_id(option), Ok(true))
            && of_command.value_source(option) == Some(ValueSource::CommandLine)
    });
    let say = |option| {
        format!("warning: --{option} is of no use: it is about this machine, and {address} is asked")
    };
    written.map(say).collect()
}

/// Variables of the environment that look like settings and are none, a sentence each.
fn strangers(whole: &Command, names: impl Iterator<Item = OsString>) -> Vec<String> {
    let mut known = BTreeSet::from([LOG_FILTER.to_owned()]);
    note_variables(whole, &mut known);
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let mut strange: Vec<String> =
        names.filter(|name| name.starts_with(PREFIX) && !known.contains(name)).collect();
    strange.sort();
    let say = |name| format!("warning: {name} is no setting; `vezir COMMAND --help` names those that are");
    strange.into_iter().map(say).collect()
}

fn note_variables(command: &Command, known: &mut BTreeSet<String>) {
    let variables = command.get_arguments().filter_map(Arg::get_env);
    known.extend(variables.map(|name| name.to_string_lossy().into_owned()));
    command.get_subcommands().for_each(|inner| note_variables(inner, known));
}

/// The command and its file of settings, if it has one, in words that may have faults elsewhere.
fn named(command: &Command, words: &[OsString]) -> Option<(String, PathBuf)> {
    let matches = command.clone().ignore_errors(true).try_get_matches_from(words).ok()?;
    let (name, of_command) = matches.subcommand()?;
    let path = innermost(of_command).try_get_one::<PathBuf>(CONFIG).ok()??;
    Some((name.to_owned(), path.clone()))
}

/// What was said to the command of a command, if there is one.
fn innermost(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, inner)| innermost(inner))
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
fn is_setting(option: &Arg) -> bool {
    option.get_env().is_some() && option.get_long().is_some() && option.get_id() != CONFIG
}

/// The options of a command and of its commands that are settings, those that every command has among them.
fn settings_of<'c>(whole: &'c Command, command: &'c Command) -> impl Iterator<Item = &'c Arg> {
    let everywhere = whole.get_arguments().filter(|option| option.is_global_set());
    let inner = command.get_subcommands().flat_map(Command::get_arguments);
    let mut seen = BTreeSet::new();
    let all = command.get_arguments().chain(inner).chain(everywhere);
    all.filter(move |option| is_setting(option) && seen.insert(option.get_id().clone()))
}
