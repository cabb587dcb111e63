//! perftree's form: `program DEPTH FEN "MOVES"` prints a line for each move, an empty line, and the total.

use super::answer::{Answer, Meaning, meaning};
use crate::failure::Failure;
use crate::query::Query;
use crate::said::Said;

/// The arguments; the moves are left out where there are none, as perftree does.
pub fn arguments(query: &Query) -> Vec<String> {
    let moves = query.moves();
    let mut arguments = vec![query.depth().to_string(), query.root_fen()];
    arguments.extend((!moves.is_empty()).then_some(moves));
    arguments
}

/// Reads a whole answer.
///
/// # Errors
/// [`Failure::Garbage`] for a line that is nothing of the form, [`Failure::WrongLines`] where parts are missing,
/// twice there, or in another order.
pub fn read(lines: &[String], query: &Query) -> Result<Said, Failure> {
    let mut answer = Answer::default();
    let mut lines_of_moves = 0;
    let mut is_past_blank = false;
    for line in lines {
        let found = match meaning(line) {
            // A total with its name would be one too many for perftree, but nobody can misread it.
            Meaning::Total(total) => Meaning::Lone(total),
            found => found,
        };
        match &found {
            Meaning::Blank => is_past_blank |= lines_of_moves > 0,
            Meaning::Move(..) if is_past_blank || answer.has_total() => {
                answer
                    .blame(format!("`{line}` stands behind the empty line, where the total would be right"));
            }
            Meaning::Move(..) => lines_of_moves += 1,
            Meaning::Other => return Err(Failure::Garbage { printed: vec![line.clone()] }),
            Meaning::Lone(_) if answer.has_total() => {
                answer.blame(format!("a second total, `{line}`: one would be right"));
            }
            Meaning::Lone(_) | Meaning::Total(_) => {}
        }
        answer.hear(line, found);
    }
    if answer.has_begun() && !answer.has_total() {
        answer.blame("no total: after an empty line the total would be right".to_owned());
    }
    answer.finish(query)
}
