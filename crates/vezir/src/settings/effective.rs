//! The settings that a command would have, as TOML, each with where it comes from.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use toml::Value;
use vezir_perft::{Counter, Isa};

use super::file::Setting;
use crate::{home, machine, size};

/// What a file said, and which.
pub(super) struct FromFile<'f> {
    pub(super) settings: &'f [Setting],
    pub(super) path: Option<&'f Path>,
}

/// The table of a command: each line can stand in a file of settings. Secrets are in files, of which only the
/// names are settings.
pub(super) fn show(name: &str, options: &[&Arg], matches: &ArgMatches, from_file: &FromFile<'_>) -> String {
    let mut lines = vec![
        format!(
            "# What `vezir {name}` would work with. These lines can stand in a file that --config names."
        ),
        format!("[{name}]"),
    ];
    lines.extend(options.iter().filter_map(|option| line(option, matches, from_file)));
    lines.join("\n") + "\n"
}

/// The line of one option; none for what only tests change, unless it was changed.
fn line(option: &Arg, matches: &ArgMatches, from_file: &FromFile<'_>) -> Option<String> {
    let (id, key) = (option.get_id().as_str(), option.get_long()?);
    let origin = match matches.value_source(id) {
        Some(ValueSource::CommandLine) => "command line".to_owned(),
        Some(ValueSource::EnvVariable) => format!("environment, {}", variable(option)),
        Some(_) if from_file.settings.iter().any(|setting| setting.option == id) => {
            format!("file {}", from_file.path?.display())
        }
        _ if option.is_hide_set() => return None,
        _ => "default".to_owned(),
    };
    Some(match value(option, matches).or_else(|| chosen(key)) {
        Some(value) => format!("{key} = {value} # {origin}"),
        None if key == "name" => {
            format!("# {key}: made from the host's name and chance ({})", variable(option))
        }
        None => format!("# {key}: not set ({})", variable(option)),
    })
}

fn variable(option: &Arg) -> String {
    option.get_env().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// What the parser has for an option.
fn value(option: &Arg, matches: &ArgMatches) -> Option<Value> {
    let id = option.get_id().as_str();
    if !option.get_action().takes_values() {
        return Some(Value::Boolean(matches.get_flag(id)));
    }
    let text = matches.get_raw(id)?.next()?.to_string_lossy();
    // Whatever is written as a number is read as the same text again.
    let number = text.parse::<i64>().ok().filter(|number| number.to_string() == text);
    Some(number.map_or_else(|| Value::String(text.into_owned()), Value::Integer))
}

/// What a command takes where nobody says.
fn chosen(key: &str) -> Option<Value> {
    match key {
        "threads" => i64::try_from(machine::cores().get()).ok().map(Value::Integer),
        "hash" => Some(Value::String(size::show_memory(machine::default_hash()))),
        "isa" => Some(Value::String(Isa::detect().name().to_owned())),
        "seed" => i64::try_from(Counter::SEED).ok().map(Value::Integer),
        "store" => home::usual().map(|path| Value::String(path.display().to_string())),
        _ => None,
    }
}
