//! A coordinator for tests: it does what its script says, and remembers what it was asked.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use hyper_util::rt::TokioIo;
use tokio::io::{DuplexStream, copy_bidirectional, duplex};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::{Endpoint, Server, Uri};
use tonic::{Request, Response, Status};
use vezir_chess::Position;
use vezir_jobs::{Attempt, CountTask, Job, RunId, Task};
use vezir_perft::{Limits, Plan, Wish};
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::wire::workers::v1::workers_server::{Workers, WorkersServer};
use vezir_proto::{Credentials, Line, page};

use crate::metrics::Method;

/// How long a test waits for what must come.
const LIMIT: Duration = Duration::from_secs(60);

/// How long the fake lets a worker wait for a job.
const POLL: Duration = Duration::from_millis(50);

/// What a page of the fake holds, in bytes: a part of a large job.
const PAGE_BYTES: u32 = 12 << 10;

/// How a lease is said to stand.
pub(crate) type Standing = wire::lease_state::State;

/// What the fake was asked, and what it will answer.
#[derive(Default)]
pub(crate) struct Script {
    /// Jobs to be granted.
    pub(crate) jobs: VecDeque<wire::Job>,
    /// How leases are said to stand, by attempt; else they go on to their end.
    pub(crate) standing: HashMap<u64, Standing>,
    /// Whether reports and renewals say that the worker is to drain.
    pub(crate) drain: bool,
    /// How many answers of a method are lost after it was done.
    pub(crate) lost: HashMap<&'static str, u32>,
    /// What a method is refused with, the next times.
    pub(crate) refused: HashMap<&'static str, VecDeque<Status>>,
    /// Whether pages but a lease's first are held back.
    pub(crate) holds_pages: bool,
    /// Whether reports are heard, and not answered.
    pub(crate) holds_reports: bool,
    /// What is done to the next pages.
    pub(crate) spoiled: VecDeque<fn(&mut wire::PageResponse)>,
    /// What is done to the next answers to reports.
    pub(crate) spoiled_reports: VecDeque<fn(&mut wire::ReportResponse)>,

    pub(crate) registers: Vec<wire::RegisterRequest>,
    pub(crate) leases: Vec<wire::LeaseRequest>,
    pub(crate) reports: Vec<wire::ReportRequest>,
    pub(crate) renewals: Vec<wire::RenewRequest>,
    pub(crate) releases: Vec<wire::ReleaseRequest>,
    pub(crate) pages: Vec<wire::PageRequest>,
    granted: HashMap<(u64, u64), wire::Job>,
    orders: Option<mpsc::Sender<Result<wire::OrdersResponse, Status>>>,
    connections: Vec<AbortHandle>,
    is_down: bool,
}

impl Script {
    /// The units that were reported under an attempt, in order, each once.
    pub(crate) fn reported(&self, attempt: u64) -> Vec<u32> {
        let reports = self.reports.iter().filter(|report| report.attempt == attempt);
        let mut units: Vec<u32> = reports.flat_map(|report| &report.units).map(|unit| unit.unit).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    pub(crate) fn is_released(&self, attempt: u64) -> bool {
        self.releases.iter().any(|release| release.attempt == attempt)
    }

    pub(crate) fn renewed(&self, attempt: u64) -> usize {
        self.renewals.iter().filter(|renewal| renewal.attempt == attempt).count()
    }
}

/// The fake. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Fake {
    script: Arc<Mutex<Script>>,
    changed: watch::Sender<u64>,
    plan: Arc<Plan>,
    backlog: mpsc::Sender<io::Result<DuplexStream>>,
}

impl Fake {
    /// A fake that counts the start position to depth 4 in eight units, and knows no job yet.
    pub(crate) fn start() -> Fake {
        let wish = Wish { depth: 4, split: Some(2), units: Some(8) };
        let quiet = std::sync::atomic::AtomicBool::new(false);
        let plan = Arc::new(Plan::new(&Position::startpos(), wish, Limits::CHOSEN, &quiet).expect("a plan"));
        let (backlog, incoming) = mpsc::channel(4);
        let fake = Fake { script: Arc::default(), changed: watch::Sender::new(0), plan, backlog };
        let service = WorkersServer::new(fake.clone());
        tokio::spawn(
            Server::builder().add_service(service).serve_with_incoming(ReceiverStream::new(incoming)),
        );
        fake
    }

