//! The last ply: its moves sorted into kinds, most of them without being made.

use vezir_chess::{Bitboard, Move, Piece, Portable, Position, Sink, Sliders, Square, attacks};

use crate::Breakdown;

/// Adds the moves of `position` to `kinds` and tells how many there are.
pub(crate) fn count(position: &Position, kinds: &mut Breakdown) -> u32 {
    let mut ply = LastPly::new(position, kinds);
    position.generate(Portable, &mut ply);
    ply.moves
}

/// The moves of one position, seen from the king that they may check.
///
/// A man that opens no line of another man's gives check exactly where it attacks the king from, so whole sets
/// of its moves are counted at once. The others are made one by one, and so is every check, to see whether it
/// mates: men that stand before a slider of theirs, promotions, captures en passant and castling.
struct LastPly<'a> {
    position: &'a Position,
    kinds: &'a mut Breakdown,
    moves: u32,
    enemies: Bitboard,
    /// The squares from which a man of each kind would give check.
    checking: [Bitboard; 6],
    /// Own men that stand alone between an own slider and the enemy's king.
    screens: Bitboard,
}

impl<'a> LastPly<'a> {
    fn new(position: &'a Position, kinds: &'a mut Breakdown) -> Self {
        let (own, enemies) = (position.color(position.side()), position.color(!position.side()));
        let king = position.king(!position.side());
        let occupied = position.occupied();
        let slanted = Portable.bishop(king, occupied);
        let straight = Portable.rook(king, occupied);
        let pawn = attacks::pawn(!position.side(), king);
        let checking = [pawn, attacks::knight(king), slanted, straight, slanted | straight, Bitboard::EMPTY];
        let queens = position.pieces(Piece::Queen);
        let bishops = attacks::diagonals(king) & (position.pieces(Piece::Bishop) | queens);
        let rooks = attacks::cross(king) & (position.pieces(Piece::Rook) | queens);
        let mut screens = Bitboard::EMPTY;
        for slider in (bishops | rooks) & own {
            let men = attacks::between(king, slider) & occupied;
            if !men.is_many() {
                screens |= men & own;
            }
        }
        LastPly { position, kinds, moves: 0, enemies, checking, screens }
    }

    /// Counts moves of men of one kind that are no screens, from wherever each comes.
    fn plain(&mut self, piece: Piece, to: Bitboard, from: impl Fn(Square) -> Square) {
        self.moves += to.count();
        self.kinds.captures += u128::from((to & self.enemies).count());
        for to in to & self.checking[piece.index()] {
            let next = self.position.after(Move::new(from(to), to));
            self.kinds.count_check(&next, Bitboard::of(to));
        }
    }

    fn made(&mut self, chosen: Move) {
        self.moves += 1;
        self.kinds.count_made(self.position, chosen);
    }
}

impl Sink for LastPly<'_> {
    fn piece(&mut self, piece: Piece, from: Square, to: Bitboard) {
        if self.screens.has(from) {
            to.into_iter().for_each(|to| self.made(Move::new(from, to)));
        } else {
            self.plain(piece, to, |_| from);
        }
    }

    fn pawns(&mut self, to: Bitboard, back: i8) {
        let from = |to: Square| Square::wrapping((to.index() as u8).wrapping_add_signed(back));
        let screened = to.into_iter().filter(|to| self.screens.has(from(*to))).collect::<Bitboard>();
        for to in screened & !Bitboard::BACK_RANKS {
            self.made(Move::new(from(to), to));
        }
        for to in to & Bitboard::BACK_RANKS {
            Piece::PROMOTIONS.into_iter().for_each(|piece| self.made(Move::promoting(from(to), to, piece)));
        }
        self.plain(Piece::Pawn, to & !screened & !Bitboard::BACK_RANKS, from);
    }

    fn en_passant(&mut self, from: Square, to: Square) {
        self.made(Move::new(from, to));
    }

    fn castle(&mut self, king: Square, rook: Square) {
        self.made(Move::new(king, rook));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Where the random games begin: both published tables, and what they hold little of.
    const ROOTS: [&str; 7] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1",
        "8/P3k3/2R5/1P2PpPp/p1pPp3/3r4/3K2p1/8 w - - 0 1",
        "3rk3/2P1P3/8/8/8/8/4R3/4K3 w - - 0 1",
    ];

    /// Every move made, and looked at afterwards.
    fn naive(position: &Position) -> Breakdown {
        let mut kinds = Breakdown::default();
        position.legal_moves().into_iter().for_each(|chosen| kinds.count_made(position, chosen));
        kinds
    }

    fn assert_same(position: &Position) {
        let mut kinds = Breakdown::default();
        assert_eq!(count(position, &mut kinds), position.count_moves(), "{position}");
        assert_eq!(kinds, naive(position), "{position}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]
        #[test]
        fn sets_and_single_moves_agree(root in 0..ROOTS.len(), picks in prop::collection::vec(any::<u16>(), 0..80)) {
            let mut position: Position = ROOTS[root].parse().expect("a position");
            for pick in picks {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.after(moves[usize::from(pick) % moves.len()]);
                assert_same(&position);
            }
        }
    }

    fn assert_kinds(fen: &str, cells: [u128; 8]) {
        let position: Position = fen.parse().expect("a position");
        assert_same(&position);
        assert_eq!(naive(&position), Breakdown::from_cells(cells), "{fen}");
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
}
