//! The fields of a line, each with the column where it begins.

use super::{Fault, FenError, Field, Sign};

/// The operation codes of EPD (PGN standard, section 16.2.5) that stand in most files.
const EPD_OPERATIONS: [&str; 10] = ["acd", "acn", "am", "bm", "c0", "ce", "dm", "id", "pv", "sm"];

/// One field of the text.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) field: Field,
    /// The column of its first character, from 1.
    pub(super) column: usize,
    pub(super) text: &'a str,
}

impl Word<'_> {
    /// A fault of this field at its first character.
    pub(super) fn fault(&self, fault: Fault) -> FenError {
        self.fault_at(self.column, fault)
    }

    /// A fault of this field at another column.
    pub(super) fn fault_at(&self, column: usize, fault: Fault) -> FenError {
        FenError { field: self.field, column, fault }
    }

    /// The first sign in it that no FEN has, pointed at, or else `fault` at its first character.
    pub(super) fn foreign_or(&self, fault: Fault) -> FenError {
        let found = self.chars().find_map(|(column, found)| Some((column, found, Sign::of(found)?)));
        match found {
            Some((column, found, sign)) => self.fault_at(column, Fault::ForeignSign { found, sign }),
            None => self.fault(fault),
        }
    }

    /// The characters with their columns.
    pub(super) fn chars(&self) -> impl Iterator<Item = (usize, char)> {
        (self.column..).zip(self.text.chars())
    }

    /// The column just after the field.
    pub(super) fn end(&self) -> usize {
        self.column + self.text.chars().count()
    }
}

/// The fields of a text: those that are missing are `None`.
pub(super) struct Words<'a> {
    pub(super) fields: [Option<Word<'a>>; 6],
    /// A seventh.
    extra: Option<(usize, &'a str)>,
}

impl<'a> Words<'a> {
    pub(super) fn split(text: &'a str) -> Words<'a> {
        let mut words = columns(text);
        let fields = Field::ALL.map(|field| words.next().map(|(column, text)| Word { field, column, text }));
        Words { fields, extra: words.next() }
    }

    /// Refuses a seventh field.
    pub(super) fn finish(&self) -> Result<(), FenError> {
        match self.extra {
            Some((column, text)) => {
                let fault = extra(text);
                Err(FenError { field: Field::Whole, column, fault })
            }
            None => Ok(()),
        }
    }
}

/// What follows the sixth field.
fn extra(text: &str) -> Fault {
    let owned = text.to_owned();
    if text == "moves" {
        Fault::ExtraMoves { text: owned }
    } else if text.bytes().all(|byte| byte.is_ascii_digit()) {
        Fault::ExtraNumber { text: owned }
    } else if text.starts_with(';') || EPD_OPERATIONS.contains(&text) {
        Fault::ExtraOperation { text: owned }
    } else {
        Fault::ExtraField { text: owned }
    }
}

/// The words between blanks, with the columns where they begin.
fn columns(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_blank = |character: char| character == ' ' || character == '\t';
    let kept = text.trim_end_matches(['\r', '\n', ' ', '\t']);
    let inner = kept.trim_start_matches(['\r', '\n', ' ', '\t']);
    let mut column = 1 + kept.chars().count() - inner.chars().count();
    inner.split(is_blank).filter_map(move |word| {
        let start = column;
        column += word.chars().count() + 1;
        (!word.is_empty()).then_some((start, word))
    })
}
