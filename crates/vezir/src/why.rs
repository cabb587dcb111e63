//! Why a coordinator cannot be reached, as one plain sentence: found in the depths of what the libraries say.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::IpAddr;

use tokio_rustls::rustls::{self, CertificateError};

use crate::tls::day_of;

/// Why nothing came of calling `address`, which is how the user wrote it.
pub(crate) fn say_why(address: &str, error: &(dyn Error + 'static)) -> String {
    let plain = address.starts_with("http://");
    let cause = Causes(Some(error)).find_map(|cause| recognize(cause, plain));
    match cause {
        Some(cause) => format!("{address}: {cause}"),
        None => format!("{address}: it cannot be reached: {}", last(error)),
    }
}

/// What is said of one who says nothing.
pub(crate) const SILENT: &str = "it did not answer in time; a coordinator that is up would be right";

/// Whether nobody is there, who may come: an address that is right, of a machine or a process that is down.
pub(crate) fn is_absence(error: &(dyn Error + 'static)) -> bool {
    let cause = Causes(Some(error)).find_map(|cause| recognize(cause, false));
    matches!(cause, Some(Cause::Refused | Cause::NoWay | Cause::Silent))
}

/// What is known to go wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Cause {
    Refused,
    NoSuchHost,
    NoWay,
    Silent,
    WrongCa,
    WrongName { expected: String, presented: String },
    Expired(Option<String>),
    NotYetValid(Option<String>),
    BadCertificate(String),
    NoTls,
    WantsTls,
    HungUp,
    Tls(String),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Refused => f.write_str("nothing listens there; a coordinator's address would be right"),
            Cause::NoSuchHost => f.write_str("there is no host of this name; a coordinator's would be right"),
            Cause::NoWay => f.write_str("no way leads there; an address in reach would be right"),
            Cause::Silent => f.write_str(SILENT),
            Cause::WrongCa => f.write_str(
                "its certificate was not signed by a CA of yours; --ca with the ca.pem of that coordinator would \
                 be right",
            ),
            Cause::WrongName { expected, presented } => write!(
                f,
                "its certificate is not for {expected} but for {presented}; one of these names would be right"
            ),
            Cause::Expired(day) => {
                write!(f, "its certificate expired{}; a new one there would be right", on(day))
            }
            Cause::NotYetValid(day) => {
                write!(f, "its certificate is not valid yet{}; a clock that goes right would be right", on(day))
            }
            Cause::BadCertificate(why) => write!(f, "its certificate cannot be trusted: {why}"),
            Cause::NoTls => f.write_str("it does not speak TLS; http:// would be right, on loopback only"),
            Cause::WantsTls => f.write_str("it hung up; if it wants TLS, https:// and --ca would be right"),
            Cause::HungUp => f.write_str("it hung up; it may have stopped, or have no room for more"),
            Cause::Tls(why) => write!(f, "TLS failed: {why}"),
        }
    }
}

fn on(day: &Option<String>) -> String {
    day.as_ref().map(|day| format!(" on {day}")).unwrap_or_default()
}

