//! Who calls.

use std::sync::Arc;

use super::role::Roles;

/// The owner of what is done without a token, which only loopback allows.
pub const LOCAL_OWNER: &str = "local";

/// Who calls: found in the extensions of every request that is let in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    /// In whose name.
    pub owner: Arc<str>,
    /// What the caller may do.
    pub roles: Roles,
}

impl Caller {
    /// Somebody on this machine, who may do everything.
    #[must_use]
    pub fn local() -> Caller {
        Caller { owner: Arc::from(LOCAL_OWNER), roles: Roles::ALL }
    }
}
