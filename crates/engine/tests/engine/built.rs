//! Where the examples were built, and toys made of them.

use std::time::Duration;

pub(crate) use crate::alone::example;
use vezir_chess::Position;
use vezir_engine::{Dialect, Foreign, Program, Query, Settings};

/// Limits of a few seconds, for programs that answer at once.
pub(crate) fn quick() -> Settings {
    Settings {
        start_limit: Duration::from_secs(5),
        query_limit: Duration::from_secs(5),
        ..Settings::default()
    }
}

/// The toy with arguments.
pub(crate) fn toy(dialect: Dialect, arguments: &[&str], settings: Settings) -> Foreign {
    let program = Program::new(example("toy")).with_arguments(arguments.iter().copied());
    Foreign::new(program, dialect, settings)
}

/// The toy as a UCI engine.
pub(crate) fn uci_toy(arguments: &[&str]) -> Foreign {
    toy(Dialect::Uci, arguments, quick())
}

/// A position.
pub(crate) fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A question.
pub(crate) fn query(fen: &str, depth: u8) -> Query {
    Query::at(position(fen), depth).expect("a depth in range")
}

/// The start position.
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
