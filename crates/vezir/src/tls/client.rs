//! The side that calls: the CAs that it trusts.

use std::path::Path;
use std::time::Duration;

use tokio_rustls::rustls::RootCertStore;
use tonic::transport::ClientTlsConfig;

use super::material::{TlsError, check_dates, read_certificates};
use super::provider;

/// The CAs by which a coordinator is known. Its name must be that of the address that was called.
#[derive(Clone, Debug)]
pub(crate) struct ClientTls(ClientTlsConfig);

impl ClientTls {
    /// Reads a file of one or more CAs.
    ///
    /// # Errors
    /// [`TlsError`] where it cannot be read, or no CA in it may be used today.
    pub(crate) fn open(path: &Path, handshake: Duration) -> Result<ClientTls, TlsError> {
        // What the library builds below takes the process's default.
        let _ = provider();
        let certificates = read_certificates(path)?;
        let mut roots = RootCertStore::empty();
        let mut refused = None;
        for certificate in certificates {
            match check_dates(path, &certificate) {
                Ok(()) => {
                    // What the store cannot read, it leaves out; below is seen whether anything is left.
                    let _ = roots.add(certificate);
                }
                Err(error) => refused = Some(error),
            }
        }
        if roots.is_empty() {
            return Err(refused.unwrap_or_else(|| TlsError::Damaged { path: path.to_owned() }));
        }
        Ok(ClientTls(ClientTlsConfig::new().trust_anchors(roots.roots).timeout(handshake)))
    }

    /// As tonic takes it.
    pub(crate) fn config(&self) -> ClientTlsConfig {
        self.0.clone()
    }
}
