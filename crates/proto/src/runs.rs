//! What users send and see: submissions, progress, summaries.

use std::time::Duration;

use vezir_jobs::ledger::State;
use vezir_jobs::{Brief, Hash, Outcome, Outline, Progress, Request, RunId, RunSummary, Tally, Verify};
use vezir_perft::{Counted, Figures};

use crate::malformed::{Malformed, required};
use crate::verify::read_hash;
use crate::wire::runs::v1 as wire;
use crate::wire::types::v1::{self as types, Outline as WireOutline};

impl From<Request> for wire::submit_request::Kind {
    fn from(request: Request) -> wire::submit_request::Kind {
        match request {
            Request::Perft(perft) => wire::submit_request::Kind::Perft(perft.into()),
            Request::Verify(verify) => wire::submit_request::Kind::Verification((*verify).into()),
        }
    }
}

impl TryFrom<wire::submit_request::Kind> for Request {
    type Error = Malformed;

    fn try_from(kind: wire::submit_request::Kind) -> Result<Request, Malformed> {
        match kind {
            wire::submit_request::Kind::Perft(perft) => Ok(Request::Perft(perft.try_into()?)),
            wire::submit_request::Kind::Verification(verify) => {
                Ok(Request::Verify(Box::new(verify.try_into()?)))
            }
        }
    }
}

/// The request of a submission, which must be there.
///
/// # Errors
/// [`Malformed`] where there is none, or it cannot be read.
pub fn read_request(kind: Option<wire::submit_request::Kind>) -> Result<Request, Malformed> {
    required(kind, "kind")?.try_into()
}

impl From<Verify> for wire::Verify {
    fn from(verify: Verify) -> wire::Verify {
        match verify {
            Verify::Not => wire::Verify::Unspecified,
            Verify::Sample => wire::Verify::Sample,
            Verify::All => wire::Verify::All,
        }
    }
}

impl From<wire::Verify> for Verify {
    fn from(verify: wire::Verify) -> Verify {
        match verify {
            wire::Verify::Unspecified => Verify::Not,
            wire::Verify::Sample => Verify::Sample,
            wire::Verify::All => Verify::All,
        }
    }
}

impl From<State> for wire::State {
    fn from(state: State) -> wire::State {
        match state {
            State::Planning => wire::State::Planning,
            State::Running => wire::State::Running,
            State::Disputed => wire::State::Disputed,
            State::Done => wire::State::Done,
            State::Cancelled => wire::State::Cancelled,
            State::Overflowed => wire::State::Overflowed,
            State::Failed => wire::State::Failed,
        }
    }
}

impl TryFrom<wire::State> for State {
    type Error = Malformed;

    fn try_from(state: wire::State) -> Result<State, Malformed> {
        match state {
            wire::State::Unspecified => Err(Malformed::Missing("state")),
            wire::State::Planning => Ok(State::Planning),
            wire::State::Running => Ok(State::Running),
            wire::State::Disputed => Ok(State::Disputed),
            wire::State::Done => Ok(State::Done),
            wire::State::Cancelled => Ok(State::Cancelled),
            wire::State::Overflowed => Ok(State::Overflowed),
            wire::State::Failed => Ok(State::Failed),
        }
    }
}

impl From<Outline> for WireOutline {
    fn from(outline: Outline) -> WireOutline {
        let Outline { units, split, remaining, positions, hash_bytes, frontier } = outline;
        let frontier = frontier.map(|Hash(bytes)| bytes.to_vec());
        WireOutline { units, split, remaining, positions, hash_bytes, frontier }
    }
}

impl TryFrom<WireOutline> for Outline {
    type Error = Malformed;

    fn try_from(outline: WireOutline) -> Result<Outline, Malformed> {
        let WireOutline { units, split, remaining, positions, hash_bytes, frontier } = outline;
        let frontier = frontier.map(|bytes| read_hash(&bytes, "frontier")).transpose()?;
        Ok(Outline { units, split, remaining, positions, hash_bytes, frontier })
    }
}

impl From<Progress> for wire::Progress {
    fn from(progress: Progress) -> wire::Progress {
        let (outcome, survey) = match progress.outcome {
            Some(outcome) => written(outcome),
            None => (None, None),
        };
        wire::Progress {
            units: progress.units,
            done: progress.done,
            aside: progress.aside,
            doubted: progress.doubted,
            nodes: Some(progress.nodes.into()),
            figures: Some(progress.figures.into()),
            checks: progress.checks.map(Into::into),
            outcome,
            survey,
        }
    }
}

impl TryFrom<wire::Progress> for Progress {
    type Error = Malformed;

    fn try_from(progress: wire::Progress) -> Result<Progress, Malformed> {
        let figures: Figures = required(progress.figures, "figures")?.into();
        let outcome = progress.outcome.map(|outcome| read_outcome(outcome, figures, progress.survey));
        let outcome = outcome.transpose()?;
        Ok(Progress {
            units: progress.units,
            done: progress.done,
            aside: progress.aside,
            doubted: progress.doubted,
            nodes: required(progress.nodes, "nodes")?.into(),
            figures,
            checks: progress.checks.map(Into::into),
            outcome,
        })
    }
}

/// An outcome, and beside it what was found out about an engine.
fn written(outcome: Outcome) -> (Option<wire::progress::Outcome>, Option<types::Survey>) {
    let (outcome, survey) = match outcome {
        Outcome::Done(tally) => {
            let Tally { counted, survey } = *tally;
            (wire::progress::Outcome::Answer(counted.answer.into()), survey)
        }
        Outcome::Incomplete { aside } => (wire::progress::Outcome::Incomplete(aside), None),
        Outcome::Cancelled => (wire::progress::Outcome::Cancelled(wire::Cancelled {}), None),
        Outcome::Failed(reason) => (wire::progress::Outcome::Failure(reason), None),
    };
    (Some(outcome), survey.map(|survey| (*survey).into()))
}

