//! The third field: who may still castle, by wings (X-FEN) or by files (Shredder-FEN).

use super::fields::Word;
use super::{Fault, FenError, Sign};
use crate::{Bitboard, Castling, Color, File, Piece, Position, Rank, Square, Wing};

/// Reads the field against the men on the board.
pub(super) fn read(word: Word<'_>, position: &Position) -> Result<Castling, FenError> {
    let mut castling = Castling::NONE;
    if word.text == "-" {
        return Ok(castling);
    }
    if matches!(word.text.to_ascii_lowercase().as_str(), "o-o" | "o-o-o" | "0-0" | "0-0-0") {
        return Err(word.fault(Fault::MoveForRights { text: word.text.to_owned() }));
    }
    for (column, letter) in word.chars() {
        let before = word.chars().take_while(|(earlier, _)| *earlier < column);
        grant(&mut castling, position, letter).map_err(|fault| {
            let twice = letter != '-' && before.map(|(_, earlier)| earlier).any(|earlier| earlier == letter);
            word.fault_at(column, if twice { Fault::RepeatedRight { letter } } else { fault })
        })?;
    }
    Ok(castling)
}

/// The rook of `rooks` that stands outermost on one side of the king.
pub(super) fn outermost(rooks: Bitboard, king: Square, wing: Wing) -> Option<Square> {
    match wing {
        Wing::H => rooks.last().filter(|rook| *rook > king),
        Wing::A => rooks.first().filter(|rook| *rook < king),
    }
}

/// The rooks of `color` on its first rank.
pub(super) fn home_rooks(position: &Position, color: Color) -> Bitboard {
    position.men(color, Piece::Rook) & Bitboard::rank(Rank::nth(color, 1))
}

fn grant(castling: &mut Castling, position: &Position, letter: char) -> Result<(), Fault> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let king = position.king(color);
    let named = match letter.to_ascii_lowercase() {
        'k' => Named::Wing(Wing::H),
        'q' => Named::Wing(Wing::A),
        '-' => return Err(Fault::DashAmongRights),
        lower => Named::File(File::from_letter(lower).ok_or_else(|| no_right(letter))?),
    };
    if king.rank() != Rank::nth(color, 1) {
        return Err(Fault::KingAwayFromHome { letter, color, king });
    }
    let rook = find_rook(position, color, letter, named)?;
    let wing = if rook > king { Wing::H } else { Wing::A };
    match castling.rook(color, wing) {
        Some(other) if other == rook => Err(Fault::SameRight { letter, rook }),
        Some(other) => Err(Fault::RivalRight { letter, rook, other }),
        None => {
            castling.grant(color, wing, rook.file());
            Ok(())
        }
    }
}

/// What a character is that names no right.
fn no_right(found: char) -> Fault {
    match (Sign::of(found), found) {
        (Some(sign), _) => Fault::ForeignSign { found, sign },
        (None, '/') => Fault::SlashAmongRights,
        (None, '0'..='9') => Fault::DigitAmongRights { found },
        (None, _) => Fault::UnknownRight { found },
    }
}

/// What a letter says of the rook.
enum Named {
    Wing(Wing),
    File(File),
}

fn find_rook(position: &Position, color: Color, letter: char, named: Named) -> Result<Square, Fault> {
    let king = position.king(color);
    let rooks = home_rooks(position, color);
    match named {
        Named::Wing(wing) => {
            outermost(rooks, king, wing).ok_or(Fault::NoRookOnWing { letter, color, wing, king })
        }
        Named::File(file) => {
            let square = Square::at(file, king.rank());
            if square == king {
                Err(Fault::RightNamesKing { letter, king })
            } else if rooks.has(square) {
                Ok(square)
            } else {
                Err(Fault::NoRookOnFile { letter, color, square })
            }
        }
    }
}
