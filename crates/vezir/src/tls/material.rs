//! Certificates and keys as files hold them.

use std::fs::File;
use std::io::{self, Read};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use x509_parser::certificate::{Validity, X509Certificate};
use x509_parser::extensions::GeneralName;
use x509_parser::time::ASN1Time;

/// The largest file that is read: a system's whole bundle of CAs takes a quarter of it.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The certificates of a PEM file, at least one.
///
/// # Errors
/// [`TlsError`], of the file.
pub(crate) fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let bytes = read(path)?;
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    match read {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        _ => Err(TlsError::NotPem { path: path.to_owned(), what: "certificate" }),
    }
}

/// The private key of a PEM file.
///
/// # Errors
/// [`TlsError`], of the file.
pub(super) fn read_key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let bytes = read(path)?;
    PrivateKeyDer::from_pem_slice(&bytes)
        .map_err(|_| TlsError::NotPem { path: path.to_owned(), what: "private key" })
}

/// From when until when a certificate may be used.
///
/// # Errors
/// [`TlsError::Damaged`].
pub(crate) fn validity(path: &Path, certificate: &CertificateDer<'_>) -> Result<Validity, TlsError> {
    Ok(parse(path, certificate)?.validity().clone())
}

/// The host names and addresses that the first certificate of a file is for.
///
/// # Errors
/// [`TlsError`], of the file.
pub(crate) fn subject_names(path: &Path) -> Result<Vec<String>, TlsError> {
    let certificates = read_certificates(path)?;
    let parsed = parse(path, &certificates[0])?;
    let damaged = |_| TlsError::Damaged { path: path.to_owned() };
    let names = parsed.subject_alternative_name().map_err(damaged)?;
    let names = names.map(|names| names.value.general_names.as_slice()).unwrap_or_default();
    Ok(names.iter().filter_map(subject_name).collect())
}

fn subject_name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress(bytes) => {
            let v4 = <[u8; 4]>::try_from(*bytes).map(IpAddr::from);
            let address = v4.or_else(|_| <[u8; 16]>::try_from(*bytes).map(IpAddr::from));
            address.ok().map(|address| address.to_string())
        }
        _ => None,
    }
}

fn parse<'a>(path: &Path, certificate: &'a CertificateDer<'_>) -> Result<X509Certificate<'a>, TlsError> {
    let parsed = x509_parser::parse_x509_certificate(certificate);
    parsed.map(|(_, parsed)| parsed).map_err(|_| TlsError::Damaged { path: path.to_owned() })
}

/// Refuses a certificate that may not be used today.
pub(super) fn check_dates(path: &Path, certificate: &CertificateDer<'_>) -> Result<(), TlsError> {
    let validity = validity(path, certificate)?;
    let now = now();
    if now > validity.not_after.timestamp() {
        return Err(TlsError::Expired { path: path.to_owned(), day: date(&validity.not_after) });
    }
    if now < validity.not_before.timestamp() {
        return Err(TlsError::NotYetValid { path: path.to_owned(), day: date(&validity.not_before) });
    }
    Ok(())
}

/// A time as its day, as `2027-01-31`.
pub(crate) fn date(time: &ASN1Time) -> String {
    time.to_datetime().date().to_string()
}

/// The day of a number of seconds since 1970; nothing where no calendar has it.
pub(crate) fn day_of(seconds: u64) -> Option<String> {
    let seconds = i64::try_from(seconds).ok()?;
    ASN1Time::from_timestamp(seconds).ok().map(|time| date(&time))
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    let unreadable = |error| TlsError::Unreadable { path: path.to_owned(), error };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(TlsError::TooLarge { path: path.to_owned() });
    }
    Ok(bytes)
}

/// Why certificates or keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TlsError {
    /// A file is not there or may not be read.
    #[error("{}: {error}; a PEM file, as `vezir certs` makes it, would be right", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file is larger than any that is meant.
    #[error("{}: the file is too large; at most {MAX_FILE_BYTES} bytes would be right", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A file holds something else.
    #[error("{}: it holds no {what} in PEM; a file that begins with -----BEGIN would be right", .path.display())]
    NotPem {
        /// The file.
        path: PathBuf,
        /// What it should hold.
        what: &'static str,
    },
    /// What is inside the PEM cannot be read.
    #[error("{}: its certificate is damaged; one that `vezir certs` makes would be right", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The two files are not of one pair.
    #[error(
        "{}: the key in {} does not fit this certificate; the key that was made with it would be right",
        .certificate.display(),
        .key.display()
    )]
    Mismatch {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
    },
    /// The certificate is too old.
    #[error("{}: the certificate expired on {day}; a new one, as `vezir certs --force` makes, would be right", .path.display())]
    Expired {
        /// The file.
        path: PathBuf,
        /// Its last day.
        day: String,
    },
    /// The certificate is too young.
    #[error(
        "{}: the certificate is valid from {day} only; one that is valid today, or a clock that goes right, \
         would be right",
        .path.display()
    )]
    NotYetValid {
        /// The file.
        path: PathBuf,
        /// Its first day.
        day: String,
    },
    /// The library refuses the pair for another reason.
    #[error("{}: it cannot be used for TLS: {error}; one that `vezir certs` makes would be right", .path.display())]
    Unusable {
        /// The certificate's file.
        path: PathBuf,
        /// What the library says.
        error: tokio_rustls::rustls::Error,
    },
}
