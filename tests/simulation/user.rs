//! A user who has runs counted, watches and cancels them, and an operator who drains workers and finds the liar.

use std::future::Future;
use std::time::Duration;

use fastrand::Rng;
use futures::future::join_all;
use tokio::time::{sleep, timeout};
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};
use vezir_jobs::ledger::CallId;
use vezir_jobs::{Brief, Outcome, PerftRequest, Progress, Request as Asked, RunId, RunSummary, Verify};
use vezir_perft::{NAMED, published};
use vezir_proto::wire::runs::v1 as runs;
use vezir_proto::wire::runs::v1::runs_client::RunsClient;
use vezir_proto::wire::workers::v1 as workers;
use vezir_proto::wire::workers::v1::fleet_client::FleetClient;

use crate::map::Map;
use crate::wire::dial;

/// How long a user waits for an answer before asking again, and how long between.
const PATIENCE: Duration = Duration::from_secs(4);
const PAUSE: Duration = Duration::from_millis(400);

/// What a user wants.
#[derive(Clone)]
pub(crate) struct Errand {
    asked: PerftRequest,
    verify: Verify,
    /// When it is submitted.
    after: Duration,
    /// How long afterwards it is cancelled.
    cancel: Option<Duration>,
}

impl Errand {
    /// One run at once, which nobody cancels.
    pub(crate) const fn plain(asked: PerftRequest, verify: Verify) -> Errand {
        Errand { asked, verify, after: Duration::ZERO, cancel: None }
    }
}

/// A few runs; the first has every result counted again, the second some, and the third is cancelled.
pub(crate) fn errands(rng: &mut Rng) -> Vec<Errand> {
    let verify = [Verify::All, Verify::Sample, Verify::Not, Verify::Not];
    let errand = |(place, verify): (usize, Verify)| {
        let named = NAMED[rng.usize(0..NAMED.len())];
        let position = named.position().expect("it is a position");
        let (split, units) = (Some(2), Some(rng.u32(8..24)));
        let asked = PerftRequest { split, units, ..PerftRequest::new(position, 3) };
        let after = Duration::from_millis(rng.u64(0..15_000));
        let cancel = (place == 2).then(|| Duration::from_millis(rng.u64(0..12_000)));
        Errand { asked, verify, after, cancel }
    };
    verify.into_iter().enumerate().map(errand).collect()
}

/// Who asks.
#[derive(Clone)]
struct Office {
    runs: RunsClient<Channel>,
    fleet: FleetClient<Channel>,
    map: Map,
    /// Whether somebody lies, so that what is counted may be wrong until that is found out.
    lied_to: bool,
}

/// Does all errands, and ends when all runs have ended well. `liar` is the name of the worker who lies.
pub(crate) async fn live(map: Map, errands: Vec<Errand>, liar: Option<String>) -> turmoil::Result {
    let (runs, fleet) = (RunsClient::new(dial()), FleetClient::new(dial()));
    let office = Office { runs, fleet, map, lied_to: liar.is_some() };
    let errands = join_all(errands.into_iter().map(|errand| office.see_through(errand)));
    let (ids, ()) = tokio::join!(errands, office.operate(liar));
    // What was done may have been disputed meanwhile, and counted again.
    for id in ids {
        while !office.is_over(id).await {
            sleep(PAUSE).await;
        }
    }
    Ok(())
}

impl Office {
    async fn see_through(&self, errand: Errand) -> RunId {
        sleep(errand.after).await;
        let run = self.submit(&errand).await;
        let cancel = async {
            if let Some(after) = errand.cancel {
                sleep(after).await;
                let asked = runs::CancelRequest { run: run.0, call: drawn() };
                self.again(&asked, |mut office, asked| async move { office.runs.cancel(asked).await }).await;
            }
        };
        tokio::join!(self.watch(run, &errand), cancel);
        run
    }

    /// Submits, sometimes twice at once, under one id.
    async fn submit(&self, errand: &Errand) -> RunId {
        let kind = Some(Asked::Perft(errand.asked.clone()).into());
        let verify = runs::Verify::from(errand.verify).into();
        let asked = runs::SubmitRequest { kind, call: drawn(), verify };
        let submit = |mut office: Office, asked| async move { office.runs.submit(asked).await };
        let mut run = self.again(&asked, submit).await;
        if self.map.weather.strikes(4) {
            self.map.judge.count("doubled submissions");
            let (first, second) = tokio::join!(self.again(&asked, submit), self.again(&asked, submit));
            if first.run != run.run || second.run != run.run {
                self.map.judge.complain("one submission became several runs: answered differently");
            }
            run = first;
        }
        RunId(run.run)
    }

