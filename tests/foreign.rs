//! A client that was never made for Vezir: another gRPC, another language, and nothing known beforehand.

use std::process::Command;

use vezir_tests::house;
use vezir_tests::serving::Service;

#[test]
fn a_foreign_client_submits_watches_lists_and_cancels() {
    let coordinator = Service::coordinator(&[]);
    let address = coordinator.address();
    let _worker = Service::worker(&address, &[]);
    let own = house::root().join("tests/.venv/bin/python");
    let python = if own.exists() { own } else { "python3".into() };
    let mut command = Command::new(&python);
    command.arg(house::root().join("tests/foreign.py")).arg(address.trim_start_matches("http://"));
    let output = command.output().unwrap_or_else(|error| panic!("{}: {error}", python.display()));
    let [said, complaint] =
        [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    assert!(output.status.success(), "tests/run installs grpcio; {said}{complaint}");
    assert_eq!(said.trim_end(), "4865609 leaves, 20 moves, 1 cancelled");
}
