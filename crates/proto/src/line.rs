//! A connection whose every call carries the caller's token.

use std::str::FromStr;

use tonic::metadata::errors::InvalidMetadataValue;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Status};

/// A connection whose every call carries the caller's token, if there is one.
pub type Line = InterceptedService<Channel, Bearer>;

/// What calls carry; nothing where there is no token.
#[derive(Clone, Default, Debug)]
pub struct Bearer(Option<MetadataValue<Ascii>>);

impl Bearer {
    /// Whether calls carry anything.
    pub const fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// A line over `channel` on which every call carries this.
    pub fn over(self, channel: Channel) -> Line {
        InterceptedService::new(channel, self)
    }
}

impl FromStr for Bearer {
    type Err = InvalidMetadataValue;

    /// The bearer of a token, as the token's file spells it.
    fn from_str(token: &str) -> Result<Bearer, InvalidMetadataValue> {
        let mut value: MetadataValue<Ascii> = format!("Bearer {token}").parse()?;
        // Kept out of debug output, and out of the tables that compress headers.
        value.set_sensitive(true);
        Ok(Bearer(Some(value)))
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request.metadata_mut().insert("authorization", value.clone());
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_carries_the_token_and_nothing_shows_it() {
        let mut bearer: Bearer = "vezir_secret".parse().expect("a token is plain text");
        let request = bearer.call(Request::new(())).expect("nothing is refused");
        let value = request.metadata().get("authorization").expect("it is carried");
        assert_eq!(value.to_str().expect("it is text"), "Bearer vezir_secret");
        assert!(!format!("{bearer:?} {:?}", request.metadata()).contains("secret"));
        let bare = Bearer::default().call(Request::new(())).expect("nothing is refused");
        assert!(bare.metadata().get("authorization").is_none());
    }
}
