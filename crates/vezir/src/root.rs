//! The position that a command starts from, and in which notation its moves are written.

use clap::ValueEnum;
use vezir_chess::{Notation, Position, fen};
use vezir_perft::{NAMED, Named};

use crate::args::{NamedPosition, RootArgs};
use crate::exit::{Exit, Failure};
use crate::talk::say;
use crate::uci::moved;

/// A position to count from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    /// The position.
    pub(crate) position: Position,
    /// How its castling moves are written.
    pub(crate) notation: Notation,
}

impl Root {
    /// The position that the command line names or spells out. Warnings about it are told at once.
    pub(crate) fn from_args(args: &RootArgs) -> Result<Root, Failure> {
        let position = match &args.fen {
            Some(text) => read(text)?,
            None => args.position.position()?,
        };
        let chess960 = args.chess960 || position.needs_chess960();
        Ok(Root { position, notation: if chess960 { Notation::Chess960 } else { Notation::Standard } })
    }

    /// The position after moves that the command line names.
    pub(crate) fn after(self, moves: &str) -> Result<Root, Failure> {
        let position = moved(self.position, moves)
            .map_err(|why| Failure::new(Exit::BadInput, format!("--moves: {why}")))?;
        Ok(Root { position, ..self })
    }

    /// A position whose moves are written as it needs.
    pub(crate) fn of(position: Position) -> Root {
        let chess960 = position.needs_chess960();
        Root { position, notation: if chess960 { Notation::Chess960 } else { Notation::Standard } }
    }

    /// Its FEN.
    pub(crate) fn fen(&self) -> String {
        fen::write(&self.position, self.notation)
    }
}

fn read(text: &str) -> Result<Position, Failure> {
    if NamedPosition::from_str(text, true).is_ok() {
        let sentence = format!("--fen: `{text}` is the name of a position: --position {text} would be right");
        return Err(Failure::new(Exit::BadInput, sentence));
    }
    let reading = fen::read(text).map_err(|error| Failure::new(Exit::BadInput, format!("--fen: {error}")))?;
    for warning in &reading.warnings {
        say(&format!("warning: {warning}"));
    }
    Ok(reading.position)
}

impl NamedPosition {
    fn position(self) -> Result<Position, Failure> {
        let named: &Named = &NAMED[self as usize];
        named.position().ok_or_else(|| Failure::new(Exit::NoAnswer, format!("{} cannot be read", named.name)))
    }
}
