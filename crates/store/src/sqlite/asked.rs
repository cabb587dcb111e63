//! A request as it is stored: JSON that later versions read too.

use serde::{Deserialize, Serialize};
use vezir_chess::{Move, Position};
use vezir_jobs::{Engine, PerftRequest, Request, VerifyRequest};
use vezir_verify::{Place, Starts, Subject, Way};

/// A request. What is added later must be optional: older rows do not have it.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Asked {
    Perft {
        fen: String,
        depth: u32,
        split: Option<u32>,
        units: Option<u32>,
        breakdown: bool,
        hash_bytes: Option<u64>,
    },
    Verify {
        engine: Box<Engine>,
        subject: About,
        all: bool,
        shrink: bool,
    },
}

/// What an engine is asked about.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum About {
    Tree { fen: String, depth: u32, split: Option<u32> },
    Places(Vec<At>),
    Games { starts: Begin, seed: u64, games: u32, depth: u32 },
}

/// A place.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    fen: String,
    moves: Vec<u16>,
    depth: u32,
    paths: u64,
    by_moves: bool,
}

/// Where random games begin.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Begin {
    Standard,
    Chess960,
    Double,
    Mixed,
}

/// A request as JSON.
pub(super) fn write(request: &Request) -> Result<String, serde_json::Error> {
    serde_json::to_string(&match request {
        Request::Perft(perft) => Asked::Perft {
            fen: perft.position.to_string(),
            depth: perft.depth,
            split: perft.split,
            units: perft.units,
            breakdown: perft.breakdown,
            hash_bytes: perft.hash_bytes,
        },
        Request::Verify(verify) => Asked::Verify {
            engine: Box::new(verify.engine.clone()),
            subject: About::from(&verify.subject),
            all: verify.all,
            shrink: verify.shrink,
        },
    })
}

/// The request of some JSON, or a sentence.
pub(super) fn read(text: &str) -> Result<Request, String> {
    Ok(match serde_json::from_str(text).map_err(|error| error.to_string())? {
        Asked::Perft { fen, depth, split, units, breakdown, hash_bytes } => {
            let position = read_fen(&fen)?;
            Request::Perft(PerftRequest { position, depth, split, units, breakdown, hash_bytes })
        }
        Asked::Verify { engine, subject, all, shrink } => {
            let subject = subject.try_into()?;
            Request::Verify(Box::new(VerifyRequest { engine: *engine, subject, all, shrink }))
        }
    })
}

fn read_fen(fen: &str) -> Result<Position, String> {
    fen.parse().map_err(|error| format!("{fen}: {error}"))
}

impl From<&Subject> for About {
    fn from(subject: &Subject) -> About {
        match subject {
            Subject::Tree { root, depth, split } => {
                About::Tree { fen: root.to_string(), depth: *depth, split: *split }
            }
            Subject::Places(places) => About::Places(places.iter().map(At::from).collect()),
            Subject::Games { starts, seed, games, depth } => {
                About::Games { starts: (*starts).into(), seed: *seed, games: *games, depth: *depth }
            }
        }
    }
}

impl TryFrom<About> for Subject {
    type Error = String;

    fn try_from(about: About) -> Result<Subject, String> {
        Ok(match about {
            About::Tree { fen, depth, split } => Subject::Tree { root: read_fen(&fen)?, depth, split },
            About::Places(places) => {
                Subject::Places(places.into_iter().map(At::read).collect::<Result<_, String>>()?)
            }
            About::Games { starts, seed, games, depth } => {
                Subject::Games { starts: starts.into(), seed, games, depth }
            }
        })
    }
}

impl From<&Place> for At {
    fn from(place: &Place) -> At {
        At {
            fen: place.root.to_string(),
            moves: place.moves.iter().map(|chosen| chosen.bits()).collect(),
            depth: place.depth,
            paths: place.paths,
            by_moves: place.way == Way::Moves,
        }
    }
}

impl At {
    /// The place, if its moves can be made.
    fn read(self) -> Result<Place, String> {
        let read = |bits: u16| Move::from_bits(bits).ok_or_else(|| format!("{bits} is no move"));
        let moves = self.moves.into_iter().map(read).collect::<Result<_, String>>()?;
        let way = if self.by_moves { Way::Moves } else { Way::Position };
        let place = Place { root: read_fen(&self.fen)?, moves, depth: self.depth, paths: self.paths, way };
        match place.illegal() {
            Some((chosen, position)) => Err(format!("{chosen:?} is not legal in {position}")),
            None => Ok(place),
        }
    }
}

impl From<Starts> for Begin {
    fn from(starts: Starts) -> Begin {
        match starts {
            Starts::Standard => Begin::Standard,
            Starts::Chess960 => Begin::Chess960,
            Starts::Double => Begin::Double,
            Starts::Mixed => Begin::Mixed,
        }
    }
}

impl From<Begin> for Starts {
    fn from(begin: Begin) -> Starts {
        match begin {
            Begin::Standard => Starts::Standard,
            Begin::Chess960 => Starts::Chess960,
            Begin::Double => Starts::Double,
            Begin::Mixed => Starts::Mixed,
        }
    }
}
