//! What a unit, or a run, has brought.

use vezir_jobs::{Checks, Tally};

use crate::malformed::Malformed;
use crate::wire::runs::v1 as runs;
use crate::wire::types::v1 as wire;

/// A count and, where there is one, what was found out about an engine.
pub(crate) fn read_tally(counted: wire::Counted, survey: Option<wire::Survey>) -> Result<Tally, Malformed> {
    let survey = survey.map(|survey| survey.try_into().map(Box::new)).transpose()?;
    Ok(Tally { counted: counted.try_into()?, survey })
}

impl From<Checks> for runs::Checks {
    fn from(Checks { places, queries, differing, unanswered }: Checks) -> runs::Checks {
        runs::Checks { places, queries, differing, unanswered }
    }
}

impl From<runs::Checks> for Checks {
    fn from(runs::Checks { places, queries, differing, unanswered }: runs::Checks) -> Checks {
        Checks { places, queries, differing, unanswered }
    }
}
