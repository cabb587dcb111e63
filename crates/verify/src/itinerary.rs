//! The places of a run: every distinct position down to the split, each with the first way to it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use vezir_chess::{Move, Packed, Position};
use vezir_perft::MAX_DEPTH;

use crate::{Place, Way};

/// Plies that are left below the split where nobody chooses it: some hundred thousand leaves, which cost a program a
/// millisecond or more, where asking it costs some ten microseconds.
const REMAINING: u32 = 4;

/// Plies below the positions above the split: their own moves, and what the program makes of them. Asked for their
/// moves alone, one that forgets an en passant square in making a double step would be right everywhere: the
/// FEN of the next position tells it again.
const ABOVE: u32 = 2;

/// The distinct positions at plies 0 to the split below a root, ply by ply, in the order in which they are first
/// reached when each position's moves are tried in the order of their sixteen bits.
///
/// Those above the split are asked for two plies only; those at the split for all that is below them. So a
/// wrong list of moves is met at its own place, and the leaves of the run are the sum over the split. How a program
/// makes the moves down to the split is only seen where its places are asked by moves.
///
/// Two positions are one where their [`Packed`] forms are equal and they are at the same ply.
pub struct Itinerary {
    root: Position,
    remaining: u32,
    steps: Vec<Step>,
    /// Where each ply begins, and at last where the split's ends.
    bounds: Vec<usize>,
}

/// A position, by the move that first led to it.
#[derive(Clone, Copy)]
struct Step {
    /// The index of the position before the move; the root's own is never looked at.
    parent: u32,
    /// The move; none for the root.
    chosen: Option<Move>,
    /// How many ways lead there from the root.
    paths: u64,
}

