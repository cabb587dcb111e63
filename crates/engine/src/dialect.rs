//! The ways in which programs are asked for perft, and how their answers are read.

pub mod answer;
pub mod script;
pub mod template;
pub mod totals;
pub mod uci;

pub use template::{Template, TemplateError};
pub use totals::{Totals, TotalsError};

/// A way of asking.
#[derive(Clone, Debug)]
pub enum Dialect {
    /// A UCI engine with `go perft N`; it runs on from one query to the next.
    Uci,
    /// A program that reads commands and prints only totals; it runs on as well.
    Totals(Totals),
    /// A program in perftree's form, called once a query: `program DEPTH FEN "MOVES"`.
    Script,
    /// A program called once a query with arguments made from a template.
    Template(Template),
}
