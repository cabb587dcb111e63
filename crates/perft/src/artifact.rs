//! A frontier as bytes, to be kept and found again by their hash.
//!
//! Equal frontiers give equal bytes, in every version that writes this format. All numbers are little-endian;
//! a *varint* has seven bits a byte, lowest first, the eighth bit set on all bytes but the last, and as few
//! bytes as it can.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `VEZIRFRO` |
//! | 4 | version of the format: 1 |
//! | 4 | ply |
//! | 8 | *n*, the number of positions |
//! | 8 | *s*, the number of shares of all positions |
//! | 16 | the number of paths to all positions: perft of the ply |
//! | 32 *n* | the positions, packed, in the order of the frontier |
//! | *n* varints | how many shares each position has |
//! | 2 *s* | the root move of each share, position by position, lowest bits first |
//! | *s* varints | the paths of each share, in the same order |
//!
//! Nothing follows. Whether all positions are distinct is not looked at: that is what the hash is for.

use std::io::{self, BufReader, BufWriter, Read, Write};

use rayon::prelude::*;
use vezir_chess::{Move, Packed};

use crate::column::Column;
use crate::shares::Shares;
use crate::{Frontier, Limits, MAX_DEPTH};

const MAGIC: [u8; 8] = *b"VEZIRFRO";

/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

/// Bytes that are asked for or handed over at once.
const BUFFER: usize = 1 << 17;

/// Positions that are read, and looked at on all threads, at once.
const BLOCK: usize = 1 << 15;

impl Frontier {
    /// Writes the bytes of the frontier.
    ///
    /// # Errors
    /// Those of `out`, which may then have got a part of them.
    pub fn write(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(BUFFER, out);
        Header::of(self).write(&mut out)?;
        for index in 0..self.len() {
            out.write_all(&self.position(index).to_bytes())?;
        }
        for index in 0..self.len() {
            write_varint(&mut out, self.shares_of(index).len() as u64)?;
        }
        for at in 0..self.shares.len() {
            out.write_all(&self.shares.roots.get(at).bits().to_le_bytes())?;
        }
        for at in 0..self.shares.len() {
            write_varint(&mut out, self.shares.paths.get(at))?;
        }
        out.flush()
    }

    /// Reads a frontier back, to the end of `input`. Memory grows with what has been read, whatever the
    /// bytes promise.
    ///
    /// # Errors
    /// [`ReadError`] for anything but the bytes of one frontier within `limits`.
    pub fn read(input: &mut (impl Read + ?Sized), limits: Limits) -> Result<Frontier, ReadError> {
        let mut input = BufReader::with_capacity(BUFFER, input);
        let header = Header::read(&mut input)?;
        let (positions, shares) = header.sizes(limits)?;
        let positions = read_positions(&mut input, positions)?;
        let ends = read_ends(&mut input, &header)?;
        let roots = read_roots(&mut input, &ends)?;
        let paths = read_paths(&mut input, shares)?;
        if input.read(&mut [0])? != 0 {
            return Err(ReadError::TooLong);
        }
        let frontier = Frontier { ply: header.ply, positions, shares: Shares { ends, roots, paths } };
        if frontier.paths() != header.paths {
            return Err(ReadError::Sum { told: header.paths, found: frontier.paths() });
        }
        Ok(frontier)
    }
}

/// What comes before the columns.
struct Header {
    ply: u32,
    positions: u64,
    shares: u64,
    paths: u128,
}

impl Header {
    fn of(frontier: &Frontier) -> Header {
        let (positions, shares) = (frontier.len() as u64, frontier.shares.len() as u64);
        Header { ply: frontier.ply(), positions, shares, paths: frontier.paths() }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&self.ply.to_le_bytes())?;
        out.write_all(&self.positions.to_le_bytes())?;
        out.write_all(&self.shares.to_le_bytes())?;
        out.write_all(&self.paths.to_le_bytes())
    }

    fn read(input: &mut impl Read) -> Result<Header, ReadError> {
        if read_array(input)? != MAGIC {
            return Err(ReadError::NotAFrontier);
        }
        let version = u32::from_le_bytes(read_array(input)?);
        if version != VERSION {
            return Err(ReadError::Version { version });
        }
        let ply = u32::from_le_bytes(read_array(input)?);
        let positions = u64::from_le_bytes(read_array(input)?);
        let shares = u64::from_le_bytes(read_array(input)?);
        let paths = u128::from_le_bytes(read_array(input)?);
        if ply > MAX_DEPTH || (ply == 0 && positions != 1) {
            return Err(ReadError::Ply { ply, positions });
        }
        Ok(Header { ply, positions, shares, paths })
    }

    /// The numbers of positions and shares, where a frontier within `limits` may have them.
    fn sizes(&self, limits: Limits) -> Result<(usize, usize), ReadError> {
        let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let (positions, shares) = (number(self.positions), number(self.shares));
        if limits.allow(positions, shares) {
            return Ok((positions, shares));
        }
        Err(ReadError::TooLarge { positions: self.positions, shares: self.shares })
    }
}

fn read_positions(input: &mut impl Read, count: usize) -> Result<Column<Packed>, ReadError> {
    let mut column = Column::new();
    let mut bytes = vec![[0; Packed::BYTES]; count.min(BLOCK)];
    while column.len() < count {
        let block = &mut bytes[..BLOCK.min(count - column.len())];
        read_exact(input, block.as_flattened_mut())?;
        let positions: Vec<Packed> = block.iter().map(Packed::from_bytes).collect();
        if let Some(at) = positions.par_iter().position_first(|position| position.unpack().is_err()) {
            return Err(ReadError::Position { index: column.len() + at });
        }
        column.extend_from_slice(&positions);
    }
    Ok(column)
}

