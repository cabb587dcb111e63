//! The last ply: how many legal moves there are, without a look at any of them.

use vezir_chess::{Bitboard, Color, Position, Rank, Sliders, Square, attacks};

use crate::armies::{Armies, captors};
use crate::army::Army;
use crate::castling::{Castling, Castlings};

/// The number of legal moves of `position`, which is `castlings`' own or below it.
#[inline(always)]
pub(crate) fn moves<S: Sliders>(position: &Position, sliders: S, castlings: &Castlings) -> u32 {
    let Armies { own, their, rooks, passed } = &Armies::of(position);
    let us = position.side();
    let castlings = castlings.of(us);
    let rooks = Castling::open(castlings, *rooks, own.all);
    let leaf = Leaf { sliders, own, their, castlings, rooks, passed: *passed };
    match us {
        Color::White => leaf.moves::<true>(),
        Color::Black => leaf.moves::<false>(),
    }
}

/// A position one ply above the leaves.
pub(crate) struct Leaf<'a, S> {
    pub(crate) sliders: S,
    /// The side to move.
    pub(crate) own: &'a Army,
    pub(crate) their: &'a Army,
    /// Its ways to castle.
    pub(crate) castlings: &'a [Castling; 2],
    /// The rooks that may still castle, of those that no own man is in the way of.
    pub(crate) rooks: Bitboard,
    /// The square behind a pawn that has just made a double step.
    pub(crate) passed: Option<Square>,
}

/// What keeps the side to move from moving freely.
struct Bonds {
    checks: Bitboard,
    /// The lines, pinner included, along which own men shield their king.
    slanted: Bitboard,
    straight: Bitboard,
}

impl<S: Sliders> Leaf<'_, S> {
    /// The number of legal moves, where `WHITE` is whether White moves.
    #[inline(always)]
    pub(crate) fn moves<const WHITE: bool>(&self) -> u32 {
        let (own, occupied) = (self.own, self.own.all | self.their.all);
        let bonds = self.bonds::<WHITE>(occupied);
        let mut moves = self.king::<WHITE>(&bonds, occupied);
        let mut targets = !own.all;
        let pinned = (bonds.slanted | bonds.straight) & own.all;
        if !bonds.checks.is_empty() {
            // One checker can be captured or its line blocked; two can only be fled from.
            if bonds.checks.is_many() {
                return moves;
            }
            let checker = Square::wrapping(bonds.checks.0.trailing_zeros() as u8);
            targets &= bonds.checks | attacks::between(own.king, checker);
        } else if !pinned.is_empty() {
            moves += self.pinned_slides(&bonds, occupied);
        }
        let free = !pinned;
        for from in own.knights & free {
            moves += (attacks::knight(from) & targets).count();
        }
        for from in own.slanted & free {
            moves += (self.sliders.bishop(from, occupied) & targets).count();
        }
        for from in own.straight & free {
            moves += (self.sliders.rook(from, occupied) & targets).count();
        }
        moves + self.pawns::<WHITE>(&bonds, occupied, targets)
    }

    #[inline(always)]
    fn bonds<const WHITE: bool>(&self, occupied: Bitboard) -> Bonds {
        let (king, their) = (self.own.king, self.their);
        let mut checks = attacks::knight(king) & their.knights | attacks::pawn(us(WHITE), king) & their.pawns;
        let mut pins = |snipers: Bitboard| {
            let mut pins = Bitboard::EMPTY;
            for sniper in snipers {
                let between = attacks::between(king, sniper);
                let men = between & occupied;
                if men.is_empty() {
                    checks |= sniper.into();
                } else if !men.is_many() && men.meets(self.own.all) {
                    pins |= between | sniper.into();
                }
            }
            pins
        };
        let slanted = pins(attacks::diagonals(king) & their.slanted);
        let straight = pins(attacks::cross(king) & their.straight);
        Bonds { checks, slanted, straight }
    }

    /// Moves of the king, castling among them.
    #[inline(always)]
    fn king<const WHITE: bool>(&self, bonds: &Bonds, occupied: Bitboard) -> u32 {
        let (king, their) = (self.own.king, self.their);
        let near = attacks::king(king) & !self.own.all;
        if near.is_empty() && self.rooks.is_empty() {
            return 0;
        }
        // A king that flees along a line uncovers it.
        let seen = occupied ^ king.into();
        let mut danger = attacks::pawns(us(!WHITE), their.pawns) | attacks::king(their.king);
        for knight in their.knights {
            danger |= attacks::knight(knight);
        }
        for slider in their.slanted {
            danger |= self.sliders.bishop(slider, seen);
        }
        for slider in their.straight {
            danger |= self.sliders.rook(slider, seen);
        }
        let mut moves = (near & !danger).count();
        // In Chess960 a rook can be pinned on its own first rank: when it leaves, its king is in check.
        let rooks = self.rooks & !bonds.straight;
        if !rooks.is_empty() && bonds.checks.is_empty() {
            for castling in self.castlings {
                let free = !castling.path.meets(occupied) && !castling.crossed.meets(danger);
                moves += u32::from(free && castling.rook.meets(rooks));
            }
        }
        moves
    }

    /// Moves of pinned sliders along their pin lines.
    #[inline(always)]
    fn pinned_slides(&self, bonds: &Bonds, occupied: Bitboard) -> u32 {
        let (own, king) = (self.own, self.own.king);
        let mut moves = 0;
        for from in own.slanted & bonds.slanted {
            moves += (self.sliders.bishop(from, occupied) & attacks::line(king, from) & !own.all).count();
        }
        for from in own.straight & bonds.straight {
            moves += (self.sliders.rook(from, occupied) & attacks::line(king, from) & !own.all).count();
        }
        moves
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&self, bonds: &Bonds, occupied: Bitboard, targets: Bitboard) -> u32 {
        let (us, empty) = (us(WHITE), !occupied);
        // A pawn on a pin line that steps onto a pin line is still on its own: no other is one step away.
        let steppers = self.own.pawns & !bonds.slanted;
        let (loose, bound) = ((steppers & !bonds.straight).ahead(us), (steppers & bonds.straight).ahead(us));
        let reached = (loose | bound & bonds.straight) & empty;
        let single = reached & targets;
        let double = (reached & Bitboard::rank(Rank::nth(us, 3))).ahead(us) & empty & targets;
        let takers = self.own.pawns & !bonds.straight;
        let (loose, bound) = ((takers & !bonds.slanted).ahead(us), (takers & bonds.slanted).ahead(us));
        let prey = self.their.all & targets;
        let east = (loose.east() | bound.east() & bonds.slanted) & prey;
        let west = (loose.west() | bound.west() & bonds.slanted) & prey;
        let mut moves = single.count() + double.count() + east.count() + west.count();
        let last = Bitboard::rank(Rank::nth(us, 8));
        if (single | east | west).meets(last) {
            moves += 3 * ((single & last).count() + (east & last).count() + (west & last).count());
        }
        match self.passed {
            Some(passed) => moves + captors::<S, WHITE>(self.sliders, (self.own, self.their), passed).count(),
            None => moves,
        }
    }
}

#[inline(always)]
const fn us(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}
