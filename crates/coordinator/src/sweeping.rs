//! What is done again and again: leases that time ends, and a look at the whole store for metrics.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use vezir_jobs::RunSummary;
use vezir_jobs::ledger::{State, Worker, WorkerState};
use vezir_store::{Stock, Store};

use crate::coordinator::Coordinator;
use crate::metrics::{
    ActiveRun, Cause, CoreState, MAX_RUNS_SHOWN, RunKind, RunState, Survey, UnitState,
    WorkerState as Standing,
};

/// How often leases are looked at: a fraction of any term.
const EXPIRE_EVERY: Duration = Duration::from_millis(500);

/// How often the whole store is.
const SURVEY_EVERY: Duration = Duration::from_secs(2);

impl<S: Store> Coordinator<S> {
    /// Goes on until the coordinator is to stop.
    pub(crate) async fn sweep(self: Arc<Self>) {
        let mut expire = interval(EXPIRE_EVERY);
        let mut survey = interval(SURVEY_EVERY);
        // A sweep that came late makes up for none that was missed.
        expire.set_missed_tick_behavior(MissedTickBehavior::Delay);
        survey.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                _ = expire.tick() => self.expire().await,
                _ = survey.tick() => self.survey().await,
                () = self.closing() => return,
            }
        }
    }

    async fn expire(&self) {
        match self.store.expire().await {
            Ok(expired) => {
                self.health.looked();
                for it in expired {
                    let (run, attempt, end) = (it.run, it.attempt, it.end.name());
                    tracing::warn!(%run, %attempt, worker = %it.worker, end, "lease ended by time");
                    self.note(&it.effects);
                }
            }
            // It is counted and logged there.
            Err(error) => drop(self.refused(error)),
        }
    }

    async fn survey(&self) {
        match self.store.stock().await {
            Ok(stock) => self.metrics.surveyed(&self.count(&stock)),
            Err(error) => tracing::warn!(%error, "the store cannot be looked at"),
        }
    }

    fn count(&self, stock: &Stock) -> Survey {
        let mut survey = Survey { leases: stock.leases, ..Survey::default() };
        for (state, runs) in &stock.runs {
            *survey.runs.entry((RunKind::Perft, state_of(*state))).or_default() += runs;
        }
        for run in &stock.open {
            let progress = &run.progress;
            let places = [
                (UnitState::Queued, run.queued),
                (UnitState::Leased, run.leased),
                (UnitState::Done, progress.done),
                (UnitState::Aside, progress.aside),
            ];
            for (place, units) in places {
                *survey.units.entry((RunKind::Perft, place)).or_default() += u64::from(units);
            }
            *survey.doubts.entry(Cause::Check).or_default() += u64::from(progress.doubted);
        }
        let checks = survey.doubts.entry(Cause::Check).or_default();
        *checks = checks.saturating_sub(stock.conflicts);
        survey.doubts.insert(Cause::Conflict, stock.conflicts);
        for worker in &stock.workers {
            self.count_worker(worker, &mut survey);
        }
        survey.active = stock.open.iter().take(MAX_RUNS_SHOWN).map(active).collect();
        survey
    }

    fn count_worker(&self, worker: &Worker, survey: &mut Survey) {
        let heard = self.hall.seen(worker.id).heard;
        let is_here = heard.is_some_and(|heard| heard <= self.settings.terms.lease);
        let standing = match worker.state {
            WorkerState::Quarantined => Standing::Quarantined,
            _ if !is_here => Standing::Gone,
            WorkerState::Paused => Standing::Paused,
            WorkerState::Active => Standing::Active,
        };
        *survey.workers.entry(standing).or_default() += 1;
        if standing == Standing::Active {
            *survey.cores.entry(CoreState::Busy).or_default() += u64::from(worker.at_work());
            let free = worker.cores - worker.at_work();
            *survey.cores.entry(CoreState::Free).or_default() += u64::from(free);
        }
    }
}

fn active(run: &RunSummary) -> ActiveRun {
    let progress = &run.progress;
    let ended = f64::from(progress.done) + f64::from(progress.aside);
    let part = progress.units.map(|units| ended / f64::from(units.max(1)));
    ActiveRun { run: run.id, progress: part, leaves: progress.nodes }
}

fn state_of(state: State) -> RunState {
    match state {
        State::Planning => RunState::Planning,
        State::Running => RunState::Running,
        State::Disputed => RunState::Disputed,
        State::Done => RunState::Done,
        State::Cancelled => RunState::Cancelled,
        State::Overflowed => RunState::Overflowed,
        State::Failed => RunState::Failed,
    }
}
