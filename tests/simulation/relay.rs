//! Between a worker and its line: hears what the worker is told, doubles calls, and swallows answers.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use prost::Message;
use tokio::io::DuplexStream;
use tokio::sync::mpsc;
use tokio::time::sleep;
use tonic::body::Body;
use tonic::codegen::Bytes;
use tonic::codegen::http::{HeaderMap, Request, Response};
use tonic::server::NamedService;
use tonic::transport::{Channel, Endpoint, Server, Uri};
use tonic::{Code, Status};
use tower::{Service, ServiceExt};
use vezir_jobs::ledger::Told;
use vezir_jobs::{Attempt, RunId};
use vezir_proto::wire::workers::v1 as wire;
use vezir_proto::{Credentials, Line};

use crate::map::Map;
use crate::wire::dial;

/// What is under way between a worker and its relay, in bytes.
const PIPE_BYTES: usize = 64 << 10;

/// The flag and the length before each message of a call.
const PREFIX_BYTES: usize = 5;

/// The longest that the second of two equal calls is behind the first.
const DOUBLE_WITHIN: Duration = Duration::from_secs(6);

/// A relay of the workers' service.
#[derive(Clone)]
pub(crate) struct Relay {
    far: Channel,
    map: Map,
}

impl NamedService for Relay {
    const NAME: &'static str = "vezir.workers.v1.Workers";
}

/// A line to the coordinator through a relay, which lives as long as the runtime that this is called on.
pub(crate) fn relayed(map: Map) -> Line {
    let (backlog, connections) = mpsc::channel::<io::Result<DuplexStream>>(4);
    let relay = Relay { far: dial(), map };
    let incoming = tokio_stream::wrappers::ReceiverStream::new(connections);
    tokio::spawn(Server::builder().add_service(relay).serve_with_incoming(incoming));
    let connector = tower::service_fn(move |_: Uri| {
        let backlog = backlog.clone();
        async move {
            let (near, far) = tokio::io::duplex(PIPE_BYTES);
            backlog.send(Ok(far)).await.map_err(|_| io::ErrorKind::ConnectionRefused)?;
            Ok::<_, io::Error>(TokioIo::new(near))
        }
    });
    Credentials::default().over(Endpoint::from_static("http://relay").connect_with_connector_lazy(connector))
}

impl Service<Request<Body>> for Relay {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let relay = self.clone();
        Box::pin(async move { Ok(relay.pass(request).await.unwrap_or_else(Status::into_http)) })
    }
}

impl Relay {
    async fn pass(self, request: Request<Body>) -> Result<Response<Body>, Status> {
        let (parts, body) = request.into_parts();
        let asked = body.collect().await?.to_bytes();
        let copy = || {
            let mut copy = Request::new(Body::new(Full::new(asked.clone())));
            (*copy.method_mut(), *copy.uri_mut()) = (parts.method.clone(), parts.uri.clone());
            *copy.headers_mut() = parts.headers.clone();
            copy
        };
        let path = parts.uri.path();
        if path.ends_with("/Orders") {
            return send(self.far, copy(), Duration::ZERO).await;
        }
        if self.map.weather.strikes(10) {
            self.map.judge.count("doubled calls");
            let behind = DOUBLE_WITHIN.mul_f64(fastrand::f64().powi(3));
            tokio::spawn(hear(self.far.clone(), copy(), behind));
        }
        let swallows = self.map.weather.strikes(15);
        let answer = hear(self.far.clone(), copy(), Duration::ZERO).await?;
        if swallows {
            self.map.judge.count("swallowed answers");
            return Err(Status::new(Code::Unavailable, "the answer was swallowed"));
        }
        self.listen(path, &asked, &answer);
        Ok(answer.into_response())
    }

    /// Notes what a worker is told of what it reported.
    fn listen(&self, path: &str, asked: &Bytes, answer: &Answer) {
        if !path.ends_with("/Report") || answer.body.len() < PREFIX_BYTES {
            return;
        }
        let asked = wire::ReportRequest::decode(&asked[PREFIX_BYTES..]);
        let told = wire::ReportResponse::decode(&answer.body[PREFIX_BYTES..]);
        let (Ok(asked), Ok(told)) = (asked, told) else {
            return self.map.judge.complain("a report or its answer cannot be read");
        };
        for (unit, told) in asked.units.iter().zip(told.told()) {
            match Told::try_from(told) {
                Ok(told) => self.map.judge.told(RunId(asked.run), Attempt(asked.attempt), unit.unit, told),
                Err(error) => self.map.judge.complain(error.to_string()),
            }
        }
    }
}

/// All of an answer.
struct Answer {
    head: Response<()>,
    body: Bytes,
    trailers: Option<HeaderMap>,
}

impl Answer {
    fn into_response(self) -> Response<Body> {
        let Answer { head, body, trailers } = self;
        let trailers = async move { trailers.map(Ok) };
        head.map(|()| Body::new(Full::new(body).with_trailers(trailers)))
    }
}

/// Makes a call after a while and hears all of its answer.
async fn hear(far: Channel, request: Request<Body>, after: Duration) -> Result<Answer, Status> {
    let (parts, body) = send(far, request, after).await?.into_parts();
    let body = body.collect().await?;
    let trailers = body.trailers().cloned();
    Ok(Answer { head: Response::from_parts(parts, ()), body: body.to_bytes(), trailers })
}

async fn send(mut far: Channel, request: Request<Body>, after: Duration) -> Result<Response<Body>, Status> {
    sleep(after).await;
    let ready = far.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
    ready.call(request).await.map_err(|error| Status::unavailable(error.to_string()))
}
