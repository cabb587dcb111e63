//! What a worker asks of its coordinator, each call repeated under one id until it is answered.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex as Turn;
use tonic::{Request, Response, Status, Streaming};
use vezir_jobs::Job;
use vezir_jobs::ledger::CallId;
use vezir_proto::wire::types::v1 as types;
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::wire::workers::v1::workers_client::WorkersClient;
use vezir_proto::{Line, MAX_MESSAGE_BYTES};

use crate::failure::{Failure, WorkerError};
use crate::held::Held;
use crate::lease::Lease;
use crate::metrics::{Method, Metrics};
use crate::paging::PageSize;
use crate::retry::{Patience, repeated};
use crate::settings::Settings;

/// The time for an attempt at a call that is answered at once.
const ATTEMPT: Duration = Duration::from_secs(10);

/// The time for an attempt to be granted a job, which the coordinator may answer late.
const LEASE_ATTEMPT: Duration = Duration::from_secs(30);

/// The time in which a job is asked for under one id: much less than coordinators remember a call.
const LEASE_TOTAL: Duration = Duration::from_secs(300);

/// The time for an attempt to get a page.
const PAGE_ATTEMPT: Duration = Duration::from_secs(60);

/// The calls of one worker. Cheap to share.
pub(crate) struct Link {
    client: WorkersClient<Line>,
    register: wire::RegisterRequest,
    identity: Mutex<Identity>,
    /// Held by whoever registers.
    turn: Turn<()>,
    pages: PageSize,
    pub(crate) held: Arc<Held>,
    pub(crate) metrics: Metrics,
}

/// Who the worker is to the coordinator.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Identity {
    worker: u64,
    /// How often it has registered.
    times: u64,
}

impl Link {
    pub(crate) fn new(line: Line, settings: &Settings, held: Arc<Held>, metrics: Metrics) -> Link {
        let client = WorkersClient::new(line)
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        let register = wire::RegisterRequest {
            call: None,
            name: settings.name.clone(),
            incarnation: settings.incarnation,
            cores: settings.cores(),
            version: settings.version.clone(),
        };
        let (identity, turn, pages) = (Mutex::default(), Turn::new(()), PageSize::default());
        Link { client, register, identity, turn, pages, held, metrics }
    }

    /// Makes the worker known, as long as that takes.
    ///
    /// # Errors
    /// [`WorkerError`] where the coordinator does not want it.
    pub(crate) async fn register(&self) -> Result<(), WorkerError> {
        self.register_after(Identity::default()).await
    }

    /// Registers, unless that was done since the worker was known as `known`. What is held is then gone: its
    /// numbers mean something else, or nothing, to a coordinator that does not know the worker.
    async fn register_after(&self, known: Identity) -> Result<(), WorkerError> {
        let _turn = self.turn.lock().await;
        if self.identity() != known {
            return Ok(());
        }
        self.held.forget_all();
        let request = wire::RegisterRequest { call: drawn(), ..self.register.clone() };
        let patience = Patience { attempt: ATTEMPT, total: None, lease: None };
        let send = |mut client: WorkersClient<Line>, request| async move { client.register(request).await };
        let answer = self.send(Method::Register, patience, request, send).await;
        let worker = answer.map_err(|status| match Failure::from(status.clone()) {
            Failure::Fatal(error) => error,
            Failure::Stranger => WorkerError::Replaced,
            _ => WorkerError::Refused(status),
        })?;
        let worker = worker.worker;
        *self.lock() = Identity { worker, times: known.times + 1 };
        tracing::info!(worker, name = self.register.name, cores = self.register.cores, "registered");
        Ok(())
    }

    /// Opens the stream of orders; one attempt.
    pub(crate) async fn orders(&self) -> Result<Streaming<wire::OrdersResponse>, Failure> {
        let identity = self.identity();
        let wire::RegisterRequest { incarnation, version, .. } = self.register.clone();
        let request = wire::OrdersRequest { worker: identity.worker, incarnation, version };
        let mut client = self.client.clone();
        // Without a deadline of the call's own, which would end the stream too.
        let opened = tokio::time::timeout(ATTEMPT, client.orders(request)).await;
        let opened = opened.unwrap_or_else(|_| Err(Status::deadline_exceeded("there was no answer in time")));
        self.understood(identity, opened.map(Response::into_inner)).await
    }

    /// Asks for a job of so many units at most.
    pub(crate) async fn lease(&self, cores: u32, most_units: u32) -> Result<wire::LeaseResponse, Failure> {
        let identity = self.identity();
        let request = wire::LeaseRequest {
            call: drawn(),
            worker: identity.worker,
            incarnation: self.register.incarnation,
            cores,
            most_units,
        };
        let patience = Patience { attempt: LEASE_ATTEMPT, total: Some(LEASE_TOTAL), lease: None };
        let send = |mut client: WorkersClient<Line>, request| async move { client.lease(request).await };
        let answer = self.send(Method::Lease, patience, request, send).await;
        self.understood(identity, answer).await
    }