/// The end of each position's shares, from their numbers.
fn read_ends(input: &mut impl Read, header: &Header) -> Result<Column<u32>, ReadError> {
    let mut ends = Column::new();
    let mut end = 0_u64;
    for index in 0..header.positions {
        let count = read_varint(input)?;
        end = end.saturating_add(count);
        // Only the root is reached without a move.
        if end > header.shares || (count == 0) != (header.ply == 0) {
            return Err(ReadError::Shares { index, count });
        }
        ends.push(end as u32);
    }
    if end != header.shares {
        return Err(ReadError::Ends { told: header.shares, found: end });
    }
    Ok(ends)
}

/// The root moves of all shares, which grow within each position.
fn read_roots(input: &mut impl Read, ends: &Column<u32>) -> Result<Column<Move>, ReadError> {
    let mut roots: Column<Move> = Column::new();
    for index in 0..ends.len() {
        let mut last = None;
        while roots.len() < ends.get(index) as usize {
            let bits = u16::from_le_bytes(read_array(input)?);
            let root = Move::from_bits(bits).filter(|root| Some(*root) > last);
            last = Some(root.ok_or(ReadError::Root { index, bits })?);
            last.into_iter().for_each(|root| roots.push(root));
        }
    }
    Ok(roots)
}

fn read_paths(input: &mut impl Read, shares: usize) -> Result<Column<u64>, ReadError> {
    let mut paths = Column::new();
    for share in 0..shares {
        match read_varint(input)? {
            0 => return Err(ReadError::NoPaths { share }),
            count => paths.push(count),
        }
    }
    Ok(paths)
}

fn read_exact(input: &mut impl Read, bytes: &mut [u8]) -> Result<(), ReadError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => ReadError::TooShort,
        _ => ReadError::Input(error),
    })
}

fn read_array<const N: usize>(input: &mut impl Read) -> Result<[u8; N], ReadError> {
    let mut bytes = [0; N];
    read_exact(input, &mut bytes)?;
    Ok(bytes)
}

fn write_varint(out: &mut impl Write, mut number: u64) -> io::Result<()> {
    while number >= 0x80 {
        out.write_all(&[number as u8 | 0x80])?;
        number >>= 7;
    }
    out.write_all(&[number as u8])
}

fn read_varint(input: &mut impl Read) -> Result<u64, ReadError> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let [byte] = read_array(input)?;
        let bits = u64::from(byte & 0x7F);
        let shortest = byte != 0 || shift == 0;
        if !shortest || (bits << shift) >> shift != bits {
            return Err(ReadError::Varint);
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(ReadError::Varint)
}

/// Why bytes are not a frontier.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// They cannot be had.
    #[error("the frontier cannot be read: {0}")]
    Input(#[from] io::Error),
    /// They begin as something else.
    #[error("this is not a frontier; bytes that begin with VEZIRFRO would be right")]
    NotAFrontier,
    /// Another version of Vezir wrote them.
    #[error("the frontier is of format {version}; format {VERSION} would be right")]
    Version {
        /// The version that they name.
        version: u32,
    },
    /// No frontier is that deep, or the root is not alone.
    #[error(
        "a frontier at ply {ply} with {positions} positions; ply 0 with 1, or 1 to {MAX_DEPTH}, would be right"
    )]
    Ply {
        /// The ply that they name.
        ply: u32,
        /// The positions that they promise.
        positions: u64,
    },
    /// More than allowed.
    #[error("a frontier of {positions} positions with {shares} shares is more than allowed")]
    TooLarge {
        /// The positions that they promise.
        positions: u64,
        /// The shares that they promise.
        shares: u64,
    },
    /// They end too early.
    #[error("the frontier is cut off: its bytes end before its last column does")]
    TooShort,
    /// They go on.
    #[error("something follows the frontier; its last column should be the last of its bytes")]
    TooLong,
    /// A number is not written as it must be.
    #[error("a number of the frontier is not written in 64 bits and as short as it can be")]
    Varint,
    /// Not a position.
    #[error("position {index} of the frontier is not one")]
    Position {
        /// Its number, from 0.
        index: usize,
    },
    /// An impossible number of shares.
    #[error("position {index} of the frontier cannot have {count} shares")]
    Shares {
        /// The number of the position, from 0.
        index: u64,
        /// What is said of it.
        count: u64,
    },
    /// Too few shares in all.
    #[error("the positions of the frontier have {found} shares; {told} would be right")]
    Ends {
        /// What the header says.
        told: u64,
        /// What the positions have.
        found: u64,
    },
    /// Not a move, or not after the one before it.
    #[error("root move {bits:#06x} of position {index} is none, or not in order")]
    Root {
        /// The number of the position, from 0.
        index: usize,
        /// The bits of the move.
        bits: u16,
    },
    /// A share without a path.
    #[error("share {share} of the frontier has no paths; 1 or more would be right")]
    NoPaths {
        /// The number of the share, from 0.
        share: usize,
    },
    /// The paths do not sum up.
    #[error("the paths of the frontier sum to {found}; {told} would be right")]
    Sum {
        /// What the header says.
        told: u128,
        /// What they sum to.
        found: u128,
    },
}

#[cfg(test)]
mod tests;
