//! `vezir uci`: answers `position` and `go perft N` as a UCI engine does, for tools that ask Stockfish.

use std::io::{self, BufRead, Read};
use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use vezir_chess::{Notation, Position, fen, uci};
use vezir_perft::{CountError, Counter, Frontier, Isa, MAX_DEPTH, Slot, StartError};

use crate::args::UciArgs;
use crate::exit::{Exit, Failure};
use crate::machine;
use crate::talk::print;

/// The longest line that is read, in bytes: a game of some thousand moves.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// Counts with fewer plies go without a table: it would take longer to clear.
const HASHED_FROM: u32 = 6;

/// An engine that counts and does not search.
struct Engine {
    position: Position,
    chess960: bool,
    counter: Counter,
    hash_bytes: u64,
}

/// What to do after a line.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Quit,
}

/// Reads commands until `quit` or the end of the input.
pub(crate) fn run(args: &UciArgs) -> Result<Exit, Failure> {
    let threads = args.threads.unwrap_or_else(machine::cores);
    let hash_bytes = args.hash.unwrap_or_else(machine::default_hash);
    let mut engine = Engine::new(threads, hash_bytes)?;
    let mut input = io::stdin().lock();
    while let Some(line) = heard(&mut input) {
        if engine.obey(&line)? == Next::Quit {
            break;
        }
    }
    Ok(Exit::Done)
}

/// The next line of standard input; `None` at its end.
fn heard(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = Read::take(&mut *input, MAX_LINE_BYTES).read_until(b'\n', &mut bytes);
    matches!(read, Ok(length) if length > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned())
}

impl Engine {
    fn new(threads: NonZero<usize>, hash_bytes: u64) -> Result<Engine, Failure> {
        let counter = Counter::new(threads).and_then(|counter| counter.with_isa(Isa::detect()));
        let counter = counter.map_err(|error| Failure::new(Exit::Unserved, error.to_string()))?;
        Ok(Engine { position: Position::startpos(), chess960: false, counter, hash_bytes })
    }

    fn obey(&mut self, line: &str) -> Result<Next, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "uci" => print(&format!(
                "id name Vezir {}\nid author the authors of Vezir\noption name UCI_Chess960 type check default \
                 false\nuciok\n",
                env!("CARGO_PKG_VERSION")
            ))?,
            "isready" => print("readyok\n")?,
            "quit" => return Ok(Next::Quit),
            "" | "ucinewgame" | "debug" | "stop" => {}
            "setoption" => self.set(rest)?,
            "position" => match placed(rest) {
                Ok(position) => self.position = position,
                Err(why) => tell(&why)?,
            },
            "go" => self.go(rest)?,
            "d" => print(&format!("{:?}\n", self.position))?,
            other => tell(&format!("`{other}` is not known here; position and go perft N would be right"))?,
        }
        Ok(Next::GoOn)
    }

    fn set(&mut self, words: &str) -> Result<(), Failure> {
        let words: Vec<&str> = words.split_whitespace().collect();
        match words[..] {
            ["name", name, "value", value] if name.eq_ignore_ascii_case("UCI_Chess960") => {
                self.chess960 = value.eq_ignore_ascii_case("true");
                Ok(())
            }
            _ => tell("there is no such option; UCI_Chess960 would be right"),
        }
    }

    fn go(&mut self, words: &str) -> Result<(), Failure> {
        let depth = words.strip_prefix("perft").map(str::trim).and_then(|depth| depth.parse::<u32>().ok());
        let Some(depth) = depth.filter(|depth| *depth <= MAX_DEPTH) else {
            return tell(&format!("only `go perft N` is known here, with N up to {MAX_DEPTH}"));
        };
        match self.count(depth) {
            Ok(text) => print(&text),
            Err(why) => tell(&why),
        }
    }

    /// The divide as Stockfish prints it.
    fn count(&mut self, depth: u32) -> Result<String, String> {
        let bytes = if depth < HASHED_FROM { 0 } else { self.hash_bytes };
        self.counter.reserve(bytes).map_err(|error: StartError| error.to_string())?;
        let slots: Vec<Slot> = Frontier::root(&self.position).slots(0..1).collect();
        let counted = self.counter.count(&slots, depth, false, &AtomicBool::new(false));
        let answer = counted.map_err(|error: CountError| error.to_string())?.answer;
        let is_chess960 = self.chess960 || self.position.needs_chess960();
        let notation = if is_chess960 { Notation::Chess960 } else { Notation::Standard };
        let mut text = String::new();
        for (chosen, nodes) in &answer.divide {
            text.push_str(&format!("{}: {nodes}\n", uci::write(&self.position, *chosen, notation)));
        }
        text.push_str(&format!("\nNodes searched: {}\n\n", answer.nodes));
        Ok(text)
    }
}

/// Says a sentence as an engine does.
fn tell(sentence: &str) -> Result<(), Failure> {
    print(&format!("info string {sentence}\n"))
}

/// The position of `startpos moves …` or `fen FEN moves …`, or a sentence.
fn placed(words: &str) -> Result<Position, String> {
    let (place, moves) = words.split_once("moves").unwrap_or((words, ""));
    let place = place.trim();
    let root = match place.strip_prefix("fen ") {
        Some(text) => fen::read(text).map_err(|error| error.to_string())?.position,
        None if place == "startpos" => Position::startpos(),
        None => return Err("position startpos, or position fen FEN, would be right".to_owned()),
    };
    moved(root, moves)
}

/// The position after moves with blanks between them, or a sentence.
pub(crate) fn moved(root: Position, moves: &str) -> Result<Position, String> {
    let mut position = root;
    for (at, text) in moves.split_whitespace().enumerate() {
        let chosen = uci::read(&position, text).map_err(|error| format!("move {}: {error}", at + 1))?;
        position = position.after(chosen);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_as_engines_read_them() {
        let after = placed("startpos moves e2e4 e7e5").expect("a position");
        assert_eq!(after.to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        let placed_by_fen = placed("fen 8/8/8/8/8/8/8/K1k5 w - - 0 1").expect("a position");
        assert_eq!(placed_by_fen.to_string(), "8/8/8/8/8/8/8/K1k5 w - - 0 1");
        assert!(placed("startpos moves e2e4 e2e4").is_err_and(|why| why.starts_with("move 2")));
        assert!(placed("nowhere").is_err());
        assert!(placed("fen 8/8 w").is_err());
    }

    #[test]
    fn a_divide_is_stockfish_s() {
        let mut engine = Engine::new(NonZero::<usize>::MIN, 0).expect("a thread");
        engine.position = placed("fen 8/8/8/8/8/8/8/K1k5 w - - 0 1").expect("a position");
        assert_eq!(engine.count(1).expect("a count"), "a1a2: 1\n\nNodes searched: 1\n\n");
        engine.position = placed("startpos").expect("a position");
        assert!(engine.count(3).expect("a count").ends_with("\n\nNodes searched: 8902\n\n"));
    }
}