    /// Asks for a page of a lease's positions, as long as the lease lasts: each time for as much as the line
    /// seems to bear.
    pub(crate) async fn page(
        &self,
        lease: &Lease,
        request: wire::PageRequest,
    ) -> Result<wire::PageResponse, Failure> {
        let patience = Patience { attempt: PAGE_ATTEMPT, total: None, lease: Some(lease.life()) };
        let pages = &self.pages;
        let send = |mut client: WorkersClient<Line>, mut request: Request<wire::PageRequest>| async move {
            let asking = pages.ask();
            request.get_mut().most_bytes = asking.bytes();
            client.page(request).await.inspect(|_| asking.answered())
        };
        let answer = self.send(Method::Page, patience, request, send).await;
        self.understood(self.identity(), answer).await
    }

    /// Reports units of a lease, as long as the lease lasts, and once where it has ended.
    pub(crate) async fn report(
        &self,
        lease: &Lease,
        units: Vec<wire::UnitReport>,
    ) -> Result<wire::ReportResponse, Failure> {
        let identity = self.identity();
        let Job { run, attempt, .. } = lease.job;
        let request = wire::ReportRequest {
            call: drawn(),
            worker: identity.worker,
            run: run.0,
            attempt: attempt.0,
            units,
            incarnation: self.register.incarnation,
        };
        let patience = Patience { attempt: ATTEMPT, total: None, lease: Some(lease.life()) };
        let send = |mut client: WorkersClient<Line>, request| async move { client.report(request).await };
        let answer = self.send(Method::Report, patience, request, send).await;
        self.understood(identity, answer).await
    }

    /// Says that a lease is worked on, for at most `total`.
    pub(crate) async fn renew(
        &self,
        lease: &Lease,
        movement: u64,
        total: Duration,
    ) -> Result<wire::RenewResponse, Failure> {
        let identity = self.identity();
        let Job { run, attempt, .. } = lease.job;
        let request = wire::RenewRequest {
            call: drawn(),
            worker: identity.worker,
            run: run.0,
            attempt: attempt.0,
            movement,
            incarnation: self.register.incarnation,
        };
        // Two attempts at least: an answer that is lost must not cost the lease.
        let patience =
            Patience { attempt: ATTEMPT.min(total / 2), total: Some(total), lease: Some(lease.life()) };
        let send = |mut client: WorkersClient<Line>, request| async move { client.renew(request).await };
        let answer = self.send(Method::Renew, patience, request, send).await;
        self.understood(identity, answer).await
    }

    /// Gives a lease back, which is held no longer from now on. One that cannot be given back expires by itself.
    ///
    /// # Errors
    /// [`WorkerError`] where the worker must end.
    pub(crate) async fn release(&self, lease: &Lease) -> Result<(), WorkerError> {
        self.held.end(lease);
        if lease.is_forgotten() {
            return Ok(());
        }
        self.release_numbered(lease.job.run.0, lease.job.attempt.0, lease.job.term).await
    }

    /// Gives back the lease with these numbers, for at most `total`.
    pub(crate) async fn release_numbered(
        &self,
        run: u64,
        attempt: u64,
        total: Duration,
    ) -> Result<(), WorkerError> {
        let identity = self.identity();
        let incarnation = self.register.incarnation;
        let request =
            wire::ReleaseRequest { call: drawn(), worker: identity.worker, run, attempt, incarnation };
        let patience = Patience { attempt: ATTEMPT, total: Some(total), lease: None };
        let send = |mut client: WorkersClient<Line>, request| async move { client.release(request).await };
        let answer = self.send(Method::Release, patience, request, send).await;
        match self.understood(identity, answer).await {
            Ok(_) => tracing::debug!(run, attempt, "released"),
            Err(failure) => tracing::debug!(run, attempt, failure = %failure.survived()?, "not released"),
        }
        Ok(())
    }

    async fn send<Q: Clone, A, F>(
        &self,
        method: Method,
        patience: Patience,
        message: Q,
        send: impl Fn(WorkersClient<Line>, Request<Q>) -> F,
    ) -> Result<A, Status>
    where
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let limit = patience.attempt;
        repeated(&self.metrics, method, patience, || {
            let mut request = Request::new(message.clone());
            request.set_timeout(limit);
            send(self.client.clone(), request)
        })
        .await
    }

    /// What an answer means; a worker that is not known registers again.
    async fn understood<A>(&self, identity: Identity, answer: Result<A, Status>) -> Result<A, Failure> {
        let failure = match answer {
            Ok(answer) => return Ok(answer),
            Err(status) => Failure::from(status),
        };
        if matches!(failure, Failure::Stranger) {
            tracing::warn!(
                "the coordinator knows this worker no longer, or another one by its number; registering again"
            );
            self.register_after(identity).await?;
        }
        Err(failure)
    }

    fn identity(&self) -> Identity {
        *self.lock()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Identity> {
        self.identity.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The id of a new call.
fn drawn() -> Option<types::CallId> {
    Some(CallId(fastrand::u128(1..)).into())
}
