//! Kinds of moves at the last ply, as the published tables count them.

use crate::Overflow;
use crate::answer::{product, sum};

/// How many of the moves at the last ply are of each kind.
///
/// Published tables differ in what they call a check: the Chess Programming Wiki counts mates among the
/// checks, Labelle and the Grand Chess Tree leave them out. `checks` here has them in;
/// [`Breakdown::checks_without_mates`] is the other. Discovered and double checks that mate are in neither
/// family's columns, so they are only in `mates` here too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Breakdown {
    /// Captures, en passant among them.
    pub captures: u128,
    /// Captures en passant.
    pub en_passants: u128,
    /// Castlings.
    pub castles: u128,
    /// Promotions, each of the four pieces a move of its own, captures among them.
    pub promotions: u128,
    /// Checks of all kinds, mates among them.
    pub checks: u128,
    /// Checks, mates left out, by exactly one man, which neither moved nor castled.
    pub discovered: u128,
    /// Checks, mates left out, by two men at once.
    pub double: u128,
    /// Checkmates.
    pub mates: u128,
}

impl Breakdown {
    /// Checks that do not mate.
    pub const fn checks_without_mates(&self) -> u128 {
        self.checks.saturating_sub(self.mates)
    }

    /// Adds `part`, reached by each of `times` paths.
    ///
    /// # Errors
    /// [`Overflow`] where a sum leaves 128 bits.
    pub fn add(&mut self, part: &Breakdown, times: u64) -> Result<(), Overflow> {
        for (so_far, more) in self.cells_mut().into_iter().zip(part.cells()) {
            *so_far = sum(*so_far, product(more, times)?)?;
        }
        Ok(())
    }

    /// The eight counts in the order of their fields.
    pub const fn cells(&self) -> [u128; 8] {
        [
            self.captures,
            self.en_passants,
            self.castles,
            self.promotions,
            self.checks,
            self.discovered,
            self.double,
            self.mates,
        ]
    }

    /// The breakdown with these counts, in the order of [`Breakdown::cells`].
    pub const fn from_cells(cells: [u128; 8]) -> Breakdown {
        let [captures, en_passants, castles, promotions, checks, discovered, double, mates] = cells;
        Breakdown { captures, en_passants, castles, promotions, checks, discovered, double, mates }
    }

    const fn cells_mut(&mut self) -> [&mut u128; 8] {
        [
            &mut self.captures,
            &mut self.en_passants,
            &mut self.castles,
            &mut self.promotions,
            &mut self.checks,
            &mut self.discovered,
            &mut self.double,
            &mut self.mates,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_conventions_differ_by_the_mates() {
        let breakdown = Breakdown { checks: 809_099, mates: 10_828, ..Breakdown::default() };
        assert_eq!(breakdown.checks_without_mates(), 798_271);
    }
}
