//! What can go wrong with a program of somebody else's, as one sentence each.

use std::fmt;
use std::time::Duration;

/// Why a program did not start.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{what}` cannot be started: {why}")]
pub struct StartError {
    /// The program, as it was named.
    pub what: String,
    /// The reason, with what would be right where that is known.
    pub why: String,
}

/// How a process ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself.
    Exited {
        /// Its exit code.
        code: i32,
        /// Its last lines of standard error.
        stderr: Vec<String>,
    },
    /// By a signal.
    Killed {
        /// The signal's number.
        signal: i32,
        /// The signal's name.
        name: &'static str,
        /// Its last lines of standard error.
        stderr: Vec<String>,
    },
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stderr = match self {
            Ended::Exited { code, stderr } => {
                write!(f, "exit code {code}")?;
                stderr
            }
            Ended::Killed { signal, name, stderr } => {
                write!(f, "signal {signal}, {name}")?;
                stderr
            }
        };
        if stderr.is_empty() { Ok(()) } else { write!(f, "; its last words: {}", stderr.join(" / ")) }
    }
}

/// Why a program did not answer a query. After any of these it is started anew at the next one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// It does not run at all.
    #[error(transparent)]
    CannotStart(#[from] StartError),
    /// It ended before it answered, by a signal or with an exit code that is not 0.
    #[error("it crashed ({0})")]
    Crashed(Ended),
    /// It ended before it answered, as if all were well.
    #[error("it exited without an answer ({0})")]
    Exited(Ended),
    /// It was silent for too long.
    #[error("it did not answer {step} within {}", seconds(.limit))]
    Hung {
        /// What it was to answer.
        step: String,
        /// How long it had.
        limit: Duration,
    },
    /// What it printed is no answer.
    #[error("its answer cannot be read: {}", shown(.printed))]
    Garbage {
        /// The first lines of it.
        printed: Vec<String>,
    },
    /// It printed too much.
    #[error("it printed more than {limit_bytes} bytes in one answer")]
    Flood {
        /// What was allowed.
        limit_bytes: u64,
    },
    /// Lines are missing, or there are too many.
    #[error("its answer has the wrong lines: {what}")]
    WrongLines {
        /// Which, and what would be right.
        what: String,
    },
    /// Its streams broke.
    #[error("its streams cannot be used: {0}")]
    Broken(String),
}

/// Lines of an answer that are kept to be shown.
pub(crate) const SHOWN: usize = 8;

fn shown(printed: &[String]) -> String {
    let quoted = printed.iter().map(|line| format!("`{}`", line.chars().take(120).collect::<String>()));
    let quoted: Vec<String> = quoted.collect();
    if quoted.is_empty() { "it is empty".to_owned() } else { quoted.join(", ") }
}

fn seconds(limit: &Duration) -> String {
    format!("{} s", limit.as_secs_f64())
}
