//! What an engine is asked about, as the command line says it.

use vezir_chess::Position;
use vezir_perft::suite::Entry;
use vezir_verify::{Place, SUITE, Subject, Trial, Way};

use crate::args::{NamedPosition, RootArgs, SubjectArgs};
use crate::exit::{Exit, Failure};
use crate::root::Root;
use crate::suite::read_all;
use crate::talk::say;

/// The most places of a suite: they travel as one message.
const MOST_PLACES: usize = 20_000;

/// What the command line asks about.
pub(super) fn of(args: &SubjectArgs) -> Result<Subject, Failure> {
    if args.fuzz {
        let seed = args.seed.unwrap_or_else(|| fastrand::u64(..));
        if args.seed.is_none() {
            say(&format!("--seed {seed} brings the same games again"));
        }
        let (starts, games, depth) = (args.variant.into(), args.games, args.fuzz_depth);
        return Ok(Subject::Games { starts, seed, games, depth: asked(depth)? });
    }
    if let Some(depth) = args.depth {
        let position = args.position.unwrap_or(NamedPosition::Startpos);
        let root = Root::from_args(&RootArgs { fen: args.fen.clone(), position, chess960: false })?;
        return Ok(Subject::Tree { root: root.position, depth: asked(depth)?, split: args.split });
    }
    let places = if args.suite.is_empty() { built_in() } else { suite(args)? };
    if places.len() > MOST_PLACES {
        let sentence = format!("the suite has {} places; {MOST_PLACES} at most would be right", places.len());
        return Err(Failure::new(Exit::BadInput, sentence));
    }
    Ok(Subject::Places(places.into()))
}

fn asked(depth: u32) -> Result<u32, Failure> {
    if depth > 0 {
        return Ok(depth);
    }
    Err(Failure::new(Exit::Usage, "at depth 0 there is nothing to ask; 1 or more would be right"))
}

/// The built-in positions, and after each of their moves the position that it leads to, the move made by the
/// engine itself.
fn built_in() -> Vec<Place> {
    let trials = SUITE.iter().filter_map(|trial: &Trial| Some((trial.position().ok()?, trial.depth)));
    let after = |(root, depth): (Position, u32)| {
        let mut moves = root.legal_moves();
        moves.sort_unstable();
        let below = depth.saturating_sub(1).max(1);
        let made = moves.into_iter().map(move |chosen| Place {
            root,
            moves: vec![chosen],
            depth: below,
            paths: 0,
            way: Way::Moves,
        });
        std::iter::once(itself(root, depth)).chain(made)
    };
    trials.flat_map(after).collect()
}

/// The positions of files, and of each one move that the engine makes itself.
fn suite(args: &SubjectArgs) -> Result<Vec<Place>, Failure> {
    let files = read_all(&args.suite)?;
    let entries: Vec<&Entry> = files.iter().flat_map(|(_, entries)| entries).collect();
    let within = |entry: &Entry| {
        let counts = entry.counts.iter();
        let counts =
            counts.filter(|it| it.nodes <= args.max_nodes && it.depth <= args.max_depth && it.depth > 0);
        counts.map(|it| it.depth).max()
    };
    let mut places = Vec::new();
    for (at, entry) in entries.into_iter().enumerate() {
        let Some(depth) = within(entry) else { continue };
        places.push(itself(entry.position, depth));
        let mut moves = entry.position.legal_moves();
        moves.sort_unstable();
        if let Some(chosen) = moves.get(at % moves.len().max(1)).filter(|_| depth > 1) {
            let (root, moves) = (entry.position, vec![*chosen]);
            places.push(Place { root, moves, depth: depth - 1, paths: 0, way: Way::Moves });
        }
    }
    if places.is_empty() {
        return Err(Failure::new(Exit::NoAnswer, "nothing to ask about: no count is within the limits"));
    }
    Ok(places)
}

fn itself(root: Position, depth: u32) -> Place {
    Place { root, moves: Vec::new(), depth, paths: 1, way: Way::Position }
}
