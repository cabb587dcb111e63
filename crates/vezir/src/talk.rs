//! The two ways out: the answer on standard output, everything told beside it on standard error.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use vezir_telemetry::Format;

use crate::exit::{Exit, Failure};

/// Prints a part of the answer.
///
/// # Errors
/// A silent failure where the reader has gone, as `head` does; a telling one where the answer cannot be written.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(unwritten)
}

/// What it means that an answer cannot be written: nothing where the reader has gone.
pub(crate) fn unwritten(error: io::Error) -> Failure {
    if error.kind() == ErrorKind::BrokenPipe {
        return Failure::silent();
    }
    Failure::new(Exit::Unserved, format!("the answer cannot be written: {error}"))
}

/// Whether what is told beside the answer is JSON, as the log is.
static JSON: AtomicBool = AtomicBool::new(false);

/// Tells everything in this format from now on.
pub(crate) fn speak(format: Format) {
    JSON.store(format == Format::Json, Ordering::Relaxed);
}

/// Tells one line beside the answer. Nobody listening is no fault.
pub(crate) fn say(line: &str) {
    let mut out = io::stderr().lock();
    let _ = if JSON.load(Ordering::Relaxed) {
        writeln!(out, "{}", object(line))
    } else {
        writeln!(out, "{line}")
    };
}

/// A line as the log would have it.
fn object(line: &str) -> Value {
    let level = match line.split_once(": ") {
        Some(("warning", _)) => "WARN",
        Some(("vezir", _)) => "ERROR",
        _ => "INFO",
    };
    let timestamp = jiff::Timestamp::now().to_string();
    json!({ "timestamp": timestamp, "level": level, "fields": { "message": line }, "target": "vezir" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_looks_like_a_line_of_the_log() {
        for (line, level) in
            [("listening on x", "INFO"), ("warning: y; z", "WARN"), ("vezir: it \"failed\"", "ERROR")]
        {
            let read: Value = serde_json::from_str(&object(line).to_string()).unwrap();
            assert_eq!((&read["fields"]["message"], &read["level"]), (&json!(line), &json!(level)));
        }
    }
}
