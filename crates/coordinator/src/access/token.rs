//! A token, the secret by which a caller is known, and its hash, all that a coordinator keeps of it.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// How many random bytes a token holds.
pub const TOKEN_BYTES: usize = 32;

/// With what every token begins, so that one that leaked is recognized.
pub(super) const PREFIX: &str = "vezir_";

/// With what every written hash begins.
const HASH_PREFIX: &str = "sha256:";

/// A token. It is shown once, when it is made, and never logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The token of these bytes, which must come from the system's source of randomness.
    #[must_use]
    pub fn from_random(bytes: [u8; TOKEN_BYTES]) -> Token {
        Token(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Reads a token.
    ///
    /// # Errors
    /// [`NotAToken`], which does not repeat the text: it may be another secret.
    pub fn parse(text: &str) -> Result<Token, NotAToken> {
        if text.starts_with(HASH_PREFIX) {
            return Err(NotAToken::Hash);
        }
        let body = text.strip_prefix(PREFIX).ok_or(NotAToken::Foreign)?;
        let bytes = URL_SAFE_NO_PAD.decode(body).map_err(|_| NotAToken::Damaged)?;
        if bytes.len() != TOKEN_BYTES {
            return Err(NotAToken::Damaged);
        }
        Ok(Token(text.to_owned()))
    }

    /// The secret itself, to be shown to its owner or sent to a coordinator.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Its hash.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0.as_bytes()).into())
    }
}

/// Says nothing of the secret.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// Why a text is no token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAToken {
    /// It is the hash of one.
    #[error("it holds the hash of a token; the token itself, which begins with {PREFIX}, would be right")]
    Hash,
    /// It is something else.
    #[error("it holds no token of Vezir; one that begins with {PREFIX} would be right")]
    Foreign,
    /// It begins like one.
    #[error("its token is damaged; {PREFIX} and 43 letters, digits, - and _ would be right")]
    Damaged,
}

/// The SHA-256 of a token's text. Two are compared in constant time.
#[derive(Clone, Copy, Debug)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// Reads what [`TokenHash`] writes: `sha256:` and 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<TokenHash> {
        let digits = text.strip_prefix(HASH_PREFIX)?;
        if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let mut hash = [0; 32];
        for (byte, pair) in hash.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(TokenHash(hash))
    }
}

impl PartialEq for TokenHash {
    fn eq(&self, other: &TokenHash) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for TokenHash {}

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HASH_PREFIX)?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_was_made() {
        let token = Token::from_random([7; TOKEN_BYTES]);
        assert_eq!(token.reveal().len(), 49);
        assert_eq!(Token::parse(token.reveal()), Ok(token.clone()));
        assert_eq!(format!("{token:?}"), "Token(..)");
        assert_ne!(token.hash(), Token::from_random([8; TOKEN_BYTES]).hash());
    }

    #[test]
    fn a_hash_is_read_as_it_was_written() {
        // As `printf vezir_A…A | sha256sum` says of 43 letters A.
        let zero = Token::from_random([0; TOKEN_BYTES]).hash();
        let written = zero.to_string();
        assert_eq!(written, "sha256:5dd17c2e21ac214ca554400cacc4c29d2206b350e155509d31e05b7b1bb27d62");
        assert_eq!(TokenHash::parse(&written), Some(zero));
        assert_eq!(TokenHash::parse(&written.to_uppercase().replace("SHA", "sha")), Some(zero));
        assert_eq!(TokenHash::parse(&written[..written.len() - 1]), None);
        assert_eq!(TokenHash::parse(&format!("{}+f", &written[..written.len() - 2])), None);
    }

    #[test]
    fn what_is_no_token_is_told_without_repeating_it() {
        let token = Token::from_random([9; TOKEN_BYTES]);
        assert_eq!(Token::parse(&token.hash().to_string()), Err(NotAToken::Hash));
        assert_eq!(Token::parse("hunter2"), Err(NotAToken::Foreign));
        assert_eq!(Token::parse(&token.reveal()[..40]), Err(NotAToken::Damaged));
        assert_eq!(Token::parse("vezir_!"), Err(NotAToken::Damaged));
        assert!(!NotAToken::Foreign.to_string().contains("hunter2"));
    }
}
