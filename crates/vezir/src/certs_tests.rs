//! Tests of making certificates.

use std::net::{Ipv4Addr, Ipv6Addr};

use tempfile::TempDir;

use super::*;
use crate::tls::{ClientTls, subject_names};

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("there is room"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("certs").join(name)
    }

    fn make(&self, names: &[&str], days: i64, force: bool) -> Result<Made, Failure> {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        make(&CertsArgs { names, folder: self.0.path().join("certs"), days, force })
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("it is there")
    }

    fn open(&self) -> Result<ServerTls, TlsError> {
        ServerTls::open(&self.path("coordinator.pem"), &self.path("coordinator-key.pem"))
    }
}

fn sentence<T>(outcome: Result<T, Failure>, exit: Exit) -> String {
    let failure = outcome.err().expect("it cannot be done");
    assert_eq!(failure.exit, exit, "{failure}");
    assert!(failure.to_string().contains("would be right"), "{failure}");
    failure.to_string()
}

#[test]
fn a_certificate_is_for_its_names_and_the_local_ones() {
    let folder = Folder::new();
    let made = folder.make(&["chess.example.org", "*.example.org", "10.0.0.7", "::1"], 30, false);
    let made = made.expect("it can be made");
    let names = ["chess.example.org", "*.example.org", "10.0.0.7", "::1", "localhost", "127.0.0.1"];
    assert_eq!(made.names, names);
    assert_eq!(subject_names(&made.files.leaf).expect("it can be read"), names);
    assert!(!made.kept_ca);
    let [ca, leaf] = [&made.files.ca, &made.files.leaf].map(|path| {
        let certificate = read_certificates(path).expect("it can be read").swap_remove(0);
        let (_, parsed) = x509_parser::parse_x509_certificate(&certificate).expect("it can be read");
        (parsed.subject().to_string(), parsed.issuer().to_string(), parsed.is_ca())
    });
    assert_eq!((&ca.0, ca.2, leaf.2), (&ca.1, true, false));
    assert_eq!(leaf.1, ca.0);
    assert_ne!(leaf.0, ca.0, "some programs take a certificate of its CA's name for the CA");
}

#[cfg(unix)]
#[test]
fn keys_are_their_owners_alone() {
    let folder = Folder::new();
    for force in [false, true] {
        folder.make(&[], 30, force).expect("it can be made");
        for (name, mode) in [("ca-key.pem", 0o600), ("coordinator-key.pem", 0o600)] {
            let metadata = fs::metadata(folder.path(name)).expect("it is there");
            assert_eq!(std::os::unix::fs::MetadataExt::mode(&metadata) & 0o777, mode, "{name}");
        }
        assert_eq!(fs::read_dir(folder.path("")).expect("it is there").count(), 4);
    }
}

#[test]
fn nothing_is_replaced_unasked_and_a_renewal_keeps_ca_and_names() {
    let folder = Folder::new();
    folder.make(&["chess.example.org"], 30, false).expect("it can be made");
    let before =
        ["ca.pem", "ca-key.pem", "coordinator.pem", "coordinator-key.pem"].map(|name| folder.read(name));
    let told = sentence(folder.make(&[], 30, false), Exit::Usage);
    assert!(told.contains("coordinator.pem: it is there already; --force"), "{told}");
    let made = folder.make(&[], 30, true).expect("it can be renewed");
    assert!(made.kept_ca);
    assert_eq!(made.names[0], "chess.example.org");
    let after =
        ["ca.pem", "ca-key.pem", "coordinator.pem", "coordinator-key.pem"].map(|name| folder.read(name));
    assert_eq!(before.each_ref().map(String::as_str)[..2], after.each_ref().map(String::as_str)[..2]);
    assert!(before[2] != after[2] && before[3] != after[3]);
    // A key alone is not replaced either.
    fs::remove_file(folder.path("coordinator.pem")).expect("it is ours");
    let told = sentence(folder.make(&[], 30, false), Exit::Usage);
    assert!(told.contains("coordinator-key.pem"), "{told}");
}

#[test]
fn nothing_outlives_its_ca() {
    let folder = Folder::new();
    folder.make(&[], CA_DAYS, false).expect("it can be made");
    let last = |name| {
        let certificates = read_certificates(&folder.path(name)).expect("it can be read");
        validity(&folder.path(name), &certificates[0]).expect("it can be read").not_after.timestamp()
    };
    assert!(last("coordinator.pem") <= last("ca.pem"));
    folder.make(&[], 1, true).expect("it can be made");
    assert!(last("coordinator.pem") < since_1970(2));
}

