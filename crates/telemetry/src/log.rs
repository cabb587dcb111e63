//! The log: how its lines look, where they go, and which are kept.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::util::TryInitError;
use tracing_subscriber::{fmt, layer::SubscriberExt, util::SubscriberInitExt};

/// How log lines look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Sends log lines to stderr from now on, those that `filter` lets through: a level (`warn`), or levels by
/// target (`info,vezir_worker=debug`).
///
/// # Errors
/// [`LogError`] where the filter cannot be read, or where logging was started before.
pub fn start(filter: &str, format: Format) -> Result<(), LogError> {
    let filter = EnvFilter::try_new(filter)
        .map_err(|source| LogError::Filter { filter: filter.to_owned(), source })?;
    let lines = tracing_subscriber::registry().with(filter);
    match format {
        Format::Text => lines
            .with(fmt::layer().with_ansi(io::stderr().is_terminal()).with_writer(io::stderr))
            .try_init()?,
        Format::Json => lines.with(fmt::layer().json().with_writer(io::stderr)).try_init()?,
    }
    Ok(())
}

/// Why logging could not start.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The filter means nothing.
    #[error(
        "the log filter `{filter}` cannot be read: {source}; `info` or `warn,vezir_worker=debug` would be right"
    )]
    Filter {
        /// The filter as given.
        filter: String,
        /// What is wrong with it.
        source: ParseError,
    },
    /// Something else receives the process's log lines already.
    #[error("logging was started before: {0}")]
    Twice(#[from] TryInitError),
}

#[cfg(test)]
mod tests {
    use super::{Format, LogError, start};

    #[test]
    fn a_filter_that_means_nothing_is_refused() {
        let refused = start("vezir=loud", Format::Text);
        assert!(matches!(refused, Err(LogError::Filter { filter, .. }) if filter == "vezir=loud"));
    }
}
