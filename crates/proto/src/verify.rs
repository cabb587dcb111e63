//! Verification requests, the engines that they name, and pages of places.

use std::sync::Arc;
use std::time::Duration;

use prost::Message;
use vezir_jobs::{Dialect, Engine, EnginePlace, Examination, Hash, VerifyRequest};
use vezir_verify::{Place, Starts, Subject, Way};

use crate::MAX_PAGE_BYTES;
use crate::malformed::{Malformed, read_move, required};
use crate::wire::types::v1 as wire;

impl From<VerifyRequest> for wire::Verification {
    fn from(request: VerifyRequest) -> wire::Verification {
        let VerifyRequest { engine, subject, all, shrink } = request;
        wire::Verification { engine: Some(engine.into()), subject: Some(subject.into()), all, shrink }
    }
}

impl TryFrom<wire::Verification> for VerifyRequest {
    type Error = Malformed;

    fn try_from(verification: wire::Verification) -> Result<VerifyRequest, Malformed> {
        let wire::Verification { engine, subject, all, shrink } = verification;
        let subject = required(subject, "subject")?.try_into()?;
        Ok(VerifyRequest { engine: required(engine, "engine")?.try_into()?, subject, all, shrink })
    }
}

impl From<Examination> for wire::Examination {
    fn from(Examination { engine, all, shrink }: Examination) -> wire::Examination {
        wire::Examination { engine: Some(engine.into()), all, shrink }
    }
}

impl TryFrom<wire::Examination> for Examination {
    type Error = Malformed;

    fn try_from(it: wire::Examination) -> Result<Examination, Malformed> {
        let engine = required(it.engine, "engine")?.try_into()?;
        Ok(Examination { engine, all: it.all, shrink: it.shrink })
    }
}

impl From<Subject> for wire::verification::Subject {
    fn from(subject: Subject) -> wire::verification::Subject {
        match subject {
            Subject::Tree { root, depth, split } => {
                let fen = root.to_string();
                wire::verification::Subject::Tree(wire::Tree { fen, depth, split })
            }
            Subject::Places(all) => {
                let places = all.iter().map(|place| place.clone().into()).collect();
                wire::verification::Subject::Places(wire::Places { places })
            }
            Subject::Games { starts, seed, games, depth } => {
                let starts = wire::Starts::from(starts).into();
                wire::verification::Subject::Games(wire::Games { starts, seed, games, depth })
            }
        }
    }
}

impl TryFrom<wire::verification::Subject> for Subject {
    type Error = Malformed;

    fn try_from(subject: wire::verification::Subject) -> Result<Subject, Malformed> {
        Ok(match subject {
            wire::verification::Subject::Tree(wire::Tree { fen, depth, split }) => {
                Subject::Tree { root: fen.parse()?, depth, split }
            }
            wire::verification::Subject::Places(all) => Subject::Places(read_places(all)?),
            wire::verification::Subject::Games(all) => {
                let starts = all.starts().try_into()?;
                Subject::Games { starts, seed: all.seed, games: all.games, depth: all.depth }
            }
        })
    }
}

impl From<Starts> for wire::Starts {
    fn from(starts: Starts) -> wire::Starts {
        match starts {
            Starts::Standard => wire::Starts::Standard,
            Starts::Chess960 => wire::Starts::Chess960,
            Starts::Double => wire::Starts::Double,
            Starts::Mixed => wire::Starts::Mixed,
        }
    }
}

impl TryFrom<wire::Starts> for Starts {
    type Error = Malformed;

    fn try_from(starts: wire::Starts) -> Result<Starts, Malformed> {
        Ok(match starts {
            wire::Starts::Unspecified => return Err(Malformed::Missing("starts")),
            wire::Starts::Standard => Starts::Standard,
            wire::Starts::Chess960 => Starts::Chess960,
            wire::Starts::Double => Starts::Double,
            wire::Starts::Mixed => Starts::Mixed,
        })
    }
}

impl From<Engine> for wire::Engine {
    fn from(engine: Engine) -> wire::Engine {
        let path = match engine.place {
            EnginePlace::Artifact => String::new(),
            EnginePlace::Path(path) => path,
        };
        wire::Engine {
            name: engine.name,
            hash: engine.hash.0.to_vec(),
            path,
            arguments: engine.arguments,
            dialect: Some(engine.dialect.into()),
            readable: engine.readable,
            unsandboxed: engine.unsandboxed,
            query_millis: u64::try_from(engine.query_limit.as_millis()).unwrap_or(u64::MAX),
            memory_bytes: engine.memory_bytes,
        }
    }
}

