//! Perft suites: files of positions with the counts that are right for them, in the two usual formats.
//!
//! One position a line, with its counts behind it, in any order and with blanks where one likes:
//!
//! ```text
//! 4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;D3 1197
//! ```
//!
//! or a few lines for each position, `id` being optional:
//!
//! ```text
//! id one-rook
//! epd 4k3/8/8/8/8/8/8/4K2R w K -
//! perft 1 15
//! perft 2 66
//! ```
//!
//! Both may stand in one file. Blank lines and lines that begin with `#` are skipped; lines may end in CR LF.
//! FENs are read as everywhere; their warnings are dropped, because suites hold strange positions on purpose.

use vezir_chess::{Position, fen};

use crate::MAX_DEPTH;

/// The longest line that is read, in bytes.
pub const MAX_LINE_BYTES: usize = 64 << 10;

/// The suite of our own positions, on which independent generators agree.
pub const OWN: &[u8] = include_bytes!("../suite/own.epd");

/// A position of a suite and what should be counted below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The line that the position stands on, from 1.
    pub line: usize,
    /// What the file calls it, if it does.
    pub id: Option<String>,
    /// The FEN as the file has it.
    pub fen: String,
    /// The position.
    pub position: Position,
    /// What should be counted, shallow depths first.
    pub counts: Vec<Wanted>,
}

/// One count that a suite states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The line that states it, from 1.
    pub line: usize,
    /// Plies to count.
    pub depth: u32,
    /// How many leaves there should be.
    pub nodes: u128,
}

/// Reads a whole suite.
///
/// # Errors
/// The first fault, with its place.
pub fn read(bytes: &[u8]) -> Result<Vec<Entry>, SuiteError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = Reader::default();
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let number = index + 1;
        reader.line(number, line)?;
    }
    reader.close()?;
    Ok(reader.entries)
}

/// A fault of a line and the column, in characters from 1, where it begins.
type Misplaced = (usize, Fault);

/// What has been read, and the position whose `perft` lines are still coming.
#[derive(Default)]
struct Reader {
    entries: Vec<Entry>,
    id: Option<String>,
    open: Option<Entry>,
}

