//! The rules of chess: board, legal moves, notation, keys, and how a game ends.
//!
//! **Owns** positions of standard chess, Chess960 and double Fischer random, which moves are legal in them,
//! how positions and moves are written (FEN, UCI, SAN), their keys and packings, and the conditions under
//! which a game is over.
//!
//! **Never** counts trees, plays games, keeps clocks, reads files or knows what an engine is.
//!
//! **Start reading at** [`Position`] (`position.rs`), then `legal.rs`, the generator.

pub mod attacks;
mod bitboard;
mod castling;
mod color;
mod defect;
pub mod ending;
pub mod fen;
mod legal;
pub mod material;
mod moves;
mod notation;
mod pack;
#[cfg(target_arch = "x86_64")]
mod pext;
mod piece;
mod position;
mod quote;
pub mod san;
mod sliders;
mod square;
pub mod uci;

pub use bitboard::{Bitboard, Squares};
pub use castling::{Castling, Wing};
pub use color::Color;
pub use defect::Defect;
pub use ending::Ending;
pub use fen::{FenError, FenWarning};

pub use legal::{Count, Sink};
pub use moves::Move;
pub use notation::Notation;
pub use pack::{NotPacked, Packed};
#[cfg(target_arch = "x86_64")]
pub use pext::Pext;
pub use piece::Piece;
pub use position::Position;
pub use san::SanError;
pub use sliders::{Portable, Sliders};
pub use square::{File, NotASquare, Rank, Square};
pub use uci::UciError;