impl TryFrom<wire::Engine> for Engine {
    type Error = Malformed;

    fn try_from(engine: wire::Engine) -> Result<Engine, Malformed> {
        let is_artifact = engine.path.is_empty();
        Ok(Engine {
            name: engine.name,
            hash: read_hash(&engine.hash, "engine.hash")?,
            place: if is_artifact { EnginePlace::Artifact } else { EnginePlace::Path(engine.path) },
            arguments: engine.arguments,
            dialect: required(engine.dialect, "engine.dialect")?.try_into()?,
            readable: engine.readable,
            unsandboxed: engine.unsandboxed,
            query_limit: Duration::from_millis(engine.query_millis),
            memory_bytes: engine.memory_bytes,
        })
    }
}

/// The 32 bytes of a hash.
pub(crate) fn read_hash(bytes: &[u8], field: &'static str) -> Result<Hash, Malformed> {
    bytes.try_into().map(Hash).map_err(|_| Malformed::Range(field))
}

impl From<Dialect> for wire::Dialect {
    fn from(dialect: Dialect) -> wire::Dialect {
        let way = match dialect {
            Dialect::Uci => wire::dialect::Way::Uci(wire::Uci {}),
            Dialect::Profile(name) => wire::dialect::Way::Profile(name),
            Dialect::Totals { init, position, perft, total } => {
                wire::dialect::Way::Totals(wire::Totals { init, position, perft, total })
            }
            Dialect::Script => wire::dialect::Way::Script(wire::Script {}),
            Dialect::Template(words) => wire::dialect::Way::Template(words),
        };
        wire::Dialect { way: Some(way) }
    }
}

impl TryFrom<wire::Dialect> for Dialect {
    type Error = Malformed;

    fn try_from(dialect: wire::Dialect) -> Result<Dialect, Malformed> {
        Ok(match required(dialect.way, "engine.dialect.way")? {
            wire::dialect::Way::Uci(_) => Dialect::Uci,
            wire::dialect::Way::Profile(name) => Dialect::Profile(name),
            wire::dialect::Way::Totals(wire::Totals { init, position, perft, total }) => {
                Dialect::Totals { init, position, perft, total }
            }
            wire::dialect::Way::Script(_) => Dialect::Script,
            wire::dialect::Way::Template(words) => Dialect::Template(words),
        })
    }
}

impl From<Place> for wire::Place {
    fn from(place: Place) -> wire::Place {
        wire::Place {
            fen: place.root.to_string(),
            moves: place.moves.iter().map(|chosen| chosen.bits().into()).collect(),
            depth: place.depth,
            paths: place.paths,
            by_moves: place.way == Way::Moves,
        }
    }
}

impl TryFrom<wire::Place> for Place {
    type Error = Malformed;

    /// Every move must be legal where it is made.
    fn try_from(place: wire::Place) -> Result<Place, Malformed> {
        let way = if place.by_moves { Way::Moves } else { Way::Position };
        let moves = place.moves.into_iter().map(read_move).collect::<Result<_, _>>()?;
        let place = Place { root: place.fen.parse()?, moves, depth: place.depth, paths: place.paths, way };
        match place.illegal() {
            Some((chosen, position)) => Err(Malformed::Illegal { chosen, fen: position.to_string() }),
            None => Ok(place),
        }
    }
}

/// As many of the places, from the first one on, as a page of `most_bytes` holds; one at least. No page holds
/// more than [`MAX_PAGE_BYTES`], which is also what 0 stands for.
pub fn places(all: impl IntoIterator<Item = Place>, most_bytes: u32) -> wire::Places {
    let most = match most_bytes as usize {
        0 => MAX_PAGE_BYTES,
        most => most.min(MAX_PAGE_BYTES),
    };
    let mut page = wire::Places::default();
    let mut bytes = 0;
    for place in all {
        let place = wire::Place::from(place);
        let length = place.encoded_len();
        // Its number and its length stand before it.
        bytes += 1 + prost::length_delimiter_len(length) + length;
        if bytes > most && !page.places.is_empty() {
            break;
        }
        page.places.push(place);
    }
    page
}

