//! UCI: the handshake, an engine's options, and `go perft N`.

use super::answer::{Answer, Meaning, meaning};
use crate::query::Query;

/// The option that castling of Chess960 takes.
pub const CHESS960: &str = "UCI_Chess960";

/// Kinds of options that the protocol knows.
const KINDS: [&str; 5] = ["check", "spin", "combo", "button", "string"];

/// An option that an engine offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Its name, blanks inside as they were written.
    pub name: String,
    /// What it takes.
    pub kind: Kind,
}

/// What an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// True or false.
    Check(bool),
    /// A whole number.
    Spin {
        /// Its value at the start.
        default: i64,
        /// The least that is allowed.
        min: i64,
        /// The most that is allowed.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// Its value at the start.
        default: String,
        /// The values that are allowed.
        values: Vec<String>,
    },
    /// Nothing: it is pressed.
    Button,
    /// Any text; `<empty>` and nothing at all are both empty.
    String(String),
}

/// Reads a line that begins with `option`; `None` if it is none, or cannot be read.
///
/// The name ends at the last ` type ` that a known type follows, so that names may hold any word.
pub fn offer(line: &str) -> Option<Offer> {
    let rest = line.trim().strip_prefix("option")?.trim_start().strip_prefix("name ")?;
    let ends = rest.match_indices(" type ").filter_map(|(at, between)| {
        let tail = rest[at + between.len()..].trim_start();
        let word = tail.split_whitespace().next()?;
        KINDS.contains(&word).then(|| (at, word, tail[word.len()..].trim()))
    });
    let (at, word, tail) = ends.last()?;
    let name = rest[..at].trim();
    let kind = kind(word, tail)?;
    (!name.is_empty()).then(|| Offer { name: name.to_owned(), kind })
}

fn kind(word: &str, tail: &str) -> Option<Kind> {
    let default = tail.strip_prefix("default").unwrap_or_default();
    Some(match word {
        "button" => Kind::Button,
        "string" => Kind::String(default.trim().replace("<empty>", "")),
        "check" => Kind::Check(default.trim().parse().ok()?),
        "combo" => {
            let mut parts =
                format!("{default} ").split(" var ").map(|part| part.trim().to_owned()).collect::<Vec<_>>();
            let default = (!parts.is_empty()).then(|| parts.remove(0))?;
            Kind::Combo { default, values: parts }
        }
        _ => {
            let words: Vec<&str> = tail.split_whitespace().collect();
            let value = |name| {
                let at = words.iter().position(|word| *word == name)?;
                words.get(at + 1)?.parse().ok()
            };
            Kind::Spin { default: value("default")?, min: value("min")?, max: value("max")? }
        }
    })
}

/// What is set after the handshake, whatever is asked: one thread, and as much hash as is wished.
pub fn settings(offers: &[Offer], hash_mib: i64) -> Vec<String> {
    let spin = |wanted: &str, value: i64| {
        let found = offers.iter().find(|offer| offer.name.eq_ignore_ascii_case(wanted))?;
        let Kind::Spin { min, max, .. } = found.kind else { return None };
        let within = value.max(min).min(max);
        Some(format!("setoption name {} value {within}", found.name))
    };
    [spin("Threads", 1), spin("Hash", hash_mib)].into_iter().flatten().collect()
}

/// Whether an engine can be told of Chess960.
pub fn knows_chess960(offers: &[Offer]) -> bool {
    offers.iter().any(|offer| offer.name.eq_ignore_ascii_case(CHESS960))
}

/// The lines that ask.
pub fn question(query: &Query) -> [String; 2] {
    let mut position = format!("position fen {}", query.root_fen());
    let moves = query.moves();
    if !moves.is_empty() {
        position.push_str(" moves ");
        position.push_str(&moves);
    }
    [position, format!("go perft {}", query.depth())]
}

/// What a line of an answer means to the one who waits for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard {
    /// More is to come.
    Part,
    /// The engine is ready for more.
    Ready,
    /// The engine searched for a move: it does not know `perft`.
    Searched,
}

/// Takes in one line of an answer.
pub fn hear(answer: &mut Answer, line: &str) -> Heard {
    let words: Vec<&str> = line.split_whitespace().take(2).collect();
    match words[..] {
        ["readyok", ..] => return Heard::Ready,
        ["bestmove", ..] => {
            answer.hear(line, Meaning::Other);
            return Heard::Searched;
        }
        // Lines of a search, some with the word `nodes` in them; but a total may be sent as `info string`.
        ["info", second] if second != "string" => return Heard::Part,
        _ => {}
    }
    let found = match meaning(line) {
        Meaning::Lone(_) => Meaning::Other,
        found => found,
    };
    answer.hear(line, found);
    Heard::Part
}
