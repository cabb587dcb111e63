//! The name of an artifact: what is too large for a row, and is kept beside them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The BLAKE3 hash of an artifact's bytes, by which it is named: 64 hex digits when shown.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(try_from = "String", into = "String")]
pub struct Hash(pub [u8; Hash::BYTES]);

impl Hash {
    /// How many bytes a hash has.
    pub const BYTES: usize = 32;
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> String {
        hash.to_string()
    }
}

impl TryFrom<String> for Hash {
    type Error = NotAHash;

    fn try_from(text: String) -> Result<Hash, NotAHash> {
        text.parse()
    }
}

impl FromStr for Hash {
    type Err = NotAHash;

    /// Reads what is shown. Capital digits are refused: a name has one form.
    fn from_str(text: &str) -> Result<Hash, NotAHash> {
        let mut hash = [0; Hash::BYTES];
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != hash.len() || !rest.is_empty() {
            return Err(NotAHash);
        }
        for (byte, [high, low]) in hash.iter_mut().zip(pairs) {
            *byte = digit(*high).ok_or(NotAHash)? << 4 | digit(*low).ok_or(NotAHash)?;
        }
        Ok(Hash(hash))
    }
}

const fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    }
}

/// A text that is not the name of an artifact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not the name of an artifact; 64 digits of 0 to 9 and a to f would be right")]
pub struct NotAHash;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_read_as_it_is_shown() {
        let hash = Hash(std::array::from_fn(|at| at as u8 * 8 + 1));
        let shown = "0109111921293139414951596169717981899199a1a9b1b9c1c9d1d9e1e9f1f9";
        assert_eq!(hash.to_string(), shown);
        assert_eq!(format!("{hash:?}"), shown);
        assert_eq!(shown.parse(), Ok(hash));
    }

    #[test]
    fn other_texts_are_no_hashes() {
        let good = "0".repeat(64);
        assert!(good.parse::<Hash>().is_ok());
        let wrong = ["", &good[1..], &format!("{good}0"), &format!("{good}00"), &good.replacen('0', "A", 1)];
        for text in wrong.into_iter().chain([&good.replacen('0', "g", 1)[..], &good.replacen("00", "é", 1)])
        {
            assert_eq!(text.parse::<Hash>(), Err(NotAHash), "{text}");
        }
    }
}
