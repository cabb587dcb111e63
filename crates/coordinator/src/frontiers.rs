//! Where the frontier of a run comes from: it grows, or it is read back as the artifact that the plan names.

use std::io::Read;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use vezir_jobs::{Hash, Outline, PerftRequest};
use vezir_perft::{Frontier, Limits, Plan, PlanError, Wish};
use vezir_store::artifacts::{self, PutError};
use vezir_verify::ItineraryError;

use crate::Settings;
use crate::metrics::{Failure, Metrics, Source};

/// Frontiers of fewer bytes grow again in less time than it takes to write them safely.
const SMALL_BYTES: usize = 64 << 10;

/// A run that is cut into units.
#[derive(Clone)]
pub(crate) struct Planned {
    /// The frontier and its slices.
    pub(crate) plan: Arc<Plan>,
    /// The same as the store keeps it: numbers, and the name of the frontier.
    pub(crate) outline: Outline,
}

/// How frontiers are made, kept and found again.
pub(crate) struct Frontiers {
    artifacts: Option<vezir_store::Artifacts>,
    threads: Option<NonZero<usize>>,
    most: Limits,
    metrics: Metrics,
}

impl Frontiers {
    pub(crate) fn new(settings: &Settings, metrics: Metrics) -> Frontiers {
        let Settings { artifacts, threads, frontier, .. } = settings;
        Frontiers { artifacts: artifacts.clone(), threads: *threads, most: *frontier, metrics }
    }

    /// Plans a run. One that was planned `before` is split as it was, or not at all: its frontier is read back
    /// or, where it cannot be, grows again, is compared by its name, and kept again.
    ///
    /// Whoever stops waiting stops the growth.
    pub(crate) async fn plan(
        &self,
        request: PerftRequest,
        before: Option<Outline>,
    ) -> Result<Planned, Unplanned> {
        let known = before.and_then(|before| before.frontier);
        if let (Some(hash), Some(before)) = (known, before)
            && let Some(plan) = self.read(hash, request.wish()).await
        {
            return as_before(Planned { outline: named(&plan, known), plan }, Some(before));
        }
        let plan = Arc::new(self.grow(request).await?);
        let frontier = match before {
            None if self.artifacts.is_none() || plan.frontier.bytes() < SMALL_BYTES => None,
            Some(_) if known.is_none() => None,
            _ => Some(self.keep(&plan).await?),
        };
        as_before(Planned { outline: named(&plan, frontier), plan }, before)
    }

    /// The plan over a frontier that is an artifact, if its bytes can be had.
    async fn read(&self, hash: Hash, wish: Wish) -> Option<Arc<Plan>> {
        let artifacts = self.artifacts.as_ref()?;
        let (threads, most) = (self.threads, self.most);
        let read =
            artifacts.get(hash, move |input| on_threads(threads, || plan_over(input, wish, most))).await;
        let plan = match read {
            Ok(Ok(Ok(plan))) => plan,
            Ok(Ok(Err(why))) => return unread(hash, &why),
            Ok(Err(why)) => return unread(hash, &why.to_string()),
            Err(error) => return unread(hash, &error.to_string()),
        };
        self.metrics.had_frontier(Source::Read);
        tracing::info!(frontier = %hash, positions = plan.frontier.len(), "frontier read back");
        Some(Arc::new(plan))
    }

    /// Plans on threads of its own, since it is pure computing.
    async fn grow(&self, request: PerftRequest) -> Result<Plan, Unplanned> {
        let wanted = Wanted::default();
        let (stop, threads, most) = (wanted.0.clone(), self.threads, self.most);
        let growing = tokio::task::spawn_blocking(move || {
            on_threads(threads, || Plan::new(&request.position, request.wish(), most, &stop))
        });
        let plan = growing.await.map_err(|_| Unplanned::BrokeDown)??.map_err(Unplanned::Refused)?;
        self.metrics.had_frontier(Source::Grown);
        Ok(plan)
    }

    /// Keeps a frontier, if it can, and names it. One that cannot be kept grows again another time.
    async fn keep(&self, plan: &Arc<Plan>) -> Result<Hash, Unplanned> {
        if let Some(artifacts) = &self.artifacts {
            let written = plan.clone();
            match artifacts.put(move |out| written.frontier.write(out)).await {
                Ok(hash) => return Ok(hash),
                Err(error) => {
                    let full = matches!(error, PutError::Full { .. });
                    self.metrics.store_failed(if full { Failure::Full } else { Failure::Other });
                    tracing::warn!(%error, "a frontier is not kept: it will have to grow again after a restart");
                }
            }
        }
        let plan = plan.clone();
        let named = tokio::task::spawn_blocking(move || artifacts::name(|out| plan.frontier.write(out)));
        named.await.ok().and_then(Result::ok).ok_or(Unplanned::BrokeDown)
    }
}

fn plan_over(input: &mut (dyn Read + Send), wish: Wish, most: Limits) -> Result<Plan, String> {
    let frontier = Frontier::read(input, most).map_err(|error| error.to_string())?;
    Plan::over(frontier, wish).map_err(|error| error.to_string())
}

fn unread(hash: Hash, why: &str) -> Option<Arc<Plan>> {
    tracing::warn!(frontier = %hash, why, "a frontier cannot be read back: it grows again");
    None
}

fn named(plan: &Plan, frontier: Option<Hash>) -> Outline {
    Outline { frontier, ..Outline::from(plan) }
}

/// A plan, if the run was split in the same way before, or never.
fn as_before(planned: Planned, before: Option<Outline>) -> Result<Planned, Unplanned> {
    match before {
        Some(before) if before != planned.outline => Err(Unplanned::Different),
        _ => Ok(planned),
    }
}

/// Runs `work` on so many threads, or on one for each core.
fn on_threads<T: Send>(
    threads: Option<NonZero<usize>>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, ThreadPoolBuildError> {
    match threads {
        None => Ok(work()),
        Some(threads) => Ok(ThreadPoolBuilder::new().num_threads(threads.get()).build()?.install(work)),
    }
}

/// Raises its flag when it is dropped.
#[derive(Default)]
pub(crate) struct Wanted(pub(crate) Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unplanned {
    #[error(transparent)]
    Refused(PlanError),
    #[error(transparent)]
    NoCourse(ItineraryError),
    #[error("the run's planning broke down")]
    BrokeDown,
    #[error(
        "no threads can be started to plan the run: {0}; a higher limit of memory or processes would be right"
    )]
    NoThreads(#[from] ThreadPoolBuildError),
    #[error(
        "the run is split differently than when it was planned, perhaps by another version of Vezir; submitting \
         it again would be right"
    )]
    Different,
}

#[cfg(test)]
#[path = "frontiers_tests.rs"]
mod tests;
