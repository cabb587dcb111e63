//! Programs that are called once for each question.

use tokio::time::Instant;

use super::{Settings, failure};
use crate::failure::{Ended, Failure};
use crate::process::{Process, Silence};
use crate::program::Program;
use crate::said::{Note, Said};

/// All that a program printed.
#[derive(Debug, Default)]
pub(super) struct Printed {
    pub(super) texts: Vec<String>,
    is_cut: bool,
}

/// Runs a program with `arguments` behind its own until it ends.
pub(super) async fn run(
    program: &Program,
    arguments: Vec<String>,
    settings: &Settings,
) -> Result<Printed, Failure> {
    let called = program.clone().with_arguments(arguments);
    let mut process = Process::start(&called, &settings.limits, settings.confinement).await?;
    process.close();
    process.allow(settings.limits.answer_bytes);
    let until = Instant::now() + settings.query_limit;
    let mut printed = Printed::default();
    loop {
        match process.line(until).await {
            Ok(line) => {
                printed.is_cut |= line.is_cut;
                printed.texts.push(line.text);
            }
            Err(Silence::Ended(Ended::Exited { code: 0, .. })) if !printed.texts.is_empty() => {
                return Ok(printed);
            }
            Err(silence) => {
                return Err(failure(silence, "at all", settings.query_limit, &settings.limits));
            }
        }
    }
}

/// The answer with a note if a line was cut.
pub(super) fn noted(mut said: Said, printed: &Printed) -> Said {
    if printed.is_cut {
        said.notes.push(Note::CutLine);
    }
    said
}
