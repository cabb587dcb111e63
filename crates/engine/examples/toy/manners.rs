//! Bad manners: what the toy does besides, or instead of, answering.

use std::io::{self, Write};
use std::process::{self, Command};
use std::thread;
use std::time::Duration;

/// Every manner that can be asked for.
const KNOWN: [&str; 14] = [
    "crash",
    "abort",
    "exit",
    "hang",
    "garbage",
    "wrong-sum",
    "flood",
    "orphan",
    "ignore-quit",
    "bytes",
    "crlf",
    "banner",
    "slow-start",
    "twice",
];

/// The manners that were asked for, and from which question on each shows.
#[derive(Default)]
pub(crate) struct Manners {
    learnt: Vec<(String, u64)>,
    questions: u64,
}

impl Manners {
    /// Takes in `name` or `name@n`.
    pub(crate) fn learn(&mut self, text: &str) -> Result<(), String> {
        let (name, from) = text.split_once('@').unwrap_or((text, "1"));
        let from = from.parse().map_err(|error| format!("`{text}`: {error}"))?;
        if !KNOWN.contains(&name) {
            return Err(format!("no manner is called `{name}`; one of {} would be right", KNOWN.join(", ")));
        }
        self.learnt.push((name.to_owned(), from));
        Ok(())
    }

    /// Whether a manner shows now.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.learnt.iter().any(|(learnt, from)| learnt == name && self.questions.max(1) >= *from)
    }

    /// What happens when the program starts.
    pub(crate) fn at_start(&self, end: &str) {
        if self.has("slow-start") {
            thread::sleep(Duration::from_millis(1500));
        }
        if self.has("banner") {
            write(format!("Toy 1.0 (build 7), 4 threads{end}{end}   hash=16MB{end}").as_bytes());
        }
        if self.has("orphan") {
            // Outlives its parent, and holds its output open. That it cannot be started is no trouble of the toy's.
            let _ = Command::new("sleep").arg("600").spawn();
        }
    }

    /// What happens at a question; returns whether an answer is to follow.
    pub(crate) fn at_question(&mut self, end: &str) -> bool {
        self.questions += 1;
        if self.has("crash") {
            eprintln!("toy: about to crash at question {}", self.questions);
            process::exit(139);
        }
        if self.has("abort") {
            process::abort();
        }
        if self.has("exit") {
            process::exit(0);
        }
        if self.has("hang") {
            thread::sleep(Duration::from_secs(3600));
        }
        if self.has("flood") {
            let line = format!("{}{end}", "flood ".repeat(20));
            (0..10 * 1024 * 1024 / line.len()).for_each(|_| write(line.as_bytes()));
        }
        if self.has("bytes") {
            write(b"info string \xff\xfe hello \xb7\n");
        }
        if self.has("garbage") {
            write(format!("segment of nothing{end}e2e4 best by test{end}").as_bytes());
        }
        !self.has("garbage")
    }
}

/// Prints bytes at once. A reader that has gone is an end.
pub(crate) fn write(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        process::exit(0);
    }
}
