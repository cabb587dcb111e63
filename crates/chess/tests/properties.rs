//! What holds for every position that play can reach, tried on random games of all three variants.

use proptest::prelude::*;
use vezir_chess::{Move, Notation, Packed, Position, fen, san, uci};

/// Where the games begin: standard chess, Chess960, double Fischer random, endings, and crowds of promotions.
const ROOTS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 12 30",
    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
    "nrkqbbrn/pppppppp/8/8/8/8/PPPPPPPP/RKBQNNBR w HAgb - 0 1",
    "1rk3r1/pp4pp/8/8/8/8/PP4PP/R1K4R w HAgb - 0 1",
    "rkr5/8/8/8/8/8/8/5RKR w HFca - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "QQ4nk/Q5pp/8/8/8/8/PP5q/KN4qq w - - 0 1",
];

/// Plays the `choices`-th of the legal moves, each in turn, up to the end of the game.
fn played(root: usize, choices: &[u16]) -> Position {
    let mut position: Position = ROOTS[root].parse().expect("a FEN");
    for choice in choices {
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        moves.sort_unstable();
        position = position.after(moves[usize::from(*choice) % moves.len()]);
    }
    position
}

fn position() -> impl Strategy<Value = Position> {
    (0..ROOTS.len(), prop::collection::vec(any::<u16>(), 0..80))
        .prop_map(|(root, choices)| played(root, &choices))
}

/// A copy of `text` with one character changed, lost or added.
fn slip(text: &str, at: usize, new: char, kind: u8) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = at % chars.len().max(1);
    match kind % 3 {
        0 => chars[at] = new,
        1 => drop(chars.remove(at)),
        _ => chars.insert(at, new),
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn fen_reads_what_it_wrote(position in position()) {
        for notation in [Notation::Standard, Notation::Chess960] {
            let text = fen::write(&position, notation);
            let reading = fen::read(&text).expect("our own FEN");
            prop_assert_eq!(reading.position, position);
            prop_assert_eq!(fen::write(&reading.position, notation), text);
        }
    }

    #[test]
    fn moves_read_what_was_written(position in position()) {
        let moves = position.legal_moves();
        prop_assert_eq!(moves.len(), position.count_moves() as usize);
        for chosen in moves {
            for notation in [Notation::Standard, Notation::Chess960] {
                prop_assert_eq!(uci::read(&position, &uci::write(&position, chosen, notation)), Ok(chosen));
            }
            let text = san::write(&position, chosen);
            prop_assert_eq!(san::read(&position, &text), Ok(chosen));
            prop_assert_eq!(san::read(&position, text.trim_end_matches(['+', '#'])), Ok(chosen));
            prop_assert_eq!(Move::from_bits(chosen.bits()), Some(chosen));
            if position.castles(chosen).is_none() {
                prop_assert_eq!(san::read(&position, &format!("{chosen:?}")), Ok(chosen));
            }
        }
    }

    #[test]
    fn a_packing_unpacks(position in position()) {
        let packed = position.pack();
        let unpacked = packed.unpack().expect("our own packing");
        prop_assert_eq!(unpacked.pack(), packed);
        prop_assert_eq!(Packed::from_bytes(&packed.to_bytes()), packed);
        let fields = |position: &Position| {
            let text = fen::write(position, Notation::Chess960);
            text.rsplitn(3, ' ').last().unwrap_or_default().to_owned()
        };
        prop_assert_eq!(fields(&unpacked), fields(&position));
    }

    #[test]
    fn damaged_packings_are_refused_or_are_positions(position in position(), bits in prop::collection::vec(0..256_usize, 1..4)) {
        let mut bytes = position.pack().to_bytes();
        bits.into_iter().for_each(|bit| bytes[bit / 8] ^= 1 << (bit % 8));
        let packed = Packed::from_bytes(&bytes);
        if let Ok(unpacked) = packed.unpack() {
            prop_assert_eq!(unpacked.pack(), packed);
            let text = fen::write(&unpacked, Notation::Chess960);
            prop_assert_eq!(fen::read(&text).expect("a sound position").position, unpacked);
        }
    }

    #[test]
    fn random_bytes_are_no_danger(bytes in any::<[u8; 32]>()) {
        let packed = Packed::from_bytes(&bytes);
        if let Ok(position) = packed.unpack() {
            prop_assert_eq!(position.pack(), packed);
        }
    }

    #[test]
    fn slips_are_no_danger(position in position(), at in any::<usize>(), new in any::<char>(), kind in any::<u8>()) {
        let text = slip(&fen::write(&position, Notation::Standard), at, new, kind);
        match fen::read(&text) {
            Ok(reading) => {
                let written = fen::write(&reading.position, Notation::Standard);
                prop_assert_eq!(fen::read(&written).expect("our own FEN").position, reading.position);
                reading.position.legal_moves();
            }
            Err(error) => prop_assert!(error.column <= text.chars().count() + 1, "{}", error),
        }
        for chosen in position.legal_moves().into_iter().take(3) {
            let text = slip(&san::write(&position, chosen), at, new, kind);
            let _ = san::read(&position, &text).map_err(|error| error.to_string());
            let text = slip(&format!("{chosen:?}"), at, new, kind);
            let _ = uci::read(&position, &text).map_err(|error| error.to_string());
        }
    }

    #[test]
    fn any_text_is_no_danger(text in ".{0,60}", position in position()) {
        let _ = fen::read(&text).map_err(|error| error.to_string());
        let _ = san::read(&position, &text).map_err(|error| error.to_string());
        let _ = uci::read(&position, &text).map_err(|error| error.to_string());
    }

    #[test]
    fn any_bits_are_no_danger_to_a_position(position in position(), bits in any::<u16>()) {
        if let Some(chosen) = Move::from_bits(bits) {
            let legal = position.is_legal(chosen);
            prop_assert_eq!(legal, position.legal_moves().contains(&chosen));
            let _ = position.after(chosen);
            let _ = san::write(&position, chosen);
            let _ = uci::write(&position, chosen, Notation::Standard);
        }
    }
}
