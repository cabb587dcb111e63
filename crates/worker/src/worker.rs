//! A worker: its stages joined, from its welcome to its end.

use std::num::NonZero;
use std::sync::Arc;

use tokio::sync::mpsc;
use tonic::transport::Channel;
use tonic::{Status, Streaming};
use vezir_jobs::{RunId, WorkerId};
use vezir_perft::{Counter, StartError};
use vezir_proto::wire::workers::v1::register_response::Order;
use vezir_proto::wire::workers::v1::workers_client::WorkersClient;
use vezir_proto::wire::workers::v1::{RegisterRequest, RegisterResponse};
use vezir_proto::{MAX_MESSAGE_BYTES, Malformed};

use crate::counting;
use crate::fetching::Fetcher;
use crate::reporting::report;
use crate::stops::Stops;

/// Jobs that wait, with all their positions, while another is counted.
const JOBS_WAITING: usize = 1;

/// Results that wait to be reported before counting waits for them.
const RESULTS_WAITING: usize = 1024;

/// What a worker may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Threads to count on.
    pub threads: NonZero<usize>,
    /// The largest hash table, in bytes; 0 for none.
    pub hash_bytes: u64,
}

/// A worker that is ready to work.
pub struct Worker {
    settings: Settings,
    counter: Counter,
}

impl Worker {
    /// A worker with its counting threads started.
    ///
    /// # Errors
    /// [`StartError`] where the system does not give what the settings ask for.
    pub fn new(settings: Settings) -> Result<Worker, StartError> {
        Ok(Worker { settings, counter: Counter::new(settings.threads)? })
    }

    /// Works for the coordinator at the other end of `channel` until `shutdown` is ready. What is then
    /// unfinished is dropped, and the coordinator gives it to others.
    ///
    /// # Errors
    /// [`WorkerError`] where the coordinator is gone or cannot be understood.
    pub async fn run(self, channel: Channel, shutdown: impl Future<Output = ()>) -> Result<(), WorkerError> {
        let mut client = WorkersClient::new(channel)
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        let cores = self.settings.threads;
        let register = RegisterRequest { cores: u32::try_from(cores.get()).unwrap_or(u32::MAX) };
        let mut orders = client.register(register).await?.into_inner();
        let worker = welcome(&mut orders).await?;
        tracing::info!(%worker, cores, "registered");

        let stops = Arc::new(Stops::default());
        let (jobs, waiting_jobs) = mpsc::channel(JOBS_WAITING);
        let (results, waiting_results) = mpsc::channel(RESULTS_WAITING);
        let mut counting = counting::start(self.counter, self.settings.hash_bytes, waiting_jobs, results)?;
        let fetcher = Fetcher::new(client.clone(), worker, cores, stops.clone());
        let ended = tokio::select! {
            fetched = fetcher.run(jobs) => fetched,
            reported = report(client, waiting_results) => reported,
            obeyed = obey(orders, &stops) => obeyed,
            _ = &mut counting => Err(WorkerError::CountingBroke),
            () = shutdown => Ok(()),
        };
        stops.raise_all();
        if !counting.is_terminated() {
            // Its threads and its table are gone when this returns.
            let _ = counting.await;
        }
        ended
    }
}

/// Waits for the first order, which says who the worker is.
async fn welcome(orders: &mut Streaming<RegisterResponse>) -> Result<WorkerId, WorkerError> {
    match orders.message().await?.and_then(|order| order.order) {
        Some(Order::Welcome(welcome)) => Ok(WorkerId(welcome.worker)),
        _ => Err(Malformed::Missing("welcome").into()),
    }
}

/// Does what the coordinator orders, as long as it does.
async fn obey(mut orders: Streaming<RegisterResponse>, stops: &Stops) -> Result<(), WorkerError> {
    while let Some(order) = orders.message().await? {
        if let Some(Order::DropRun(run)) = order.order {
            stops.raise(RunId(run));
        }
    }
    Err(WorkerError::Dismissed)
}

/// Why a worker stopped.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// A call failed.
    #[error("the coordinator cannot be reached or refuses: {}", .0.message())]
    Call(#[from] Status),
    /// The coordinator says what means nothing.
    #[error("the coordinator cannot be understood: {0}")]
    Malformed(#[from] Malformed),
    /// A page brings no positions, or too many.
    #[error("the coordinator sent {sent} positions where {wanted} were left to send")]
    Page {
        /// How many came.
        sent: usize,
        /// How many were wanted at most.
        wanted: usize,
    },
    /// The coordinator has ended the worker's stream of orders.
    #[error("the coordinator has dismissed this worker")]
    Dismissed,
    /// The thread that counts could not be started.
    #[error("cannot start the thread that counts: {0}")]
    Thread(#[from] std::io::Error),
    /// The thread that counts has died.
    #[error("counting broke down")]
    CountingBroke,
}
