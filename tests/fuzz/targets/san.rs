//! A text read as SAN is a legal move, and the SAN of every legal move reads as that move and no other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vezir_chess::{fen, san};

fuzz_target!(|input: (&str, &str)| {
    let Ok(reading) = fen::read(input.0) else { return };
    let position = reading.position;
    if let Ok(chosen) = san::read(&position, input.1) {
        assert!(position.is_legal(chosen), "{:?} in {:?}", input.1, input.0);
    }
    for chosen in position.legal_moves() {
        let written = san::write(&position, chosen);
        assert_eq!(san::read(&position, &written), Ok(chosen), "{written} in {:?}", input.0);
    }
});
