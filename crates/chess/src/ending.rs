//! How a game ends on the board: mate, stalemate, dead material, repetition, and the move count.
//!
//! Articles are those of the FIDE Laws of Chess, in force from 1 January 2023.
//!
//! Programs have customs of their own, which are not law and not followed here: engines take a position for
//! drawn in their search when it comes a second time; some count two knights against a bare king as dead.
//! Hosts of matches end a game at the third occurrence and at fifty moves though nobody claims it:
//! [`Ending::needs_claim`] tells these two from the endings that need no claim.

use std::fmt;

use crate::{Color, Packed, Position, material};

/// Plies without capture and pawn move after which a player may claim a draw (9.3).
pub const FIFTY_MOVES_PLIES: u32 = 100;
/// Plies without capture and pawn move that end the game (9.6.2).
pub const SEVENTY_FIVE_MOVES_PLIES: u32 = 150;
/// Occurrences of a position after which a player may claim a draw (9.2).
pub const THREEFOLD: usize = 3;
/// Occurrences of a position that end the game (9.6.1).
pub const FIVEFOLD: usize = 5;

/// Why a game is over, or, where [`Ending::needs_claim`], may be ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The king is in check and no move is legal (5.1.1).
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The king is not in check and no move is legal (5.2.1).
    Stalemate,
    /// Neither side can ever mate with the men on the board (5.2.2).
    InsufficientMaterial,
    /// The same position has occurred five times (9.6.1).
    Fivefold,
    /// Seventy-five moves of each side without capture and pawn move (9.6.2).
    SeventyFiveMoves,
    /// The same position has occurred three times (9.2).
    Threefold,
    /// Fifty moves of each side without capture and pawn move (9.3).
    FiftyMoves,
}

impl Ending {
    /// The side that has won; `None` is a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Ending::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// Whether the law ends the game only if a player claims it. Hosts of engine matches claim at once.
    pub fn needs_claim(self) -> bool {
        matches!(self, Ending::Threefold | Ending::FiftyMoves)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Checkmate { winner } => write!(f, "{winner} mates"),
            Ending::Stalemate => f.write_str("draw by stalemate"),
            Ending::InsufficientMaterial => f.write_str("draw by insufficient material"),
            Ending::Fivefold => f.write_str("draw by fivefold repetition"),
            Ending::SeventyFiveMoves => f.write_str("draw by the seventy-five move rule"),
            Ending::Threefold => f.write_str("draw by threefold repetition"),
            Ending::FiftyMoves => f.write_str("draw by the fifty-move rule"),
        }
    }
}

/// How the game stands that has led to `position` through `earlier` positions, the one that it began from
/// among them and `position` itself not; `None` while it goes on.
///
/// Where several endings hold at once the first of this order is given: checkmate, which takes precedence over
/// every draw (5.1.1, 9.6.2), stalemate, insufficient material, fivefold, seventy-five moves, threefold, fifty
/// moves.
///
/// ```
/// use vezir_chess::{Color, Ending, Position, ending, san};
///
/// let mut position = Position::startpos();
/// let mut earlier = Vec::new();
/// for text in ["f3", "e5", "g4", "Qh4"] {
///     assert_eq!(ending::find(&position, &earlier), None);
///     earlier.push(position.pack());
///     position = position.after(san::read(&position, text)?);
/// }
/// assert_eq!(ending::find(&position, &earlier), Some(Ending::Checkmate { winner: Color::Black }));
/// # Ok::<(), vezir_chess::SanError>(())
/// ```
pub fn find(position: &Position, earlier: &[Packed]) -> Option<Ending> {
    if position.count_moves() == 0 {
        let winner = !position.side();
        return Some(if position.in_check() { Ending::Checkmate { winner } } else { Ending::Stalemate });
    }
    if material::is_insufficient(position) {
        return Some(Ending::InsufficientMaterial);
    }
    let occurrences = occurrences(position, earlier);
    let plies = position.halfmoves();
    if occurrences >= FIVEFOLD {
        Some(Ending::Fivefold)
    } else if plies >= SEVENTY_FIVE_MOVES_PLIES {
        Some(Ending::SeventyFiveMoves)
    } else if occurrences >= THREEFOLD {
        Some(Ending::Threefold)
    } else if plies >= FIFTY_MOVES_PLIES {
        Some(Ending::FiftyMoves)
    } else {
        None
    }
}

/// Whether the side to move is mated (5.1.1).
pub fn is_checkmate(position: &Position) -> bool {
    position.in_check() && position.count_moves() == 0
}

/// Whether the side to move is stalemated (5.2.1).
pub fn is_stalemate(position: &Position) -> bool {
    !position.in_check() && position.count_moves() == 0
}

/// How often `position` has occurred, now included, in a game that went through `earlier` positions.
///
/// Positions are the same if the same side is to move, the same men stand on the same squares, and the same
/// moves are possible: castling rights count, and an en passant square where a capture is legal (9.2.3).
/// A right that cannot be used at the moment still counts, as the law has it. The move count does not.
pub fn occurrences(position: &Position, earlier: &[Packed]) -> usize {
    let packed = position.pack();
    1 + earlier.iter().filter(|other| **other == packed).count()
}
