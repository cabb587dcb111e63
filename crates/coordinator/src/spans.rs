//! The span of a call: everything that is logged while it is answered says by which method, and about what.

use tonic::codegen::http::Request;
use tracing::field::{Empty, display};
use tracing::{Span, info_span};
use vezir_jobs::{Attempt, RunId, WorkerId};

use crate::metrics::Method;

/// The span of a call that has come in.
pub(crate) fn span(request: &Request<()>) -> Span {
    let method = Method::of(request.uri().path()).text();
    info_span!("call", method, worker = Empty, run = Empty, attempt = Empty)
}

/// The call is one of this worker's.
pub(crate) fn by(worker: WorkerId) {
    Span::current().record("worker", display(worker));
}

/// The call is about this run.
pub(crate) fn about(run: RunId) {
    Span::current().record("run", display(run));
}

/// The call is about this lease.
pub(crate) fn under(worker: WorkerId, run: RunId, attempt: Attempt) {
    by(worker);
    about(run);
    Span::current().record("attempt", display(attempt));
}
