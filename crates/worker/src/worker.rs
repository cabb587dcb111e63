//! A worker: its stages joined, from its registration to its end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{interval, sleep, timeout};
use vezir_perft::{Counter, StartError};
use vezir_proto::Line;

use crate::asking::Asker;
use crate::counting::Counting;
use crate::engines::Engines;
use crate::examining::Examining;
use crate::failure::WorkerError;
use crate::fetching::{Fetched, Fetcher};
use crate::held::Held;
use crate::link::Link;
use crate::metrics::Metrics;
use crate::movement::Movement;
use crate::orders::obey;
use crate::pretending::Pretence;
use crate::renewing::renew;
use crate::reporting::{Word, report};
use crate::settings::Settings;

/// Jobs that wait, with all their positions, while another is counted.
const JOBS_WAITING: usize = 1;

/// Results that wait to be reported before counting waits for them.
const RESULTS_WAITING: usize = 1024;

/// How long a worker that drains goes on counting the job that it has begun.
const DRAIN_LIMIT: Duration = Duration::from_secs(20);

/// How long a worker that has drained tries to report and to give back.
const FAREWELL_LIMIT: Duration = Duration::from_secs(5);

/// How long a worker that is stopped tries to give back what it holds.
const STOP_LIMIT: Duration = Duration::from_secs(1);

/// How often the metrics are told how far counting is.
const SAMPLE: Duration = Duration::from_millis(500);

/// A worker that is ready to work.
pub struct Worker {
    settings: Settings,
    metrics: Metrics,
    counter: Counter,
    known: watch::Sender<bool>,
}

impl Worker {
    /// A worker with its counting threads started, which tells `metrics` what it does.
    ///
    /// # Errors
    /// [`StartError`] where the system does not give what the settings ask for.
    pub fn new(settings: Settings, metrics: Metrics) -> Result<Worker, StartError> {
        let counter = Counter::new(settings.threads)?.with_isa(settings.isa)?.with_seed(settings.seed);
        Ok(Worker { settings, metrics, counter, known: watch::Sender::new(false) })
    }

    /// True from the moment when the coordinator knows this worker. Gone with the worker.
    pub fn known(&self) -> watch::Receiver<bool> {
        self.known.subscribe()
    }

    /// Works for the coordinator at the other end of `line`, or waits for it, until one of two is ready.
    ///
    /// After `drain`, or when the coordinator orders it, no other job is taken: the one that is counted is
    /// finished and reported, as far as that goes in 20 s, and all that is left is given back. After `stop`
    /// counting is abandoned, and all is given back as far as that goes in a second. Both are a good end.
    ///
    /// # Errors
    /// [`WorkerError`] where the coordinator does not want this worker, or counting broke down. A coordinator
    /// that is gone is no error: it is waited for.
    pub async fn run(
        self,
        line: Line,
        drain: impl Future<Output = ()>,
        stop: impl Future<Output = ()>,
    ) -> Result<(), WorkerError> {
        self.run_on(Counting::start, line, drain, stop).await
    }

    /// Works as [`Worker::run`] does, but counts inside the runtime that it runs on: one unit after another,
    /// each as soon as `pace` lets it.
    ///
    /// For simulations, whose virtual time would run away from threads that count. On a machine it would be
    /// wrong: a unit that is counted holds up the renewal of its lease.
    ///
    /// # Errors
    /// As [`Worker::run`].
    pub async fn run_inside<P>(
        self,
        pace: impl Fn() -> P + Send + Sync + 'static,
        line: Line,
        drain: impl Future<Output = ()>,
        stop: impl Future<Output = ()>,
    ) -> Result<(), WorkerError>
    where
        P: Future<Output = ()> + Send,
    {
        let ground = |counting: Counting, jobs| Ok(counting.start_inside(jobs, pace));
        self.run_on(ground, line, drain, stop).await
    }

