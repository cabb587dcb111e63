//! The course of a verification: all its places, one after another, and how they are cut into units.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use vezir_chess::Position;

use crate::itinerary::{Itinerary, ItineraryError};
use crate::{Place, Starts, Subject, Way, playout};

/// Leaves below the places of one unit, roughly: a tenth of a second of a fast engine, a quarter of a minute of
/// a slow one.
const UNIT_LEAVES: f64 = 2e7;

/// The most places of one unit of a suite, on average: few enough to be shared.
const UNIT_PLACES: u32 = 16;

/// Random games of one unit.
const UNIT_GAMES: u32 = 4;

/// The most units of a verification.
const MOST_UNITS: u32 = 1 << 20;

/// Of so many places in a row, one is asked about by moves: what the program makes of them itself.
const BY_MOVES: usize = 16;

/// All places of a verification.
pub enum Course {
    /// Those of a tree.
    Tree(Itinerary),
    /// Those of a suite.
    Places(Arc<[Place]>),
    /// Those of random games, which are played when they are asked for.
    Games {
        /// Where they begin.
        starts: Starts,
        /// What they grow from.
        seed: u64,
        /// How many.
        games: u32,
        /// How deep each position is asked about, in plies.
        depth: u32,
    },
}

impl Course {
    /// The course over a subject. Raising `stop` ends its making.
    ///
    /// # Errors
    /// [`ItineraryError`] where a tree cannot be split as it is wished, or is too deep.
    pub fn new(subject: &Subject, most: usize, stop: &AtomicBool) -> Result<Course, ItineraryError> {
        Ok(match subject {
            Subject::Tree { root, depth, split } => {
                Course::Tree(Itinerary::new(root, *depth, *split, most, stop)?)
            }
            Subject::Places(places) => Course::Places(places.clone()),
            Subject::Games { starts, seed, games, depth } => {
                Course::Games { starts: *starts, seed: *seed, games: *games, depth: *depth }
            }
        })
    }

    /// How many units it is cut into: a function of the subject alone.
    pub fn units(&self) -> u32 {
        let wanted = match self {
            Course::Tree(tree) => {
                let root = tree.place(0).map_or_else(Position::startpos, |place| place.root);
                let leaves = below(&root, tree.remaining()) * tree.len() as f64;
                (leaves / UNIT_LEAVES).min(f64::from(MOST_UNITS)) as u32
            }
            Course::Places(places) => {
                let leaves: f64 = places.iter().map(|place| below(&place.position(), place.depth)).sum();
                let by_leaves = (leaves / UNIT_LEAVES).min(f64::from(MOST_UNITS)) as u32;
                by_leaves.max(u32::try_from(places.len()).unwrap_or(u32::MAX) / UNIT_PLACES)
            }
            Course::Games { games, .. } => games.div_ceil(UNIT_GAMES),
        };
        let most = u32::try_from(self.items()).unwrap_or(u32::MAX).min(MOST_UNITS);
        wanted.clamp(most.min(1), most)
    }

    /// What units are slices of: places, or games.
    pub fn items(&self) -> usize {
        match self {
            Course::Tree(tree) => tree.len(),
            Course::Places(places) => places.len(),
            Course::Games { games, .. } => *games as usize,
        }
    }

    /// The ply at which a tree is split; 0 where there is none.
    pub fn split(&self) -> u32 {
        if let Course::Tree(tree) = self { tree.split() } else { 0 }
    }

    /// How deep the places at the split are asked about, in plies; 0 for a suite, whose places each say so.
    pub fn remaining(&self) -> u32 {
        match self {
            Course::Tree(tree) => tree.remaining(),
            Course::Places(_) => 0,
            Course::Games { depth, .. } => *depth,
        }
    }

    /// How many places the items in `range` are.
    pub fn length(&self, range: Range<usize>) -> usize {
        match self {
            Course::Games { .. } => self.places(range).count(),
            _ => range.end.min(self.items()).saturating_sub(range.start),
        }
    }

    /// The places of the items in `range`, in order; what is past the end is left out.
    pub fn places(&self, range: Range<usize>) -> Box<dyn Iterator<Item = Place> + '_> {
        let range = range.start..range.end.min(self.items());
        match self {
            Course::Tree(tree) => Box::new(range.filter_map(|at| Some(turned(tree.place(at)?, at)))),
            Course::Places(places) => Box::new(places.get(range).unwrap_or_default().iter().cloned()),
            Course::Games { starts, seed, depth, .. } => {
                let games = range.filter_map(|at| u32::try_from(at).ok());
                Box::new(games.flat_map(|game| positions(*starts, *seed, game, *depth)))
            }
        }
    }
}

/// A place that is asked about by moves where its turn has come.
fn turned(place: Place, at: usize) -> Place {
    let by_moves = at % BY_MOVES == BY_MOVES - 1 && !place.moves.is_empty();
    Place { way: if by_moves { Way::Moves } else { Way::Position }, ..place }
}

/// The positions of a random game, the first of them left out.
fn positions(starts: Starts, seed: u64, game: u32, depth: u32) -> Vec<Place> {
    let root = starts.root(game);
    let moves = playout::game(&root, seed, game.into());
    let place =
        |ply: usize| Place { root, moves: moves[..ply].to_vec(), depth, paths: 1, way: Way::Position };
    (1..=moves.len()).map(|ply| turned(place(ply), ply)).collect()
}

/// Leaves below a position, guessed from its moves.
fn below(position: &Position, depth: u32) -> f64 {
    f64::from(position.count_moves().max(1)).powi(depth as i32)
}
