//! `vezir certs`: makes a CA of one's own, and certificates for coordinators.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, PublicKeyData,
};
use tokio_rustls::rustls::pki_types::DnsName;

use crate::args::CertsArgs;
use crate::exit::{Exit, Failure};
use crate::talk::{print, say};
use crate::tls::{ServerTls, TlsError, date, read_certificates, subject_names, validity};

/// How long a CA is valid.
const CA_DAYS: i64 = 3650;

/// How long before now certificates begin to be valid, for the sake of clocks that are behind.
const GRACE_DAYS: i64 = 1;

/// By what a coordinator is called on its own machine.
const LOCAL_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// The common names. They must differ, or some programs take a certificate for its own CA.
const CA_NAME: &str = "Vezir development CA";
const LEAF_NAME: &str = "Vezir coordinator";

/// Makes what is missing, and says where it is.
pub(crate) fn run(args: &CertsArgs) -> Result<Exit, Failure> {
    let made = make(args)?;
    let files = &made.files;
    if made.kept_ca {
        say(&format!("{} is kept", files.ca.display()));
    }
    say(&format!("valid until {} for {}", made.until, made.names.join(", ")));
    let all = [&files.ca, &files.ca_key, &files.leaf, &files.leaf_key];
    print(&all.map(|path| format!("{}\n", path.display())).concat())?;
    Ok(Exit::Done)
}

/// What a folder holds afterwards.
pub(crate) struct Made {
    files: Files,
    kept_ca: bool,
    /// The last day of the coordinator's certificate.
    until: String,
    names: Vec<String>,
}

pub(crate) fn make(args: &CertsArgs) -> Result<Made, Failure> {
    let files = Files::of(&args.folder);
    let there = [&files.leaf, &files.leaf_key].into_iter().find(|path| path.exists());
    if let (Some(there), false) = (there, args.force) {
        let sentence = format!(
            "{}: it is there already; --force, which replaces it and keeps the CA, or another --folder would be \
             right",
            there.display()
        );
        return Err(Failure::new(Exit::Usage, sentence));
    }
    // One who only renews wants the names of before.
    let names = if args.names.is_empty() && files.leaf.exists() {
        names(&subject_names(&files.leaf)?)?
    } else {
        names(&args.names)?
    };
    fs::create_dir_all(&args.folder).map_err(|error| unwritable(&args.folder, &error))?;
    let existing = files.existing_ca()?;
    let kept_ca = existing.is_some();
    let ca = existing.map_or_else(|| files.new_ca(), Ok)?;
    files.new_leaf(&ca, &names, args.days)?;
    // What was written must be right for the one who reads it: the coordinator.
    ServerTls::open(&files.leaf, &files.leaf_key)?;
    let until = date(&validity(&files.leaf, &read_certificates(&files.leaf)?[0])?.not_after);
    Ok(Made { files, kept_ca, until, names })
}

/// The files of a folder.
struct Files {
    ca: PathBuf,
    ca_key: PathBuf,
    leaf: PathBuf,
    leaf_key: PathBuf,
}

/// A CA that can sign.
struct Ca {
    issuer: Issuer<'static, KeyPair>,
    /// Its last second, since 1970: nothing that it signs is valid longer.
    not_after: i64,
}

impl Files {
    fn of(folder: &Path) -> Files {
        Files {
            ca: folder.join("ca.pem"),
            ca_key: folder.join("ca-key.pem"),
            leaf: folder.join("coordinator.pem"),
            leaf_key: folder.join("coordinator-key.pem"),
        }
    }

