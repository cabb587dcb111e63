//! A suite of any bytes is read or refused with a place inside it; what it states is in order.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vezir_chess::fen;
use vezir_perft::suite;

fuzz_target!(|bytes: &[u8]| {
    let lines = bytes.split(|byte| *byte == b'\n').count();
    match suite::read(bytes) {
        Ok(entries) => {
            for entry in entries {
                assert!((1..=lines).contains(&entry.line));
                assert!(entry.counts.is_sorted_by_key(|wanted| wanted.depth));
                assert_eq!(fen::read(&entry.fen).expect("an entry has a position").position, entry.position);
            }
        }
        Err(error) => assert!((1..=lines).contains(&error.line) && error.column >= 1, "{error}"),
    }
});
