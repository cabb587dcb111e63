//! Programs that read commands and print nothing but a total.

use regex::Regex;

use super::answer::number;
use crate::query::Query;

/// The commands of such a program, and how its answer is told from the rest of what it prints.
#[derive(Clone, Debug)]
pub struct Totals {
    init: Vec<String>,
    ready: Option<Ready>,
    position: String,
    perft: String,
    total: Regex,
    knows_chess960: bool,
}

/// A command that a program answers when it has done all before it, and the answer.
#[derive(Clone, Debug)]
pub(crate) struct Ready {
    pub(crate) command: String,
    pub(crate) answer: String,
}

/// What is wrong with commands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TotalsError {
    /// A place that must be there.
    #[error("the {command} command has no `{place}`: something like `{example}` would be right")]
    Missing {
        /// Which command.
        command: &'static str,
        /// The place.
        place: &'static str,
        /// A command that has it.
        example: &'static str,
    },
    /// A command of more than one line.
    #[error("the command {0:?} is not one line")]
    LineBreak(String),
    /// The expression cannot be read, or has no group.
    #[error(
        "the total's expression is wrong: {0}; a group around the number, as in `nodes (\\d+)`, would be right"
    )]
    Regex(String),
}

impl Totals {
    /// A program that is told the position by `position`, with `{fen}` in it, and asked by `perft`, with
    /// `{depth}`; `total` finds the number in a line, in its first group. `init` is sent once, at the start.
    ///
    /// # Errors
    /// For commands without their places or with line breaks, and an expression without a group.
    pub fn new(init: &[&str], position: &str, perft: &str, total: &str) -> Result<Totals, TotalsError> {
        let missing = |command, place, example| TotalsError::Missing { command, place, example };
        if !position.contains("{fen}") {
            return Err(missing("position", "{fen}", "setboard {fen}"));
        }
        if !perft.contains("{depth}") {
            return Err(missing("perft", "{depth}", "perft {depth}"));
        }
        let mut commands = init.iter().copied().chain([position, perft]);
        if let Some(broken) = commands.find(|command| command.contains(['\n', '\r', '\0'])) {
            return Err(TotalsError::LineBreak(broken.to_owned()));
        }
        let total = Regex::new(total).map_err(|error| TotalsError::Regex(error.to_string()))?;
        if total.captures_len() < 2 {
            return Err(TotalsError::Regex("it has no group".to_owned()));
        }
        Ok(Totals {
            init: init.iter().map(|line| (*line).to_owned()).collect(),
            ready: None,
            position: position.to_owned(),
            perft: perft.to_owned(),
            total,
            knows_chess960: false,
        })
    }

    /// The same for a program that answers `command` with a line that begins with `answer` when it is done.
    pub fn with_ready(mut self, command: &str, answer: &str) -> Totals {
        self.ready = Some(Ready { command: command.to_owned(), answer: answer.to_owned() });
        self
    }

    /// The same for a program that takes Chess960 from the FEN, whose castling rights then name files.
    pub fn with_chess960(mut self) -> Totals {
        self.knows_chess960 = true;
        self
    }

    /// A profile that is built in: `ethereal-chess` or `sjeng`.
    pub fn profile(name: &str) -> Option<Totals> {
        match name {
            "ethereal-chess" => {
                let made = Totals::new(&[], "position fen {fen}", "perft {depth}", r"^(\d+)$");
                Some(made.ok()?.with_ready("isready", "readyok").with_chess960())
            }
            "sjeng" => {
                // Else it answers a position in which Black moves with a move of its own.
                Totals::new(&["force"], "setboard {fen}", "perft {depth}", r"Raw nodes for depth \d+: (\d+)")
                    .ok()
            }
            _ => None,
        }
    }

    /// The lines that ask. Such programs are told the position after the moves.
    pub fn question(&self, query: &Query) -> [String; 2] {
        let position = self.position.replace("{fen}", &query.fen());
        [position, self.perft.replace("{depth}", &query.depth().to_string())]
    }

    /// The total, if `line` holds it.
    pub fn total(&self, line: &str) -> Option<u128> {
        number(self.total.captures(line)?.get(1)?.as_str())
    }

    /// Whether the program can be asked about Chess960.
    pub fn knows_chess960(&self) -> bool {
        self.knows_chess960
    }

    pub(crate) fn init(&self) -> &[String] {
        &self.init
    }

    pub(crate) fn ready(&self) -> Option<&Ready> {
        self.ready.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use vezir_chess::Position;

    use super::*;

    #[test]
    fn profiles_ask_and_read() {
        let query = Query::at(Position::startpos(), 3).expect("a question");
        let sjeng = Totals::profile("sjeng").expect("a profile");
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(sjeng.question(&query), [format!("setboard {fen}"), "perft 3".to_owned()]);
        assert_eq!(sjeng.total("Sjeng: Raw nodes for depth 3: 8902"), Some(8902));
        assert_eq!(sjeng.total("Time : 0.00"), None);
        let ethereal = Totals::profile("ethereal-chess").expect("a profile");
        assert_eq!(ethereal.total("8902"), Some(8902));
        assert_eq!(ethereal.total("info nodes 8902"), None);
        assert!(Totals::profile("deep-thought").is_none());
    }

    #[test]
    fn commands_must_have_their_places() {
        let wrong = |position: &str, perft: &str, total: &str| {
            Totals::new(&[], position, perft, total).expect_err("wrong").to_string()
        };
        assert!(wrong("setboard", "perft {depth}", r"(\d+)").contains("`{fen}`"));
        assert!(wrong("setboard {fen}", "perft", r"(\d+)").contains("`{depth}`"));
        assert!(wrong("setboard {fen}", "perft {depth}", r"\d+").contains("no group"));
        assert!(wrong("setboard {fen}", "perft {depth}", r"(\d+").contains("expression"));
        assert!(wrong("setboard {fen}\nquit", "perft {depth}", r"(\d+)").contains("not one line"));
    }
}
