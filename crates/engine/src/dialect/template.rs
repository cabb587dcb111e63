//! A command with `{fen}`, `{depth}` and `{moves}` in it.

use super::answer::{Answer, Meaning, meaning};
use crate::failure::Failure;
use crate::query::Query;
use crate::said::Said;

/// Arguments with places to be filled. Each word stays one argument, whatever is put in; no shell reads it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    words: Vec<String>,
}

/// What is wrong with a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TemplateError {
    /// A quotation mark that nothing closes.
    #[error("a quotation mark is not closed")]
    OpenQuote,
    /// No program.
    #[error("the command is empty: a program and its arguments would be right")]
    Empty,
    /// A place that must be there.
    #[error("the command has no `{0}`: without it the program cannot know what is asked")]
    Missing(&'static str),
}

impl Template {
    /// Reads a command: words with blanks between them, `'…'` or `"…"` around those that hold some. The first
    /// is the program, and is returned beside.
    ///
    /// # Errors
    /// For a command without program, `{fen}` or `{depth}`.
    pub fn read(command: &str) -> Result<(String, Template), TemplateError> {
        let mut words = split(command)?;
        if words.is_empty() {
            return Err(TemplateError::Empty);
        }
        let program = words.remove(0);
        for place in ["{fen}", "{depth}"] {
            if !words.iter().any(|word| word.contains(place)) {
                return Err(TemplateError::Missing(place));
            }
        }
        Ok((program, Template { words }))
    }

    /// The arguments for a query. Without `{moves}` the FEN is that after the moves.
    pub fn arguments(&self, query: &Query) -> Vec<String> {
        let has_moves = self.words.iter().any(|word| word.contains("{moves}"));
        let fen = if has_moves { query.root_fen() } else { query.fen() };
        let (depth, moves) = (query.depth().to_string(), query.moves());
        let fill =
            |word: &String| word.replace("{fen}", &fen).replace("{depth}", &depth).replace("{moves}", &moves);
        self.words.iter().map(fill).collect()
    }
}

/// Reads a whole answer: moves in any spelling, a total with its name or by itself, other lines passed over.
///
/// # Errors
/// [`Failure::Garbage`] where neither is there, [`Failure::WrongLines`] for two totals or a move twice.
pub fn read(lines: &[String], query: &Query) -> Result<Said, Failure> {
    let mut answer = Answer::default();
    let found: Vec<Meaning> = lines.iter().map(|line| meaning(line)).collect();
    let named = found.iter().any(|found| matches!(found, Meaning::Total(_)));
    for (line, found) in lines.iter().zip(found) {
        // Beside a total with its name a bare number may be anything.
        let found = if named && matches!(found, Meaning::Lone(_)) { Meaning::Other } else { found };
        answer.hear(line, found);
    }
    answer.finish(query)
}

fn split(command: &str) -> Result<Vec<String>, TemplateError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in command.chars() {
        match quote {
            Some(mark) if letter == mark => quote = None,
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if quote.is_some() { Err(TemplateError::OpenQuote) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use vezir_chess::{Position, uci};

    use super::*;

    #[test]
    fn places_are_filled_and_words_stay_words() {
        let (program, template) = Template::read("./perft -d {depth} --fen='{fen}' \"a b\"").expect("right");
        let start = Position::startpos();
        let query = Query::at(start, 4).expect("a question");
        assert_eq!(program, "./perft");
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(template.arguments(&query), ["-d", "4", &format!("--fen={fen}"), "a b"]);
        let (_, template) = Template::read("p {fen} {depth} {moves}").expect("right");
        let path = [uci::read(&start, "g1f3").expect("a move")];
        let query = Query::along(start, &path, 2).expect("a question");
        assert_eq!(template.arguments(&query), [fen, "2", "g1f3"]);
    }

    #[test]
    fn what_is_no_command() {
        assert_eq!(Template::read("  "), Err(TemplateError::Empty));
        assert_eq!(Template::read("p {fen}"), Err(TemplateError::Missing("{depth}")));
        assert_eq!(Template::read("p {depth} x"), Err(TemplateError::Missing("{fen}")));
        assert_eq!(Template::read("p '{fen} {depth}"), Err(TemplateError::OpenQuote));
    }

    #[test]
    fn answers_with_moves_or_without() {
        let query = Query::at(Position::startpos(), 2).expect("a question");
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let said = read(&lines("depth two\n400\n"), &query).expect("an answer");
        assert_eq!((said.total, said.moves), (Some(400), None));
        let said = read(&lines("e2e4 20\nd2d4 20\n7\nTotal: 40\n"), &query).expect("an answer");
        assert_eq!((said.total, said.sum()), (Some(40), Some(40)));
        let two = read(&lines("Total: 40\nTotal: 41\n"), &query).expect_err("two");
        assert!(matches!(two, Failure::WrongLines { .. }), "{two}");
        let none = read(&lines("hello\n"), &query).expect_err("none");
        assert_eq!(none, Failure::Garbage { printed: vec!["hello".to_owned()] });
    }
}