fn read_outcome(
    outcome: wire::progress::Outcome,
    figures: Figures,
    survey: Option<types::Survey>,
) -> Result<Outcome, Malformed> {
    Ok(match outcome {
        wire::progress::Outcome::Answer(answer) => {
            let survey = survey.map(|survey| survey.try_into().map(Box::new)).transpose()?;
            let counted = Counted { answer: answer.try_into()?, figures };
            Outcome::Done(Box::new(Tally { counted, survey }))
        }
        wire::progress::Outcome::Incomplete(aside) => Outcome::Incomplete { aside },
        wire::progress::Outcome::Cancelled(_) => Outcome::Cancelled,
        wire::progress::Outcome::Failure(reason) => Outcome::Failed(reason),
    })
}

impl From<Brief> for wire::run::Kind {
    fn from(brief: Brief) -> wire::run::Kind {
        match brief {
            Brief::Perft(perft) => wire::run::Kind::Perft(perft.into()),
            Brief::Verify { engine, hash, subject } => {
                let hash = hash.0.to_vec();
                wire::run::Kind::Verification(types::VerificationBrief { engine, hash, subject })
            }
        }
    }
}

impl TryFrom<wire::run::Kind> for Brief {
    type Error = Malformed;

    fn try_from(kind: wire::run::Kind) -> Result<Brief, Malformed> {
        Ok(match kind {
            wire::run::Kind::Perft(perft) => Brief::Perft(perft.try_into()?),
            wire::run::Kind::Verification(types::VerificationBrief { engine, hash, subject }) => {
                Brief::Verify { engine, hash: read_hash(&hash, "verification.hash")?, subject }
            }
        })
    }
}

impl From<RunSummary> for wire::Run {
    fn from(run: RunSummary) -> wire::Run {
        wire::Run {
            id: run.id.0,
            kind: Some(run.asked.into()),
            owner: run.owner,
            verify: wire::Verify::from(run.verify).into(),
            submitted_millis: millis(run.submitted),
            ended_millis: run.ended.map(millis),
            state: wire::State::from(run.state).into(),
            progress: Some(run.progress.into()),
            queued: run.queued,
            leased: run.leased,
            outline: run.outline.map(Into::into),
        }
    }
}

impl TryFrom<wire::Run> for RunSummary {
    type Error = Malformed;

    fn try_from(run: wire::Run) -> Result<RunSummary, Malformed> {
        let (verify, state) = (run.verify(), run.state());
        Ok(RunSummary {
            id: RunId(run.id),
            asked: required(run.kind, "kind")?.try_into()?,
            owner: run.owner,
            verify: verify.into(),
            submitted: Duration::from_millis(run.submitted_millis),
            ended: run.ended_millis.map(Duration::from_millis),
            state: state.try_into()?,
            progress: required(run.progress, "progress")?.try_into()?,
            queued: run.queued,
            leased: run.leased,
            outline: run.outline.map(TryInto::try_into).transpose()?,
        })
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use vezir_chess::Position;
    use vezir_jobs::ledger::State;
    use vezir_jobs::{
        Brief, Checks, Hash, Outcome, Outline, PerftRequest, Progress, RunId, RunSummary, Tally, Verify,
    };
    use vezir_perft::{Counted, Figures};
    use vezir_verify::Survey;

    use crate::wire::runs::v1 as wire;

    const FIGURES: Figures = Figures { walked: 1, probes: 2, hits: 3 };

    fn progress(outcome: Option<Outcome>) -> Progress {
        let checks = Some(Checks { places: 1, queries: 2, differing: 3, unanswered: 4 });
        let (nodes, figures) = (1 << 100, FIGURES);
        Progress { units: Some(9), done: 2, aside: 3, doubted: 1, nodes, figures, checks, outcome }
    }

    #[test]
    fn progress_comes_back() {
        let counted = Counted { figures: FIGURES, ..Counted::default() };
        let outcomes = [
            None,
            Some(Outcome::Done(Box::new(Tally { counted: counted.clone(), survey: None }))),
            Some(Outcome::Done(Box::new(Tally { counted, survey: Some(Box::new(Survey::default())) }))),
            Some(Outcome::Incomplete { aside: 3 }),
            Some(Outcome::Cancelled),
            Some(Outcome::Failed("too large".into())),
        ];
        for progress in outcomes.map(progress) {
            assert_eq!(Progress::try_from(wire::Progress::from(progress.clone())), Ok(progress));
        }
    }

    #[test]
    fn summaries_come_back() {
        let (hash_bytes, frontier) = (1 << 33, Some(Hash([7; Hash::BYTES])));
        let outline = Outline { units: 9, split: 3, remaining: 4, positions: 5_362, hash_bytes, frontier };
        let run = RunSummary {
            id: RunId(7),
            asked: Brief::Perft(PerftRequest::new(Position::startpos(), 7)),
            owner: "somebody".to_owned(),
            verify: Verify::Sample,
            submitted: Duration::from_millis(1_700_000_000_123),
            ended: None,
            state: State::Disputed,
            progress: progress(None),
            queued: 4,
            leased: 5,
            outline: Some(outline),
        };
        assert_eq!(RunSummary::try_from(wire::Run::from(run.clone())), Ok(run.clone()));
        let mut broken = wire::Run::from(run.clone());
        broken.state = 99;
        assert!(RunSummary::try_from(broken).is_err());
        let mut short = wire::Run::from(run);
        short.outline.as_mut().unwrap().frontier = Some(vec![7; 31]);
        assert!(RunSummary::try_from(short).is_err());
    }
}