    /// A job of these units, to be granted after those before it.
    pub(crate) fn grant(&self, attempt: u64, units: std::ops::Range<u32>, term: Duration) {
        let task = CountTask { remaining: self.plan.remaining, breakdown: false, hash_bytes: 0 };
        let task = Task::Count(task);
        let lengths = units.clone().map(|unit| self.plan.slice(unit).len() as u32).collect();
        let job = Job { run: RunId(1), attempt: Attempt(attempt), units, task, term };
        self.script().jobs.push_back(wire::Job::new(&job, lengths));
    }

    pub(crate) fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().expect("a script")
    }

    /// Waits until what was asked is enough.
    pub(crate) async fn until(&self, what: &str, enough: impl Fn(&Script) -> bool) {
        let mut changed = self.changed.subscribe();
        let waited = timeout(LIMIT, async {
            while !enough(&self.script()) {
                changed.changed().await.expect("a fake");
            }
        });
        assert!(waited.await.is_ok(), "waited in vain: {what}");
    }

    /// Gives an order.
    pub(crate) async fn order(&self, order: wire::orders_response::Order) {
        self.until("a stream of orders", |script| script.orders.is_some()).await;
        let orders = self.script().orders.clone().expect("a stream");
        orders.send(Ok(wire::OrdersResponse { order: Some(order) })).await.expect("a listener");
    }

    /// Cuts all connections and takes no other, until [`Fake::come_back`].
    pub(crate) fn vanish(&self) {
        let mut script = self.script();
        script.is_down = true;
        script.orders = None;
        script.connections.drain(..).for_each(|connection| connection.abort());
    }

    pub(crate) fn come_back(&self) {
        self.script().is_down = false;
    }

    /// A way to the fake, with a cable that can be cut.
    pub(crate) fn line(&self) -> Line {
        let fake = self.clone();
        let dial = tower::service_fn(move |_: Uri| {
            let fake = fake.clone();
            async move {
                if fake.script().is_down {
                    return Err(io::Error::from(io::ErrorKind::ConnectionRefused));
                }
                let ((near, mut here), (mut there, far)) = (duplex(1 << 16), duplex(1 << 16));
                let cable = tokio::spawn(async move { copy_bidirectional(&mut here, &mut there).await });
                fake.script().connections.push(cable.abort_handle());
                fake.backlog.send(Ok(far)).await.map_err(|_| io::ErrorKind::ConnectionRefused)?;
                Ok(TokioIo::new(near))
            }
        });
        let channel = Endpoint::from_static("http://fake").connect_with_connector_lazy(dial);
        Credentials::default().over(channel)
    }

    /// Remembers a request, and says whether it is refused.
    fn hear(&self, method: Method, note: impl FnOnce(&mut Script)) -> Result<(), Status> {
        let mut script = self.script();
        note(&mut script);
        self.changed.send_modify(|times| *times += 1);
        match script.refused.get_mut(name(method)).and_then(VecDeque::pop_front) {
            Some(status) => Err(status),
            None => Ok(()),
        }
    }

    /// Answers, or loses the answer.
    fn answer<T>(&self, method: Method, answer: T) -> Result<Response<T>, Status> {
        match self.script().lost.get_mut(name(method)) {
            Some(times) if *times > 0 => {
                *times -= 1;
                Err(Status::unavailable("the answer was lost"))
            }
            _ => Ok(Response::new(answer)),
        }
    }

    fn lease(&self, attempt: u64) -> Option<wire::LeaseState> {
        let script = self.script();
        let going_on = Standing::LiveUntil(u32::MAX);
        let state = Some(script.standing.get(&attempt).cloned().unwrap_or(going_on));
        Some(wire::LeaseState { state, drain: script.drain })
    }
}