    /// Works, counting where `ground` starts to.
    async fn run_on(
        self,
        ground: impl FnOnce(Counting, mpsc::Receiver<Fetched>) -> io::Result<oneshot::Receiver<()>>,
        line: Line,
        drain: impl Future<Output = ()>,
        stop: impl Future<Output = ()>,
    ) -> Result<(), WorkerError> {
        let held = Arc::new(Held::new(self.metrics.clone()));
        let link = Arc::new(Link::new(line, &self.settings, held.clone(), self.metrics.clone()));
        let (shift, counted) = self.start(ground, link.clone())?;
        let drained = async {
            drain.await;
            held.drain();
            std::future::pending().await
        };
        let ended = tokio::select! {
            biased;
            ended = shift.work() => ended,
            () = drained => Ok(()),
            () = stop => give_all_back(&link).await,
        };
        held.abandon_all();
        // Its threads and its table are gone when this returns.
        let counted = counted.await;
        ended.and(counted.map_err(|_| WorkerError::CountingBroke))
    }

    /// Starts to count. Besides what will do the rest, there is what is ready when counting has ended.
    fn start(
        self,
        ground: impl FnOnce(Counting, mpsc::Receiver<Fetched>) -> io::Result<oneshot::Receiver<()>>,
        link: Arc<Link>,
    ) -> Result<(Shift, oneshot::Receiver<()>), WorkerError> {
        let (jobs, waiting_jobs) = mpsc::channel(JOBS_WAITING);
        let (words, waiting_words) = mpsc::channel(RESULTS_WAITING);
        let movement = Movement::new(self.counter.walked());
        let counting = Counting {
            engines: Engines::new(self.settings.engines.clone()),
            examining: Examining::new(self.counter.threads(), self.settings.isa, movement.clone()),
            counter: self.counter,
            most_hash_bytes: self.settings.hash_bytes,
            pretence: Pretence::new(self.settings.rehearsal),
            movement: movement.clone(),
            metrics: self.metrics,
            words,
        };
        let counted = ground(counting, waiting_jobs)?;
        let (cores, known) = (self.settings.cores(), self.known);
        Ok((Shift { link, cores, known, movement, jobs, words: waiting_words }, counted))
    }
}

/// What a worker does on its runtime while its threads count.
struct Shift {
    link: Arc<Link>,
    cores: u32,
    known: watch::Sender<bool>,
    movement: Movement,
    jobs: mpsc::Sender<Fetched>,
    words: mpsc::Receiver<Word>,
}

impl Shift {
    /// Registers, and works until the worker is drained.
    async fn work(self) -> Result<(), WorkerError> {
        let Shift { link, cores, known, movement, jobs, words } = self;
        tokio::select! {
            biased;
            registered = link.register() => registered?,
            () = link.held.drained() => return Ok(()),
        }
        known.send_replace(true);
        let (renewals, leases) = mpsc::unbounded_channel();
        let asker = Asker::new(link.clone(), cores);
        let fetcher = Fetcher::new(link.clone(), renewals, movement.clone());
        let stages = async { tokio::try_join!(fetcher.run(asker, jobs), report(&link, words)).map(drop) };
        tokio::select! {
            biased;
            ended = stages => ended,
            error = renew(link.clone(), leases, movement.clone()) => Err(error),
            error = obey(&link) => Err(error),
            () = hurry(&link.held) => Ok(()),
            never = sample(&link.metrics, &movement) => never,
        }
    }
}

/// Ready when a worker that is to drain has taken too long.
async fn hurry(held: &Held) {
    held.drained().await;
    sleep(DRAIN_LIMIT).await;
    held.abandon_all();
    sleep(FAREWELL_LIMIT).await;
    tracing::warn!("the coordinator was not told everything: what is missing will be counted again");
}

/// Gives back all leases, as far as that goes in a moment.
async fn give_all_back(link: &Link) -> Result<(), WorkerError> {
    link.held.abandon_all();
    let leases = link.held.all();
    let released = join_all(leases.iter().map(|lease| link.release(lease)));
    // What is not given back expires.
    let _ = timeout(STOP_LIMIT, released).await;
    Ok(())
}

/// Tells the metrics how far counting is, for ever.
async fn sample<T>(metrics: &Metrics, movement: &Movement) -> T {
    let mut times = interval(SAMPLE);
    let mut before = 0;
    loop {
        times.tick().await;
        let walked = movement.walked();
        metrics.walked(walked - before);
        before = walked;
    }
}

#[cfg(test)]
#[path = "worker_tests.rs"]
mod tests;
