//! Who can never mate, for every pair of sets of up to two men beside the kings.

use std::collections::HashSet;

use vezir_chess::{Color, Position, material};

/// By python-chess 1.11.2: the sets of both sides (Bl and Bd are bishops on light and dark squares), a position,
/// whether White, Black, and both can never mate.
const SETS: &str = include_str!("data/insufficient.csv");

/// Kinds of men beside the king.
const KINDS: usize = 6;
/// Pairs of sets with no man, one, and two in all: on one side two of any kinds, or one on each side.
const PAIRS: usize = 1 + 2 * KINDS + 2 * (KINDS * (KINDS + 1) / 2) + KINDS * KINDS;

#[test]
fn every_pair_of_sets_up_to_four_men() {
    let mut pairs = HashSet::new();
    for line in SETS.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [white, black, fen, white_cannot, black_cannot, both] = cells[..] else { panic!("{line}") };
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(material::cannot_mate(&position, Color::White), white_cannot == "1", "White: {line}");
        assert_eq!(material::cannot_mate(&position, Color::Black), black_cannot == "1", "Black: {line}");
        assert_eq!(material::is_insufficient(&position), both == "1", "both: {line}");
        pairs.insert((white, black));
    }
    assert_eq!(pairs.len(), PAIRS);
}
