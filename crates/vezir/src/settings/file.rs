//! A file of settings: TOML with a table for each command, and in it a key for each of its options.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use clap::builder::ValueParser;
use clap::{Arg, Command};
use toml::de::{DeTable, DeValue};

use super::words::{either, what_would_be_right};
use super::{COMMANDS, settings_of};

/// The largest file that is read: far more than all settings there are.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The longest value that a fault repeats, in characters.
const SHOWN_CHARS: usize = 40;

/// What a file says of one option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Setting {
    /// The option, as the parser of the command line calls it.
    pub(super) option: String,
    /// Its value, as it would stand on the command line.
    pub(super) value: String,
}

/// What the file at `path` says of the options of the command `name`. All tables are looked at.
///
/// # Errors
/// All faults of the file, a sentence each.
pub(super) fn read(path: &Path, command: &Command, name: &str) -> Result<Vec<Setting>, Vec<String>> {
    let shown = path.display();
    let text =
        load(path).map_err(|why| vec![format!("{shown}: {why}; a TOML file of settings would be right")])?;
    let (settings, faults) = check(&text, command, name);
    if faults.is_empty() {
        return Ok(settings);
    }
    let mut faults = faults;
    faults.sort_by_key(|(place, _)| place.start);
    let line = |place: &Range<usize>| 1 + text[..place.start.min(text.len())].matches('\n').count();
    Err(faults.iter().map(|(place, fault)| format!("{shown}:{}: {fault}", line(place))).collect())
}

fn load(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    // To open a pipe would be to wait for whoever writes into it.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err("that is no file".to_owned());
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("it has more than {MAX_FILE_BYTES} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| "it is not text in UTF-8".to_owned())
}

/// A fault and where it is.
type Fault = (Range<usize>, String);

/// The settings of the command `name`, and every fault of the text.
fn check(text: &str, whole: &Command, name: &str) -> (Vec<Setting>, Vec<Fault>) {
    let (tables, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        // What could be recovered around them would only bring more of the same.
        let faults = errors.iter().map(|error| {
            let message = error.message().replace('\n', ", ");
            (error.span().unwrap_or_default(), format!("this is not TOML: {message}"))
        });
        return (Vec::new(), faults.collect());
    }
    let (mut settings, mut faults) = (Vec::new(), Vec::new());
    for (key, value) in tables.get_ref() {
        let table: &str = key.get_ref();
        let (known, entries) = (COMMANDS.contains(&table), value.get_ref().as_table());
        let (Some(entries), true, Some(command)) = (entries, known, whole.find_subcommand(table)) else {
            faults.push((key.span(), stray(table, entries.is_some())));
            continue;
        };
        let options: Vec<&Arg> = settings_of(whole, command).collect();
        for (key, value) in entries {
            match setting(&options, key.get_ref(), value.get_ref()) {
                Ok(setting) if table == name => settings.push(setting),
                Ok(_) => {}
                Err(fault) => faults.push((key.span(), format!("[{table}] {fault}"))),
            }
        }
    }
    (settings, faults)
}

/// Something that is not the table of a command.
fn stray(key: &str, is_table: bool) -> String {
    let tables = either(&COMMANDS.map(|command| format!("[{command}]")));
    if is_table {
        format!("[{key}] is no command with settings; {tables} would be right")
    } else {
        format!("{key} is in no command's table; a place below {tables} would be right")
    }
}

fn setting(options: &[&Arg], key: &str, value: &DeValue<'_>) -> Result<Setting, String> {
    let option = options.iter().find(|option| option.get_long() == Some(key));
    let option = option.ok_or_else(|| unknown(options, key))?;
    let wrong = |why: String| format!("{key} = {}: {why}", shown(value));
    let value = if option.get_action().takes_values() {
        let text =
            text(value).ok_or_else(|| wrong("text in quotes or a whole number would be right".to_owned()))?;
        judge(option, &text).map_err(wrong)?;
        text
    } else {
        let flag = value.as_bool().ok_or_else(|| wrong("true or false would be right".to_owned()))?;
        flag.to_string()
    };
    Ok(Setting { option: option.get_id().to_string(), value })
}

/// A key that no option has.
fn unknown(options: &[&Arg], key: &str) -> String {
    let known = options.iter().filter(|option| !option.is_hide_set()).filter_map(|option| option.get_long());
    let mut known: Vec<String> = known.map(str::to_owned).collect();
    let hyphenated = key.replace('_', "-");
    if known.contains(&hyphenated) {
        known = vec![hyphenated];
    }
    format!("{key} is no setting; {} would be right", either(&known))
}

/// A value as it would stand on the command line.
fn text(value: &DeValue<'_>) -> Option<String> {
    if let Some(number) = value.as_integer() {
        return i128::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number.to_string());
    }
    value.as_str().map(str::to_owned)
}

/// Asks the option's own parser; nothing else of the command line is looked at.
fn judge(option: &Arg, text: &str) -> Result<(), String> {
    let parser: ValueParser = option.get_value_parser().clone();
    let form =
        option.get_value_names().and_then(|names| names.first()).map_or("a value", |name| name.as_str());
    let alone = Arg::new("value").long("value").value_parser(parser).ignore_case(option.is_ignore_case_set());
    let alone = Command::new("value").no_binary_name(true).arg(alone);
    alone
        .try_get_matches_from([format!("--value={text}")])
        .map(drop)
        .map_err(|error| what_would_be_right(form, &error))
}

/// A value as it stands in the file, or its beginning.
fn shown(value: &DeValue<'_>) -> String {
    let whole = match value {
        DeValue::String(text) => format!("\"{text}\""),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        other => return format!("({})", other.type_str()),
    };
    let mut short: String = whole.chars().take(SHOWN_CHARS).collect();
    if short.len() < whole.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
