//! Between a worker and its connection: how long each of its calls takes, from the question to the whole answer.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use tokio::io::DuplexStream;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::server::NamedService;
use tonic::transport::{Channel, Endpoint, Server, Uri};
use tower::{Service, ServiceExt};
use vezir_proto::{Credentials, Line};

use crate::figures::Times;

/// What is under way between a worker and the clock, in bytes.
const PIPE_BYTES: usize = 64 << 10;

/// The bytes of an answer that says nothing: that a lease was waited for in vain.
const EMPTY_BYTES: usize = 5;

/// The times of all calls, by the name of their method.
#[derive(Clone, Default)]
pub(crate) struct Clock(Arc<Mutex<BTreeMap<String, Times>>>);

impl Clock {
    /// What was taken since this was last asked.
    pub(crate) fn take(&self) -> BTreeMap<String, Times> {
        std::mem::take(&mut *self.all())
    }

    fn add(&self, method: &str, begun: Instant) {
        let took = begun.elapsed();
        let mut all = self.all();
        match all.get_mut(method) {
            Some(times) => times.add(took),
            None => all.entry(method.to_owned()).or_default().add(took),
        }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Times>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The workers' service as the coordinator at the other end of `far` has it, timed.
#[derive(Clone)]
struct Timed {
    far: Channel,
    clock: Clock,
}

impl NamedService for Timed {
    const NAME: &'static str = "vezir.workers.v1.Workers";
}

/// A connection of its own to `address`, whose calls `clock` times. It lives as long as the runtime.
pub(crate) fn timed(address: &str, clock: &Clock) -> Line {
    let far = Endpoint::from_shared(address.to_owned()).expect("an address").connect_lazy();
    let (backlog, connections) = mpsc::channel::<io::Result<DuplexStream>>(4);
    let timed = Timed { far, clock: clock.clone() };
    let incoming = ReceiverStream::new(connections);
    tokio::spawn(Server::builder().add_service(timed).serve_with_incoming(incoming));
    let connector = tower::service_fn(move |_: Uri| {
        let backlog = backlog.clone();
        async move {
            let (near, far) = tokio::io::duplex(PIPE_BYTES);
            backlog.send(Ok(far)).await.map_err(|_| io::ErrorKind::ConnectionRefused)?;
            Ok::<_, io::Error>(TokioIo::new(near))
        }
    });
    Credentials::default().over(Endpoint::from_static("http://clock").connect_with_connector_lazy(connector))
}

impl Service<Request<Body>> for Timed {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let timed = self.clone();
        Box::pin(async move { Ok(timed.pass(request).await.unwrap_or_else(Status::into_http)) })
    }
}

impl Timed {
    async fn pass(mut self, request: Request<Body>) -> Result<Response<Body>, Status> {
        let path = request.uri().path().to_owned();
        let method = path.rsplit('/').next().unwrap_or_default();
        let gone = |error: tonic::transport::Error| Status::unavailable(error.to_string());
        let begun = Instant::now();
        let answer = self.far.ready().await.map_err(gone)?.call(request).await.map_err(gone)?;
        if method == "Orders" {
            return Ok(answer);
        }
        let (head, body) = answer.into_parts();
        let body = body.collect().await?;
        let trailers = body.trailers().cloned();
        let body = body.to_bytes();
        if method != "Lease" || body.len() > EMPTY_BYTES {
            self.clock.add(method, begun);
        }
        let trailers = async move { trailers.map(Ok) };
        Ok(Response::from_parts(head, Body::new(Full::new(body).with_trailers(trailers))))
    }
}
