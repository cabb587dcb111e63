//! The dialects that the toy speaks.

use std::io;
use std::thread;
use std::time::Duration;

use vezir_chess::{Move, Notation, Position, Square, uci};

use crate::manners::{self, Manners};
use crate::rules::{Rules, stepped_over};

/// The toy engine.
pub(crate) struct Toy {
    rules: Rules,
    manners: Manners,
    knows_chess960: bool,
    prints_total: bool,
    notation: Notation,
    position: Position,
    passed: Option<Square>,
}

impl Toy {
    pub(crate) fn new(rules: Rules, manners: Manners, knows_chess960: bool, prints_total: bool) -> Toy {
        let position = Position::startpos();
        let notation = Notation::Standard;
        Toy { rules, manners, knows_chess960, prints_total, notation, position, passed: None }
    }

    /// UCI with `go perft N`.
    pub(crate) fn listen_uci(&mut self) {
        self.manners.at_start(self.end());
        for line in io::stdin().lines().map_while(Result::ok) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["uci"] => self.introduce(),
                ["isready"] => self.say("readyok"),
                ["setoption", "name", "UCI_Chess960", "value", value] if self.knows_chess960 => {
                    self.notation = if value == "true" { Notation::Chess960 } else { Notation::Standard };
                }
                ["position", "fen", ref rest @ ..] => self.set(rest),
                ["go", "perft", depth] => {
                    self.answer(depth, |toy, depth| toy.divide(depth, "Nodes searched: "))
                }
                ["quit"] if !self.manners.has("ignore-quit") => return,
                _ => {}
            }
        }
        if self.manners.has("ignore-quit") {
            thread::sleep(Duration::from_secs(3600));
        }
    }

    /// `setboard FEN` and `perft N`, answered by a total only.
    pub(crate) fn listen_totals(&mut self) {
        self.manners.at_start(self.end());
        for line in io::stdin().lines().map_while(Result::ok) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["setboard", ref fen @ ..] => self.set(fen),
                ["perft", depth] => self.answer(depth, Toy::total),
                ["quit"] => return,
                _ => {}
            }
        }
    }

    /// perftree's form, once.
    pub(crate) fn answer_script(&mut self, arguments: &[String]) -> u8 {
        let [depth, fen, moves @ ..] = arguments else {
            eprintln!("toy: DEPTH FEN [MOVES] would be right");
            return 2;
        };
        self.manners.at_start(self.end());
        let mut words: Vec<&str> = fen.split_whitespace().collect();
        if !moves.is_empty() {
            words.push("moves");
        }
        words.extend(moves.iter().flat_map(|moves| moves.split_whitespace()));
        self.set(&words);
        self.notation = if self.position.needs_chess960() { Notation::Chess960 } else { Notation::Standard };
        self.answer(depth, |toy, depth| toy.divide(depth, ""));
        0
    }

    /// Answers in one way, if the manners allow an answer.
    fn answer(&mut self, depth: &str, how: fn(&Toy, u32)) {
        if self.manners.at_question(self.end()) {
            how(self, depth.parse().unwrap_or(1));
        }
    }

    fn total(&self, depth: u32) {
        let total = self.rules.count(&self.position, self.passed, depth);
        self.say(&format!("depth {depth} has nodes {total}"));
    }

    fn introduce(&self) {
        self.say("id name Toy 1.0");
        if self.manners.has("bytes") {
            manners::write(b"id author R\x04 \xb7 B\noption name H\xf4t type check default false\n");
        }
        self.say("option name Hash type spin default 16 min 1 max 1024");
        if self.knows_chess960 {
            self.say("option name UCI_Chess960 type check default false");
        }
        self.say("uciok");
    }

    /// Takes in a FEN, and moves behind it if there are some.
    fn set(&mut self, words: &[&str]) {
        let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let Ok(position) = words[..at].join(" ").parse::<Position>() else {
            eprintln!("toy: no FEN: {}", words[..at].join(" "));
            return;
        };
        self.position = position;
        self.passed = words.get(3).and_then(|square| square.parse().ok());
        for text in words.iter().skip(at + 1) {
            let Ok(chosen) = uci::read(&self.position, text) else {
                eprintln!("toy: no move: {text}");
                return;
            };
            self.passed = stepped_over(&self.position, chosen);
            self.position = self.position.after(chosen);
        }
    }

    fn divide(&self, depth: u32, word: &str) {
        let mut total = 0;
        let moves = self.rules.moves(&self.position, self.passed);
        for chosen in moves.iter().chain(moves.first().filter(|_| self.manners.has("twice"))) {
            let passed = stepped_over(&self.position, *chosen);
            let nodes = self.rules.count(&self.position.after(*chosen), passed, depth.saturating_sub(1));
            let between = if word.is_empty() { " " } else { ": " };
            self.say(&format!("{}{between}{nodes}", self.name(*chosen)));
            total += nodes;
        }
        self.say("");
        if self.prints_total {
            self.say(&format!("{word}{}", total + u128::from(self.manners.has("wrong-sum"))));
        }
    }

    fn name(&self, chosen: Move) -> String {
        uci::write(&self.position, chosen, self.notation)
    }

    fn end(&self) -> &'static str {
        if self.manners.has("crlf") { "\r\n" } else { "\n" }
    }

    fn say(&self, line: &str) {
        manners::write(format!("{line}{}", self.end()).as_bytes());
    }
}