/// A method's name, to be a key.
pub(crate) const fn name(method: Method) -> &'static str {
    match method {
        Method::Register => "register",
        Method::Orders => "orders",
        Method::Lease => "lease",
        Method::Page => "page",
        Method::Report => "report",
        Method::Renew => "renew",
        Method::Release => "release",
    }
}

#[tonic::async_trait]
impl Workers for Fake {
    type OrdersStream = ReceiverStream<Result<wire::OrdersResponse, Status>>;

    async fn register(
        &self,
        request: Request<wire::RegisterRequest>,
    ) -> Result<Response<wire::RegisterResponse>, Status> {
        self.hear(Method::Register, |script| script.registers.push(request.into_inner()))?;
        let worker = self.script().registers.len() as u64;
        self.answer(Method::Register, wire::RegisterResponse { worker })
    }

    async fn orders(&self, _: Request<wire::OrdersRequest>) -> Result<Response<Self::OrdersStream>, Status> {
        let (sender, receiver) = mpsc::channel(4);
        self.hear(Method::Orders, |script| script.orders = Some(sender))?;
        self.answer(Method::Orders, ReceiverStream::new(receiver))
    }

    async fn lease(
        &self,
        request: Request<wire::LeaseRequest>,
    ) -> Result<Response<wire::LeaseResponse>, Status> {
        let request = request.into_inner();
        let id = request.call.map(|call| (call.hi, call.lo)).expect("an id");
        self.hear(Method::Lease, |script| script.leases.push(request))?;
        let job = {
            let mut script = self.script();
            let job = script.granted.get(&id).cloned().or_else(|| script.jobs.pop_front());
            job.inspect(|job| drop(script.granted.insert(id, job.clone())))
        };
        if job.is_none() {
            sleep(POLL).await;
        }
        self.answer(Method::Lease, wire::LeaseResponse { job })
    }

    async fn page(
        &self,
        request: Request<wire::PageRequest>,
    ) -> Result<Response<wire::PageResponse>, Status> {
        let request = request.into_inner();
        self.hear(Method::Page, |script| script.pages.push(request))?;
        while self.script().holds_pages && request.skip > 0 {
            sleep(POLL).await;
        }
        let (first, last) = (request.first_unit, request.first_unit + request.units - 1);
        let slots = self.plan.slice(first).start + request.skip as usize..self.plan.slice(last).end;
        let mut answer = wire::PageResponse {
            places: None,
            slots: Some(page(self.plan.frontier.slots(slots), request.most_bytes.min(PAGE_BYTES))),
        };
        if let Some(spoil) = self.script().spoiled.pop_front() {
            spoil(&mut answer);
        }
        self.answer(Method::Page, answer)
    }

    async fn report(
        &self,
        request: Request<wire::ReportRequest>,
    ) -> Result<Response<wire::ReportResponse>, Status> {
        let request = request.into_inner();
        let told = vec![wire::Told::Counted.into(); request.units.len()];
        let mut answer = wire::ReportResponse { told, lease: self.lease(request.attempt) };
        self.hear(Method::Report, |script| script.reports.push(request))?;
        while self.script().holds_reports {
            sleep(POLL).await;
        }
        if let Some(spoil) = self.script().spoiled_reports.pop_front() {
            spoil(&mut answer);
        }
        self.answer(Method::Report, answer)
    }

    async fn renew(
        &self,
        request: Request<wire::RenewRequest>,
    ) -> Result<Response<wire::RenewResponse>, Status> {
        let request = request.into_inner();
        let answer = wire::RenewResponse { lease: self.lease(request.attempt) };
        self.hear(Method::Renew, |script| script.renewals.push(request))?;
        self.answer(Method::Renew, answer)
    }

    async fn release(
        &self,
        request: Request<wire::ReleaseRequest>,
    ) -> Result<Response<wire::ReleaseResponse>, Status> {
        self.hear(Method::Release, |script| script.releases.push(request.into_inner()))?;
        self.answer(Method::Release, wire::ReleaseResponse {})
    }
}
