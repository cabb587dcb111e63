//! Why the words of a command line, or of the environment, are not understood: one sentence.

use std::env;
use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

/// The sentence for what clap has against the words; `None` where it is to be printed as it is: help that was
/// asked for, or that is the answer to a command without words.
pub(super) fn sentence(whole: &Command, error: &clap::Error) -> Option<String> {
    let named = |kind| text(error, kind).map(bare);
    let argument = named(ContextKind::InvalidArg);
    let prior = named(ContextKind::PriorArg);
    let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
    Some(match (error.kind(), argument) {
        (ErrorKind::DisplayHelp | ErrorKind::DisplayVersion, _) => return None,
        (ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand, _) => return None,
        (ErrorKind::InvalidSubcommand, _) => {
            let word = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            // The last is the nearest.
            let right = texts(error, ContextKind::SuggestedSubcommand).pop();
            format!("{word} is no command; {} would be right", right.unwrap_or_else(|| help(error)))
        }
        (ErrorKind::UnknownArgument, Some(argument)) => {
            let right = text(error, ContextKind::SuggestedArg).map(bare);
            let right = right.unwrap_or_else(|| usage(error));
            format!("{argument} is not understood; {right} would be right")
        }
        (ErrorKind::MissingRequiredArgument, _) => {
            let missing: Vec<String> = texts(error, ContextKind::InvalidArg).into_iter().map(bare).collect();
            let is = if missing.len() == 1 { "is" } else { "are" };
            format!("{} {is} missing; {} would be right", missing.join(" and "), usage(error))
        }
        (ErrorKind::ArgumentConflict, Some(argument)) => match prior {
            Some(prior) if prior != argument => {
                format!("{argument} and {prior} exclude each other; one of them would be right")
            }
            _ => format!("{argument} is there twice; once would be right"),
        },
        (ErrorKind::InvalidValue | ErrorKind::ValueValidation, Some(_)) => {
            let spelled = text(error, ContextKind::InvalidArg).unwrap_or_default();
            let place = place(whole, &spelled, &value);
            if value.is_empty() {
                format!("{place} has no value; {} would be right", right(form(&spelled), error))
            } else {
                format!("{place} {value}: {}", what_would_be_right(form(&spelled), error))
            }
        }
        (ErrorKind::TooManyValues, Some(argument)) => {
            format!("{argument} takes no value; {argument} alone would be right")
        }
        (ErrorKind::InvalidUtf8, _) => "a word is not UTF-8; one that is would be right".to_owned(),
        _ => first_line(error),
    })
}

/// What a parser has against a value of this form, with what would be right.
pub(super) fn what_would_be_right(form: &str, error: &clap::Error) -> String {
    match error.source().map(ToString::to_string) {
        Some(sentence) if sentence.contains("would be right") => sentence,
        Some(sentence) => format!("{sentence}; {} would be right", right(form, error)),
        None => format!("{} would be right", right(form, error)),
    }
}

/// The values that would be right, or their form.
fn right(form: &str, error: &clap::Error) -> String {
    let valid: Vec<String> = texts(error, ContextKind::ValidValue);
    if valid.is_empty() { form.to_owned() } else { either(&valid) }
}

/// The form of the value of an argument that is spelled so: `N` of `--threads <N>`.
fn form(spelled: &str) -> &str {
    let form = spelled.split_once('<').and_then(|(_, form)| form.split_once('>'));
    form.map_or("a value", |(form, _)| form)
}

/// `a, b or c`.
pub(super) fn either(words: &[String]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

/// Where a wrong value stands: in the environment, if its variable holds it and the command line does not name
/// the option, else on the command line.
fn place(whole: &Command, spelled: &str, value: &str) -> String {
    let name = bare(spelled.to_owned());
    let written = env::args().any(|word| word.split('=').next() == Some(&*name));
    let variable = find(whole, spelled).and_then(Arg::get_env);
    match variable {
        Some(variable) if !written && env::var_os(variable).is_some_and(|held| held == *value) => {
            variable.to_string_lossy().into_owned()
        }
        _ => name,
    }
}

/// The option that is spelled so, of any command: those of one spelling have one meaning.
fn find<'c>(command: &'c Command, spelled: &str) -> Option<&'c Arg> {
    let here = command.get_arguments().find(|option| option.to_string() == spelled);
    here.or_else(|| command.get_subcommands().find_map(|inner| find(inner, spelled)))
}