impl Reader {
    fn line(&mut self, number: usize, bytes: &[u8]) -> Result<(), SuiteError> {
        let at = |(column, fault): Misplaced| SuiteError { line: number, column, fault };
        if bytes.len() > MAX_LINE_BYTES {
            return Err(at((1, Fault::LineTooLong { bytes: bytes.len() })));
        }
        let text = str::from_utf8(bytes).map_err(|error| {
            let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).chars().count();
            at((before + 1, Fault::NotText))
        })?;
        let all = Piece { text, column: 1 }.trim();
        let (word, rest) = all.split_word();
        match word.text {
            "" => {}
            comment if comment.starts_with('#') => {}
            "id" => {
                self.close()?;
                self.id = Some(rest.text.to_owned());
            }
            "epd" => {
                self.close()?;
                self.open = Some(begin(number, rest, self.id.take()).map_err(at)?);
            }
            "perft" => match &mut self.open {
                Some(entry) => add(entry, number, rest).map_err(at)?,
                None => return Err(at((word.column, Fault::CountBeforePosition))),
            },
            _ => {
                self.close()?;
                self.entries.push(single(number, all).map_err(at)?);
            }
        }
        Ok(())
    }

    /// Files the position that was open.
    fn close(&mut self) -> Result<(), SuiteError> {
        match self.open.take() {
            Some(entry) if entry.counts.is_empty() => {
                Err(SuiteError { line: entry.line, column: 1, fault: Fault::NoCounts })
            }
            Some(entry) => {
                self.entries.push(entry);
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// Reads `FEN ;D1 n ;D2 n …`.
fn single(number: usize, line: Piece<'_>) -> Result<Entry, Misplaced> {
    let mut fields = line.split(';');
    let fen = fields.next().unwrap_or(line);
    let mut entry = begin(number, fen.trim(), None)?;
    for field in fields.map(Piece::trim).filter(|field| !field.text.is_empty()) {
        let (depth, nodes) = field.split_word();
        match depth.text.strip_prefix(['D', 'd']) {
            Some(text) => add_count(&mut entry, number, Piece { text, column: depth.column + 1 }, nodes)?,
            None => return Err((field.column, Fault::UnknownField { text: field.text.to_owned() })),
        }
    }
    if entry.counts.is_empty() {
        return Err((line.column + line.text.chars().count(), Fault::NoCounts));
    }
    Ok(entry)
}

fn begin(line: usize, fen: Piece<'_>, id: Option<String>) -> Result<Entry, Misplaced> {
    let position = read_fen(fen)?;
    Ok(Entry { line, id, fen: fen.text.to_owned(), position, counts: Vec::new() })
}

fn read_fen(text: Piece<'_>) -> Result<Position, Misplaced> {
    let reading = fen::read(text.text).map_err(|error| {
        (text.column + error.column - 1, Fault::Fen { field: error.field, fault: error.fault })
    })?;
    Ok(reading.position)
}

/// Reads `D n`.
fn add(entry: &mut Entry, line: usize, text: Piece<'_>) -> Result<(), Misplaced> {
    let (depth, nodes) = text.split_word();
    add_count(entry, line, depth, nodes)
}

fn add_count(entry: &mut Entry, line: usize, depth: Piece<'_>, nodes: Piece<'_>) -> Result<(), Misplaced> {
    let plies =
        depth.number().and_then(|plies| u32::try_from(plies).ok()).filter(|plies| *plies <= MAX_DEPTH);
    let plies = plies.ok_or_else(|| (depth.column, Fault::BadDepth { text: depth.text.to_owned() }))?;
    let count =
        nodes.number().ok_or_else(|| (nodes.column, Fault::BadCount { text: nodes.text.to_owned() }))?;
    match entry.counts.binary_search_by_key(&plies, |wanted| wanted.depth) {
        Ok(_) => Err((depth.column, Fault::DepthTwice { depth: plies })),
        Err(place) => {
            entry.counts.insert(place, Wanted { line, depth: plies, nodes: count });
            Ok(())
        }
    }
}

/// A part of a line that knows where it stands.
#[derive(Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    /// In characters from 1.
    column: usize,
}

impl<'a> Piece<'a> {
    fn trim(self) -> Piece<'a> {
        let start = self.text.trim_start();
        let skipped = self.text[..self.text.len() - start.len()].chars().count();
        Piece { text: start.trim_end(), column: self.column + skipped }
    }

    /// The first word and what follows it.
    fn split_word(self) -> (Piece<'a>, Piece<'a>) {
        let end = self.text.find(char::is_whitespace).unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        let rest = Piece { text: rest, column: self.column + word.chars().count() };
        (Piece { text: word, column: self.column }, rest.trim())
    }

    fn split(self, mark: char) -> impl Iterator<Item = Piece<'a>> {
        let mut column = self.column;
        self.text.split(mark).map(move |text| {
            let piece = Piece { text, column };
            column += text.chars().count() + 1;
            piece
        })
    }

    /// The whole piece as an unsigned number of digits alone.
    fn number(self) -> Option<u128> {
        let digits = !self.text.is_empty() && self.text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| self.text.parse().ok()).flatten()
    }
}

