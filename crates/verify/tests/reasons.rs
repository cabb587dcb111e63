//! Why moves are illegal and what legal ones need, move by move.

use vezir_chess::Position;
use vezir_verify::{Difference, Reason, Tag, Tags};

fn reason(fen: &str, text: &str) -> Reason {
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let difference = match vezir_chess::uci::read(&position, text) {
        Ok(chosen) => Difference::Missing { chosen },
        Err(_) => Difference::Extra { text: text.to_owned() },
    };
    Reason::of(&position, None, &difference)
}

#[test]
fn illegal_moves_are_told_by_the_rule_that_they_break() {
    use Tag::*;
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (fen, text, tags) in [
        (castles, "e1b1", &[Rest][..]),
        (castles, "e1f3", &[Rest]),
        (castles, "e2e4", &[NoSuchMan]),
        (castles, "e8g8", &[NoSuchMan]),
        (castles, "a1b2", &[Rest]),
        (castles, "a1a9", &[Rest]),
        (castles, "e1g1q", &[Rest]),
        (castles, "a1a8q", &[PromotionExtra]),
        (castles, "0000", &[Rest]),
        (castles, "c1c1", &[NoSuchMan]),
        (castles, "e1e1", &[Rest]),
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1c1", &[Castling]),
        ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "e1g1", &[CastlingOutOfCheck]),
        ("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", "e1g1", &[CastlingThroughCheck]),
        ("4k3/8/8/8/8/8/5pr1/R3K2R w KQ - 0 1", "e1h1", &[CastlingOutOfCheck, CastlingIntoCheck]),
        (
            "4k1r1/5r2/8/8/8/8/8/R3KB1R w KQ - 0 1",
            "e1g1",
            &[CastlingBlocked, CastlingThroughCheck, CastlingIntoCheck],
        ),
        ("4k3/8/8/8/8/8/8/R3K1NR w Q - 0 1", "e1g1", &[CastlingRight]),
        ("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", "d1a1", &[CastlingRight]),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", &[PromotionExtra]),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8p", &[PromotionExtra]),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", &[PawnStep]),
        ("r3k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", &[PawnStep]),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a5", &[PawnStep]),
        ("4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3a2", &[PawnStep]),
        ("4k3/8/8/8/p7/8/P7/4K3 w - - 0 1", "a2a4", &[PawnDoublePush]),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2h3", &[WrapAround]),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2h2", &[WrapAround]),
        ("4k3/7p/8/8/8/8/8/4K3 b - - 0 1", "h7a6", &[WrapAround]),
        ("4k3/8/8/8/7Q/8/8/4K3 w - - 0 1", "h4a5", &[WrapAround]),
        ("4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1", "d1e2", &[OwnManTaken]),
        ("4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1", "d1f3", &[SlidingThrough]),
        ("4r1k1/8/8/8/8/8/4B3/r3K3 w - - 0 1", "e2d3", &[Pinned, CheckNotAnswered]),
        ("4r1k1/8/8/8/8/8/4B3/r3K3 w - - 0 1", "e2d1", &[Pinned]),
        ("8/8/8/3k4/8/3K4/3r4/8 w - - 0 1", "d3d4", &[KingsAdjacent]),
        ("6k1/8/8/8/8/8/r3K3/8 w - - 0 1", "e2f2", &[KingAlongLine]),
    ] {
        let told = reason(fen, text);
        assert_eq!(told.tags, tags.iter().copied().collect::<Tags>(), "{fen} {text}: {}", told.why);
    }
}

#[test]
fn legal_moves_are_told_by_the_rule_that_they_need() {
    use Tag::*;
    for (fen, text, tags) in [
        ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", "e1e2", &[CheckNotAnswered][..]),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", &[Castling]),
        ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", &[CastlingThroughCheck]),
        ("k3r3/3P4/8/8/8/8/8/4K3 w - - 0 1", "d7e8q", &[PromotionMissing, CheckNotAnswered]),
        ("k6b/8/8/8/8/8/1P6/K7 w - - 0 1", "a1a2", &[Rest]),
        ("k7/8/8/8/8/r7/1P6/K7 w - - 0 1", "b2a3", &[CheckNotAnswered]),
        ("k3r3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", &[Pinned, PawnDoublePush]),
        ("k3r3/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2e8", &[Pinned]),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", "a1a2", &[Rest]),
    ] {
        let told = reason(fen, text);
        assert_eq!(told.tags, tags.iter().copied().collect::<Tags>(), "{fen} {text}: {}", told.why);
    }
}

#[test]
fn a_square_just_passed_tells_one_capture_from_another() {
    let position: Position = "8/8/8/KPp4r/8/8/8/7k w - - 0 2".parse().expect("a FEN");
    let extra = Difference::Extra { text: "b5c6".to_owned() };
    let passed = "c6".parse().ok();
    assert_eq!(Reason::of(&position, passed, &extra).tags, Tags::of(Tag::EnPassantRank));
    assert_eq!(Reason::of(&position, None, &extra).tags, Tags::of(Tag::EnPassant));
}
