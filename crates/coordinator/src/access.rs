//! Who may call what: tokens with roles, and the gate that asks for them.

mod caller;
mod file;
mod layer;
mod role;
mod table;
mod token;
mod tokens;

use std::sync::Arc;

use tonic::{Code, Status};

pub use caller::{Caller, LOCAL_OWNER};
pub use file::{TokenFile, TokenFileError};
pub use layer::{AccessLayer, Gate};
pub use role::{Role, Roles};
pub use table::{METHODS, Need};
pub use token::{NotAToken, TOKEN_BYTES, Token, TokenHash};
pub use tokens::{Entry, Fault, Faults, MAX_OWNER_CHARS, MAX_TEXT_BYTES, MAX_TOKENS, Tokens, Wrong, owner};

/// Who is let in.
#[derive(Clone, Debug)]
pub enum Access {
    /// Whoever reaches the coordinator, as [`Caller::local`]: only right where that is this machine.
    Open,
    /// Those with a token of this file.
    Tokens(Arc<TokenFile>),
}

impl Access {
    /// Those with a token of `file`.
    #[must_use]
    pub fn tokens(file: TokenFile) -> Access {
        Access::Tokens(Arc::new(file))
    }
}

/// Why a call is not let in.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum Refused {
    /// It presents nothing.
    #[error("this coordinator asks for a token; --token-file FILE or VEZIR_TOKEN_FILE would be right")]
    NoToken,
    /// It presents something else.
    #[error(
        "the call's authorization cannot be read; one header `authorization: Bearer vezir_…` would be right"
    )]
    NoBearer,
    /// It presents a token that the file does not have.
    #[error("the token is not known to this coordinator; one that its tokens file lists would be right")]
    Unknown,
    /// Its token does not allow this.
    #[error("the token of {} does not allow this: it needs the role {needed}, and has {}", .caller.owner, .caller.roles)]
    Forbidden {
        /// Who calls.
        caller: Caller,
        /// What the call needs.
        needed: Role,
    },
    /// There is nothing of this name.
    #[error("this coordinator has no such method; one that its version knows would be right")]
    NoMethod,
}

impl From<Refused> for Status {
    fn from(refused: Refused) -> Status {
        let code = match refused {
            Refused::NoToken | Refused::NoBearer | Refused::Unknown => Code::Unauthenticated,
            Refused::Forbidden { .. } => Code::PermissionDenied,
            Refused::NoMethod => Code::Unimplemented,
        };
        Status::new(code, refused.to_string())
    }
}
