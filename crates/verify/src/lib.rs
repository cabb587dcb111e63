//! Verifying a foreign move generator: where it first goes wrong, which kind of rule it breaks, how little shows it.
//!
//! **Owns** what a foreign program may be asked and what is made of its answer: how its divide differs from ours,
//! the descent to the position where its moves are wrong, the tags and reasons, the shrinking of that position,
//! the places of a whole tree and the survey of what was found at them, the positions of the built-in suite, and
//! those of random playouts.
//!
//! **Never** starts a program, reads its dialect, opens a file, looks at a clock or generates a move of its own:
//! the program is an [`Oracle`] that the caller brings, the rules are `vezir-chess`'s, the counts [`Counts`].
//!
//! **Start reading at** [`descend`] (`descent.rs`), then `difference.rs` and `reason.rs`; for a whole tree at [`visit`]
//! (`visit.rs`), with `itinerary.rs` before it and `survey.rs` after.
//!
//! ```
//! use std::convert::Infallible;
//! use vezir_chess::{Notation, Position, uci};
//! use vezir_verify::{Oracle, Plain, Query, Said, Tag, Wish, descend};
//!
//! /// A program that knows nothing of castling; it is only asked to depth 1 here.
//! struct NoCastling;
//!
//! impl Oracle for NoCastling {
//!     type Error = Infallible;
//!
//!     fn ask(&mut self, query: &Query) -> Result<Said, Infallible> {
//!         let position = query.position();
//!         let moves = position.legal_moves().into_iter().filter(|chosen| position.castles(*chosen).is_none());
//!         let lines = moves.map(|chosen| (uci::write(&position, chosen, Notation::Standard), 1));
//!         Ok(Said { total: None, moves: Some(lines.collect()) })
//!     }
//! }
//!
//! let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
//! let report = descend(&mut NoCastling, &mut Plain, &Query::at(position, 1), Wish::default());
//! assert!(report.findings[0].tags.has(Tag::Castling));
//! # Ok::<(), vezir_chess::FenError>(())
//! ```

mod attackers;
mod builtin;
mod counts;
mod course;
mod decimal;
mod descent;
mod difference;
mod exhibit;
mod finding;
mod heard;
mod itinerary;
mod node;
mod oracle;
mod place;
pub mod playout;
mod quote;
mod reason;
mod report;
mod said;
mod shrink;
mod subject;
mod survey;
mod tag;
mod trouble;
mod visit;

pub use builtin::{SUITE, Trial};
pub use counts::{Alone, Counts, Plain};
pub use course::Course;
pub use descent::descend;
pub use difference::{Difference, compare};
pub use exhibit::{Exhibit, ExhibitError};
pub use finding::Finding;
pub use itinerary::{Itinerary, ItineraryError};
pub use oracle::{Oracle, Query, Way};
pub use place::Place;
pub use reason::Reason;
pub use report::{Ended, Failure, First, Report, Wish};
pub use said::{Line, Lines, Said};
pub use shrink::{Shrunk, shrink, shrink_finding};
pub use subject::{Starts, Subject};
pub use survey::{Kind, Survey, SurveyError};
pub use tag::{Tag, Tags, UnknownTag};
pub use trouble::{Told, Trouble};
pub use visit::{Care, Visit, visit};
