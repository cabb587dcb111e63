//! Writing a FEN.

use std::fmt::Write;

use super::castling::{home_rooks, outermost};
use crate::{Color, File, Notation, Position, Rank, Square, Wing};

/// The FEN of a position, with all six fields.
///
/// [`Notation::Standard`] writes rights as `KQkq`, and as the file letter where the rook is not the outermost
/// on its side of the king (X-FEN); [`Notation::Chess960`] always writes file letters (Shredder-FEN).
pub fn write(position: &Position, notation: Notation) -> String {
    let mut text = String::with_capacity(96);
    for rank in Rank::ALL.into_iter().rev() {
        write_rank(&mut text, position, rank);
        text.push(if rank.index() == 0 { ' ' } else { '/' });
    }
    text.push(position.side().letter());
    text.push(' ');
    write_rights(&mut text, position, notation);
    text.push(' ');
    match position.en_passant() {
        Some(square) => text.push_str(&square.to_string()),
        None => text.push('-'),
    }
    // Writing into a string cannot fail.
    let _ = write!(text, " {} {}", position.halfmoves(), position.fullmoves());
    text
}

fn write_rank(text: &mut String, position: &Position, rank: Rank) {
    let mut empty = 0;
    for file in File::ALL {
        let square = Square::at(file, rank);
        match (position.color_on(square), position.piece_on(square)) {
            (Some(color), Some(piece)) => {
                push_empty(text, &mut empty);
                text.push(piece.fen_letter(color));
            }
            _ => empty += 1,
        }
    }
    push_empty(text, &mut empty);
}

fn push_empty(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push((b'0' + *empty) as char);
        *empty = 0;
    }
}

fn write_rights(text: &mut String, position: &Position, notation: Notation) {
    let before = text.len();
    for color in Color::ALL {
        for wing in Wing::ALL {
            let Some(rook) = position.castling().rook(color, wing) else { continue };
            let outer = outermost(home_rooks(position, color), position.king(color), wing) == Some(rook);
            let letter = match (notation, wing) {
                (Notation::Standard, Wing::H) if outer => 'k',
                (Notation::Standard, Wing::A) if outer => 'q',
                _ => rook.file().letter(),
            };
            text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if text.len() == before {
        text.push('-');
    }
}
