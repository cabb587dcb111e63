//! A foreign move generator that is asked one question after another.

mod once;
mod totals;
mod uci;

use std::time::Duration;

use tokio::time::Instant;

use crate::dialect::answer::Answer;
use crate::dialect::{Dialect, script, template};
use crate::failure::{Ended, Failure};
use crate::limits::Limits;
use crate::lines::Line;
use crate::process::{Process, Silence};
use crate::program::Program;
use crate::query::Query;
use crate::said::{Note, Said};
use crate::sandbox::Confinement;

/// How a program is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What the kernel holds it to.
    pub limits: Limits,
    /// How far it is trusted.
    pub confinement: Confinement,
    /// How long it may take from its start until it is ready, each step of the way.
    pub start_limit: Duration,
    /// How long it may take for one answer.
    pub query_limit: Duration,
    /// How long it may take to end when it is told to.
    pub quit_limit: Duration,
    /// The hash that it is offered, in MiB, if it has such an option.
    pub hash_mib: i64,
}

impl Default for Settings {
    /// Tier 1; 10 s to start, 60 s to answer, 1 s to quit; 16 MiB of hash.
    fn default() -> Settings {
        Settings {
            limits: Limits::default(),
            confinement: Confinement::Tier1,
            start_limit: Duration::from_secs(10),
            query_limit: Duration::from_secs(60),
            quit_limit: Duration::from_secs(1),
            hash_mib: 16,
        }
    }
}

/// A foreign generator. It starts at its first question, runs on if its dialect lets it, and is started anew at
/// the next question after a failure. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct Foreign {
    program: Program,
    dialect: Dialect,
    settings: Settings,
    running: Option<Running>,
    starts: u64,
}

/// A program that runs on between questions.
#[derive(Debug)]
enum Running {
    Uci(uci::Engine),
    Totals(Process),
}

impl Foreign {
    /// A generator that does not run yet.
    pub fn new(program: Program, dialect: Dialect, settings: Settings) -> Foreign {
        Foreign { program, dialect, settings, running: None, starts: 0 }
    }

    /// Asks a question. If the future is dropped before it is done, the program is killed.
    ///
    /// # Errors
    /// Where there is no answer within the limits.
    pub async fn ask(&mut self, query: &Query) -> Result<Said, Failure> {
        // Kept out of `self` until the answer is there: a program in the middle of one is never asked again.
        let running = self.running.take();
        if running.is_none() {
            self.starts += 1;
        }
        let mut said = match self.dialect.clone() {
            Dialect::Uci => {
                let mut engine = match running {
                    Some(Running::Uci(engine)) => engine,
                    _ => uci::Engine::start(&self.program, &self.settings).await?,
                };
                let said = engine.ask(query, &self.settings).await?;
                self.running = Some(Running::Uci(engine));
                said
            }
            Dialect::Totals(dialect) => {
                let mut process = match running {
                    Some(Running::Totals(process)) => process,
                    _ => totals::start(&self.program, &dialect, &self.settings).await?,
                };
                let said = totals::ask(&mut process, &dialect, query, &self.settings).await?;
                self.running = Some(Running::Totals(process));
                said
            }
            Dialect::Script => {
                let lines = once::run(&self.program, script::arguments(query), &self.settings).await?;
                once::noted(script::read(&lines.texts, query)?, &lines)
            }
            Dialect::Template(dialect) => {
                let lines = once::run(&self.program, dialect.arguments(query), &self.settings).await?;
                once::noted(template::read(&lines.texts, query)?, &lines)
            }
        };
        if self.settings.confinement == Confinement::Unsandboxed {
            said.notes.push(Note::Unsandboxed);
        }
        Ok(said)
    }

    /// How often it was started: once, and once more after each failure; for dialects with one process a
    /// question, once for each.
    pub fn starts(&self) -> u64 {
        self.starts
    }

    /// The process that runs now, if one does.
    pub fn process_id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.process().id())
    }

    /// Tells it to quit, and kills it if it does not within [`Settings::quit_limit`].
    pub async fn quit(&mut self) {
        let Some(mut running) = self.running.take() else { return };
        let until = Instant::now() + self.settings.quit_limit;
        let process = running.process_mut();
        // Whatever comes of it, dropping the process ends it.
        let _ = process.say(&["quit"], until).await;
        process.close();
        let _ = process.end(until).await;
    }
}

impl Running {
    fn process(&self) -> &Process {
        match self {
            Running::Uci(engine) => engine.process(),
            Running::Totals(process) => process,
        }
    }

    fn process_mut(&mut self) -> &mut Process {
        match self {
            Running::Uci(engine) => engine.process_mut(),
            Running::Totals(process) => process,
        }
    }
}

/// What a silence means to the one who waited for the answer to `step`.
fn failure(silence: Silence, step: &str, limit: Duration, limits: &Limits) -> Failure {
    match silence {
        Silence::Hung => Failure::Hung { step: step.to_owned(), limit },
        Silence::Ended(Ended::Exited { code: 0, stderr }) => {
            Failure::Exited(Ended::Exited { code: 0, stderr })
        }
        Silence::Ended(ended) => Failure::Crashed(ended),
        Silence::Flood => Failure::Flood { limit_bytes: limits.answer_bytes },
        Silence::Broken(why) => Failure::Broken(why),
    }
}

/// A failure before a program was ready: one that ends there cannot be started.
fn not_ready(program: &Program, silence: Silence, step: &str, settings: &Settings) -> Failure {
    match silence {
        Silence::Ended(ended) => {
            Failure::CannotStart(program.error(format!("it ended before it answered {step} ({ended})")))
        }
        other => failure(other, step, settings.start_limit, &settings.limits),
    }
}

/// At the end of its time: lines that nobody can read are worth more than the word that it hung.
fn late(answer: &Answer, silence: Silence, step: &str, settings: &Settings) -> Failure {
    if silence == Silence::Hung && !answer.has_begun() && !answer.odd().is_empty() {
        return Failure::Garbage { printed: answer.odd().to_vec() };
    }
    failure(silence, step, settings.query_limit, &settings.limits)
}

/// Notes a line that was cut.
fn note_cut(answer: &mut Answer, line: &Line) {
    if line.is_cut {
        answer.note(Note::CutLine);
    }
}
