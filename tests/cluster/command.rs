//! A command that a user types: what it answered, what it told beside it, and how it ended.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::Process;
use crate::executable;

/// How long a command may take that answers at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a command ended.
#[derive(Clone, Debug)]
pub struct Said {
    /// Its words.
    pub words: String,
    /// Its exit code.
    pub code: Option<i32>,
    /// What it printed on standard output.
    pub answer: String,
    /// What it told on standard error.
    pub talk: String,
}

/// Runs `vezir` with these words to its end.
///
/// # Panics
/// If it does not end within a minute.
pub fn vezir(words: &[&str]) -> Said {
    let mut command = executable::vezir();
    command.args(words);
    Said::of(words, Process::start("vezir", command), PATIENCE)
}

/// Runs a Python script of this folder with the system's Python.
///
/// # Panics
/// If it does not end within a minute.
pub fn python(script: &Path, words: &[&str]) -> Said {
    let mut command = Command::new("python3");
    command.arg(script).args(words);
    Said::of(words, Process::start("python3", command), PATIENCE)
}

impl Said {
    /// How `process`, started with these words, ended within `limit`.
    ///
    /// # Panics
    /// If it did not.
    pub fn of(words: &[&str], process: Process, limit: Duration) -> Said {
        let (code, answer, talk) = process.end(limit);
        Said { words: words.join(" "), code, answer, talk }
    }

    /// The same, if it ended with this code.
    ///
    /// # Panics
    /// If it ended otherwise.
    pub fn code(self, code: i32) -> Said {
        assert_eq!(self.code, Some(code), "{}: {}{}", self.words, self.answer, self.talk);
        self
    }

    /// The JSON object that it printed.
    ///
    /// # Panics
    /// If it printed something else.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.answer)
            .unwrap_or_else(|error| panic!("{}: {error}: {}{}", self.words, self.answer, self.talk))
    }

    /// The one sentence with which it complained.
    ///
    /// # Panics
    /// If there are more or none.
    pub fn sentence(&self) -> &str {
        let mut sentences = self.talk.lines().filter(|line| line.starts_with("vezir: "));
        let sentence = sentences.next().filter(|_| sentences.next().is_none());
        sentence.unwrap_or_else(|| panic!("{}: one sentence would be right: {}", self.words, self.talk))
    }
}
