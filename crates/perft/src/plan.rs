//! How a run is split: at which ply, and into which slices of the frontier.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use vezir_chess::Position;

use crate::{Frontier, GrowError, Limits, Table};

/// The deepest count that can be asked for, in plies.
pub const MAX_DEPTH: u32 = 64;

/// Plies that are left below the split where nothing else decides.
const REMAINING: u32 = 4;

/// Leaves of one unit: about a second of one core.
const UNIT_LEAVES: f64 = 4e9;

/// Runs with more leaves than this are cut into [`MIN_UNITS`] at least, so that workers can share them.
const LARGE_RUN: f64 = 1e8;

/// The least number of units of a large run.
const MIN_UNITS: usize = 64;

/// The largest number of units of any run.
const MAX_UNITS: usize = 1 << 20;

/// How many positions are looked at to guess how the tree goes on.
const SAMPLE: usize = 1_000;

/// What a user asks of a perft.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wish {
    /// Plies to count, at most [`MAX_DEPTH`].
    pub depth: u32,
    /// The split ply, where the user chose it.
    pub split: Option<u32>,
    /// The number of units, where the user chose it.
    pub units: Option<u32>,
}

impl Wish {
    /// Whether the wish makes sense, before anything is done for it.
    ///
    /// # Errors
    /// [`PlanError::TooDeep`] and [`PlanError::SplitBelowDepth`].
    pub fn check(&self) -> Result<(), PlanError> {
        let Wish { depth, split, .. } = *self;
        match split {
            _ if depth > MAX_DEPTH => Err(PlanError::TooDeep { depth }),
            Some(split) if split > depth => Err(PlanError::SplitBelowDepth { split, depth }),
            _ => Ok(()),
        }
    }
}

/// A run cut into units: the frontier, what is left to count below it, and the bounds of its slices.
pub struct Plan {
    /// The positions that the units are slices of.
    pub frontier: Frontier,
    /// Plies to count below each of them.
    pub remaining: u32,
    /// How many units there are; none where every line ends before the split.
    pub units: u32,
    /// The size of a table beyond which this run gains nothing, in bytes: a small count should not pay for
    /// clearing a large one.
    pub hash_bytes: u64,
}

impl Plan {
    /// Plans the count that `wish` describes below `root`, with a frontier of at most `most`. The plan depends on
    /// nothing else; raising `stop` ends the planning.
    ///
    /// # Errors
    /// [`PlanError`] where the wish contradicts itself or its frontier cannot be held.
    pub fn new(root: &Position, wish: Wish, most: Limits, stop: &AtomicBool) -> Result<Plan, PlanError> {
        wish.check()?;
        let frontier = match wish.split {
            Some(split) => Frontier::grow(root, split, most, stop)?,
            None => {
                let deepest = wish.depth.saturating_sub(REMAINING);
                Frontier::grow_within(root, deepest, Limits::PLANNED.within(most), stop)?
            }
        };
        Plan::over(frontier, wish)
    }

    /// The plan of the count that `wish` describes, over its frontier, which was read back: the same as
    /// [`Plan::new`] makes where it grows that frontier. Whether it is the right one is not looked at.
    ///
    /// # Errors
    /// [`PlanError`] where the wish contradicts itself or the frontier.
    pub fn over(frontier: Frontier, wish: Wish) -> Result<Plan, PlanError> {
        wish.check()?;
        let (split, depth) = (frontier.ply(), wish.depth);
        let remaining = depth.checked_sub(split).ok_or(PlanError::SplitBelowDepth { split, depth })?;
        let guess = Guess::new(&frontier, remaining);
        let wanted = wish.units.map_or_else(|| guess.units(), |units| units as usize);
        let most = frontier.len().min(MAX_UNITS);
        let units = wanted.clamp(most.min(1), most) as u32;
        Ok(Plan { frontier, remaining, units, hash_bytes: guess.hash_bytes() })
    }

    /// The positions of one unit, as indices of the frontier.
    pub fn slice(&self, unit: u32) -> Range<usize> {
        slice(self.frontier.len(), self.units, unit)
    }
}

/// The positions of one unit, where `positions` of them are cut into `units`.
///
/// Slices are consecutive, cover all positions, and differ in length by at most one.
pub fn slice(positions: usize, units: u32, unit: u32) -> Range<usize> {
    let bound = |unit: u32| {
        let share = positions as u128 * u128::from(unit.min(units));
        (share / u128::from(units.max(1))) as usize
    };
    bound(unit)..bound(unit.saturating_add(1))
}

/// A guess at a run's size, from the moves of a few positions of its frontier.
struct Guess {
    /// Moves of one position, on average.
    branching: f64,
    /// Leaves below the distinct positions.
    walked: f64,
    /// Leaves below all paths.
    counted: f64,
}

impl Guess {
    fn new(frontier: &Frontier, remaining: u32) -> Guess {
        let stride = frontier.len().div_ceil(SAMPLE).max(1);
        let sample = (0..frontier.len()).step_by(stride);
        let moves =
            sample.clone().filter_map(|at| frontier.position(at).unpack().ok()).map(|it| it.count_moves());
        let branching = f64::from(moves.sum::<u32>()) / (sample.count().max(1) as f64);
        let below = branching.powi(remaining as i32);
        Guess { branching, walked: frontier.len() as f64 * below, counted: frontier.paths() as f64 * below }
    }