/// A fault in a suite, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct SuiteError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with a line of a suite.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// More bytes than any line needs.
    #[error("the line has {bytes} bytes; at most {MAX_LINE_BYTES} would be right")]
    LineTooLong {
        /// How many it has.
        bytes: usize,
    },
    /// Bytes that are no UTF-8.
    #[error("this is not text; UTF-8 would be right")]
    NotText,
    /// The FEN is refused.
    #[error("{field}: {fault}")]
    Fen {
        /// The field that is wrong.
        field: fen::Field,
        /// What is wrong with it.
        fault: fen::Fault,
    },
    /// A field that is neither a depth nor empty.
    #[error("`{text}` is not a count; `;D` with a depth and its nodes, as in `;D3 8902`, would be right")]
    UnknownField {
        /// The field.
        text: String,
    },
    /// A depth that is not one.
    #[error("`{text}` is not a depth; a whole number from 0 to {MAX_DEPTH} would be right")]
    BadDepth {
        /// What stands in its place.
        text: String,
    },
    /// A number of nodes that is not one.
    #[error("`{text}` is not a number of nodes; digits alone, at most 128 bits, would be right")]
    BadCount {
        /// What stands in its place.
        text: String,
    },
    /// One depth with two counts.
    #[error("depth {depth} has a count already; once would be right")]
    DepthTwice {
        /// The depth.
        depth: u32,
    },
    /// A `perft` line where no position is open.
    #[error("a count before its position; an `epd` line above it would be right")]
    CountBeforePosition,
    /// A position that nothing is stated of.
    #[error("the position has no count; `;D1` with its nodes, or a `perft` line, would be right")]
    NoCounts,
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONE_KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

    fn counts(text: &str) -> Vec<(usize, u32, u128)> {
        let entries = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        let counts = entries.iter().flat_map(|entry| &entry.counts);
        counts.map(|wanted| (wanted.line, wanted.depth, wanted.nodes)).collect()
    }

    fn fault(text: &[u8]) -> (usize, usize, Fault) {
        let error = read(text).expect_err("there is a fault");
        (error.line, error.column, error.fault)
    }

    #[test]
    fn both_formats_are_read_with_their_lines() {
        let text = format!(
            "\u{feff}# both\r\n{LONE_KINGS} ;D1 5 ;D2 25\r\n\r\nid kings\r\nepd {LONE_KINGS}\r\nperft 2 25\r\n\
             perft 1 5\r\n{LONE_KINGS}; D1 5"
        );
        assert_eq!(counts(&text), [(2, 1, 5), (2, 2, 25), (7, 1, 5), (6, 2, 25), (8, 1, 5)]);
        let entries = read(text.as_bytes()).expect("it is right");
        assert_eq!(entries[1].id.as_deref(), Some("kings"));
        assert_eq!(entries[1].line, 5);
        assert_eq!(entries[1].fen, LONE_KINGS);
    }

    #[test]
    fn semicolons_and_blanks_stand_as_they_like() {
        for fields in [";D1 5;D2 25", "; D1 5 ;  D2   25 ;", ";D2 25 ;D1 5", ";d1 5\t;D2\t25;;"] {
            assert_eq!(counts(&format!("{LONE_KINGS} {fields}")), [(1, 1, 5), (1, 2, 25)], "{fields}");
            assert_eq!(counts(&format!("  {LONE_KINGS}{fields}  ")), [(1, 1, 5), (1, 2, 25)], "{fields}");
        }
    }

    #[test]
    fn counts_need_not_fit_in_64_bits() {
        let text = format!("{LONE_KINGS} ;D64 340282366920938463463374607431768211455");
        assert_eq!(counts(&text), [(1, 64, u128::MAX)]);
    }

    #[test]
    fn faults_have_their_place() {
        let line = |fields: &str| format!("\n{LONE_KINGS} {fields}\n").into_bytes();
        let text = |word: &str| word.to_owned();
        let cases = [
            (line(";D1 5 ;x"), (2, 38, Fault::UnknownField { text: text("x") })),
            (line(";D1"), (2, 34, Fault::BadCount { text: String::new() })),
            (line(";D1 5 6"), (2, 35, Fault::BadCount { text: text("5 6") })),
            (line(";D1 +5"), (2, 35, Fault::BadCount { text: text("+5") })),
            (line(";D65 5"), (2, 33, Fault::BadDepth { text: text("65") })),
            (line(";D 5"), (2, 33, Fault::BadDepth { text: String::new() })),
            (line(";D1 5 ;D1 5"), (2, 39, Fault::DepthTwice { depth: 1 })),
            (line(""), (2, 30, Fault::NoCounts)),
            (b"perft 1 5".to_vec(), (1, 1, Fault::CountBeforePosition)),
            (b"# \xff".to_vec(), (1, 3, Fault::NotText)),
            (vec![b'#'; MAX_LINE_BYTES + 1], (1, 1, Fault::LineTooLong { bytes: MAX_LINE_BYTES + 1 })),
        ];
        for (text, wanted) in cases {
            assert_eq!(fault(&text), wanted);
        }
    }

    #[test]
    fn a_fault_of_a_fen_points_into_the_line() {
        let (line, column, _) = fault(b"id x\nepd  4k3/8/8/8/8/8/8/4K3 q - -\nperft 1 5");
        assert_eq!((line, column), (2, 26));
    }

    #[test]
    fn a_position_without_counts_is_found_later() {
        let text = format!("id a\nepd {LONE_KINGS}\nid b\nepd {LONE_KINGS}\nperft 1 5");
        assert_eq!(fault(text.as_bytes()), (2, 1, Fault::NoCounts));
    }
}
