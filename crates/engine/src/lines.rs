//! A stream of bytes read line by line, within bounds.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// A line without its end. Bytes that are not UTF-8 are replaced by U+FFFD.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What was printed.
    pub text: String,
    /// Whether the line was longer than the bound, and its rest is lost.
    pub is_cut: bool,
}

/// What the next line is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Line(Line),
    /// The stream is closed.
    End,
    /// More bytes came than are allowed.
    Flood,
}

/// Reads lines. Dropping a reading in the middle loses nothing.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    source: R,
    chunk: Box<[u8]>,
    at: usize,
    filled: usize,
    line: Vec<u8>,
    is_cut: bool,
    longest: usize,
    allowance: u64,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(source: R, longest: usize) -> Lines<R> {
        let chunk = vec![0; 8 << 10].into_boxed_slice();
        Lines {
            source,
            chunk,
            at: 0,
            filled: 0,
            line: Vec::new(),
            is_cut: false,
            longest,
            allowance: u64::MAX,
        }
    }

    /// Lets `bytes` more be read.
    pub(crate) fn allow(&mut self, bytes: u64) {
        self.allowance = bytes;
    }

    pub(crate) async fn next(&mut self) -> io::Result<Next> {
        loop {
            if let Some(line) = self.take() {
                return Ok(Next::Line(line));
            }
            if self.allowance == 0 {
                return Ok(Next::Flood);
            }
            self.at = 0;
            self.filled = 0;
            self.filled = self.source.read(&mut self.chunk).await?;
            if self.filled == 0 {
                let rest = !self.line.is_empty();
                return Ok(if rest { Next::Line(self.finish()) } else { Next::End });
            }
            self.allowance = self.allowance.saturating_sub(self.filled as u64);
        }
    }

    /// A line that is complete in what was read.
    fn take(&mut self) -> Option<Line> {
        let rest = &self.chunk[self.at..self.filled];
        let end = rest.iter().position(|byte| *byte == b'\n');
        let part = &rest[..end.unwrap_or(rest.len())];
        let room = self.longest - self.line.len();
        self.line.extend_from_slice(&part[..part.len().min(room)]);
        self.is_cut |= part.len() > room;
        self.at += part.len() + usize::from(end.is_some());
        end.map(|_| self.finish())
    }

    fn finish(&mut self) -> Line {
        let bytes = std::mem::take(&mut self.line);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(&bytes);
        Line { text: String::from_utf8_lossy(bytes).into_owned(), is_cut: std::mem::take(&mut self.is_cut) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(bytes: &[u8], longest: usize, allowance: u64) -> (Vec<Line>, Next) {
        let mut lines = Lines::new(bytes, longest);
        lines.allow(allowance);
        let mut read = Vec::new();
        loop {
            match lines.next().await.expect("memory can be read") {
                Next::Line(line) => read.push(line),
                end => return (read, end),
            }
        }
    }

    fn line(text: &str, is_cut: bool) -> Line {
        Line { text: text.to_owned(), is_cut }
    }

    #[tokio::test]
    async fn ends_of_lines_of_both_kinds_and_none() {
        let (read, end) = all(b"one\r\n\ntwo \nthree", 64, u64::MAX).await;
        assert_eq!(read, [line("one", false), line("", false), line("two ", false), line("three", false)]);
        assert_eq!(end, Next::End);
    }

    #[tokio::test]
    async fn bytes_that_are_not_utf8_are_replaced() {
        let (read, _) = all(b"id author R\x04 \xb7 B\n", 64, u64::MAX).await;
        assert_eq!(read, [line("id author R\u{4} \u{fffd} B", false)]);
    }

    #[tokio::test]
    async fn a_long_line_is_cut_and_the_next_is_whole() {
        let (read, _) = all(b"123456789\n12345678\n1\n", 8, u64::MAX).await;
        assert_eq!(read, [line("12345678", true), line("12345678", false), line("1", false)]);
        let long = vec![b'x'; 200_000];
        let (read, _) = all(&long, 1000, u64::MAX).await;
        assert_eq!((read.len(), read[0].text.len(), read[0].is_cut), (1, 1000, true));
    }

    #[tokio::test]
    async fn too_much_is_a_flood() {
        let bytes = vec![b'\n'; 100_000];
        let (read, end) = all(&bytes, 8, 10_000).await;
        assert_eq!(end, Next::Flood);
        assert!(read.len() >= 10_000 && read.len() < 20_000);
    }
}
