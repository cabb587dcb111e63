//! The last ply by sets beside one whose moves are all made and looked at.

use std::sync::atomic::{AtomicBool, AtomicU64};

use vezir_chess::{Move, Piece, Position, Square};

use super::count;
use crate::{Breakdown, Isa};

/// Where games begin: both published tables, what they hold little of, Chess960, double Fischer random, and
/// positions that no game reaches.
const ROOTS: [&str; 20] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1",
    "8/P3k3/2R5/1P2PpPp/p1pPp3/3r4/3K2p1/8 w - - 0 1",
    "3rk3/2P1P3/8/8/8/8/4R3/4K3 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "bnqbrkrn/pppppppp/8/8/8/8/PPPPPPPP/RKRNNBBQ w CAge - 0 1",
    "r1k2r2/8/8/8/8/8/8/1R1K2R1 w GBfa - 0 1",
    "4k3/QQQ5/8/3q4/8/8/5qqq/4K3 w - - 0 1",
    "3qk3/3ppp2/QQQQQQQ1/8/8/1qqqqqqq/3PPP2/3QK3 w - - 0 1",
    "4k3/nnnnnnnn/8/2B2B2/2b2b2/8/NNNNNNNN/4K3 b - - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "8/k1p1p1p1/8/1P1P1P2/1p1p1p2/8/K1P1P1P1/8 w - - 0 1",
    "1b1rk2b/2P1P2P/r2n4/5pP1/1Pp5/4N2R/p2p1p2/B2KR1B1 w - - 0 1",
    "2brk3/2P3P1/4p1p1/2B2P1P/R2p1p1r/1p1P4/2p1p3/3KRB2 w - - 0 1",
    "rr4k1/5ppp/8/Pp1pP3/4pPpP/8/PPP5/1K4RR b - f3 0 1",
];

/// How many random games are played, and of how many plies.
const GAMES: u64 = 4_000;
const PLIES: usize = 120;

/// Makes every move and looks at what it was.
fn naive(position: &Position) -> Breakdown {
    let mut kinds = Breakdown::default();
    position.legal_moves().into_iter().for_each(|chosen| make(&mut kinds, position, chosen));
    kinds
}

fn make(kinds: &mut Breakdown, position: &Position, chosen: Move) {
    let them = position.color(!position.side());
    let castles = position.castles(chosen);
    let en_passant = position.en_passant() == Some(chosen.to())
        && position.pieces(Piece::Pawn).has(chosen.from())
        && chosen.from().file() != chosen.to().file();
    kinds.captures += u128::from(en_passant || them.has(chosen.to()));
    kinds.en_passants += u128::from(en_passant);
    kinds.castles += u128::from(castles.is_some());
    kinds.promotions += u128::from(chosen.promotion().is_some());
    let mover = match castles {
        Some(wing) => Square::at(wing.rook_file(), chosen.from().rank()),
        None => chosen.to(),
    };
    let next = position.after(chosen);
    let checkers = next.checkers();
    if checkers.is_empty() {
        return;
    }
    kinds.checks += 1;
    if next.count_moves() == 0 {
        kinds.mates += 1;
    } else if checkers.is_many() {
        kinds.double += 1;
    } else if !checkers.has(mover) {
        kinds.discovered += 1;
    }
}

fn by_sets(position: &Position, depth: u32) -> (u64, Breakdown) {
    let walked = AtomicU64::new(0);
    let isas = [Isa::Baseline, Isa::detect()];
    let [counted, again] = isas.map(|isa| count(isa, position, depth, &AtomicBool::new(false), &walked));
    assert_eq!(counted, again, "by every instruction set: {position:?}");
    assert_eq!(walked.into_inner(), 2 * counted.0, "told once each");
    counted
}

fn assert_same(position: &Position) {
    assert_eq!(by_sets(position, 1), (position.count_moves().into(), naive(position)), "{position:?}");
}

fn assert_kinds(fen: &str, cells: [u128; 8]) {
    let position: Position = fen.parse().expect("a position");
    assert_same(&position);
    assert_eq!(naive(&position), Breakdown::from_cells(cells), "{fen}");
}

/// The moves that games are drawn from: checks and captures are tried as often as all others.
fn chosen(random: &mut fastrand::Rng, position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    let sharp = |chosen: &&Move| {
        position.color(!position.side()).has(chosen.to()) || position.after(**chosen).in_check()
    };
    let kept: Vec<&Move> = moves.iter().filter(sharp).collect();
    if random.u8(..8) == 0 && !kept.is_empty() {
        return random.choice(kept).copied();
    }
    random.choice(moves)
}

