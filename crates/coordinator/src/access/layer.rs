//! The gate before all services: a call is let in, with its caller beside it, or answered at once.

use std::future::{Ready, ready};
use std::task::{Context, Poll};

use futures::future::Either;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::header::AUTHORIZATION;
use tonic::codegen::http::{HeaderMap, Request, Response};
use tower::{Layer, Service};

use super::caller::Caller;
use super::table::{Need, Way, way};
use super::token::Token;
use super::{Access, Refused};

/// How the header of a token begins. The scheme is compared without regard to case.
const SCHEME: &str = "Bearer ";

/// Puts the gate before services.
#[derive(Clone)]
pub struct AccessLayer(Access);

impl AccessLayer {
    /// The gate that `access` keeps.
    #[must_use]
    pub const fn new(access: Access) -> AccessLayer {
        AccessLayer(access)
    }
}

impl<S> Layer<S> for AccessLayer {
    type Service = Gate<S>;

    fn layer(&self, inner: S) -> Gate<S> {
        Gate { access: self.0.clone(), inner }
    }
}

/// Services behind a gate.
#[derive(Clone)]
pub struct Gate<S> {
    access: Access,
    inner: S,
}

impl<S, B> Service<Request<B>> for Gate<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Either<Ready<Result<S::Response, S::Error>>, S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        match admit(&self.access, request.uri().path(), request.headers()) {
            Ok(caller) => {
                if let Some(caller) = caller {
                    request.extensions_mut().insert(caller);
                }
                Either::Right(self.inner.call(request))
            }
            Err(refused) => {
                tracing::info!(path = request.uri().path(), %refused, "call refused");
                Either::Left(ready(Ok(Status::from(refused).into_http())))
            }
        }
    }
}

/// Who calls, where the call may be made; nobody, where that does not matter.
fn admit(access: &Access, path: &str, headers: &HeaderMap) -> Result<Option<Caller>, Refused> {
    let way = way(path);
    if way == Way::Needs(Need::Nothing) {
        return Ok(None);
    }
    let caller = match access {
        Access::Open => Caller::local(),
        Access::Tokens(file) => {
            file.tokens().holder(&presented(headers)?).cloned().ok_or(Refused::Unknown)?
        }
    };
    match way {
        Way::Needs(Need::Role(role)) if !caller.roles.has(role) => {
            Err(Refused::Forbidden { caller, needed: role })
        }
        Way::Nowhere => Err(Refused::NoMethod),
        Way::Needs(_) | Way::Router => Ok(Some(caller)),
    }
}

/// The token that a call presents.
fn presented(headers: &HeaderMap) -> Result<Token, Refused> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or(Refused::NoToken)?;
    if values.next().is_some() {
        return Err(Refused::NoBearer);
    }
    let text = value.to_str().map_err(|_| Refused::NoBearer)?;
    let (scheme, token) = text.split_at_checked(SCHEME.len()).ok_or(Refused::NoBearer)?;
    if !scheme.eq_ignore_ascii_case(SCHEME) {
        return Err(Refused::NoBearer);
    }
    Token::parse(token.trim()).map_err(|_| Refused::Unknown)
}

#[cfg(test)]
#[path = "layer_tests.rs"]
mod tests;