    /// The CA that the folder has.
    fn existing_ca(&self) -> Result<Option<Ca>, Failure> {
        if !self.ca.exists() && !self.ca_key.exists() {
            return Ok(None);
        }
        let certificate = read_certificates(&self.ca)?.swap_remove(0);
        let not_after = validity(&self.ca, &certificate)?.not_after;
        if not_after.timestamp() <= since_1970(0) {
            let sentence = format!(
                "{}: this CA expired on {}; another --folder, for a new one, would be right",
                self.ca.display(),
                date(&not_after)
            );
            return Err(Failure::new(Exit::BadInput, sentence));
        }
        let pem = fs::read_to_string(&self.ca_key)
            .map_err(|error| TlsError::Unreadable { path: self.ca_key.clone(), error })?;
        let no_key = TlsError::NotPem { path: self.ca_key.clone(), what: "private key" };
        let key = KeyPair::from_pem(&pem).map_err(|_| no_key)?;
        let fits = x509_parser::parse_x509_certificate(&certificate)
            .is_ok_and(|(_, parsed)| parsed.public_key().raw == key.subject_public_key_info());
        if !fits {
            return Err(TlsError::Mismatch { certificate: self.ca.clone(), key: self.ca_key.clone() }.into());
        }
        let issuer = Issuer::from_ca_cert_der(&certificate, key).map_err(unmade)?;
        Ok(Some(Ca { issuer, not_after: not_after.timestamp() }))
    }

    fn new_ca(&self) -> Result<Ca, Failure> {
        let key = KeyPair::generate().map_err(unmade)?;
        let mut params = CertificateParams::default();
        // A number of its own tells it from other CAs that were made like it.
        let number = key
            .subject_public_key_info()
            .iter()
            .rev()
            .take(4)
            .fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
        params.distinguished_name.push(DnType::CommonName, format!("{CA_NAME} {number:08x}"));
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let not_after = since_1970(CA_DAYS);
        params.not_before = moment(since_1970(-GRACE_DAYS)).into();
        params.not_after = moment(not_after).into();
        let certificate = params.self_signed(&key).map_err(unmade)?;
        write_pair(&self.ca, &certificate, &self.ca_key, &key)?;
        Ok(Ca { issuer: Issuer::new(params, key), not_after })
    }

    fn new_leaf(&self, ca: &Ca, names: &[String], days: i64) -> Result<(), Failure> {
        let key = KeyPair::generate().map_err(unmade)?;
        let mut params = CertificateParams::new(names).map_err(unmade)?;
        params.distinguished_name.push(DnType::CommonName, LEAF_NAME);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        params.not_before = moment(since_1970(-GRACE_DAYS)).into();
        params.not_after = moment(since_1970(days).min(ca.not_after)).into();
        let certificate = params.signed_by(&key, &ca.issuer).map_err(unmade)?;
        write_pair(&self.leaf, &certificate, &self.leaf_key, &key)
    }
}

/// The names that were given and the local ones, each once.
fn names(given: &[String]) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for name in given.iter().map(String::as_str).chain(LOCAL_NAMES) {
        let bare = name.strip_prefix("*.").unwrap_or(name);
        if name.parse::<IpAddr>().is_err() && DnsName::try_from(bare).is_err() {
            let sentence =
                format!("{name:?} is no host name or address; one as chess.example.org would be right");
            return Err(Failure::new(Exit::Usage, sentence));
        }
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// Seconds since 1970, in so many days from now.
fn since_1970(days: i64) -> i64 {
    const DAY: i64 = 24 * 60 * 60;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_secs()).unwrap_or(i64::MAX).saturating_add(days * DAY)
}

fn moment(seconds: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).unwrap_or_default())
}

fn write_pair(at: &Path, certificate: &Certificate, key_at: &Path, key: &KeyPair) -> Result<(), Failure> {
    // The key first: a certificate without its key is worse to find than the other way round.
    write(key_at, &key.serialize_pem(), 0o600).map_err(|error| unwritable(key_at, &error))?;
    write(at, &certificate.pem(), 0o644).map_err(|error| unwritable(at, &error))
}

/// Puts a whole file in the place of what may be there, with these permissions from its first byte on.
fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    if let Err(error) = fs::remove_file(&beside)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    let mut file = options.open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let sentence = format!("{}: {error}; a folder that may be written would be right", path.display());
    Failure::new(Exit::Unserved, sentence)
}

fn unmade(error: rcgen::Error) -> Failure {
    Failure::new(Exit::Unserved, format!("the certificate cannot be made: {error}"))
}

impl From<TlsError> for Failure {
    fn from(error: TlsError) -> Failure {
        Failure::new(Exit::BadInput, error.to_string())
    }
}

#[cfg(test)]
#[path = "certs_tests.rs"]
mod tests;
