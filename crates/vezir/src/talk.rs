//! The two ways out: the answer on standard output, everything told beside it on standard error.

use std::io::{self, ErrorKind, Write};

use crate::exit::{Exit, Failure};

/// Prints a part of the answer.
///
/// # Errors
/// A silent failure where the reader has gone, as `head` does; a telling one where the answer cannot be written.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::silent()),
        Err(error) => Err(Failure::new(Exit::Unserved, format!("the answer cannot be written: {error}"))),
    }
}

/// Tells one line beside the answer. Nobody listening is no fault.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
