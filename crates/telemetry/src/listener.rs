//! The listener that operators and Prometheus ask: `/metrics`, `/healthz` and `/readyz`.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::{Readiness, Registry};

/// Connections that are served at one time; more of them wait until the system refuses them.
const MAX_CONNECTIONS: usize = 128;

/// How long a client may take to say what it wants.
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);

/// How long one connection, which brings one request, may last in all.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);

/// The most that a request's first lines may take, in bytes: the least that hyper allows.
const MAX_REQUEST_BYTES: usize = 8 << 10;

/// The most headers of a request.
const MAX_HEADERS: usize = 32;

/// How long to wait where the system accepts no connection, as when there are no more files to open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// How long answers that are under way may take when the listener is to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// The text format of Prometheus.
const METRICS_TYPE: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

/// A sentence.
const TEXT_TYPE: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Answers `/metrics` with what `registry` holds, `/healthz` with 200 for as long as the process runs, and
/// `/readyz` with 200 or 503 as `readiness` says, until `shutdown` is ready.
///
/// It keeps going where single connections fail. Whoever is slow, silent or asks too much is cut off.
pub async fn serve(
    listener: TcpListener,
    registry: Registry,
    readiness: Readiness,
    shutdown: impl Future<Output = ()>,
) {
    let shown = Shown { registry, readiness };
    let open = GracefulShutdown::new();
    tokio::select! {
        () = accept(listener, &shown, &open) => {}
        () = shutdown => {}
    }
    if timeout(SHUTDOWN_TIMEOUT, open.shutdown()).await.is_err() {
        tracing::debug!("metrics: some answers did not end in time");
    }
}

/// What is shown.
#[derive(Clone)]
struct Shown {
    registry: Registry,
    readiness: Readiness,
}

async fn accept(listener: TcpListener, shown: &Shown, open: &GracefulShutdown) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    // The semaphore is never closed.
    while let Ok(slot) = slots.clone().acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let connection = converse(stream, shown.clone(), open.watcher());
                tokio::spawn(async move {
                    connection.await;
                    drop(slot);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "metrics: a connection was not accepted");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Answers the one request of a connection.
async fn converse(stream: TcpStream, shown: Shown, open: Watcher) {
    let service = service_fn(move |request| {
        let answer = shown.answer(&request);
        async move { Ok::<_, Infallible>(answer) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .keep_alive(false)
        .max_buf_size(MAX_REQUEST_BYTES)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    match timeout(CONNECTION_TIMEOUT, open.watch(connection)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "metrics: a connection broke"),
        Err(_) => tracing::debug!("metrics: a connection took too long"),
    }
}

impl Shown {
    fn answer<B>(&self, request: &Request<B>) -> Response<Full<Bytes>> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let mut answer =
                sentence(StatusCode::METHOD_NOT_ALLOWED, "GET or HEAD would be right".to_owned());
            answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return answer;
        }
        match request.uri().path() {
            "/metrics" => self.metrics(),
            "/healthz" => sentence(StatusCode::OK, "running".to_owned()),
            "/readyz" => match self.readiness.check() {
                Ok(()) => sentence(StatusCode::OK, "ready".to_owned()),
                Err(reason) => sentence(StatusCode::SERVICE_UNAVAILABLE, reason),
            },
            _ => sentence(
                StatusCode::NOT_FOUND,
                "there is no such page; /metrics, /healthz or /readyz would be right".to_owned(),
            ),
        }
    }

    fn metrics(&self) -> Response<Full<Bytes>> {
        match self.registry.text() {
            Ok(text) => page(StatusCode::OK, METRICS_TYPE, text),
            Err(error) => {
                tracing::error!(%error, "metrics cannot be shown");
                sentence(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
            }
        }
    }
}

fn sentence(status: StatusCode, said: String) -> Response<Full<Bytes>> {
    page(status, TEXT_TYPE, format!("{said}\n"))
}

fn page(status: StatusCode, kind: HeaderValue, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

#[cfg(test)]
#[path = "listener_tests.rs"]
mod tests;
