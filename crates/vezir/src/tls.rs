//! TLS: what is read from certificate and key files, for the side that serves and the side that calls.

mod client;
mod material;
mod server;

use std::sync::Arc;

use tokio_rustls::rustls::crypto::{CryptoProvider, aws_lc_rs};

pub(crate) use client::ClientTls;
pub(crate) use material::{TlsError, date, day_of, read_certificates, subject_names, validity};
pub(crate) use server::ServerTls;

/// The cryptography that is used everywhere. Named, so that it does not depend on what else is linked.
fn provider() -> Arc<CryptoProvider> {
    if CryptoProvider::get_default().is_none() {
        // Somebody else may have been faster: then theirs is as good.
        let _ = aws_lc_rs::default_provider().install_default();
    }
    CryptoProvider::get_default().cloned().unwrap_or_else(|| Arc::new(aws_lc_rs::default_provider()))
}
