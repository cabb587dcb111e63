//! The token that every call of this process carries.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::{Request, Status};
use vezir_coordinator::access::{NotAToken, Token};

/// The largest file that is read for a token.
const MAX_FILE_BYTES: u64 = 4 << 10;

/// What calls carry; nothing where there is no token.
#[derive(Clone, Default, Debug)]
pub(crate) struct Credentials(Option<MetadataValue<Ascii>>);

impl Credentials {
    /// Those of a file that holds a token and nothing else, as `vezir tokens add` prints it.
    ///
    /// # Errors
    /// [`CredentialsError`], which never repeats what the file holds.
    pub(crate) fn open(path: &Path) -> Result<Credentials, CredentialsError> {
        let unreadable = |error| CredentialsError::Unreadable { path: path.to_owned(), error };
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(unreadable)?;
        file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
        let wrong = |why| CredentialsError::Wrong { path: path.to_owned(), why };
        let text = String::from_utf8(bytes).map_err(|_| wrong(NotAToken::Foreign))?;
        let token = Token::parse(text.trim()).map_err(wrong)?;
        Credentials::of(&token).ok_or_else(|| wrong(NotAToken::Damaged))
    }

    /// Those of a token.
    pub(crate) fn of(token: &Token) -> Option<Credentials> {
        let mut value: MetadataValue<Ascii> = format!("Bearer {}", token.reveal()).parse().ok()?;
        // Kept out of debug output, and out of the tables that compress headers.
        value.set_sensitive(true);
        Some(Credentials(Some(value)))
    }

    /// Whether calls carry anything.
    pub(crate) const fn is_some(&self) -> bool {
        self.0.is_some()
    }
}

impl Interceptor for Credentials {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request.metadata_mut().insert("authorization", value.clone());
        }
        Ok(request)
    }
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

    fn read(text: &str) -> Result<Credentials, String> {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("token");
        std::fs::write(&path, text).expect("there is room");
        Credentials::open(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn every_call_carries_the_token_and_nothing_shows_it() {
        let token = Token::from_random([3; TOKEN_BYTES]);
        let mut credentials = read(&format!("{}\n", token.reveal())).expect("it holds a token");
        let request = credentials.call(Request::new(())).expect("nothing is refused");
        let value = request.metadata().get("authorization").expect("it is carried");
        assert_eq!(value.to_str().expect("it is text"), format!("Bearer {}", token.reveal()));
        assert!(!format!("{credentials:?} {:?}", request.metadata()).contains(token.reveal()));
        let bare = Credentials::default().call(Request::new(())).expect("nothing is refused");
        assert!(bare.metadata().get("authorization").is_none());
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
        let missing = Credentials::open(Path::new("/no/such/token")).expect_err("it is not there");
        assert!(missing.to_string().starts_with("/no/such/token: "), "{missing}");
    }
}