    /// How many units make pieces of the wanted size.
    fn units(&self) -> usize {
        let least = if self.counted > LARGE_RUN { MIN_UNITS } else { 1 };
        ((self.walked / UNIT_LEAVES) as usize).clamp(least, MAX_UNITS)
    }

    /// How much memory of a table this run can use: an entry for every other path to two plies above the leaves. Of
    /// these at least half meet in most trees, and where they do not the smallest counts give way.
    fn hash_bytes(&self) -> u64 {
        let paths = self.walked / self.branching.max(1.0).powi(2);
        ((paths / 2.0) as u64).saturating_mul(Table::ENTRY_BYTES)
    }
}

/// Why a wish cannot be planned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// More plies than anything could count.
    #[error("depth {depth} is too deep; 0 to {MAX_DEPTH} would be right")]
    TooDeep {
        /// The depth that was asked for.
        depth: u32,
    },
    /// The split is below the leaves.
    #[error("a split at ply {split} is below the leaves at depth {depth}; 0 to {depth} would be right")]
    SplitBelowDepth {
        /// The split that was asked for.
        split: u32,
        /// The depth that was asked for.
        depth: u32,
    },
    /// The frontier cannot be held.
    #[error(transparent)]
    Frontier(#[from] GrowError),
}

#[cfg(test)]
mod tests {
    use super::*;

    static QUIET: AtomicBool = AtomicBool::new(false);

    const SMALL: Wish = Wish { depth: 5, split: None, units: None };

    fn plan(wish: Wish) -> Plan {
        Plan::new(&Position::startpos(), wish, Limits::CHOSEN, &QUIET).expect("a plan")
    }

    #[test]
    fn a_small_run_is_one_unit() {
        let plan = plan(SMALL);
        assert_eq!((plan.frontier.ply(), plan.remaining, plan.units), (1, 4, 1));
        assert_eq!(plan.slice(0), 0..20);
    }

    #[test]
    fn a_large_run_can_be_shared() {
        let plan = plan(Wish { depth: 7, ..SMALL });
        assert_eq!((plan.frontier.ply(), plan.remaining), (3, 4));
        assert!((64..=5_362).contains(&plan.units), "{}", plan.units);
    }

    #[test]
    fn a_frontier_that_was_read_back_is_planned_as_before() {
        let wish = Wish { depth: 7, ..SMALL };
        let grown = plan(wish);
        let mut bytes = Vec::new();
        grown.frontier.write(&mut bytes).expect("there is room");
        let read = || Frontier::read(&mut bytes.as_slice(), Limits::PLANNED).expect("a frontier");
        let again = Plan::over(read(), wish).expect("a plan");
        let numbers = |plan: &Plan| (plan.frontier.len(), plan.remaining, plan.units, plan.hash_bytes);
        assert_eq!(numbers(&again), numbers(&grown));
        let deep = Plan::over(read(), Wish { depth: 2, ..SMALL });
        assert_eq!(deep.err(), Some(PlanError::SplitBelowDepth { split: 3, depth: 2 }));
    }

    #[test]
    fn slices_cover_the_frontier_in_order() {
        for units in [1, 3, 7, 399, 400, 5_000] {
            let plan = plan(Wish { depth: 4, split: Some(2), units: Some(units) });
            assert_eq!(plan.units, units.min(400));
            let mut end = 0;
            for unit in 0..plan.units {
                let slice = plan.slice(unit);
                assert_eq!(slice.start, end);
                assert!(slice.len().abs_diff(400 / plan.units as usize) <= 1);
                end = slice.end;
            }
            assert_eq!(end, 400);
            assert!(plan.slice(plan.units).is_empty());
        }
    }

    #[test]
    fn a_game_that_is_over_has_no_units() {
        let mated: Position = "7k/5QQ1/8/8/8/8/8/K7 b - - 0 1".parse().expect("a position");
        let plan = Plan::new(&mated, Wish { depth: 6, ..SMALL }, Limits::CHOSEN, &QUIET).expect("a plan");
        assert_eq!((plan.frontier.len(), plan.units), (0, 0));
    }

    #[test]
    fn no_run_is_too_large_to_be_guessed() {
        let kings: Position = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().expect("a position");
        let plan = Plan::new(&kings, Wish { depth: 64, ..SMALL }, Limits::CHOSEN, &QUIET).expect("a plan");
        assert_eq!(plan.hash_bytes, u64::MAX);
    }

    #[test]
    fn wishes_that_contradict_themselves_are_refused() {
        let deep = Plan::new(&Position::startpos(), Wish { depth: 65, ..SMALL }, Limits::CHOSEN, &QUIET);
        assert_eq!(deep.err(), Some(PlanError::TooDeep { depth: 65 }));
        let split =
            Plan::new(&Position::startpos(), Wish { split: Some(6), ..SMALL }, Limits::CHOSEN, &QUIET);
        assert_eq!(split.err(), Some(PlanError::SplitBelowDepth { split: 6, depth: 5 }));
    }
}