/// An error and what lies below it, those inside of the system's errors too.
struct Causes<'a>(Option<&'a (dyn Error + 'static)>);

impl<'a> Iterator for Causes<'a> {
    type Item = &'a (dyn Error + 'static);

    fn next(&mut self) -> Option<Self::Item> {
        let error = self.0?;
        // What an error of the system wraps is not among its sources.
        let inside = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        self.0 = inside.map(|inside| inside as &(dyn Error + 'static)).or_else(|| error.source());
        Some(error)
    }
}

/// What the innermost error says.
fn last(error: &(dyn Error + 'static)) -> String {
    Causes(Some(error)).last().map(ToString::to_string).unwrap_or_default()
}

fn recognize(error: &(dyn Error + 'static), plain: bool) -> Option<Cause> {
    if let Some(error) = error.downcast_ref::<rustls::Error>() {
        return Some(tls(error));
    }
    if let Some(error) = error.downcast_ref::<io::Error>()
        && error.get_ref().is_none_or(|inside| !inside.is::<rustls::Error>())
    {
        return system(error, plain);
    }
    // These have no public type of their own.
    let said = error.to_string().to_lowercase();
    if said.contains("timeout") || said.contains("timed out") {
        return Some(Cause::Silent);
    }
    if plain && said.contains("http2 error") {
        return Some(Cause::WantsTls);
    }
    // One who wants TLS may hang up before or after the first words.
    if said.contains("connection closed") {
        return Some(if plain { Cause::WantsTls } else { Cause::HungUp });
    }
    said.contains("http/2 was not negotiated").then_some(Cause::NoTls)
}

fn system(error: &io::Error, plain: bool) -> Option<Cause> {
    match error.kind() {
        ErrorKind::ConnectionRefused => Some(Cause::Refused),
        ErrorKind::TimedOut => Some(Cause::Silent),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => Some(Cause::NoWay),
        ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
            Some(if plain { Cause::WantsTls } else { Cause::HungUp })
        }
        // Resolvers have no kind of their own.
        _ if error.to_string().contains("lookup address") => Some(Cause::NoSuchHost),
        _ => None,
    }
}

fn tls(error: &rustls::Error) -> Cause {
    match error {
        rustls::Error::InvalidCertificate(error) => certificate(error),
        rustls::Error::InvalidMessage(_) => Cause::NoTls,
        error => Cause::Tls(error.to_string()),
    }
}

fn certificate(error: &CertificateError) -> Cause {
    match error {
        // The second is what a CA of the same name with another key comes to.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => Cause::WrongCa,
        CertificateError::NotValidForNameContext { expected, presented } => {
            Cause::WrongName { expected: expected.to_str().into_owned(), presented: names(presented) }
        }
        CertificateError::Expired => Cause::Expired(None),
        CertificateError::ExpiredContext { not_after, .. } => Cause::Expired(day_of(not_after.as_secs())),
        CertificateError::NotValidYet => Cause::NotYetValid(None),
        CertificateError::NotValidYetContext { not_before, .. } => {
            Cause::NotYetValid(day_of(not_before.as_secs()))
        }
        error => Cause::BadCertificate(error.to_string()),
    }
}

/// The names of a certificate, without the kinds that the library puts around them.
fn names(presented: &[String]) -> String {
    let bare = presented.iter().map(|name| {
        let inside = name.split_once('(').map_or(name.as_str(), |(_, inside)| inside);
        let inside = inside.trim_end_matches(')').trim_matches('"');
        inside.parse::<IpAddr>().map_or_else(|_| inside.to_owned(), |address| address.to_string())
    });
    let bare: Vec<String> = bare.collect();
    if bare.is_empty() { "no name at all".to_owned() } else { bare.join(", ") }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio_rustls::rustls::pki_types::{ServerName, UnixTime};

    use super::*;

    fn said(error: impl Error + 'static) -> String {
        say_why("https://here:1", &error)
    }

    fn of_certificate(error: CertificateError) -> String {
        // As it comes: an error of TLS inside one of the system.
        said(io::Error::new(ErrorKind::InvalidData, rustls::Error::InvalidCertificate(error)))
    }

    fn day(seconds: u64) -> UnixTime {
        UnixTime::since_unix_epoch(Duration::from_secs(seconds))
    }

    #[test]
    fn dates_of_certificates_are_told() {
        let expired = CertificateError::ExpiredContext { time: day(0), not_after: day(1_800_000_000) };
        let told = of_certificate(expired);
        assert_eq!(
            told,
            "https://here:1: its certificate expired on 2027-01-15; a new one there would be right"
        );
        let early = CertificateError::NotValidYetContext { time: day(0), not_before: day(1_800_000_000) };
        assert!(of_certificate(early).contains("is not valid yet on 2027-01-15; a clock that goes right"));
        assert!(of_certificate(CertificateError::Expired).contains("its certificate expired; "));
    }

    #[test]
    fn a_ca_of_the_same_name_with_another_key_is_a_wrong_one() {
        for error in [CertificateError::BadSignature, CertificateError::UnknownIssuer] {
            assert!(of_certificate(error).contains("was not signed by a CA of yours"));
        }
    }

    #[test]
    fn names_are_told_bare() {
        let expected = ServerName::try_from("there").expect("it is a name");
        let presented = vec!["DnsName(\"here\")".to_owned(), "IpAddress(0::1)".to_owned()];
        let told = of_certificate(CertificateError::NotValidForNameContext { expected, presented });
        assert!(told.contains("is not for there but for here, ::1; one"), "{told}");
    }

    #[test]
    fn one_who_hangs_up_may_want_tls() {
        let hung_up = || io::Error::other("connection closed");
        assert!(say_why("http://here:1", &hung_up()).contains("if it wants TLS, https:// and --ca"));
        assert!(said(hung_up()).contains("it may have stopped"));
    }

    #[test]
    fn what_is_not_known_is_told_as_it_is() {
        assert_eq!(said(io::Error::other("moon")), "https://here:1: it cannot be reached: moon");
    }
}
