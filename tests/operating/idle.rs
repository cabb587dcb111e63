//! Two thousand connections that do nothing, beside a worker that works.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use vezir_tests::serving::{Service, answer, await_some};

/// Idle connections: half of them speak HTTP/2 and then ask for nothing, half of them never say a word.
const IDLE: usize = 2_000;

/// How HTTP/2 begins, with settings that ask for nothing.
const GREETING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// What one idle connection may cost its coordinator at the very most, in bytes.
const MOST_BYTES: f64 = 64.0 * 1024.0;

/// Lets this process have so many files open, as far as the system allows.
fn make_room(files: u64) {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).expect("there is a limit");
    if soft < files {
        setrlimit(Resource::RLIMIT_NOFILE, files.min(hard), hard)
            .expect("a limit may be raised to the hard one");
    }
}

#[test]
fn two_thousand_idle_connections_disturb_nobody() {
    make_room(IDLE as u64 + 512);
    let coordinator = Service::coordinator(&[]);
    let address = coordinator.address();
    let plain = address.strip_prefix("http://").expect("loopback does without TLS");
    let before = coordinator.shown("process_resident_memory_bytes");
    let mut idle = Vec::with_capacity(IDLE);
    for number in 0..IDLE {
        let mut stream =
            TcpStream::connect(plain).unwrap_or_else(|error| panic!("connection {number}: {error}"));
        if number % 2 == 0 {
            stream.write_all(GREETING).expect("somebody listens");
        }
        idle.push(stream);
    }
    let accepted = "vezir_listener_connections_total{fate=\"accepted\"}";
    await_some("all to be accepted", || (coordinator.shown(accepted) >= IDLE as f64).then_some(()));
    let crowded = coordinator.shown("process_resident_memory_bytes");
    assert!(coordinator.shown("vezir_connections") >= IDLE as f64 / 2.0);

    let worker = Service::worker(&address, &[]);
    let counted = answer(&["perft", "6", "--coordinator", &address]);
    assert_eq!(counted.trim_end(), "Nodes searched: 119060324");
    let expired = coordinator.shown("vezir_leases_ended_total{end=\"expired\"}");
    assert_eq!(expired, 0.0, "the worker was kept from renewing");
    let each = (crowded - before) / IDLE as f64;
    println!("an idle connection costs {each:.0} bytes");
    assert!(each < MOST_BYTES, "an idle connection costs {each} bytes");
    drop(worker);

    // Who never said a word is shown the door; it was nobody's place that it took.
    let silent = &mut idle[1];
    silent.set_read_timeout(Some(vezir_tests::serving::PATIENCE)).expect("a limit can be set");
    // It was greeted, as HTTP/2 does, and then let go.
    match silent.read_to_end(&mut Vec::new()) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("a silent connection is kept: {error}"),
    }
}
