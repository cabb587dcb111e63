//! Numbers of 128 bits as decimal texts: most readers of JSON have no room for them as numbers.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// The number that a text of digits alone means; `None` where it does not fit, or is anything else.
pub(crate) fn read(text: &str) -> Option<u128> {
    // The library also takes a sign, and one number would then have two texts.
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

/// Writes a number as its text.
pub(crate) fn serialize<S: Serializer>(number: &u128, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(number)
}

/// Reads a number from its text.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u128, D::Error> {
    let text = String::deserialize(from)?;
    read(&text)
        .ok_or_else(|| D::Error::custom("not a count: a decimal number of at most 128 bits would be right"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_are_numbers() {
        assert_eq!(read(&u128::MAX.to_string()), Some(u128::MAX));
        for text in ["", "+5", "-5", " 5", "5 ", "0x5", "340282366920938463463374607431768211456"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
