//! The first field: the men, from rank 8 to rank 1, each from the a-file to the h-file.

use super::fields::Word;
use super::{Fault, FenError, Sign};
use crate::{Color, File, Piece, Position, Rank, Square};

/// A board, and for each of its squares the column of the text that speaks of it.
pub(super) struct Board {
    pub(super) position: Position,
    columns: [usize; Square::COUNT],
}

impl Board {
    /// The column that speaks of `square`.
    pub(super) fn column(&self, square: Square) -> usize {
        self.columns[square.index()]
    }
}

/// Reads the field; whether the men make a position is not looked at here.
pub(super) fn read(word: Word<'_>) -> Result<Board, FenError> {
    if let Some(fault) = no_board(word.text) {
        return Err(word.fault(fault));
    }
    let mut reader = Reader {
        board: Board { position: Position::bare(Color::White), columns: [word.column; Square::COUNT] },
        row: 0,
        file: 0,
        digit: None,
    };
    for (column, character) in word.chars() {
        reader.take(column, character).map_err(|fault| {
            // A slash at the very end is the commoner slip than a ninth rank.
            let ends = column + 1 == word.end();
            word.fault_at(
                column,
                if fault == Fault::ManyRanks && ends { Fault::TrailingSlash } else { fault },
            )
        })?;
    }
    reader.finish().map_err(|fault| word.fault_at(word.end(), fault))
}

/// What a character is that is no man.
fn no_man(found: char) -> Fault {
    match Sign::of(found) {
        Some(sign) => Fault::ForeignSign { found, sign },
        None if found == '-' => Fault::DashAmongMen,
        None => Fault::UnknownMan { found },
    }
}

/// What else people put first.
fn no_board(text: &str) -> Option<Fault> {
    match text {
        "startpos" => Some(Fault::Startpos),
        "fen" | "position" | "epd" => Some(Fault::Command { text: text.to_owned() }),
        // One digit is a rank; more of them are the counters of a FEN written backwards, or a line's number.
        _ if text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(Fault::NumberForMen { text: text.to_owned() })
        }
        _ => None,
    }
}

struct Reader {
    board: Board,
    /// How many ranks are complete.
    row: usize,
    /// How many squares of this rank are told.
    file: usize,
    /// The character before, if it was a digit.
    digit: Option<char>,
}

impl Reader {
    fn rank(&self) -> Rank {
        Rank::ALL[7 - self.row]
    }

    fn take(&mut self, column: usize, character: char) -> Result<(), Fault> {
        match character {
            '/' => self.end_rank(),
            '0'..='9' => self.skip(column, character),
            _ => self.put(column, character),
        }
    }

    fn end_rank(&mut self) -> Result<(), Fault> {
        self.complete()?;
        if self.row == 7 {
            return Err(Fault::ManyRanks);
        }
        self.row += 1;
        self.file = 0;
        self.digit = None;
        Ok(())
    }

    fn skip(&mut self, column: usize, digit: char) -> Result<(), Fault> {
        let rank = self.rank();
        if let Some(first) = self.digit {
            return Err(Fault::AdjacentDigits { first, second: digit, rank });
        }
        let count = match digit.to_digit(10) {
            Some(count @ 1..=8) => count as usize,
            Some(0) => return Err(Fault::ZeroSquares { rank }),
            _ => return Err(Fault::NineSquares { rank }),
        };
        let squares = self.file + count;
        if squares > 8 {
            return Err(Fault::LongRank { rank, squares });
        }
        for file in &File::ALL[self.file..squares] {
            self.board.columns[Square::at(*file, rank).index()] = column;
        }
        self.file = squares;
        self.digit = Some(digit);
        Ok(())
    }

    fn put(&mut self, column: usize, letter: char) -> Result<(), Fault> {
        let rank = self.rank();
        let piece = Piece::from_letter(letter).ok_or_else(|| no_man(letter))?;
        let file = *File::ALL.get(self.file).ok_or(Fault::LongRank { rank, squares: self.file + 1 })?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let square = Square::at(file, rank);
        self.board.position.put(color, piece, square);
        self.board.columns[square.index()] = column;
        self.file += 1;
        self.digit = None;
        Ok(())
    }

    fn complete(&self) -> Result<(), Fault> {
        match self.file {
            8 => Ok(()),
            0 => Err(Fault::EmptyRank { rank: self.rank() }),
            squares => Err(Fault::ShortRank { rank: self.rank(), squares }),
        }
    }

    fn finish(self) -> Result<Board, Fault> {
        self.complete()?;
        if self.row < 7 { Err(Fault::FewRanks { last: self.rank() }) } else { Ok(self.board) }
    }
}
