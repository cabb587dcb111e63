//! Which men can never mate, whatever both sides play.
//!
//! Only the men are looked at, never where pawns or pieces are stuck. FIDE's dead positions (articles 5.2.2,
//! 6.9) are more: a wall of blocked pawns is dead too, and is not found here.

use crate::{Bitboard, Color, Piece, Position};

/// The light squares, among them h1.
const LIGHT: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);

/// Whether `color` can never mate with the men on the board, even with the help of its opponent.
///
/// This is what decides when the flag of the *other* side falls: the game is drawn where the opponent of the
/// player without time cannot mate by any possible series of legal moves (FIDE 6.9). It holds for
/// - a bare king;
/// - one knight against nothing but king and queens, which cannot lock their king in;
/// - bishops that all run on one color of squares, those of the opponent included, while there is no pawn and
///   no knight.
///
/// Two knights can mate a bare king that helps, so they are not among them (many programs say otherwise).
///
/// ```
/// use vezir_chess::{Color, Position, material};
///
/// let position: Position = "8/5k2/8/3q4/8/2K5/4N3/8 b - - 0 1".parse()?;
/// assert!(material::cannot_mate(&position, Color::White));
/// assert!(!material::cannot_mate(&position, Color::Black));
/// # Ok::<(), vezir_chess::FenError>(())
/// ```
pub fn cannot_mate(position: &Position, color: Color) -> bool {
    let own = position.color(color);
    let other = position.color(!color);
    let of = |piece| position.pieces(piece);
    if own.meets(of(Piece::Pawn) | of(Piece::Rook) | of(Piece::Queen)) {
        return false;
    }
    if own.meets(of(Piece::Knight)) {
        return own.count() == 2 && other.within(of(Piece::King) | of(Piece::Queen));
    }
    if own.meets(of(Piece::Bishop)) {
        let bishops = of(Piece::Bishop);
        let one_color = bishops.within(LIGHT) || !bishops.meets(LIGHT);
        return one_color && (of(Piece::Pawn) | of(Piece::Knight)).is_empty();
    }
    true
}

/// Whether neither side can ever mate: the position is dead by its material (FIDE 5.2.2).
///
/// These are two bare kings, one knight besides them, and any number of bishops on squares of one color.
pub fn is_insufficient(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| cannot_mate(position, color))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cannot(fen: &str) -> [bool; 2] {
        let position: Position = fen.parse().expect("a FEN");
        Color::ALL.map(|color| cannot_mate(&position, color))
    }

    #[test]
    fn both_sides_of_each_line() {
        let table = [
            ("8/5k2/8/8/8/2K5/8/8 w - - 0 1", [true, true]),
            ("8/5k2/8/8/8/2K5/4N3/8 w - - 0 1", [true, true]),
            ("8/5k2/8/8/8/2K5/3NN3/8 w - - 0 1", [false, true]),
            ("8/5k2/8/8/8/2K5/4P3/8 w - - 0 1", [false, true]),
            ("8/5k2/8/8/8/2K5/4R3/8 w - - 0 1", [false, true]),
            ("8/5k2/8/8/8/2K5/4Q3/8 w - - 0 1", [false, true]),
            ("8/5k2/3n4/8/8/2K5/4N3/8 w - - 0 1", [false, false]),
            ("8/5k2/3b4/8/8/2K5/4N3/8 w - - 0 1", [false, false]),
            ("8/5k2/3r4/8/8/2K5/4N3/8 w - - 0 1", [false, false]),
            ("8/5k2/3q4/8/8/2K5/4N3/8 w - - 0 1", [true, false]),
            ("8/5k2/3p4/8/8/2K5/4N3/8 w - - 0 1", [false, false]),
            ("8/5k2/2b5/8/8/2K5/4B3/8 w - - 0 1", [true, true]),
            ("8/5k2/3b4/8/8/2K5/4B3/8 w - - 0 1", [false, false]),
            ("8/5k2/8/8/8/2KB4/4B3/8 w - - 0 1", [true, true]),
            ("8/5k2/8/8/3B4/2KB4/8/8 w - - 0 1", [false, true]),
            ("2b5/5k2/4b3/3B4/8/2K5/4B3/8 w - - 0 1", [true, true]),
            ("8/5k2/8/3r4/8/2K5/4B3/8 w - - 0 1", [true, false]),
            ("8/5k2/8/3n4/8/2K5/4B3/8 w - - 0 1", [false, false]),
            ("8/5k2/8/3p4/8/2K5/4B3/8 w - - 0 1", [false, false]),
        ];
        for (fen, expected) in table {
            assert_eq!(cannot(fen), expected, "{fen}");
        }
    }

    #[test]
    fn the_corner_h1_is_light() {
        let corner: crate::Square = "h1".parse().expect("a square");
        assert!(LIGHT.has(corner) && LIGHT.count() == 32);
    }
}