/// An argument without the form of its value: `--threads` of `--threads <N>`, `DEPTH` of `<DEPTH>`.
fn bare(spelled: String) -> String {
    let name = spelled.trim_start_matches(['<', '[']);
    name.split([' ', '[', ']', '>']).next().unwrap_or_default().to_owned()
}

/// How the command is used, as a command.
fn usage(error: &clap::Error) -> String {
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string(),
        _ => return help(error),
    };
    format!("`{}`", usage.trim_start_matches("Usage:").trim().lines().next().unwrap_or_default())
}

/// What to say where nothing is near to what was written.
fn help(_: &clap::Error) -> String {
    "one that `vezir --help` lists".to_owned()
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    texts(error, kind).into_iter().next()
}

fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

fn first_line(error: &clap::Error) -> String {
    let whole = error.to_string();
    whole.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::CommandLine;

    fn said(line: &str) -> Option<String> {
        let mut whole = CommandLine::command();
        whole.build();
        let error = whole.clone().try_get_matches_from(line.split(' ')).expect_err("it is wrong");
        sentence(&whole, &error)
    }

    #[test]
    fn every_fault_is_one_sentence_that_says_what_would_be_right() {
        for (line, told) in [
            ("vezir perft", "DEPTH is missing; `vezir perft <DEPTH>` would be right"),
            ("vezir perft x", "DEPTH x: a whole number from 0 to 64 would be right"),
            ("vezir perf 5", "perf is no command; perft would be right"),
            ("vezir pertf 5", "pertf is no command; perft would be right"),
            ("vezir xyz", "xyz is no command; one that `vezir --help` lists would be right"),
            ("vezir perft 5 --thread 4", "--thread is not understood; --threads would be right"),
            ("vezir perft 5 6", "6 is not understood; `vezir perft [OPTIONS] <DEPTH>` would be right"),
            ("vezir perft 5 --fen", "--fen has no value; FEN would be right"),
            ("vezir perft 5 --threads=", "--threads has no value; N would be right"),
            ("vezir perft 5 --threads x", "--threads x: a whole number from 1 to 1024 would be right"),
            (
                "vezir perft 5 --seed x",
                "--seed x: a whole number from 0 to 18446744073709551615 would be right",
            ),
            ("vezir perft 5 --json --json", "--json is there twice; once would be right"),
            (
                "vezir perft 5 --position kiwipte",
                "--position kiwipte: startpos, kiwipete, position3, position4, position5 or position6 would be right",
            ),
            ("vezir perft 5 --json=1", "--json takes no value; --json alone would be right"),
            (
                "vezir perft 5 --position x",
                "--position x: startpos, kiwipete, position3, position4, position5 or position6 would be right",
            ),
            (
                "vezir perft 5 --fen x --position kiwipete",
                "--fen and --position exclude each other; one of them would be right",
            ),
            ("vezir runs show x", "RUN x: a whole number, as `vezir runs list` shows it, would be right"),
            ("vezir runs list --most x", "--most x: a whole number would be right"),
            ("vezir worker --metrics x", "--metrics x: ADDRESS:PORT, as 127.0.0.1:6465, would be right"),
            (
                "vezir tokens add",
                "--owner and --role are missing; `vezir tokens add --owner <NAME> --role <ROLE>` would be right",
            ),
        ] {
            assert_eq!(said(line).as_deref(), Some(told), "{line}");
        }
        for line in ["vezir --help", "vezir --version", "vezir", "vezir runs"] {
            assert_eq!(said(line), None, "{line}");
        }
    }
}
