//! FEN reading and writing (being widened).

use crate::{Bitboard, Color, File, Notation, Piece, Position, Rank, Square};

/// Checks what every position must hold.
pub(crate) fn check(position: &Position) -> Result<(), ()> {
    for color in Color::ALL {
        if position.men(color, Piece::King).count() != 1 || position.men(color, Piece::Pawn).count() > 8 {
            return Err(());
        }
    }
    if position.pieces(Piece::Pawn).meets(Bitboard::BACK_RANKS) {
        return Err(());
    }
    Ok(())
}

/// Writes a FEN.
pub fn write(position: &Position, _notation: Notation) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let square = Square::at(file, rank);
            text.push(match (position.color_on(square), position.piece_on(square)) {
                (Some(color), Some(piece)) => piece.fen_letter(color),
                _ => '1',
            });
        }
    }
    text
}

/// Reads a FEN that is known to be right (scaffolding).
pub fn read_trusted(text: &str) -> Position {
    let fields: Vec<&str> = text.split(' ').collect();
    let side = if fields[1] == "w" { Color::White } else { Color::Black };
    let mut position = Position::bare(side);
    for (row, rank) in fields[0].split('/').zip(Rank::ALL.into_iter().rev()) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(piece) = Piece::from_letter(letter) {
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                position.put(color, piece, Square::at(File::ALL[file], rank));
                file += 1;
            } else {
                file += letter as usize - '0' as usize;
            }
        }
    }
    let mut castling = crate::Castling::NONE;
    for letter in fields[2].chars().filter(|letter| *letter != '-') {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match letter.to_ascii_lowercase() {
            'k' => castling.grant(color, crate::Wing::H, File::ALL[7]),
            _ => castling.grant(color, crate::Wing::A, File::ALL[0]),
        }
    }
    position.set_castling(castling);
    if let Ok(square) = fields[3].parse() {
        position.offer_en_passant(square);
    }
    position
}
