//! How a worker is given a job: at once if there is one, else as soon as there is.

use std::ops::Range;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use tonic::Status;
use vezir_jobs::ledger::{CallId, Grant, Incarnation, Reply, Verb};
use vezir_jobs::{Job, RunId, Task, WorkerId};
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::{IntoStatus, Unavailable, Unexpected};
use vezir_store::Store;

use crate::coordinator::Coordinator;
use crate::plans::Plan;

/// How long a worker waits for a job before it is answered that there is none.
const LEASE_WAIT: Duration = Duration::from_secs(20);

/// The most units of one job, whatever a worker asks for.
const MAX_JOB_UNITS: u32 = 256;

/// What a worker wants.
pub(crate) struct Wish {
    pub(crate) id: CallId,
    pub(crate) worker: WorkerId,
    pub(crate) incarnation: Incarnation,
    pub(crate) cores: u32,
    pub(crate) most: u32,
}

impl<S: Store> Coordinator<S> {
    /// Grants a job as soon as there is one; `None` if there is none for a while.
    pub(crate) async fn grant(&self, wish: &Wish) -> Result<Option<wire::Job>, Status> {
        if self.hall.drains(wish.worker) {
            return Ok(None);
        }
        let deadline = Instant::now() + LEASE_WAIT;
        let mut work = self.store.work();
        let idle = self.turns.idle();
        loop {
            work.mark_unchanged();
            if let (Some(grant), repeated) = self.grant_now(wish).await? {
                return self.job(grant, repeated).await.map(Some);
            }
            let change = async {
                work.changed().await.map_err(|_| Unavailable::Stopping.into_status())?;
                idle.pause().await;
                Ok::<(), Status>(())
            };
            tokio::select! {
                biased;
                changed = change => changed?,
                () = sleep_until(deadline) => return Ok(None),
                () = self.closing() => return Err(Unavailable::Stopping.into_status()),
            }
        }
    }

    /// A grant, and whether it was told before.
    async fn grant_now(&self, wish: &Wish) -> Result<(Option<Grant>, bool), Status> {
        let _turn = self.turns.lease().await.map_err(|_| Unavailable::Stopping.into_status())?;
        let verb = Verb::Lease {
            worker: wish.worker,
            incarnation: wish.incarnation,
            cores: wish.cores,
            most: wish.most.clamp(1, MAX_JOB_UNITS),
            among: self.taken_up(),
        };
        let answered = self.ask(wish.id, verb).await?;
        match answered.reply {
            Reply::Granted(grant) => Ok((grant, answered.repeated)),
            other => Err(Unexpected::reply(&other).into_status()),
        }
    }

    /// A grant as its worker hears of it; whose job was cut for it hears of that as well.
    async fn job(&self, grant: Grant, repeated: bool) -> Result<wire::Job, Status> {
        if !repeated {
            self.metrics.granted(grant.purpose);
            self.jobs.begin(grant.run, grant.attempt);
            grant.cut.iter().for_each(|_| self.metrics.cut());
        }
        if let Some(cut) = grant.cut {
            self.hall.cut(grant.run, cut);
        }
        let (lengths, task) = self.work(grant.run, grant.units.clone()).await?;
        let Grant { run, attempt, units, term, .. } = grant;
        tracing::debug!(%run, %attempt, ?units, purpose = ?grant.purpose, "granted");
        Ok(wire::Job::new(&Job { run, attempt, units, task, term }, lengths))
    }

    /// How many positions or places each of some units has, and what is to be done with them.
    async fn work(&self, run: RunId, units: Range<u32>) -> Result<(Vec<u32>, Task), Status> {
        let (outline, task) = match self.outlines.get(run) {
            Some(known) => known,
            None => {
                let view = self.store.run(run).await.map_err(|error| self.refused(error))?;
                let outline = view.run.outline.ok_or_else(|| Unavailable::Stopping.into_status())?;
                let found = (outline, view.submission.request.task(&outline));
                self.outlines.keep(run, found.clone());
                found
            }
        };
        let lengths = match &task {
            Task::Count(_) => units.map(|unit| outline.slice(unit).len() as u32).collect(),
            Task::Examine(_) => {
                let plan = self.plan(run).await?;
                units.map(|unit| plan.length(unit)).collect()
            }
        };
        Ok((lengths, task))
    }

    /// The plan of a run that goes on; it is had again after a restart, or after the run was disputed.
    pub(crate) async fn plan(&self, run: RunId) -> Result<Plan, Status> {
        if let Some(plan) = self.plans.made(run) {
            return Ok(plan);
        }
        let view = self.store.run(run).await.map_err(|error| self.refused(error))?;
        let planned = self.plans.get(run, &view.submission.request, view.run.outline).await;
        planned.map_err(|error| Unavailable::Store(error.to_string()).into_status())
    }
}