/// The places of a page or a suite.
///
/// # Errors
/// [`Malformed`] where one of them is no position, or a move of its is not legal.
pub fn read_places(page: wire::Places) -> Result<Arc<[Place]>, Malformed> {
    page.places.into_iter().map(Place::try_from).collect()
}

#[cfg(test)]
mod tests {
    use vezir_chess::{Position, uci};

    use super::*;

    fn place(moves: &[&str]) -> Place {
        let root = Position::startpos();
        let (mut position, mut made) = (root, Vec::new());
        for text in moves {
            let chosen = uci::read(&position, text).expect("a move");
            position = position.after(chosen);
            made.push(chosen);
        }
        Place { root, moves: made, depth: 3, paths: 1 << 40, way: Way::Moves }
    }

    fn engine() -> Engine {
        Engine {
            name: "toy".to_owned(),
            hash: Hash([7; Hash::BYTES]),
            place: EnginePlace::Artifact,
            arguments: vec!["-x".to_owned(), "a b".to_owned()],
            dialect: Dialect::Uci,
            readable: vec!["/net".to_owned()],
            unsandboxed: true,
            query_limit: Duration::from_millis(1_500),
            memory_bytes: 1 << 33,
        }
    }

    #[test]
    fn requests_come_back() {
        let totals = Dialect::Totals {
            init: vec!["hello".to_owned()],
            position: "setboard {fen}".to_owned(),
            perft: "perft {depth}".to_owned(),
            total: "(\\d+)".to_owned(),
        };
        let dialects = [
            Dialect::Uci,
            Dialect::Profile("sjeng".to_owned()),
            totals,
            Dialect::Script,
            Dialect::Template("p {fen} {depth}".to_owned()),
        ];
        let all = [Starts::Standard, Starts::Chess960, Starts::Double, Starts::Mixed];
        let games = all.map(|starts| Subject::Games { starts, seed: u64::MAX, games: 9, depth: 2 });
        let root = Position::startpos();
        let subjects = [
            Subject::Tree { root, depth: 7, split: None },
            Subject::Tree { root, depth: 7, split: Some(0) },
            Subject::Places(vec![place(&[]), place(&["e2e4", "e7e5"])].into()),
        ];
        for (at, subject) in subjects.into_iter().chain(games).enumerate() {
            let path = EnginePlace::Path("/usr/games/stockfish".to_owned());
            let engine = Engine {
                dialect: dialects[at % dialects.len()].clone(),
                place: if at % 2 == 0 { EnginePlace::Artifact } else { path },
                ..engine()
            };
            let request = VerifyRequest { engine, subject, all: at % 2 == 0, shrink: at % 3 == 0 };
            let back = VerifyRequest::try_from(wire::Verification::from(request.clone()));
            assert_eq!(back, Ok(request.clone()));
            let task = request.examination();
            assert_eq!(Examination::try_from(wire::Examination::from(task.clone())), Ok(task));
        }
    }

    #[test]
    fn what_is_no_place_is_refused() {
        let mut wrong = wire::Place::from(place(&["e2e4"]));
        wrong.moves.push(wrong.moves[0]);
        let refused = Place::try_from(wrong).expect_err("e2 is empty").to_string();
        assert!(refused.contains("e2e4") && refused.contains("legal"), "{refused}");
        let mut wrong = wire::Place::from(place(&[]));
        wrong.fen = "8/8/8/8/8/8/8/8 w - - 0 1".to_owned();
        assert!(Place::try_from(wrong).is_err());
        let short = wire::Engine { hash: vec![7; 31], ..engine().into() };
        assert_eq!(Engine::try_from(short), Err(Malformed::Range("engine.hash")));
    }

    #[test]
    fn pages_keep_to_their_size() {
        let all = vec![place(&["e2e4", "e7e5", "g1f3"]); 30_000];
        for (asked, most) in [(0, MAX_PAGE_BYTES), (u32::MAX, MAX_PAGE_BYTES), (20_000, 20_000)] {
            let page = places(all.clone(), asked);
            assert!(page.encoded_len() <= most && page.encoded_len() + 100 > most);
            let read = read_places(page).expect("places");
            assert!(read.iter().zip(&all).all(|(read, place)| read == place));
        }
        assert_eq!(places(all, 1).places.len(), 1, "one at least");
    }
}
