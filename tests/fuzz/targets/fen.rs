//! What reads as a FEN, written in either custom and read again, is the same position; so is its packing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vezir_chess::{Notation, Packed, fen};

fuzz_target!(|text: &str| {
    let Ok(reading) = fen::read(text) else { return };
    let position = reading.position;
    for notation in [Notation::Standard, Notation::Chess960] {
        let written = fen::write(&position, notation);
        let again = fen::read(&written).expect("what we write, we read");
        assert_eq!(again.position, position, "{text:?} became {written:?}");
    }
    let packed = position.pack();
    assert_eq!(Packed::from_bytes(&packed.to_bytes()), packed);
    let unpacked = packed.unpack().expect("what we pack, we unpack");
    assert_eq!(unpacked.pack(), packed);
    for chosen in position.legal_moves() {
        let next = position.after(chosen);
        assert_eq!(next.pack().unpack().expect("legal moves lead to positions").pack(), next.pack());
    }
});
