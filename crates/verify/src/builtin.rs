//! The built-in suite: small positions, each of which shows one kind of fault within three plies.
//!
//! All were made for this suite. Where the theme is a capture en passant that is not legal, the position is the one
//! before the double step: a position keeps no en passant square on which nothing can capture.

use vezir_chess::{FenError, Position};

use crate::Tag;

/// One position of the suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The kind of fault that the position is there for.
    pub theme: Tag,
    /// The position.
    pub fen: &'static str,
    /// The plies within which a fault of that kind shows.
    pub depth: u32,
}

impl Trial {
    /// The position, read from its FEN; a test sees to it that all can be.
    ///
    /// # Errors
    /// None, for those of [`SUITE`].
    pub fn position(&self) -> Result<Position, FenError> {
        self.fen.parse()
    }
}

const fn trial(theme: Tag, depth: u32, fen: &'static str) -> Trial {
    Trial { theme, fen, depth }
}

/// All positions, by theme. Standard chess, Chess960 and double Fischer random.
pub const SUITE: &[Trial] = &[
    // The pawns between king and rook: both leave the rank at once.
    trial(Tag::EnPassantRank, 2, "8/2p5/8/KP5r/8/8/8/7k b - - 0 1"),
    trial(Tag::EnPassantRank, 2, "7K/8/8/8/k4p1R/8/4P3/8 w - - 0 1"),
    trial(Tag::EnPassantRank, 2, "7k/1p6/8/q1P4K/8/8/8/8 b - - 0 1"),
    trial(Tag::EnPassantFile, 2, "3r3k/4p3/8/3P4/8/8/8/3K4 b - - 0 1"),
    trial(Tag::EnPassantFile, 2, "3k4/8/8/8/3p4/8/4P3/3R3K w - - 0 1"),
    trial(Tag::EnPassantDiagonal, 2, "6k1/3p2b1/8/4P3/3K4/8/8/8 b - - 0 1"),
    trial(Tag::EnPassantDiagonal, 2, "8/8/8/3k4/4p3/8/3P2B1/6K1 w - - 0 1"),
    // Along the pin the capture is legal.
    trial(Tag::EnPassantDiagonal, 1, "1b5k/8/8/3pP3/8/6K1/8/8 w - d6 0 1"),
    trial(Tag::EnPassantCheck, 1, "7k/8/8/3pP3/2K5/8/8/8 w - d6 0 1"),
    trial(Tag::EnPassantCheck, 2, "8/1r1p2K1/8/4P3/8/8/8/k7 b - - 0 1"),
    trial(Tag::EnPassantCheck, 2, "K7/8/8/8/4p3/8/1R1P2k1/8 w - - 0 1"),
    trial(Tag::EnPassant, 1, "7k/8/8/8/3Pp3/8/8/K7 b - d3 0 1"),
    trial(Tag::EnPassant, 1, "k7/8/8/Pp6/8/8/8/7K w - b6 0 1"),
    trial(Tag::EnPassant, 1, "7k/8/8/3pP3/8/8/8/K7 w - - 0 1"),
    trial(Tag::CastlingThroughCheck, 1, "4kr2/8/8/8/8/8/8/4K2R w K - 0 1"),
    trial(Tag::CastlingThroughCheck, 1, "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
    trial(Tag::CastlingThroughCheck, 1, "k7/8/8/8/8/8/4p3/1K4R1 w G - 0 1"),
    // Only the rook passes an attacked square, or stands on one.
    trial(Tag::CastlingThroughCheck, 1, "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
    trial(Tag::CastlingThroughCheck, 1, "4k2r/8/8/8/3B4/8/8/4K3 b k - 0 1"),
    trial(Tag::CastlingOutOfCheck, 1, "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1"),
    trial(Tag::CastlingOutOfCheck, 1, "r3k3/2N5/8/8/8/8/8/4K3 b q - 0 1"),
    trial(Tag::CastlingIntoCheck, 1, "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1"),
    trial(Tag::CastlingIntoCheck, 1, "r3k3/8/8/8/8/8/8/2R1K3 b q - 0 1"),
    trial(Tag::CastlingRight, 1, "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1"),
    trial(Tag::CastlingRight, 1, "r3k2r/8/8/8/8/8/8/4K3 b - - 0 1"),
    trial(Tag::CastlingBlocked, 1, "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1"),
    trial(Tag::CastlingBlocked, 1, "4kb1r/8/8/8/8/8/8/4K3 b k - 0 1"),
    trial(Tag::CastlingWrongRook, 1, "4k3/8/8/8/8/8/8/3K1R1R w H - 0 1"),
    trial(Tag::CastlingWrongRook, 1, "1r1r1k2/8/8/8/8/8/8/4K3 b b - 0 1"),
    trial(Tag::CastlingPinnedRook, 1, "4k3/8/8/8/8/8/8/rRK5 w B - 0 1"),
    trial(Tag::CastlingPinnedRook, 1, "Qr1k4/8/8/8/8/8/8/4K3 b b - 0 1"),
    trial(Tag::Castling, 1, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
    trial(Tag::Castling, 1, "1k6/8/8/8/8/8/8/6KR w H - 0 1"),
    trial(Tag::Castling, 1, "r2k3r/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBha - 0 1"),
    trial(Tag::PromotionMissing, 1, "7k/P7/8/8/8/8/8/K7 w - - 0 1"),
    trial(Tag::PromotionMissing, 1, "7K/8/8/8/8/8/p7/1N5k b - - 0 1"),
    trial(Tag::PromotionExtra, 1, "k7/6P1/8/8/8/8/8/K7 w - - 0 1"),
    trial(Tag::PromotionExtra, 1, "K7/8/8/8/8/6p1/8/7k b - - 0 1"),
    trial(Tag::Pinned, 1, "4r2k/8/8/8/8/4N3/8/4K3 w - - 0 1"),
    trial(Tag::Pinned, 1, "7k/8/8/8/7b/6P1/8/4K3 w - - 0 1"),
    trial(Tag::Pinned, 1, "7k/6b1/8/8/8/2B5/8/K7 b - - 0 1"),
    trial(Tag::DoubleCheck, 1, "4r2k/8/8/8/8/3n4/8/4KB2 w - - 0 1"),
    trial(Tag::DoubleCheck, 1, "4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1"),
    trial(Tag::CheckNotAnswered, 1, "4r2k/8/8/8/8/8/8/N3K3 w - - 0 1"),
    trial(Tag::CheckNotAnswered, 1, "4R2K/8/8/8/8/8/r7/4k3 b - - 0 1"),
    trial(Tag::CheckNotAnswered, 1, "7k/8/8/8/8/3n4/2P5/4K3 w - - 0 1"),
    trial(Tag::KingAlongLine, 1, "7k/8/8/r2K4/8/8/8/8 w - - 0 1"),
    trial(Tag::KingAlongLine, 1, "8/8/8/4k3/8/2B5/8/K7 b - - 0 1"),
    trial(Tag::KingsAdjacent, 1, "8/8/8/3k4/8/3K4/8/8 w - - 0 1"),
    trial(Tag::KingsAdjacent, 1, "8/8/8/8/8/1k6/8/K7 b - - 0 1"),
    trial(Tag::KingIntoAttack, 1, "7k/8/8/8/8/8/r7/4K3 w - - 0 1"),
    trial(Tag::KingIntoAttack, 1, "4k3/4N3/8/6B1/8/8/8/K7 b - - 0 1"),
    trial(Tag::SlidingThrough, 1, "7k/8/8/8/8/P7/8/R3K3 w - - 0 1"),
    trial(Tag::SlidingThrough, 1, "7k/8/8/8/8/2p5/8/B3K3 w - - 0 1"),
    trial(Tag::SlidingThrough, 1, "k7/8/8/8/1q6/8/3P4/7K b - - 0 1"),
    trial(Tag::PawnDoublePush, 1, "7k/8/8/8/8/P7/8/K7 w - - 0 1"),
    trial(Tag::PawnDoublePush, 1, "7k/8/8/8/8/n7/P7/4K3 w - - 0 1"),
    trial(Tag::PawnDoublePush, 1, "7k/p7/8/8/8/8/8/K7 b - - 0 1"),
    trial(Tag::PawnStep, 1, "7k/8/8/8/p7/P7/8/K7 w - - 0 1"),
    trial(Tag::PawnStep, 1, "7k/8/8/8/8/3p4/8/K7 b - - 0 1"),
    trial(Tag::WrapAround, 1, "7k/8/p7/8/7P/8/8/K7 w - - 0 1"),
    trial(Tag::WrapAround, 1, "7k/8/8/p7/8/7N/8/K7 b - - 0 1"),
    trial(Tag::WrapAround, 1, "7k/8/8/8/7N/8/8/K7 w - - 0 1"),
    trial(Tag::OwnManTaken, 1, "7k/8/8/8/8/2P5/8/KN6 w - - 0 1"),
    trial(Tag::NoSuchMan, 1, "7k/8/8/8/8/8/8/K7 w - - 0 1"),
    // The rook is captured, by a promoting pawn and by a piece; its right goes with it.
    trial(Tag::MakeMoveOnly, 2, "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1"),
    trial(Tag::MakeMoveOnly, 2, "4k2r/8/8/8/8/8/1B6/4K3 w k - 0 1"),
    trial(Tag::MakeMoveOnly, 3, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    trial(Tag::MakeMoveOnly, 2, "7k/3p4/8/4P3/8/8/8/K7 b - - 0 1"),
    trial(Tag::MakeMoveOnly, 2, "7k/8/8/3pP3/8/8/8/K7 w - d6 0 1"),
    // More moves than some lists have room for.
    trial(Tag::Rest, 1, "kb6/pp5Q/8/2Q4Q/Q3Q3/5Q2/2Q4Q/1Q4K1 w - - 0 1"),
    // Something of everything.
    trial(Tag::Rest, 3, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    trial(Tag::Rest, 2, "r3k2r/pPq2ppb/n1p2n1p/3pP3/1bP5/2N2Q2/PB1P1PpP/R3K2R w KQkq d6 0 1"),
];
