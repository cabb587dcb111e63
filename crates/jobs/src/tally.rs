//! What the work on a unit brings, and what that of a whole run has brought so far.

use vezir_perft::{Counted, Overflow};
use vezir_verify::Survey;

use crate::ledger::Answer;

/// A count and, where an engine was examined, what was found out about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Our own count.
    pub counted: Counted,
    /// What was found; only in a verification.
    pub survey: Option<Box<Survey>>,
}

impl From<Counted> for Tally {
    fn from(counted: Counted) -> Tally {
        Tally { counted, survey: None }
    }
}

impl Answer for Tally {
    /// Only our own counts are compared: an engine that answers now so and now otherwise does not make a liar
    /// of the worker that asked it.
    fn agrees(&self, other: &Tally) -> bool {
        self.counted.answer == other.counted.answer && self.survey.is_some() == other.survey.is_some()
    }

    fn add(&mut self, part: &Tally) -> Result<(), Overflow> {
        let Tally { counted, survey } = std::mem::take(self);
        let survey = match (survey, part.survey.clone()) {
            (Some(before), Some(more)) => Some(Box::new(before.plus(*more)?)),
            (before, more) => before.or(more),
        };
        *self = Tally { counted: counted.plus(part.counted.clone())?, survey };
        Ok(())
    }
}
