//! The token that every call of this process carries.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use vezir_coordinator::access::{NotAToken, Token};
use vezir_proto::Bearer;

/// The largest file that is read for a token.
const MAX_FILE_BYTES: u64 = 4 << 10;

/// What calls carry whose token is in a file that holds a token and nothing else, as `vezir tokens add` prints
/// it.
///
/// # Errors
/// [`CredentialsError`], which never repeats what the file holds.
pub(crate) fn read_bearer(path: &Path) -> Result<Bearer, CredentialsError> {
    let unreadable = |error| CredentialsError::Unreadable { path: path.to_owned(), error };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    let wrong = |why| CredentialsError::Wrong { path: path.to_owned(), why };
    let text = String::from_utf8(bytes).map_err(|_| wrong(NotAToken::Foreign))?;
    let token = Token::parse(text.trim()).map_err(wrong)?;
    token.reveal().parse().map_err(|_| wrong(NotAToken::Damaged))
}

/// Why a token cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CredentialsError {
    /// The file is not there or may not be read.
    #[error("{}: {error}; a file that holds a token, as `vezir tokens add` prints it, would be right", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file holds something else.
    #[error("{}: {why}", .path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What it holds.
        why: NotAToken,
    },
}

#[cfg(test)]
mod tests {
    use vezir_coordinator::access::TOKEN_BYTES;

    use super::*;

    fn read(text: &str) -> Result<Bearer, String> {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("token");
        std::fs::write(&path, text).expect("there is room");
        read_bearer(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn a_token_is_read_with_its_line_end() {
        let token = Token::from_random([3; TOKEN_BYTES]);
        assert!(read(&format!("{}\n", token.reveal())).is_ok_and(|bearer| bearer.is_some()));
    }

    #[test]
    fn what_holds_no_token_is_told_without_repeating_it() {
        let token = Token::from_random([3; TOKEN_BYTES]);
        let hash = token.hash().to_string();
        for (text, said) in [
            ("", "holds no token"),
            ("hunter2", "holds no token"),
            (hash.as_str(), "the hash of a token"),
            (&token.reveal()[..30], "is damaged"),
            (&format!("{0} {0}", token.reveal()), "is damaged"),
        ] {
            let told = read(text).expect_err("it holds no token");
            assert!(told.contains(said) && told.contains("would be right"), "{told}");
            assert!(text.is_empty() || !told.contains(text), "{told}");
        }
        let missing = read_bearer(Path::new("/no/such/token")).expect_err("it is not there");
        assert!(missing.to_string().starts_with("/no/such/token: "), "{missing}");
    }
}
