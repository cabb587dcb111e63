//! The store in a file of SQLite, for one coordinator: everything in memory, and nothing told before it is on
//! the disk.

mod asked;
mod batch;
mod code;
mod file;
mod inspect;
mod library;
mod lock;
mod open;
mod place;
mod request;
mod row;
mod select;
#[cfg(test)]
mod tests;
mod trouble;
mod write;
mod writer;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use batch::Batch;
pub use inspect::{InspectError, Inspection};
pub use open::{OpenError, Opening, Trial};
use tokio::sync::{mpsc, oneshot, watch};
use vezir_jobs::ledger::{Answered, CallId, Doubt, Finding, Lease, Refusal, Tables, Verb};
use vezir_jobs::{RunId, Tally};

use self::request::{Needs, Request};
use crate::bell::Bell;
use crate::clock::Clock;
use crate::{Expired, Fault, RunView, Stock, Store, StoreError, Unusable, WorkerView, view};

/// A store in a file. Its clones are one store; no other process may open the file while one is left.
///
/// Requests go to one thread, which commits all that wait together and answers them afterwards. Where the file
/// cannot be written, all of them are answered with [`StoreError::Unusable`], and the file is read anew before
/// the next ones: it serves again as soon as it can.
#[derive(Clone, Debug)]
pub struct Sqlite {
    requests: mpsc::Sender<Request>,
    bell: Arc<Bell>,
    clock: Clock,
}

impl Sqlite {
    /// Opens the store in a file, or makes one. The leases that it finds get a full new term.
    ///
    /// # Errors
    /// [`OpenError`], a sentence that names the file and what would be right.
    pub async fn open(path: impl Into<PathBuf>) -> Result<Sqlite, OpenError> {
        Sqlite::open_with(path, Opening::default()).await
    }

    /// The same, with an observer.
    ///
    /// # Errors
    /// As [`Sqlite::open`].
    pub async fn open_with(path: impl Into<PathBuf>, opening: Opening) -> Result<Sqlite, OpenError> {
        let bell = Arc::new(Bell::new());
        let requests = writer::start(path.into(), opening, bell.clone()).await?;
        Ok(Sqlite { requests, bell, clock: Clock::start() })
    }

    /// Closes the file, when all that was asked before is answered. Another process may open it when this
    /// returns; who asks this store afterwards is told that it is closed.
    pub async fn close(self) {
        let (answer, closed) = oneshot::channel();
        if self.requests.send(Request::Close { answer }).await.is_ok() {
            // An error means that it is closed already.
            drop(closed.await);
        }
    }

    async fn call_at(&self, now: Duration, id: CallId, verb: Verb<Tally>) -> Result<Answered, StoreError> {
        self.ask(|answer| Request::call(now, id, verb, answer)).await
    }

    async fn expire_at(&self, now: Duration) -> Result<Vec<Expired>, StoreError> {
        self.ask(|answer| Request::expire(now, answer)).await
    }

    /// Looks at what is committed.
    async fn read<T: Send + 'static>(
        &self,
        needs: Needs,
        look: impl FnOnce(&Tables<Tally>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.ask(|answer| {
            let look = Box::new(|tables: Result<&Tables<Tally>, StoreError>| {
                let seen = tables.and_then(|tables| look(tables).map_err(StoreError::from));
                drop(answer.send(seen));
            });
            Request::Read { needs, look }
        })
        .await
    }

    async fn ask<T>(
        &self,
        request: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Request,
    ) -> Result<T, StoreError> {
        let closed = || {
            let why = "it is closed; opening it again would be right".to_owned();
            StoreError::Unusable(Unusable { fault: Fault::Other, why })
        };
        let (answer, answered) = oneshot::channel();
        self.requests.send(request(answer)).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }
}

impl Store for Sqlite {
    async fn call(&self, id: CallId, verb: Verb<Tally>) -> Result<Answered, StoreError> {
        self.call_at(self.clock.now(), id, verb).await
    }

    async fn expire(&self) -> Result<Vec<Expired>, StoreError> {
        self.expire_at(self.clock.now()).await
    }

    async fn run(&self, run: RunId) -> Result<RunView, StoreError> {
        self.read(Needs::Standing, move |tables| view::run(tables, run)).await
    }

    async fn runs(&self, before: Option<RunId>, most: u32) -> Result<Vec<RunView>, StoreError> {
        self.read(Needs::Standing, move |tables| Ok(view::runs(tables, before, most))).await
    }

    async fn open_runs(&self) -> Result<Vec<RunView>, StoreError> {
        self.read(Needs::Standing, |tables| Ok(view::open_runs(tables))).await
    }

    async fn findings(&self, run: RunId, units: Range<u32>) -> Result<Vec<Finding<Tally>>, StoreError> {
        self.read(Needs::Run(run), move |tables| view::findings(tables, run, units)).await
    }

    async fn decisions(&self, run: RunId) -> Result<(Vec<Lease>, Vec<Doubt>), StoreError> {
        self.read(Needs::Decisions(run), move |tables| view::decisions(tables, run)).await
    }

    async fn workers(&self) -> Result<Vec<WorkerView>, StoreError> {
        self.read(Needs::Standing, |tables| Ok(view::workers(tables))).await
    }

    async fn stock(&self) -> Result<Stock, StoreError> {
        self.read(Needs::Standing, |tables| Ok(view::stock(tables))).await
    }

    async fn tables(&self) -> Result<Tables<Tally>, StoreError> {
        self.read(Needs::All, |tables| Ok(tables.clone())).await
    }

    async fn follow(&self, run: RunId) -> Result<watch::Receiver<bool>, StoreError> {
        let bell = self.bell.clone();
        let look = move |tables: &Tables<Tally>| {
            let ended = view::run(tables, run)?.run.state.has_ended();
            Ok(bell.follow(run, ended))
        };
        self.read(Needs::Standing, look).await
    }

    fn work(&self) -> watch::Receiver<()> {
        self.bell.work()
    }
}
