//! Which addresses may be listened on without TLS and tokens: those that other machines cannot reach, and for
//! metrics those that somebody means them to.

use std::net::SocketAddr;

/// Whether a coordinator may listen on `address`, given whether it has TLS and a file of tokens.
///
/// # Errors
/// [`Exposed`], a sentence that says what is missing.
pub(crate) fn may_listen(address: &SocketAddr, tls: bool, tokens: bool) -> Result<(), Exposed> {
    // An IPv4 address in IPv6 clothes reaches as far as the address inside.
    let missing = match (tls, tokens) {
        _ if address.ip().to_canonical().is_loopback() => return Ok(()),
        (true, true) => return Ok(()),
        (true, false) => "a token file (--tokens)",
        (false, true) => "TLS (--tls-cert and --tls-key)",
        (false, false) => "TLS and a token file (--tls-cert, --tls-key and --tokens)",
    };
    Err(Exposed { address: *address, missing })
}

/// Whether a coordinator may listen on all of these, as a name may stand for several.
///
/// # Errors
/// [`Exposed`], of the first that it may not.
pub(crate) fn may_listen_on_all(addresses: &[SocketAddr], tls: bool, tokens: bool) -> Result<(), Exposed> {
    addresses.iter().try_for_each(|address| may_listen(address, tls, tokens))
}

/// Whether metrics may be shown on `address`. They hold no secrets, but tell everybody who asks what goes on.
///
/// # Errors
/// [`Shown`], a sentence that says how it may be.
pub(crate) fn may_show(address: &SocketAddr, meant: bool) -> Result<(), Shown> {
    let here = address.ip().to_canonical().is_loopback();
    if here || meant { Ok(()) } else { Err(Shown { address: *address }) }
}

/// An address of metrics that others can reach, and nobody said that they should.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "other machines can reach {address}, and metrics ask nobody for a token; an address of loopback as 127.0.0.1, \
     or --metrics-exposed if that is meant, would be right"
)]
pub(crate) struct Shown {
    address: SocketAddr,
}

/// An address that others can reach, without what it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "other machines can reach {address}; {missing}, as `vezir certs` and `vezir tokens add` make them, or an \
     address of loopback as 127.0.0.1 would be right"
)]
pub(crate) struct Exposed {
    address: SocketAddr,
    missing: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> SocketAddr {
        text.parse().expect("it is an address")
    }

    #[test]
    fn loopback_takes_nothing() {
        for text in ["127.0.0.1:0", "127.255.1.2:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
            for (tls, tokens) in [(false, false), (false, true), (true, false), (true, true)] {
                assert_eq!(may_listen(&address(text), tls, tokens), Ok(()), "{text}");
            }
        }
    }

    #[test]
    fn any_other_address_takes_both() {
        let exposed = [
            "0.0.0.0:1",
            "[::]:1",
            "10.0.0.7:1",
            "192.168.1.1:1",
            "128.0.0.1:1",
            "[::ffff:0.0.0.0]:1",
            "[::ffff:10.0.0.7]:1",
            "[fe80::1]:1",
            "[2001:db8::1]:1",
        ];
        for text in exposed {
            for (tls, tokens) in [(false, false), (false, true), (true, false)] {
                let told = may_listen(&address(text), tls, tokens).expect_err("it is exposed").to_string();
                assert_eq!(told.contains("--tls-cert"), !tls, "{told}");
                assert_eq!(told.contains("--tokens"), !tokens, "{told}");
                assert!(told.lines().count() == 1 && told.contains("would be right"), "{told}");
            }
            assert_eq!(may_listen(&address(text), true, true), Ok(()), "{text}");
        }
    }

    #[test]
    fn metrics_are_shown_to_others_only_where_that_is_meant() {
        for (text, others) in
            [("127.0.0.1:1", false), ("[::1]:1", false), ("0.0.0.0:1", true), ("10.0.0.7:1", true)]
        {
            assert_eq!(may_show(&address(text), false).is_err(), others, "{text}");
            assert_eq!(may_show(&address(text), true), Ok(()), "{text}");
        }
        let told = may_show(&address("[::]:1"), false).expect_err("it is exposed").to_string();
        assert!(told.contains("--metrics-exposed") && told.lines().count() == 1, "{told}");
    }

    #[test]
    fn a_name_is_as_exposed_as_the_worst_of_its_addresses() {
        let both = [address("127.0.0.1:1"), address("[::1]:1")];
        assert_eq!(may_listen_on_all(&both, false, false), Ok(()));
        let mixed = [address("127.0.0.1:1"), address("10.0.0.7:1")];
        let told = may_listen_on_all(&mixed, false, false).expect_err("one is exposed").to_string();
        assert!(told.contains("10.0.0.7:1"), "{told}");
    }
}