#[test]
fn what_is_no_name_or_no_pair_is_told() {
    let folder = Folder::new();
    for name in ["", "bad name", "-", "http://here", "here:1", "*", "a..b"] {
        let told = sentence(folder.make(&[name], 30, false), Exit::Usage);
        assert!(told.contains("is no host name or address"), "{name}: {told}");
    }
    assert!(!folder.path("").exists(), "nothing is begun before the names are right");
    folder.make(&[], 30, false).expect("it can be made");
    let other = Folder::new();
    other.make(&[], 30, false).expect("it can be made");
    fs::copy(other.path("ca-key.pem"), folder.path("ca-key.pem")).expect("there is room");
    let told = sentence(folder.make(&[], 30, true), Exit::BadInput);
    assert!(told.contains("ca.pem: the key in") && told.contains("does not fit"), "{told}");
    fs::write(folder.path("ca-key.pem"), "nonsense").expect("there is room");
    assert!(sentence(folder.make(&[], 30, true), Exit::BadInput).contains("no private key in PEM"));
    fs::remove_file(folder.path("ca-key.pem")).expect("it is ours");
    assert!(sentence(folder.make(&[], 30, true), Exit::BadInput).contains("ca-key.pem: "));
}

#[test]
fn a_coordinator_is_told_what_is_wrong_with_its_files() {
    let (folder, other) = (Folder::new(), Folder::new());
    folder.make(&[], 30, false).expect("it can be made");
    other.make(&[], 30, false).expect("it can be made");
    let (leaf, key) = (folder.path("coordinator.pem"), folder.path("coordinator-key.pem"));
    let said = |certificate: &Path, key: &Path| {
        ServerTls::open(certificate, key).err().expect("they are wrong").to_string()
    };
    assert!(said(&folder.path("none.pem"), &key).contains("none.pem: No such file"));
    assert!(said(&leaf, &folder.path("none.pem")).contains("none.pem: No such file"));
    assert!(said(&key, &key).contains("coordinator-key.pem: it holds no certificate in PEM"));
    assert!(said(&leaf, &leaf).contains("coordinator.pem: it holds no private key in PEM"));
    assert!(said(&leaf, &other.path("coordinator-key.pem")).contains("does not fit this certificate"));
    let damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    fs::write(folder.path("damaged.pem"), damaged).expect("there is room");
    assert!(said(&folder.path("damaged.pem"), &key).contains("damaged.pem: its certificate is damaged"));
    fs::write(folder.path("large.pem"), vec![b' '; (1 << 20) + 1]).expect("there is room");
    assert!(said(&folder.path("large.pem"), &key).contains("large.pem: the file is too large"));
    let expired = folder.make(&[], -GRACE_DAYS, true).err().expect("it is too old at once").to_string();
    assert!(expired.contains("coordinator.pem: the certificate expired on 20"), "{expired}");
    assert!(folder.open().is_err());
}

#[test]
fn a_certificate_is_replaced_while_it_is_used_and_a_wrong_one_is_not() {
    let folder = Folder::new();
    folder.make(&[], 30, false).expect("it can be made");
    let tls = folder.open().expect("they are right");
    let first = tls.current();
    folder.make(&[], 30, true).expect("it can be renewed");
    tls.reload().expect("they are right");
    let second = tls.current();
    assert!(!std::sync::Arc::ptr_eq(&first, &second));
    fs::write(folder.path("coordinator.pem"), "nonsense").expect("there is room");
    assert!(tls.reload().is_err());
    assert!(std::sync::Arc::ptr_eq(&second, &tls.current()));
}

#[test]
fn a_bundle_is_right_as_long_as_one_of_its_cas_is() {
    let (folder, other) = (Folder::new(), Folder::new());
    folder.make(&[], 30, false).expect("it can be made");
    other.make(&[], 30, false).expect("it can be made");
    let open = |text: &str| {
        fs::write(folder.path("bundle.pem"), text).expect("there is room");
        ClientTls::open(&folder.path("bundle.pem"), Duration::from_secs(1)).map_err(|error| error.to_string())
    };
    let expired = {
        let _ = other.make(&[], -GRACE_DAYS, true);
        other.read("coordinator.pem")
    };
    open(&format!("two CAs\n{}{}", folder.read("ca.pem"), other.read("ca.pem"))).expect("they are right");
    open(&format!("{expired}{}", folder.read("ca.pem"))).expect("one of them is right");
    assert!(open(&expired).expect_err("it is too old").contains("expired on"));
    assert!(open("").expect_err("it is empty").contains("no certificate in PEM"));
    assert!(open(&folder.read("ca-key.pem")).expect_err("it is a key").contains("no certificate in PEM"));
}

#[test]
fn addresses_are_read_back_from_certificates() {
    let folder = Folder::new();
    let (v4, v6) = (Ipv4Addr::new(10, 1, 2, 3), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1));
    let made = folder.make(&[&v4.to_string(), &v6.to_string()], 30, false).expect("it can be made");
    let names = subject_names(&made.files.leaf).expect("it can be read");
    assert_eq!(names[..2], [v4.to_string(), v6.to_string()]);
}