    /// Watches until the run has ended, and looks at what it says.
    async fn watch(&self, run: RunId, errand: &Errand) {
        loop {
            let asked = runs::WatchRequest { run: run.0 };
            let watch = |mut office: Office, asked| async move { office.runs.watch(asked).await };
            let mut told = self.again(&asked, watch).await;
            while let Ok(Ok(Some(told))) = timeout(PATIENCE, told.message()).await {
                let progress = told.progress.map(Progress::try_from);
                let Some(Ok(progress)) = progress else {
                    return self.map.judge.complain("a progress cannot be read");
                };
                if let Some(outcome) = progress.outcome {
                    return self.judge(&outcome, &errand.asked, errand.cancel.is_some(), self.lied_to);
                }
            }
            sleep(PAUSE).await;
        }
    }

    fn judge(&self, outcome: &Outcome, asked: &PerftRequest, may_be_cancelled: bool, may_be_wrong: bool) {
        let right = published(&asked.position, asked.depth);
        match outcome {
            Outcome::Done(tally) => {
                let answer = &tally.counted.answer;
                let is_right =
                    Some(answer.nodes) == right && answer.divide.values().sum::<u128>() == answer.nodes;
                if !is_right && !may_be_wrong {
                    self.map.judge.complain(format!("{} was counted; {right:?} is right", answer.nodes));
                }
            }
            Outcome::Cancelled if may_be_cancelled => {}
            other => self.map.judge.complain(format!("a run ended with {other:?}")),
        }
    }

    /// Whether a run has ended for good, which it has only with the right answer.
    async fn is_over(&self, run: RunId) -> bool {
        let asked = runs::ShowRequest { run: run.0 };
        let show = |mut office: Office, asked| async move { office.runs.show(asked).await };
        let shown = self.again(&asked, show).await.run.map(RunSummary::try_from);
        let Some(Ok(summary)) = shown else {
            self.map.judge.complain("a run cannot be read");
            return true;
        };
        let Brief::Perft(asked) = &summary.asked else {
            self.map.judge.complain("a count has become something else");
            return true;
        };
        if let Some(outcome) = &summary.progress.outcome {
            self.judge(outcome, asked, true, false);
        }
        summary.progress.outcome.is_some()
    }

    /// Drains workers now and then, and at last trusts the liar no longer.
    async fn operate(&self, liar: Option<String>) {
        while !self.map.weather.is_calm() {
            sleep(Duration::from_millis(fastrand::u64(3_000..25_000))).await;
            if let Some(worker) = fastrand::choice(self.workers().await)
                && !self.map.weather.is_calm()
            {
                self.map.judge.count("drain orders");
                let asked = workers::DrainRequest { call: drawn(), worker: worker.id };
                self.again(&asked, |mut office, asked| async move { office.fleet.drain(asked).await }).await;
            }
        }
        let Some(liar) = liar else { return };
        for worker in self.workers().await.iter().filter(|worker| worker.name == liar) {
            let asked = workers::QuarantineRequest { call: drawn(), worker: worker.id };
            self.again(&asked, |mut office, asked| async move { office.fleet.quarantine(asked).await }).await;
        }
    }

    async fn workers(&self) -> Vec<workers::Worker> {
        let list = |mut office: Office, asked| async move { office.fleet.list(asked).await };
        self.again(&workers::ListRequest {}, list).await.workers
    }

    /// Asks until there is an answer, always under the same id.
    async fn again<Q: Clone, A, F>(&self, asked: &Q, ask: impl Fn(Office, Request<Q>) -> F) -> A
    where
        F: Future<Output = Result<Response<A>, Status>>,
    {
        loop {
            let answer = timeout(PATIENCE, ask(self.clone(), Request::new(asked.clone()))).await;
            match answer {
                Ok(Ok(answer)) => return answer.into_inner(),
                Ok(Err(status)) if !passes(status.code()) => {
                    self.map.judge.complain(format!("the user is refused: {}", status.message()));
                }
                _ => {}
            }
            sleep(PAUSE).await;
        }
    }
}

/// Whether the same question may be answered later.
fn passes(code: Code) -> bool {
    use Code::{Aborted, Cancelled, DeadlineExceeded, Internal, ResourceExhausted, Unavailable, Unknown};
    matches!(
        code,
        Aborted | Cancelled | DeadlineExceeded | Internal | ResourceExhausted | Unavailable | Unknown
    )
}

/// The id of a new call.
fn drawn() -> Option<vezir_proto::wire::types::v1::CallId> {
    Some(CallId(fastrand::u128(1..)).into())
}
