//! By how much the replies to accepted moves differ from those to a null move.

use vezir_chess::{Bitboard, Sliders, Square, attacks};

use super::Node;
use super::board::Board;
use crate::machine::Machine;

impl<M: Machine, const WHITE: bool> Node<'_, M, WHITE> {
    /// What the square that is left opens or closes, for `number` moves from it.
    #[inline(always)]
    pub(super) fn by_origin(&self, from: Square, to: Bitboard, number: i32) -> i32 {
        let here = Bitboard::of(from);
        let pawns = self.board.their.pawns & !self.court.pinned;
        let weight = if Board::<'_, M, WHITE>::THEIR_LAST.has(from) { 4 } else { 1 };
        let mut sum = self.by_pawns_before(here, pawns, weight, to, number);
        if (self.null.east | self.null.west).has(from) {
            // They capture here no longer; a pawn that is captured itself is summed up with its replies.
            let attackers = attacks::pawn(Self::US, from) & pawns;
            sum -= weight * (number * attackers.count() as i32 - (to & attackers).count() as i32);
        }
        if self.null.swept.has(from) {
            sum += self.opened(from, to, number);
        }
        sum
    }

    /// Steps that pawns of theirs can make when the square before them is left.
    #[inline(always)]
    fn by_pawns_before(
        &self,
        here: Bitboard,
        pawns: Bitboard,
        weight: i32,
        to: Bitboard,
        number: i32,
    ) -> i32 {
        let before = here.ahead(Self::US);
        let home = Board::<'_, M, WHITE>::THEIR_SECOND;
        if pawns.meets(before) {
            let mut gain = weight;
            let mut sum = 0;
            if home.meets(before) {
                // Whoever goes from its first square to its second one still bars that.
                let behind = here.ahead(Self::THEM) & !self.board.occupied;
                gain += behind.count() as i32;
                sum -= (to & behind).count() as i32;
            }
            return sum + gain * (number - (to & before).count() as i32);
        }
        let two = before.ahead(Self::US);
        if !self.board.occupied.meets(before) && (pawns & two).meets(home) {
            return number - (to & two).count() as i32 - (to & before).count() as i32;
        }
        0
    }

    /// What opens behind a man for sliders whose rays end on him; if he moves along such a ray he bars it again.
    #[inline(always)]
    fn opened(&self, from: Square, to: Bitboard, number: i32) -> i32 {
        let (board, loose) = (self.board, !self.court.pinned);
        let slanted = board.sliders.bishop(from, board.occupied);
        let straight = board.sliders.rook(from, board.occupied);
        let (sees, sliders) =
            (slanted | straight, slanted & board.their.slanted | straight & board.their.straight);
        let mut sum = 0;
        for slider in sliders & loose {
            let before = attacks::between(slider, from) | slider.into();
            let behind = sees & attacks::line(slider, from) & !before;
            let gain = (behind & !board.their.all).count() as i32;
            sum += gain * (number - (to & before).count() as i32);
            for to in to & behind {
                sum += attacks::between(from, to).count() as i32 + 1 - gain;
            }
        }
        sum
    }

    /// What depends on the target alone, for all accepted moves.
    #[inline(always)]
    pub(super) fn by_target(&self) -> i32 {
        let (planes, null, any) = (&self.planes, self.null, self.planes.any());
        let (taken, stepped) = (null.east | null.west, null.single | null.double);
        let mut sum = 0;
        if any.meets(taken) {
            sum += planes.weigh(null.east) + planes.weigh(null.west);
        }
        if any.meets(stepped) {
            sum -= planes.weigh(null.single) + planes.weigh(null.double);
            // Who stands before a pawn bars its double step as well.
            sum -= planes.weigh(null.double.ahead(Self::US));
        }
        let last = any & Board::<'_, M, WHITE>::THEIR_LAST;
        if last.meets(taken | stepped) {
            let promoting = planes.weigh(null.east & last) + planes.weigh(null.west & last);
            sum += 3 * (promoting - planes.weigh(null.single & last));
        }
        let empty = any & !self.board.occupied;
        if null.swept.meets(empty) {
            sum -= null.rays.cut_off(planes, empty);
        }
        let captured = any & self.board.their.all;
        if captured.is_empty() { sum } else { sum + self.by_capture(captured) }
    }

    /// What captures cost: the replies of the men that are taken, less those of the men who take back.
    #[inline(always)]
    fn by_capture(&self, captured: Bitboard) -> i32 {
        let (board, loose) = (self.board, !self.court.pinned);
        // Their king takes back what nobody else guards.
        let mut sum = self.planes.weigh(captured & self.court.ring & !self.reach.twice);
        for from in board.their.knights & loose {
            sum += self.by_capture_of(from, attacks::knight(from), captured);
        }
        for from in board.their.slanted & loose {
            sum += self.by_capture_of(from, board.sliders.bishop(from, board.occupied), captured);
        }
        for from in board.their.straight & loose {
            sum += self.by_capture_of(from, board.sliders.rook(from, board.occupied), captured);
        }
        for from in captured & board.their.pawns {
            sum -= self.replies_of_pawn(from) * self.planes.weigh(from.into());
        }
        sum
    }

    /// What one man of theirs takes back, less its own replies where it is taken.
    #[inline(always)]
    fn by_capture_of(&self, from: Square, attacked: Bitboard, captured: Bitboard) -> i32 {
        let mut sum = 0;
        if attacked.meets(captured) {
            sum += self.planes.weigh(attacked & captured);
        }
        if captured.has(from) {
            let replies = (attacked & !self.board.their.all).count() as i32;
            sum -= replies * self.planes.weigh(from.into());
        }
        sum
    }

    /// The replies of one pawn to a null move.
    #[inline(always)]
    fn replies_of_pawn(&self, from: Square) -> i32 {
        let null = self.null;
        let single = Bitboard::of(from).ahead(Self::THEM) & null.single;
        let double = (single & Board::<'_, M, WHITE>::THEIR_THIRD).ahead(Self::THEM) & null.double;
        let taken = attacks::pawn(Self::THEM, from) & self.board.own.all;
        let promoting = (single | taken) & Board::<'_, M, WHITE>::THEIR_LAST;
        (single.count() + double.count() + taken.count() + 3 * promoting.count()) as i32
    }
}