impl Itinerary {
    /// The places to visit so that everything down to `depth` is looked at, at most `most_positions` of them.
    ///
    /// The split is `split` or, where that is not chosen, the deepest ply that keeps to `most_positions` and leaves
    /// four plies below it. Nothing else decides; raising `stop` ends the growth.
    ///
    /// # Errors
    /// [`ItineraryError`] where `depth` or `split` makes no sense, or the chosen split, or the root alone, is too much.
    pub fn new(
        root: &Position,
        depth: u32,
        split: Option<u32>,
        most_positions: usize,
        stop: &AtomicBool,
    ) -> Result<Itinerary, ItineraryError> {
        let deepest = deepest(depth, split)?;
        let mut growth = Growth::from(root, most_positions)?;
        while growth.ply() < deepest {
            match growth.grow(stop) {
                Ok(()) => {}
                // Nobody asked for that ply, and the one before it will do.
                Err(ItineraryError::TooLarge { .. } | ItineraryError::TooManyPaths { .. })
                    if split.is_none() =>
                {
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let remaining = depth - growth.ply();
        Ok(Itinerary { root: *root, remaining, steps: growth.steps, bounds: growth.bounds })
    }

    /// How many places there are, of all plies.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is none; there always is the root.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The ply at which the leaves are counted.
    pub fn split(&self) -> u32 {
        (self.bounds.len() - 2) as u32
    }

    /// Plies below the split, at least 1.
    pub const fn remaining(&self) -> u32 {
        self.remaining
    }

    /// The indices of the places at one ply; none past the split.
    pub fn ply(&self, ply: u32) -> Range<usize> {
        match self.bounds.get(ply as usize..).unwrap_or_default() {
            [begin, end, ..] => *begin..*end,
            _ => self.len()..self.len(),
        }
    }

    /// All ways from the root to the split: perft of that ply.
    pub fn paths(&self) -> u128 {
        self.steps[self.ply(self.split())].iter().map(|step| u128::from(step.paths)).sum()
    }

    /// The place at `index`, if there is one.
    pub fn place(&self, index: usize) -> Option<Place> {
        let paths = self.steps.get(index)?.paths;
        let is_counted = self.ply(self.split()).contains(&index);
        let (depth, paths) = if is_counted { (self.remaining, paths) } else { (ABOVE, 0) };
        Some(Place { root: self.root, moves: self.moves(index), depth, paths, way: Way::Position })
    }

    /// The places with indices in `range`, in order; what is past the end is left out.
    pub fn places(&self, range: Range<usize>) -> impl Iterator<Item = Place> {
        (range.start..range.end.min(self.len())).filter_map(|index| self.place(index))
    }

    /// The moves from the root to a position.
    fn moves(&self, index: usize) -> Vec<Move> {
        let mut step = self.steps[index];
        let mut moves = Vec::new();
        while let Some(chosen) = step.chosen {
            moves.push(chosen);
            step = self.steps[step.parent as usize];
        }
        moves.reverse();
        moves
    }
}

/// The deepest ply that the split may be at.
fn deepest(depth: u32, split: Option<u32>) -> Result<u32, ItineraryError> {
    match split {
        _ if depth == 0 => Err(ItineraryError::NoDepth),
        _ if depth > MAX_DEPTH => Err(ItineraryError::TooDeep { depth }),
        Some(split) if split >= depth => Err(ItineraryError::SplitBelowDepth { split, depth }),
        Some(split) => Ok(split),
        None => Ok(depth.saturating_sub(REMAINING)),
    }
}

/// Where a packed position of the ply that is grown has its place among them. Always hashed the same way: nobody
/// gains from choosing positions that collide, and nothing here is left to chance.
type Found = HashMap<Packed, usize, BuildHasherDefault<DefaultHasher>>;

/// An itinerary that still grows.
struct Growth {
    most: usize,
    steps: Vec<Step>,
    bounds: Vec<usize>,
    /// The positions of the last ply.
    last: Vec<Position>,
}

impl Growth {
    /// The root alone.
    fn from(root: &Position, most: usize) -> Result<Growth, ItineraryError> {
        if most == 0 {
            return Err(ItineraryError::TooLarge { ply: 0, most });
        }
        let step = Step { parent: 0, chosen: None, paths: 1 };
        // Parents are kept in 32 bits, whatever is asked for.
        let most = most.min(u32::MAX as usize);
        Ok(Growth { most, steps: vec![step], bounds: vec![0, 1], last: vec![*root] })
    }

    fn ply(&self) -> u32 {
        (self.bounds.len() - 2) as u32
    }

    /// Adds one ply; where it cannot be had, everything stays as it is.
    fn grow(&mut self, stop: &AtomicBool) -> Result<(), ItineraryError> {
        let (ply, room) = (self.ply() + 1, self.most - self.steps.len());
        let first = self.steps.len() - self.last.len();
        let (mut found, mut steps, mut positions) = (Found::default(), Vec::<Step>::new(), Vec::new());
        for (parent, position) in (first..).zip(&self.last) {
            if stop.load(Ordering::Relaxed) {
                return Err(ItineraryError::Stopped);
            }
            let paths = self.steps[parent].paths;
            let mut moves = position.legal_moves();
            // Without this the order would follow the generator's habits, which may change.
            moves.sort_unstable();
            for chosen in moves {
                let child = position.after(chosen);
                match found.entry(child.pack()) {
                    Entry::Occupied(known) => {
                        let step = &mut steps[*known.get()];
                        let sum = step.paths.checked_add(paths);
                        step.paths = sum.ok_or(ItineraryError::TooManyPaths { ply })?;
                    }
                    Entry::Vacant(_) if steps.len() == room => {
                        return Err(ItineraryError::TooLarge { ply, most: self.most });
                    }
                    Entry::Vacant(free) => {
                        free.insert(steps.len());
                        steps.push(Step { parent: parent as u32, chosen: Some(chosen), paths });
                        positions.push(child);
                    }
                }
            }
        }
        self.steps.append(&mut steps);
        self.bounds.push(self.steps.len());
        self.last = positions;
        Ok(())
    }
}

/// Why there is no itinerary.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ItineraryError {
    /// There is nothing to ask.
    #[error("at depth 0 there is nothing to ask; 1 to {MAX_DEPTH} would be right")]
    NoDepth,
    /// More plies than anything could count.
    #[error("depth {depth} is too deep; 1 to {MAX_DEPTH} would be right")]
    TooDeep {
        /// The depth that was asked for.
        depth: u32,
    },
    /// The split leaves nothing below it.
    #[error("a split at ply {split} leaves nothing to ask at depth {depth}; 0 to {} would be right", .depth - 1)]
    SplitBelowDepth {
        /// The split that was asked for.
        split: u32,
        /// The depth that was asked for.
        depth: u32,
    },
    /// There are more positions than allowed.
    #[error(
        "the places down to ply {ply} are more than {most}, the most allowed; a smaller split would be right"
    )]
    TooLarge {
        /// The ply that was being grown.
        ply: u32,
        /// How many places of all plies are allowed.
        most: usize,
    },
    /// A position is reached by more paths than 64 bits hold.
    #[error("a position at ply {ply} is reached by more than 2^64 paths; a smaller split would be right")]
    TooManyPaths {
        /// The ply that was being grown.
        ply: u32,
    },
    /// It is no longer wanted.
    #[error("the search for the places was stopped before its end")]
    Stopped,
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Counts, Plain, Way};

    static QUIET: AtomicBool = AtomicBool::new(false);

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const MANY: usize = 1 << 20;

    fn position(fen: &str) -> Position {
        fen.parse().expect("a FEN")
    }

    fn itinerary(root: &Position, depth: u32, split: Option<u32>) -> Itinerary {
        Itinerary::new(root, depth, split, MANY, &QUIET).expect("an itinerary")
    }

    fn refused(depth: u32, split: Option<u32>, most: usize) -> Option<ItineraryError> {
        Itinerary::new(&Position::startpos(), depth, split, most, &QUIET).err()
    }

    /// Distinct positions and paths: OEIS A083276 and A048987, Chess Programming Wiki.
    #[test]
    fn the_positions_and_paths_are_those_published() {
        let start: &[(usize, u128)] = &[(1, 1), (20, 20), (400, 400), (5_362, 8_902), (72_078, 197_281)];
        let kiwipete: &[(usize, u128)] = &[(1, 1), (48, 48), (2_038, 2_039), (57_548, 97_862)];
        for (root, published) in [(Position::startpos(), start), (position(KIWIPETE), kiwipete)] {
            for (split, (_, paths)) in published.iter().enumerate() {
                let places = itinerary(&root, split as u32 + 2, Some(split as u32));
                assert_eq!((places.split(), places.remaining()), (split as u32, 2));
                assert_eq!(places.paths(), *paths, "split {split}");
                for (ply, (positions, _)) in published[..=split].iter().enumerate() {
                    assert_eq!(places.ply(ply as u32).len(), *positions, "ply {ply}");
                }
                let sum: usize = published[..=split].iter().map(|(positions, _)| positions).sum();
                assert_eq!((places.len(), places.ply(split as u32 + 1).len()), (sum, 0));
            }
        }
    }

    #[test]
    fn every_place_is_a_position_of_its_own_that_its_moves_lead_to() {
        for fen in [KIWIPETE, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"] {
            let root = position(fen);
            let places = itinerary(&root, 4, Some(2));
            let mut seen = HashSet::new();
            for (index, place) in places.places(0..usize::MAX).enumerate() {
                let ply = place.moves.len();
                assert!(places.ply(ply as u32).contains(&index), "in the order of the plies");
                let walked = place.moves.iter().fold(root, |position, chosen| {
                    assert!(position.is_legal(*chosen), "{place:?}");
                    position.after(*chosen)
                });
                assert_eq!(place.position(), walked);
                assert!(seen.insert((ply, walked.pack())), "{place:?} is there twice");
                assert_eq!(
                    (place.depth, place.paths > 0),
                    (if ply == 2 { 2 } else { ABOVE }, ply == 2),
                    "{place:?}"
                );
                assert_eq!(places.place(index).as_ref(), Some(&place));
            }
            assert_eq!((seen.len(), places.place(places.len())), (places.len(), None));
        }
    }

    #[test]
    fn counts_at_the_split_sum_to_the_total() {
        let fischer = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        for (fen, depth, total) in [
            (KIWIPETE, 4, 4_085_603),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
            (fischer, 3, 12_189),
        ] {
            for split in 0..depth.min(3) {
                let places = itinerary(&position(fen), depth, Some(split));
                let sum: u128 = places
                    .places(0..places.len())
                    .map(|place| {
                        let query = Place { way: Way::Moves, ..place }.query();
                        let answer = Plain.count(&query.position(), query.depth).expect("a count");
                        answer.nodes * u128::from(place.paths)
                    })
                    .sum();
                assert_eq!(sum, total, "{fen} split at {split}");
            }
        }
    }

    #[test]
    fn the_split_is_as_deep_as_it_may_be() {
        let root = Position::startpos();
        let split = |depth, most| {
            let places = Itinerary::new(&root, depth, None, most, &QUIET).expect("an itinerary");
            assert_eq!(places.split() + places.remaining(), depth);
            assert!(places.len() <= most);
            places.split()
        };
        for depth in 1..=4 {
            assert_eq!(split(depth, MANY), 0);
        }
        assert_eq!((split(5, MANY), split(6, MANY), split(7, MANY)), (1, 2, 3));
        let down_to_three = 1 + 20 + 400 + 5_362;
        assert_eq!((split(9, down_to_three), split(9, down_to_three - 1)), (3, 2));
        assert_eq!((split(64, 21), split(64, 20), split(64, 1)), (1, 0, 0));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        use ItineraryError::{NoDepth, SplitBelowDepth, TooDeep, TooLarge};
        assert_eq!(refused(0, None, MANY), Some(NoDepth));
        assert_eq!(refused(65, None, MANY), Some(TooDeep { depth: 65 }));
        assert_eq!(refused(3, Some(3), MANY), Some(SplitBelowDepth { split: 3, depth: 3 }));
        assert_eq!(refused(3, Some(2), 420), Some(TooLarge { ply: 2, most: 420 }));
        assert_eq!(refused(3, Some(2), 421), None);
        assert_eq!(refused(3, None, 0), Some(TooLarge { ply: 0, most: 0 }));
        let told = refused(3, Some(7), MANY).map(|error| error.to_string());
        let wanted = "a split at ply 7 leaves nothing to ask at depth 3; 0 to 2 would be right";
        assert_eq!(told.as_deref(), Some(wanted));
    }

    #[test]
    fn paths_past_64_bits_are_no_places() {
        // Two kings alone: few positions, and soon more paths than 64 bits hold.
        let root = position("k7/8/8/8/8/8/8/7K w - - 0 1");
        let error = Itinerary::new(&root, 64, Some(60), usize::MAX, &QUIET).err();
        let Some(ItineraryError::TooManyPaths { ply }) = error else { panic!("{error:?}") };
        let places = Itinerary::new(&root, 64, None, usize::MAX, &QUIET).expect("an itinerary");
        assert_eq!(places.split(), ply - 1);
    }

    #[test]
    fn where_the_game_is_over_only_the_root_is_asked() {
        let mated = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
        let places = itinerary(&mated, 6, None);
        assert_eq!((places.len(), places.split(), places.paths()), (1, 2, 0));
        assert_eq!(
            places.place(0),
            Some(Place { root: mated, moves: Vec::new(), depth: ABOVE, paths: 0, way: Way::Position })
        );
    }

    #[test]
    fn a_raised_stop_ends_the_growth() {
        let stopped = Itinerary::new(&Position::startpos(), 8, None, MANY, &AtomicBool::new(true));
        assert_eq!(stopped.err(), Some(ItineraryError::Stopped));
    }
}
