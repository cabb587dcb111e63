//! One question and what came of it: the program's answer, held against ours.

use vezir_perft::Answer;

use crate::difference::compare;
use crate::{Counts, Difference, Failure, First, Oracle, Query, Said};

/// An answer held against ours.
pub(crate) struct Heard {
    pub(crate) ours: Answer,
    pub(crate) differences: Vec<Difference>,
    /// Whether the program told its moves.
    pub(crate) listed: bool,
}

/// Counts, asks and compares.
pub(crate) fn hear<O: Oracle, C: Counts>(
    oracle: &mut O,
    counts: &mut C,
    query: &Query,
) -> (First, Result<Heard, Failure<O::Error>>) {
    let position = query.position();
    let ours = match counts.count(&position, query.depth) {
        Ok(ours) => ours,
        Err(error) => return (First::default(), Err(error.into())),
    };
    let came = First { ours: Some(ours.nodes), ..First::default() };
    match oracle.ask(query) {
        Err(error) => (came, Err(Failure::Oracle(error))),
        Ok(said) => {
            let differences = compare(&position, &ours, &said);
            let differs = !differences.is_empty();
            let came = First { said: total(&said), is_answered: true, differs, ..came };
            (came, Ok(Heard { ours, differences, listed: said.moves.is_some() }))
        }
    }
}

/// The leaves that an answer comes to.
fn total(said: &Said) -> Option<u128> {
    let sum = |lines: &Vec<(String, u128)>| {
        lines.iter().fold(0_u128, |sum, (_, leaves)| sum.saturating_add(*leaves))
    };
    said.total.or_else(|| said.moves.as_ref().map(sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_goes_before_the_sum_of_the_lines() {
        let lines = |counts: &[u128]| Some(counts.iter().map(|count| (String::new(), *count)).collect());
        let of = |total_said, moves| total(&Said { total: total_said, moves });
        assert_eq!(of(Some(5), lines(&[1, 2])), Some(5));
        assert_eq!(of(None, lines(&[1, 2])), Some(3));
        assert_eq!(of(None, lines(&[])), Some(0));
        assert_eq!(of(None, lines(&[u128::MAX, 2])), Some(u128::MAX));
        assert_eq!(of(None, None), None);
    }
}