#[test]
fn random_games_are_sorted_as_if_every_move_were_made() {
    let games = std::env::var("GAMES").map_or(GAMES, |games| games.parse().expect("a number of games"));
    let seed =
        std::env::var("SEED").map_or_else(|_| fastrand::u64(..), |seed| seed.parse().expect("a number"));
    println!("SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut seen = Breakdown::default();
    for game in 0..games {
        let mut position: Position = ROOTS[(game % 20) as usize].parse().expect("a position");
        for _ in 0..PLIES {
            assert_same(&position);
            seen.add(&by_sets(&position, 1).1, 1).expect("a sum");
            let Some(chosen) = chosen(&mut random, &position) else { break };
            position = position.after(chosen);
        }
    }
    println!("{seen:?}");
    let kinds = [seen.captures, seen.en_passants, seen.castles, seen.promotions, seen.checks];
    let rare = [seen.discovered, seen.double, seen.mates];
    assert!(kinds.into_iter().chain(rare).all(|moves| moves > u128::from(games / 40)), "{seen:?}");
}

#[test]
fn equals_the_published_tables() {
    // Chess Programming Wiki, "Perft Results", and Grand Chess Tree; the same moves are in both.
    for (root, depth, nodes, cells) in [
        (0, 4, 197_281, [1_576, 0, 0, 0, 469, 0, 0, 8]),
        (0, 5, 4_865_609, [82_719, 258, 0, 0, 27_351, 6, 0, 347]),
        (1, 3, 97_862, [17_102, 45, 3_162, 0, 993, 0, 0, 1]),
        (1, 4, 4_085_603, [757_163, 1_929, 128_013, 15_172, 25_523, 42, 6, 43]),
    ] {
        let root: Position = ROOTS[root].parse().expect("a position");
        assert_eq!(by_sets(&root, depth), (nodes, Breakdown::from_cells(cells)), "{root} depth {depth}");
    }
}

#[test]
fn promotions_discover_and_double() {
    assert_kinds("3rk3/2P1P3/8/8/8/8/4R3/4K3 w - - 0 1", [8, 0, 0, 12, 6, 2, 2, 0]);
}

#[test]
fn castling_moves_the_rook_too() {
    // Castling gives check from f1, where the king stood before; the other check is the rook's on g8.
    assert_kinds("5k2/8/8/8/8/8/P1P1P3/5KR1 w G - 0 1", [0, 0, 1, 0, 2, 0, 0, 0]);
}

#[test]
fn a_capture_en_passant_can_open_lines() {
    // Both pawns leave the rank of the rook and the king at once.
    assert_kinds("8/8/8/2k1pP1R/8/8/8/4K3 w - e6 0 1", [1, 1, 0, 0, 1, 1, 0, 0]);
}

#[test]
fn a_promotion_looks_through_the_square_that_it_left() {
    assert_kinds("8/4P3/8/4k3/8/8/8/4K3 w - - 0 1", [0, 0, 0, 4, 2, 0, 0, 0]);
}

#[test]
fn a_captured_man_does_not_step_between() {
    // Rxd8 mates: nobody is left to stand on e8.
    assert_kinds("3r2k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", [1, 0, 0, 0, 1, 0, 0, 1]);
}

#[test]
fn a_pawn_does_not_step_over_the_checker() {
    // Ra3 mates: the pawn on a2 cannot reach a4.
    assert_kinds("5k2/K6R/8/8/2P4P/5r2/P7/1r6 b - - 0 1", [0, 0, 0, 0, 3, 0, 0, 1]);
}

#[test]
fn a_capture_en_passant_saves_a_king() {
    // b4 checks, and axb3 is the one answer; where that pawn stands on h4, it mates.
    assert_kinds("8/1K6/8/k7/p7/P1N5/1P6/8 w - - 0 1", [1, 0, 0, 0, 1, 0, 0, 0]);
    assert_kinds("8/1K6/8/k7/7p/P1N5/1P6/8 w - - 0 1", [0, 0, 0, 0, 1, 0, 0, 1]);
    // Here dxc3 would be the one answer, were that pawn not pinned on its file.
    assert_kinds("1R1R4/N7/8/2k5/2p5/8/3P4/2R1K3 w - - 0 1", [1, 0, 0, 0, 6, 0, 0, 2]);
}

#[test]
fn a_capture_en_passant_can_open_two_lines() {
    // Both sliders check, and the pawn that moved does not.
    assert_kinds("B3R3/8/8/3pP3/4k3/8/8/4K3 w - d6 0 1", [2, 1, 0, 0, 2, 0, 1, 0]);
}

#[test]
fn a_castled_king_guards_from_where_he_stands_now() {
    // From c1 he guards c2, from e1 he would guard e2, where the other king goes.
    assert_kinds("2R5/8/8/8/8/3k1P2/5P2/R3K3 w Q - 0 1", [0, 0, 1, 0, 5, 0, 0, 1]);
}

#[test]
fn a_pinned_pawn_does_not_step_between() {
    // Rh4 mates: b4 would open the bishop's diagonal.
    assert_kinds("4B3/1N6/8/1p6/k7/8/1K6/7R w - - 0 1", [1, 0, 0, 0, 4, 0, 0, 1]);
}
