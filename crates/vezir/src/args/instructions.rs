//! How `--isa` is read: only what this machine has is taken, and help names all there is.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use vezir_perft::{Isa, IsaError};

/// Reads the name of an instruction set that this machine has.
#[derive(Clone, Copy)]
pub(super) struct Instructions;

impl TypedValueParser for Instructions {
    type Value = Isa;

    fn parse_ref(&self, command: &Command, option: Option<&Arg>, word: &OsStr) -> Result<Isa, Error> {
        read.parse_ref(command, option, word)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Isa::ALL.into_iter().map(|isa| PossibleValue::new(isa.name()))))
    }
}

fn read(word: &str) -> Result<Isa, IsaError> {
    word.parse::<Isa>().and_then(Isa::here)
}
