//! A visit to one place: the question, the descent where its answer is wrong, and what there is to tell of it.

use vezir_perft::{CountError, Overflow};

use crate::heard::hear;
use crate::{
    Counts, Ended, Failure, Finding, First, Kind, Oracle, Place, Query, Report, Said, Survey, Wish, descend,
    shrink_finding,
};

/// The most smaller positions that are tried for one finding: a crowded position needs some hundred, and a program
/// that is started anew for each question answers so many in a minute.
const SHRINK_TRIES: u32 = 1_000;

/// How much is done at a place whose answer is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Care {
    /// Whether the descent goes down to what is to blame; else the answer is only compared and counted.
    pub descend: bool,
    /// Whether every kind of fault is looked for, one example each; else the first fault ends the descent.
    pub all: bool,
    /// Whether each finding is shrunk to the smallest position that shows it.
    pub shrink: bool,
    /// The most questions of a descent, the first one included.
    pub queries: u32,
}

impl Default for Care {
    /// Down to the first fault, which is shrunk.
    fn default() -> Care {
        Care { descend: true, all: false, shrink: true, queries: Wish::QUERIES }
    }
}

/// What came of a visit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visit<E> {
    /// What was found, of this one place. Nothing, not even the place, where our own count was stopped: it is still
    /// to be visited then.
    pub survey: Survey,
    /// Why a question had no answer: the first one, or one further down, which leaves this place answered. What was
    /// found before it stands.
    pub failure: Option<Failure<E>>,
    /// The question that the program did not answer, where it is the program that failed.
    pub unanswered: Option<Query>,
}

/// Asks a program about a place, whose depth is at least 1, and goes after what is wrong as far as `care` wishes.
///
/// Where all is right, one question is asked.
pub fn visit<O: Oracle, C: Counts>(
    oracle: &mut O,
    counts: &mut C,
    place: &Place,
    care: Care,
) -> Visit<O::Error> {
    let mut asking = Asking { oracle, asked: 0, unanswered: None };
    let query = place.query();
    let Report { mut findings, first, ended, .. } = if care.descend {
        // The first question is always asked.
        let wish = Wish { all: care.all, queries: care.queries.max(1) };
        descend(&mut asking, counts, &query, wish)
    } else {
        glance(&mut asking, counts, &query)
    };
    let (mut failure, is_cut_short) = match ended {
        Ended::Done => (None, false),
        Ended::Limit => (None, true),
        Ended::Failed(_, failure) => (Some(failure), false),
    };
    // A program that has just failed would have to be waited for again and again.
    if care.shrink && failure.is_none() {
        failure = shrink_all(&mut asking, counts, &mut findings).err();
    }
    let Asking { asked, unanswered, .. } = asking;
    if matches!(failure, Some(Failure::Count(CountError::Stopped))) {
        return Visit { survey: Survey::default(), failure, unanswered };
    }
    let mut survey = surveyed(place, first, &findings).unwrap_or_else(|overflow| {
        failure = Some(Failure::Count(overflow.into()));
        Survey { places: 1, unanswered: 1, ..Survey::default() }
    });
    survey.queries = asked;
    if is_cut_short {
        survey.note(&format!("a descent ended at its limit of {} questions", care.queries.max(1)));
    }
    Visit { survey, failure, unanswered }
}

/// The first question alone.
fn glance<O: Oracle, C: Counts>(oracle: &mut O, counts: &mut C, query: &Query) -> Report<O::Error> {
    let (first, heard) = hear(oracle, counts, query);
    let ended = match heard {
        Ok(_) => Ended::Done,
        Err(failure) => Ended::Failed(Box::new(query.clone()), failure),
    };
    Report { findings: Vec::new(), queries: 1, first, ended }
}

/// Gives each finding its smallest position, up to the first question without an answer.
fn shrink_all<O: Oracle, C: Counts>(
    oracle: &mut O,
    counts: &mut C,
    findings: &mut [Finding],
) -> Result<(), Failure<O::Error>> {
    for finding in findings {
        finding.smallest = Some(shrink_finding(oracle, counts, finding, SHRINK_TRIES)?);
    }
    Ok(())
}

/// The survey of one place.
fn surveyed(place: &Place, first: First, findings: &[Finding]) -> Result<Survey, Overflow> {
    let paths = u128::from(place.paths);
    let mut survey = Survey {
        places: 1,
        ours: first.ours.unwrap_or(0).checked_mul(paths).ok_or(Overflow)?,
        theirs: first.said.unwrap_or(0).saturating_mul(paths),
        differing: first.differs.into(),
        unanswered: (!first.is_answered).into(),
        ..Survey::default()
    };
    for finding in findings {
        survey.admit(finding.tags, Kind { places: 1, example: finding.into() })?;
    }
    Ok(survey)
}

/// A program whose questions are counted.
struct Asking<'a, O> {
    oracle: &'a mut O,
    asked: u64,
    /// The last question that had no answer.
    unanswered: Option<Query>,
}

impl<O: Oracle> Oracle for Asking<'_, O> {
    type Error = O::Error;

    fn ask(&mut self, query: &Query) -> Result<Said, O::Error> {
        self.asked += 1;
        self.oracle.ask(query).inspect_err(|_| self.unanswered = Some(query.clone()))
    }
}
