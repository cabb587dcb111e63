//! Programs that print only totals, and run on.

use tokio::time::Instant;

use super::{Settings, late, not_ready, note_cut};
use crate::dialect::Totals;
use crate::dialect::answer::{Answer, Meaning};
use crate::failure::Failure;
use crate::process::Process;
use crate::program::Program;
use crate::query::Query;
use crate::said::{Note, Said};

/// Starts the program and waits until it is ready, if it can say so.
pub(super) async fn start(
    program: &Program,
    dialect: &Totals,
    settings: &Settings,
) -> Result<Process, Failure> {
    let mut process = Process::start(program, &settings.limits, settings.confinement).await?;
    let until = Instant::now() + settings.start_limit;
    process.allow(settings.limits.answer_bytes);
    let ready = dialect.ready();
    let commands: Vec<&String> = dialect.init().iter().chain(ready.map(|ready| &ready.command)).collect();
    let step = "its first commands";
    let failed = |silence| not_ready(program, silence, step, settings);
    process.say(&commands, until).await.map_err(failed)?;
    if let Some(ready) = ready {
        while !process.line(until).await.map_err(failed)?.text.trim_start().starts_with(&ready.answer) {}
    }
    Ok(process)
}

/// Asks, and reads until the total is there and the program ready for more.
pub(super) async fn ask(
    process: &mut Process,
    dialect: &Totals,
    query: &Query,
    settings: &Settings,
) -> Result<Said, Failure> {
    let until = Instant::now() + settings.query_limit;
    process.allow(settings.limits.answer_bytes);
    let mut answer = Answer::default();
    if query.needs_chess960() && !dialect.knows_chess960() {
        answer.note(Note::NoChess960);
    }
    let question = dialect.question(query);
    let ready = dialect.ready();
    let lines: Vec<&String> = question.iter().chain(ready.map(|ready| &ready.command)).collect();
    let step = format!("`{}`", question[1]);
    process.say(&lines, until).await.map_err(|silence| late(&answer, silence, &step, settings))?;
    loop {
        let line = process.line(until).await.map_err(|silence| late(&answer, silence, &step, settings))?;
        note_cut(&mut answer, &line);
        let is_ready = ready.is_some_and(|ready| line.text.trim_start().starts_with(&ready.answer));
        if is_ready {
            return answer.finish(query);
        }
        let found = match dialect.total(&line.text) {
            Some(total) => Meaning::Total(total),
            None if line.text.trim().is_empty() => Meaning::Blank,
            None => Meaning::Other,
        };
        answer.hear(&line.text, found);
        if answer.has_total() && ready.is_none() {
            return answer.finish(query);
        }
    }
}
