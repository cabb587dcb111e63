//! A conversation with python-chess: one JSON line asks about a position, one answers.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::house;

/// A running oracle. It ends when dropped.
pub struct Oracle {
    process: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

/// What the oracle is asked.
#[derive(Serialize)]
struct Question<'a> {
    fen: &'a str,
    chess960: bool,
}

/// What it knows of a position.
#[derive(Deserialize, Debug)]
pub struct Known {
    /// The FEN with the en passant square only where a capture is legal, rights written as `KQkq` where that is
    /// clear.
    pub fen: String,
    /// The same with the files of the rooks for rights.
    pub shredder_fen: String,
    /// Every legal move, castling written as the king taking its rook, with its SAN.
    pub moves: BTreeMap<String, String>,
    /// Whether neither side can mate, and whether White and Black cannot.
    pub insufficient: [bool; 3],
}

impl Oracle {
    /// Starts it, in the environment that `tests/run` made or with the system's Python.
    ///
    /// # Panics
    /// If there is no Python with python-chess.
    pub fn start() -> Oracle {
        let own = house::root().join("tests/.venv/bin/python");
        let python = if own.exists() { own } else { "python3".into() };
        let mut command = Command::new(&python);
        command.arg(house::root().join("tests/oracle.py")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", python.display()));
        let to = process.stdin.take();
        let from = BufReader::new(process.stdout.take().expect("it was piped"));
        Oracle { process, to, from }
    }

    /// Asks about one position.
    ///
    /// # Panics
    /// If the oracle has gone, as it does where python-chess is missing.
    pub fn ask(&mut self, fen: &str, chess960: bool) -> Known {
        let question = serde_json::to_string(&Question { fen, chess960 }).expect("a question is JSON");
        let to = self.to.as_mut().expect("it was piped");
        let asked = writeln!(to, "{question}").and_then(|()| to.flush());
        let mut answer = String::new();
        let read = asked.and_then(|()| self.from.read_line(&mut answer));
        assert!(read.is_ok_and(|bytes| bytes > 0), "python-chess does not answer; tests/run installs it");
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{fen}: {error}: {answer}"))
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // Without its input it ends by itself.
        self.to = None;
        let _ = self.process.wait();
    }
}
