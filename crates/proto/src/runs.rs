//! What users send and see: submissions and progress.

use vezir_jobs::{Outcome, PerftRequest, Progress};

use crate::malformed::{Malformed, required};
use crate::wire::runs::v1 as wire;

impl From<PerftRequest> for wire::SubmitRequest {
    fn from(request: PerftRequest) -> wire::SubmitRequest {
        wire::SubmitRequest { kind: Some(wire::submit_request::Kind::Perft(request.into())) }
    }
}

impl TryFrom<wire::SubmitRequest> for PerftRequest {
    type Error = Malformed;

    fn try_from(request: wire::SubmitRequest) -> Result<PerftRequest, Malformed> {
        let wire::submit_request::Kind::Perft(perft) = required(request.kind, "kind")?;
        perft.try_into()
    }
}

impl From<Progress> for wire::WatchResponse {
    fn from(progress: Progress) -> wire::WatchResponse {
        wire::WatchResponse {
            units: progress.units,
            done: progress.done,
            nodes: Some(progress.nodes.into()),
            figures: Some(progress.figures.into()),
            outcome: progress.outcome.map(Into::into),
        }
    }
}

impl TryFrom<wire::WatchResponse> for Progress {
    type Error = Malformed;

    fn try_from(progress: wire::WatchResponse) -> Result<Progress, Malformed> {
        Ok(Progress {
            units: progress.units,
            done: progress.done,
            nodes: required(progress.nodes, "nodes")?.into(),
            figures: required(progress.figures, "figures")?.into(),
            outcome: progress.outcome.map(TryInto::try_into).transpose()?,
        })
    }
}

impl From<Outcome> for wire::watch_response::Outcome {
    fn from(outcome: Outcome) -> wire::watch_response::Outcome {
        match outcome {
            Outcome::Done(answer) => wire::watch_response::Outcome::Answer(answer.into()),
            Outcome::Cancelled => wire::watch_response::Outcome::Cancelled(wire::Cancelled {}),
            Outcome::Failed(reason) => wire::watch_response::Outcome::Failure(reason),
        }
    }
}

impl TryFrom<wire::watch_response::Outcome> for Outcome {
    type Error = Malformed;

    fn try_from(outcome: wire::watch_response::Outcome) -> Result<Outcome, Malformed> {
        Ok(match outcome {
            wire::watch_response::Outcome::Answer(answer) => Outcome::Done(answer.try_into()?),
            wire::watch_response::Outcome::Cancelled(_) => Outcome::Cancelled,
            wire::watch_response::Outcome::Failure(reason) => Outcome::Failed(reason),
        })
    }
}

#[cfg(test)]
mod tests {
    use vezir_jobs::{Outcome, Progress};
    use vezir_perft::{Answer, Figures};

    use crate::wire::runs::v1 as wire;

    #[test]
    fn progress_comes_back() {
        let figures = Figures { walked: 1, probes: 2, hits: 3 };
        let outcomes = [
            None,
            Some(Outcome::Done(Answer::default())),
            Some(Outcome::Cancelled),
            Some(Outcome::Failed("too large".into())),
        ];
        for outcome in outcomes {
            let progress = Progress { units: Some(4), done: 2, nodes: 1 << 100, figures, outcome };
            assert_eq!(Progress::try_from(wire::WatchResponse::from(progress.clone())), Ok(progress));
        }
    }
}
