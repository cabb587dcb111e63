//! The tokens that a coordinator knows, and the text in which they are kept.
//!
//! One line a token: `owner roles sha256:<hash>`, as `ada view,submit sha256:5f3c…`. What follows a `#` at the
//! beginning of a line or after a space is a comment.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::caller::{Caller, LOCAL_OWNER};
use super::role::{Role, Roles};
use super::token::{PREFIX, Token, TokenHash};

/// The most that the text may take, in bytes.
pub const MAX_TEXT_BYTES: usize = 1 << 20;

/// The most tokens that it may hold: each call is compared with all of them.
pub const MAX_TOKENS: usize = 1024;

/// The longest name of an owner, in characters.
pub const MAX_OWNER_CHARS: usize = 64;

/// How many faults are told at once.
const MAX_FAULTS: usize = 20;

/// Tokens by their hashes.
#[derive(Clone, Default, Debug)]
pub struct Tokens(Vec<Entry>);

/// One token.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Whose it is, and what it allows.
    pub caller: Caller,
    /// Its hash.
    pub hash: TokenHash,
}

impl Tokens {
    /// Reads the text.
    ///
    /// # Errors
    /// [`Faults`]: all that is wrong with it, or the first twenty things.
    pub fn parse(text: &str) -> Result<Tokens, Faults> {
        let mut reader = Reader::default();
        if text.len() > MAX_TEXT_BYTES {
            reader.fault(1, 1, Wrong::TooLong);
            return Err(Faults(reader.faults));
        }
        for (number, line) in (1..).zip(text.lines()) {
            reader.line(number, line);
            if reader.faults.len() >= MAX_FAULTS {
                break;
            }
        }
        if reader.faults.is_empty() { Ok(Tokens(reader.entries)) } else { Err(Faults(reader.faults)) }
    }

    /// Who holds this token. Every hash is looked at, wherever the right one stands.
    #[must_use]
    pub fn holder(&self, token: &Token) -> Option<&Caller> {
        let hash = token.hash();
        self.0.iter().fold(None, |found, entry| if entry.hash == hash { Some(&entry.caller) } else { found })
    }

    /// All of them, in the order of the text.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }
}

/// The line that keeps a token.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.caller.owner, self.caller.roles, self.hash)
    }
}

/// Whether `name` may name an owner: letters, digits, `.`, `_`, `-` and `@`, the first a letter or a digit.
///
/// # Errors
/// [`Wrong`], which says what would be right.
pub fn owner(name: &str) -> Result<(), Wrong> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "._-@".contains(letter);
    if name == LOCAL_OWNER {
        Err(Wrong::LocalOwner)
    } else if name.len() > MAX_OWNER_CHARS
        || !name.starts_with(|first: char| first.is_ascii_alphanumeric())
        || !name.chars().all(fits)
    {
        Err(Wrong::Owner(shortened(name)))
    } else {
        Ok(())
    }
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    entries: Vec<Entry>,
    faults: Vec<Fault>,
    /// The lines of the hashes.
    lines: HashMap<String, usize>,
}

impl Reader {
    fn line(&mut self, line: usize, text: &str) {
        let words = words(text);
        let [(owner_at, name), (roles_at, roles), (hash_at, hash), rest @ ..] = words.as_slice() else {
            if let Some((last, word)) = words.last() {
                self.fault(line, last + word.chars().count(), Wrong::Short);
            }
            return;
        };
        let known = self.faults.len();
        if let Err(wrong) = owner(name) {
            self.fault(line, *owner_at, wrong);
        }
        let roles = self.roles(line, *roles_at, roles);
        if let Some((column, word)) = rest.first() {
            self.fault(line, *column, Wrong::Surplus(shortened(word)));
        }
        let Some(hash) = TokenHash::parse(hash) else {
            let wrong = if Token::parse(hash).is_ok() { Wrong::Secret } else { Wrong::Hash };
            return self.fault(line, *hash_at, wrong);
        };
        if let Some(first) = self.lines.insert(hash.to_string(), line) {
            self.fault(line, *hash_at, Wrong::Repeated(first));
        }
        if self.entries.len() == MAX_TOKENS {
            self.fault(line, *owner_at, Wrong::TooMany);
        }
        if self.faults.len() == known {
            self.entries.push(Entry { caller: Caller { owner: Arc::from(*name), roles }, hash });
        }
    }

    fn roles(&mut self, line: usize, column: usize, text: &str) -> Roles {
        let mut roles = Roles::NONE;
        let mut at = column;
        for name in text.split(',') {
            match Role::named(name) {
                Some(role) => roles = roles.with(role),
                None => self.fault(line, at, Wrong::Role(shortened(name))),
            }
            at += name.chars().count() + 1;
        }
        roles
    }

    fn fault(&mut self, line: usize, column: usize, wrong: Wrong) {
        self.faults.push(Fault { line, column, wrong });
    }
}

/// The words of a line before its comment, each with its column.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut column = 1;
    for word in text.split([' ', '\t']) {
        if word.starts_with('#') {
            break;
        }
        if !word.is_empty() {
            words.push((column, word));
        }
        column += word.chars().count() + 1;
    }
    words
}

/// As much of a word as is worth repeating, and nothing of a secret in the wrong place.
fn shortened(word: &str) -> String {
    const MOST: usize = 40;
    if word.starts_with(PREFIX) {
        return format!("{PREFIX}…");
    }
    match word.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

/// All that is wrong with a text of tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<String> = self.0.iter().map(Fault::to_string).collect();
        f.write_str(&told.join("\n"))
    }
}

impl std::error::Error for Faults {}

/// One thing that is wrong, and where. Line and column are counted from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {wrong}")]
pub struct Fault {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// What is wrong there.
    pub wrong: Wrong,
}

/// What can be wrong with a text of tokens.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Wrong {
    /// The whole text is too long.
    #[error("the file is too long; at most {MAX_TEXT_BYTES} bytes would be right")]
    TooLong,
    /// There are too many tokens.
    #[error("this is one token too many; at most {MAX_TOKENS} would be right")]
    TooMany,
    /// Fewer than three words.
    #[error("something is missing; owner, roles and hash, as `ada view,submit sha256:…`, would be right")]
    Short,
    /// More than three words.
    #[error("`{0}` follows the hash; nothing, or a comment after #, would be right")]
    Surplus(String),
    /// No name for an owner.
    #[error(
        "`{0}` names no owner; at most {MAX_OWNER_CHARS} letters, digits, `.`, `_`, `-` and `@` would be right"
    )]
    Owner(String),
    /// The name of callers without a token.
    #[error("`{LOCAL_OWNER}` is the owner of what is done without a token; another name would be right")]
    LocalOwner,
    /// No role.
    #[error("`{0}` is no role; view, submit, work or operate, joined by commas, would be right")]
    Role(String),
    /// No hash.
    #[error("this is no hash; sha256: and 64 hexadecimal digits would be right")]
    Hash,
    /// The token instead of its hash.
    #[error(
        "this is the token itself; its hash would be right, and a new token, as this one may have been read"
    )]
    Secret,
    /// The hash of another line.
    #[error("this hash stands in line {0} already; each token once would be right")]
    Repeated(usize),
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
