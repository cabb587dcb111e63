//! A text read as a UCI move is a legal move, and what is written for it reads as the same move.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vezir_chess::{Notation, fen, uci};

fuzz_target!(|input: (&str, &str)| {
    let Ok(reading) = fen::read(input.0) else { return };
    let position = reading.position;
    let custom = if position.needs_chess960() { Notation::Chess960 } else { Notation::Standard };
    if let Ok(chosen) = uci::read(&position, input.1) {
        assert!(position.is_legal(chosen), "{:?} in {:?}", input.1, input.0);
    }
    for chosen in position.legal_moves() {
        for notation in [custom, Notation::Chess960] {
            let written = uci::write(&position, chosen, notation);
            assert_eq!(uci::read(&position, &written), Ok(chosen), "{written} in {:?}", input.0);
        }
    }
});
