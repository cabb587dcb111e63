//! How a command can end: the exit codes, and a failure as one sentence.

use std::fmt;
use std::process::ExitCode;

/// What the exit code says. The numbers are a promise to scripts: they must not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The answer is yes, or the work is done.
    Done = 0,
    /// The answer is no: a count differs.
    No = 1,
    /// The command line cannot be understood.
    Usage = 2,
    /// An input is wrong: a FEN, a suite.
    BadInput = 3,
    /// Something needed cannot be reached or had: threads, the cluster, a place to write the answer.
    Unserved = 4,
    /// Interrupted.
    Interrupted = 5,
    /// There is no answer: the run ended without one.
    NoAnswer = 6,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command gave no answer: the exit code, and a sentence for the user.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The code to exit with.
    pub(crate) exit: Exit,
    sentence: String,
}

impl Failure {
    /// A failure told as `sentence`.
    pub(crate) fn new(exit: Exit, sentence: impl Into<String>) -> Failure {
        Failure { exit, sentence: sentence.into() }
    }

    /// Whoever read the answer has gone: there is nobody to tell anything, and nothing is wrong.
    pub(crate) fn silent() -> Failure {
        Failure { exit: Exit::Done, sentence: String::new() }
    }

    /// Whether there is nothing to tell.
    pub(crate) fn is_silent(&self) -> bool {
        self.sentence.is_empty()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Failure {}
