//! FEN: reading what people write, with every fault named, and writing it one way.
//!
//! **What is read.** Six fields, separated by one blank or more (space or tab, and no other): men, side to move, castling
//! rights, en passant square, halfmove clock, number of the move. Blanks and line ends before the first field
//! and after the last mean nothing. Trailing fields may be missing and are read as `w - - 0 1`, with a
//! warning. Castling rights are `KQkq` (each the outermost own rook on that side of the king: X-FEN), or the
//! file letters of the rooks (`HAha`: Shredder-FEN), in any order and mixture, or `-`.
//!
//! **What is refused** is a text that is no position: see [`Fault`]. **What is let pass with a warning** is
//! one that a game cannot have reached, or that says more than it means: see [`FenWarning`].
//!
//! **What is written** has the en passant square only where a capture there is legal, as in every
//! [`Position`], so that equal positions give equal text.
//!
//! Sources: PGN standard (1994), section 16.1; R. Scharnagl's X-FEN; the Shredder-FEN of Chess960 programs.
//!
//! ```
//! use vezir_chess::{Notation, fen};
//!
//! let reading = fen::read("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")?;
//! assert_eq!(reading.warnings.len(), 1); // no black pawn can capture on e3
//! assert_eq!(
//!     fen::write(&reading.position, Notation::Chess960),
//!     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - 0 1"
//! );
//!
//! let error = fen::read("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "castling rights, column 25: `Q` needs a white rook on the a-side of the king on e1: \
//!      a rook there, or no `Q`, would be right"
//! );
//! # Ok::<(), vezir_chess::FenError>(())
//! ```

mod castling;
mod error;
mod fault;
mod fields;
mod men;
mod read;
mod retro;
mod sign;
mod warning;
mod write;

use std::fmt;
use std::str::FromStr;

pub use error::{FenError, Field};
pub use fault::Fault;
pub use read::{MAX_TEXT_BYTES, Reading, read};
pub use sign::Sign;
pub use warning::FenWarning;
pub use write::write;

use crate::{Notation, Position};

impl FromStr for Position {
    type Err = FenError;

    /// The position of a FEN, warnings dropped; [`read`] tells them.
    fn from_str(text: &str) -> Result<Position, FenError> {
        read(text).map(|reading| reading.position)
    }
}

impl fmt::Display for Position {
    /// Writes the FEN with [`Notation::Standard`], which every position can be read back from.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write(self, Notation::Standard))
    }
}
