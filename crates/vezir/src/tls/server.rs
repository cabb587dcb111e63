//! The side that serves: its certificate and key, which may be replaced while it runs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::rustls::{Error, InconsistentKeys, ServerConfig};

use super::material::{TlsError, check_dates, expires_within, read_certificates, read_key};
use super::provider;

/// The one protocol that is spoken inside TLS.
const HTTP2: &[u8] = b"h2";

/// How many days before a certificate's end its operator is warned.
const SOON_DAYS: i64 = 14;

/// A certificate and its key, as they were last read.
#[derive(Clone)]
pub(crate) struct ServerTls {
    certificate: PathBuf,
    key: PathBuf,
    config: Arc<RwLock<Arc<ServerConfig>>>,
}

impl ServerTls {
    /// Reads both files.
    ///
    /// # Errors
    /// [`TlsError`] where one cannot be read, they do not fit each other, or the certificate may not be used
    /// today.
    pub(crate) fn open(certificate: &Path, key: &Path) -> Result<ServerTls, TlsError> {
        let config = Arc::new(RwLock::new(Arc::new(configure(certificate, key)?)));
        Ok(ServerTls { certificate: certificate.to_owned(), key: key.to_owned(), config })
    }

    /// Reads both files again; connections from then on are served with what they hold.
    ///
    /// # Errors
    /// As [`ServerTls::open`]; what was read before then stays.
    pub(crate) fn reload(&self) -> Result<(), TlsError> {
        let config = Arc::new(configure(&self.certificate, &self.key)?);
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = config;
        Ok(())
    }

    /// A sentence for the operator, where the certificate expires within two weeks.
    pub(crate) fn warning(&self) -> Option<String> {
        let certificates = read_certificates(&self.certificate).ok()?;
        let day = expires_within(&self.certificate, certificates.first()?, SOON_DAYS)?;
        Some(format!(
            "{}: the certificate expires on {day}; a new one, as `vezir certs --force` makes, and SIGHUP would be \
             right",
            self.certificate.display()
        ))
    }

    /// What a new connection is served with.
    pub(crate) fn current(&self) -> Arc<ServerConfig> {
        self.config.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn configure(certificate: &Path, key: &Path) -> Result<ServerConfig, TlsError> {
    let chain = read_certificates(certificate)?;
    check_dates(certificate, &chain[0])?;
    let private = read_key(key)?;
    let refused = |error| match error {
        Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
            TlsError::Mismatch { certificate: certificate.to_owned(), key: key.to_owned() }
        }
        error => TlsError::Unusable { path: certificate.to_owned(), error },
    };
    let versions = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
    let builder = versions.map_err(refused)?.with_no_client_auth();
    let mut config = builder.with_single_cert(chain, private).map_err(refused)?;
    config.alpn_protocols.push(HTTP2.to_vec());
    Ok(config)
}
