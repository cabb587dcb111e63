//! The header by which a caller is known, and the connection whose every call carries it.

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Status};

/// The header of a call that holds its token.
const HEADER: &str = "authorization";

/// A connection whose every call carries the caller's credentials.
pub type Line = InterceptedService<Channel, Credentials>;

/// What calls carry; nothing where there is no token.
#[derive(Clone, Default, Debug)]
pub struct Credentials(Option<MetadataValue<Ascii>>);

impl Credentials {
    /// Those of one who is known by `token`; nothing where a header cannot hold it.
    #[must_use]
    pub fn bearer(token: &str) -> Option<Credentials> {
        let mut value: MetadataValue<Ascii> = format!("Bearer {token}").parse().ok()?;
        // Kept out of debug output, and out of the tables that compress headers.
        value.set_sensitive(true);
        Some(Credentials(Some(value)))
    }

    /// Whether calls carry anything.
    #[must_use]
    pub const fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// A line over `channel` whose calls carry them.
    #[must_use]
    pub fn over(&self, channel: Channel) -> Line {
        InterceptedService::new(channel, self.clone())
    }
}

impl Interceptor for Credentials {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request.metadata_mut().insert(HEADER, value.clone());
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_carries_the_token_and_nothing_shows_it() {
        let mut credentials = Credentials::bearer("secret").expect("it fits a header");
        assert!(credentials.is_some());
        let request = credentials.call(Request::new(())).expect("nothing is refused");
        let value = request.metadata().get(HEADER).expect("it is carried");
        assert_eq!(value.to_str().ok(), Some("Bearer secret"));
        assert!(!format!("{credentials:?} {:?}", request.metadata()).contains("secret"));
        assert!(Credentials::bearer("two\nlines").is_none());
    }

    #[test]
    fn one_without_a_token_carries_nothing() {
        let mut credentials = Credentials::default();
        assert!(!credentials.is_some());
        let bare = credentials.call(Request::new(())).expect("nothing is refused");
        assert!(bare.metadata().is_empty());
    }
}
