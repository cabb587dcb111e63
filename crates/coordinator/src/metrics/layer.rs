//! A layer that counts and times every call of a server, whatever service it goes to.

use std::pin::Pin;
use std::task::{Context, Poll};

use http_body::{Body, Frame, SizeHint};
use tonic::codegen::http::{HeaderMap, Request, Response};
use tower::{Layer, Service};

use super::{Call, Code, Method, Metrics};

/// Where gRPC says how a call ended.
const STATUS_HEADER: &str = "grpc-status";

/// Makes [`Measured`] services.
#[derive(Clone, Debug)]
pub struct MeasuringLayer(Metrics);

impl MeasuringLayer {
    /// A layer that tells `metrics` of every call.
    pub const fn new(metrics: Metrics) -> MeasuringLayer {
        MeasuringLayer(metrics)
    }
}

impl<S> Layer<S> for MeasuringLayer {
    type Service = Measured<S>;

    fn layer(&self, inner: S) -> Measured<S> {
        Measured { inner, metrics: self.0.clone() }
    }
}

/// A service whose calls are counted and timed.
#[derive(Clone, Debug)]
pub struct Measured<S> {
    inner: S,
    metrics: Metrics,
}

impl<S, A, B> Service<Request<A>> for Measured<S>
where
    S: Service<Request<A>, Response = Response<B>>,
    S::Future: Send + 'static,
{
    type Response = Response<MeasuredBody<B>>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<A>) -> Self::Future {
        let call = self.metrics.call(Method::of(request.uri().path()));
        let answer = self.inner.call(request);
        Box::pin(async move {
            match answer.await {
                Ok(response) => {
                    let (head, body) = response.into_parts();
                    let mut call = Some(call);
                    // An answer without a body says in its head how it ended.
                    end(&mut call, code(&head.headers));
                    Ok(Response::from_parts(head, MeasuredBody { body, call }))
                }
                Err(error) => {
                    call.ended(Code::Internal);
                    Err(error)
                }
            }
        })
    }
}

/// The body of an answer; the call ends with it.
#[derive(Debug)]
pub struct MeasuredBody<B> {
    body: B,
    call: Option<Call>,
}

impl<B: Body + Unpin> Body for MeasuredBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                end(&mut self.call, frame.trailers_ref().and_then(code));
            }
            Poll::Ready(Some(Err(_)) | None) => end(&mut self.call, Some(Code::Unknown)),
            Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Ends a call that has not ended yet, where it is known how.
fn end(call: &mut Option<Call>, code: Option<Code>) {
    if let Some(code) = code
        && let Some(call) = call.take()
    {
        call.ended(code);
    }
}

fn code(headers: &HeaderMap) -> Option<Code> {
    Some(tonic::Code::from_bytes(headers.get(STATUS_HEADER)?.as_bytes()).into())
}
