//! Between a coordinator and those who call it: passes every call on, and plays tricks on some.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;
use tonic::body::Body;
use tonic::codegen::Bytes;
use tonic::codegen::http::request::Parts;
use tonic::codegen::http::{HeaderMap, Request, Response};
use tonic::transport::{Channel, Endpoint};
use tower::{Service, ServiceExt};

use crate::dice::Dice;
use crate::mischief::{Mischief, Trick, is_stream};

/// How late an answer comes: some after the patience for a renewal, some after that for a report.
const LATE: [Duration; 2] = [Duration::from_millis(700), Duration::from_secs(12)];

/// How much later a call comes again: some after the lease that it is about.
const AGAIN: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(8)];

/// Why a call broke.
type Broken = Box<dyn Error + Send + Sync>;

/// A port of this machine behind which is a coordinator. Its connections end when it is dropped.
pub(crate) struct Relay {
    address: String,
    pub(crate) mischief: Arc<Mischief>,
    _runtime: Runtime,
}

impl Relay {
    /// One to a coordinator that is called `address`.
    ///
    /// # Panics
    /// If the machine gives no port.
    pub(crate) fn to(address: &str, tricks: &[Trick], dice: &Arc<Dice>) -> Relay {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let near = listener.local_addr().expect("an address");
        let mischief = Arc::new(Mischief::new(tricks, dice));
        let far = Endpoint::from_shared(address.to_owned()).expect("an address");
        runtime.spawn(accept(listener, far, mischief.clone()));
        Relay { address: format!("http://{near}"), mischief, _runtime: runtime }
    }

    /// How the coordinator behind it is called.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

async fn accept(listener: TcpListener, far: Endpoint, mischief: Arc<Mischief>) {
    let far = far.connect_lazy();
    while let Ok((stream, _)) = listener.accept().await {
        let (far, mischief) = (far.clone(), mischief.clone());
        let service = service_fn(move |request| pass(far.clone(), mischief.clone(), request));
        let server = http2::Builder::new(TokioExecutor::new());
        tokio::spawn(server.serve_connection(TokioIo::new(stream), service));
    }
}

async fn pass(
    far: Channel,
    mischief: Arc<Mischief>,
    request: Request<Incoming>,
) -> Result<Response<Body>, Broken> {
    let (head, body) = request.into_parts();
    let method = head.uri.path().rsplit('/').next().unwrap_or_default().to_owned();
    let call = Arc::new(Call { far, head, asked: body.collect().await?.to_bytes() });
    let trick = mischief.choose(&method);
    if trick == Some(Trick::Swallowed) && is_stream(&method) {
        let _unheard = call.make().await?;
        return std::future::pending().await;
    }
    if trick == Some(Trick::Broken) && is_stream(&method) {
        drop(call.make().await?);
        return Err("the call was broken".into());
    }
    match trick {
        None => call.make().await,
        Some(trick) => play(trick, &call, &mischief).await,
    }
}

/// Plays a trick on a call that is answered at once. What the coordinator is to get, it gets, even if the caller
/// has gone by then.
async fn play(trick: Trick, call: &Arc<Call>, mischief: &Mischief) -> Result<Response<Body>, Broken> {
    let soon = || call.heard_after(Duration::ZERO);
    let answer = match trick {
        Trick::Swallowed => {
            soon();
            return std::future::pending().await;
        }
        Trick::Broken => {
            soon().await??;
            return Err("the answer was lost".into());
        }
        Trick::TwiceInTurn => mischief.dice.one_of(&[0, 1]).zip(Some([soon().await??, soon().await??])),
        Trick::TwiceAtOnce => {
            let (one, other) = tokio::try_join!(soon(), soon())?;
            mischief.dice.one_of(&[0, 1]).zip(Some([one?, other?]))
        }
        Trick::Again => {
            let answer = soon().await??;
            let [least, most] = AGAIN;
            call.heard_after(mischief.dice.between(least, most));
            return Ok(answer.into_response());
        }
        Trick::Late => {
            let answer = soon().await??;
            let [least, most] = LATE;
            sleep(mischief.dice.between(least, most)).await;
            return Ok(answer.into_response());
        }
    };
    let (which, [one, other]) = answer.ok_or("there are two answers")?;
    Ok(if which == 0 { one } else { other }.into_response())
}

/// A call that may be made many times.
struct Call {
    far: Channel,
    head: Parts,
    asked: Bytes,
}

/// All of an answer.
struct Answer {
    head: Response<()>,
    body: Bytes,
    trailers: Option<HeaderMap>,
}

impl Call {
    /// Makes it; its answer may come bit by bit.
    async fn make(&self) -> Result<Response<Body>, Broken> {
        let mut request = Request::new(Body::new(Full::new(self.asked.clone())));
        (*request.method_mut(), *request.uri_mut()) = (self.head.method.clone(), self.head.uri.clone());
        *request.headers_mut() = self.head.headers.clone();
        let mut far = self.far.clone();
        Ok(far.ready().await?.call(request).await?)
    }

    /// Makes it after a while, and hears all of its answer, whoever waits for that.
    fn heard_after(self: &Arc<Call>, wait: Duration) -> tokio::task::JoinHandle<Result<Answer, Broken>> {
        let call = self.clone();
        tokio::spawn(async move {
            sleep(wait).await;
            let (head, body) = call.make().await?.into_parts();
            let body = body.collect().await?;
            let trailers = body.trailers().cloned();
            Ok(Answer { head: Response::from_parts(head, ()), body: body.to_bytes(), trailers })
        })
    }
}

impl Answer {
    fn into_response(self) -> Response<Body> {
        let Answer { head, body, trailers } = self;
        let trailers = async move { trailers.map(Ok) };
        head.map(|()| Body::new(Full::new(body).with_trailers(trailers)))
    }
}
