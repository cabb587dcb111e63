//! The plans of runs that go on: each is made once, however many ask for it, and again after a restart.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;
use vezir_jobs::{Outline, Request, RunId};
use vezir_proto::wire::workers::v1::PageResponse;
use vezir_proto::{page, places};

use crate::courses;
use crate::frontiers::{self, Frontiers, Unplanned};

/// Plans by run. A run that has ended has none.
pub(crate) struct Plans {
    all: Mutex<HashMap<RunId, Arc<OnceCell<Plan>>>>,
    frontiers: Frontiers,
}

/// A run that is cut into units.
#[derive(Clone)]
pub(crate) enum Plan {
    /// A perft.
    Count(frontiers::Planned),
    /// A verification.
    Examine(courses::Planned),
}

/// A part of a job's positions or places.
pub(crate) struct Part {
    /// The first unit.
    pub(crate) first: u32,
    /// The last unit.
    pub(crate) last: u32,
    /// How many of their positions or places are left out, from the first one on.
    pub(crate) skip: usize,
    /// The most bytes; 0 for as many as a page holds.
    pub(crate) most_bytes: u32,
}

impl Plans {
    pub(crate) fn new(frontiers: Frontiers) -> Plans {
        Plans { all: Mutex::default(), frontiers }
    }

    /// The plan of a run, made now if it has none: a large frontier takes seconds. One that was planned `before`
    /// is split in the same way.
    pub(crate) async fn get(
        &self,
        run: RunId,
        request: &Request,
        before: Option<Outline>,
    ) -> Result<Plan, Unplanned> {
        let cell = self.all().entry(run).or_default().clone();
        let planned = cell.get_or_try_init(|| self.make(request.clone(), before)).await?;
        Ok(planned.clone())
    }

    async fn make(&self, request: Request, before: Option<Outline>) -> Result<Plan, Unplanned> {
        match request {
            Request::Perft(perft) => self.frontiers.plan(perft, before).await.map(Plan::Count),
            Request::Verify(verify) => courses::plan(*verify, before).await.map(Plan::Examine),
        }
    }

    /// The plan of a run, if it is made.
    pub(crate) fn made(&self, run: RunId) -> Option<Plan> {
        self.all().get(&run).and_then(|cell| cell.get().cloned())
    }

    /// Forgets the plan of a run that has ended.
    pub(crate) fn forget(&self, run: RunId) {
        self.all().remove(&run);
    }

    fn all(&self) -> MutexGuard<'_, HashMap<RunId, Arc<OnceCell<Plan>>>> {
        // Entries come and go whole.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Plan {
    /// The plan as the store keeps it.
    pub(crate) const fn outline(&self) -> Outline {
        match self {
            Plan::Count(planned) => planned.outline,
            Plan::Examine(planned) => planned.outline,
        }
    }

    /// How many positions or places a unit has.
    pub(crate) fn length(&self, unit: u32) -> u32 {
        let items = self.outline().slice(unit);
        match self {
            Plan::Count(_) => items.len() as u32,
            Plan::Examine(planned) => planned.course.length(items) as u32,
        }
    }

    /// A page of a job's positions or places.
    pub(crate) fn page(&self, part: &Part) -> PageResponse {
        let outline = self.outline();
        let items = outline.slice(part.first).start..outline.slice(part.last).end;
        match self {
            Plan::Count(planned) => {
                let first = items.start.saturating_add(part.skip);
                let slots = planned.plan.frontier.slots(first..items.end);
                PageResponse { slots: Some(page(slots, part.most_bytes)), places: None }
            }
            Plan::Examine(planned) => {
                let all = planned.course.places(items).skip(part.skip);
                PageResponse { slots: None, places: Some(places(all, part.most_bytes)) }
            }
        }
    }
}
