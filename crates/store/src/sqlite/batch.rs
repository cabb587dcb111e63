//! What one turn of the writer did, for whoever keeps figures.

use std::time::Duration;

/// The requests that were answered together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch {
    /// How many requests they were, reads among them.
    pub requests: usize,
    /// The names of the verbs that were done or refused, in order; `expire` is one of them.
    pub verbs: Vec<&'static str>,
    /// Rows that were written or removed.
    pub rows: usize,
    /// From the first of them being looked at to the last being answered.
    pub took: Duration,
    /// The part of it that the commit took; zero if nothing had changed.
    pub committing: Duration,
    /// Whether the file could be read and written; if not, none of the requests was answered as it should be.
    pub served: bool,
}
