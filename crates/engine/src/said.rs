//! What a program answered, in one form for all dialects.

use std::fmt;

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Said {
    /// The number of leaves, if it was printed.
    pub total: Option<u128>,
    /// The leaves below each move, in the order in which they were printed; castling in the notation of the
    /// question, a move that is not legal as it was printed.
    pub moves: Option<Vec<(String, u128)>>,
    /// What is to be known besides.
    pub notes: Vec<Note>,
}

/// Something that is to be known about an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// The position needs Chess960, and the program has no such option, or is not known to take it from the FEN:
    /// what it says of castling is worth little.
    NoChess960,
    /// The total is not the sum of the moves.
    SumDiffers {
        /// The sum.
        sum: u128,
        /// The total.
        total: u128,
    },
    /// A line was longer than is read, and its rest was lost.
    CutLine,
    /// The program ran without a sandbox.
    Unsandboxed,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::NoChess960 => {
                f.write_str("this position needs Chess960, which the program cannot be told of")
            }
            Note::SumDiffers { sum, total } => {
                write!(f, "the total {total} is not the sum of the moves, {sum}")
            }
            Note::CutLine => f.write_str("a line was too long, and its rest was lost"),
            Note::Unsandboxed => f.write_str("the program ran without a sandbox"),
        }
    }
}

impl Said {
    /// The sum of the moves, if they were printed and their sum is a number that fits.
    pub fn sum(&self) -> Option<u128> {
        self.moves.as_ref()?.iter().try_fold(0_u128, |sum, (_, nodes)| sum.checked_add(*nodes))
    }

    /// The total, or the sum of the moves where no total was printed.
    pub fn count(&self) -> Option<u128> {
        self.total.or_else(|| self.sum())
    }

    /// The same with a note if total and moves do not fit together.
    pub(crate) fn checked(mut self) -> Said {
        if let (Some(total), Some(sum)) = (self.total, self.sum())
            && total != sum
        {
            self.notes.push(Note::SumDiffers { sum, total });
        }
        self
    }
}

#[test]
fn a_wrong_sum_is_noted() {
    let moves = Some(vec![("e2e4".to_owned(), 20), ("d2d4".to_owned(), 20)]);
    let right = Said { total: Some(40), moves: moves.clone(), notes: Vec::new() };
    assert!(right.clone().checked().notes.is_empty());
    assert_eq!((right.sum(), right.count()), (Some(40), Some(40)));
    let wrong = Said { total: Some(41), moves, notes: Vec::new() }.checked();
    assert_eq!(wrong.notes, [Note::SumDiffers { sum: 40, total: 41 }]);
}
