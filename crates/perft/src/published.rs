//! Positions with a name, and the counts that have been published for them.

use vezir_chess::{Position, fen};

/// A position that chess programmers know by name.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// What it is called, in one lower-case word.
    pub name: &'static str,
    /// Its FEN.
    pub fen: &'static str,
    /// Published counts, the count at depth *n* in place *n*. Sources: OEIS A048987 for the start position,
    /// the Chess Programming Wiki's "Perft Results", and the Grand Chess Tree's result files.
    pub nodes: &'static [u128],
}

impl Named {
    /// The position itself.
    pub fn position(&self) -> Option<Position> {
        fen::read(self.fen).ok().map(|reading| reading.position)
    }
}

/// The start position and the five others of the Chess Programming Wiki's "Perft Results".
pub const NAMED: [Named; 6] = [
    Named {
        name: "startpos",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        nodes: &[
            1,
            20,
            400,
            8_902,
            197_281,
            4_865_609,
            119_060_324,
            3_195_901_860,
            84_998_978_956,
            2_439_530_234_167,
            69_352_859_712_417,
            2_097_651_003_696_806,
            62_854_969_236_701_747,
            1_981_066_775_000_396_239,
            61_885_021_521_585_529_237,
            2_015_099_950_053_364_471_960,
        ],
    },
    Named {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        nodes: &[
            1,
            48,
            2_039,
            97_862,
            4_085_603,
            193_690_690,
            8_031_647_685,
            374_190_009_323,
            15_493_944_087_984,
            708_027_759_953_502,
        ],
    },
    Named {
        name: "position3",
        fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        nodes: &[1, 14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661, 3_009_794_393],
    },
    Named {
        name: "position4",
        fen: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        nodes: &[1, 6, 264, 9_467, 422_333, 15_833_292, 706_045_033],
    },
    Named {
        name: "position5",
        fen: "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        nodes: &[1, 44, 1_486, 62_379, 2_103_487, 89_941_194, 3_048_196_529],
    },
    Named {
        name: "position6",
        fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        nodes: &[
            1,
            46,
            2_079,
            89_890,
            3_894_594,
            164_075_551,
            6_923_051_137,
            287_188_994_746,
            11_923_589_843_526,
            490_154_852_788_714,
        ],
    },
];

/// A position of Chess960 and one of double Fischer random, in which castling is everywhere.
///
/// Sources: Ethereal's `fischer.epd` for the first; cozy-chess and shakmaty, which agree, for the second.
pub const SHUFFLED: [Named; 2] = [
    Named {
        name: "chess960",
        fen: "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        nodes: &[1, 21, 807, 18_002, 667_366, 16_253_601, 590_751_109],
    },
    Named {
        name: "fischer",
        fen: "rk2r1nb/pp1p1ppp/bqn1p3/2p5/3PP3/2N2N2/PPPBBPPP/1R2QK1R w HBea - 0 9",
        nodes: &[1, 36, 1_306, 46_910, 1_688_127, 61_707_129, 2_217_440_569],
    },
];

/// The count that has been published for `depth` plies below `position`, if one has.
///
/// Counters of a position do not matter.
pub fn published(position: &Position, depth: u32) -> Option<u128> {
    let packed = position.pack();
    let known =
        NAMED.iter().find(|named| named.position().is_some_and(|position| position.pack() == packed))?;
    known.nodes.get(depth as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_positions_are_positions() {
        for named in NAMED.into_iter().chain(SHUFFLED) {
            assert!(named.position().is_some(), "{}", named.name);
        }
    }

    #[test]
    fn counts_are_found_whatever_the_counters_say() {
        let position: Position =
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 9".parse().expect("it is a FEN");
        assert_eq!(published(&position, 15), Some(2_015_099_950_053_364_471_960));
        assert_eq!(published(&position, 16), None);
        let other = position.after(position.legal_moves()[0]);
        assert_eq!(published(&other, 1), None);
    }
}
