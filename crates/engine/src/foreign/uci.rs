//! A UCI engine: its start-up, and its answers to `go perft N`.

use std::time::Duration;

use tokio::time::Instant;

use super::{Settings, failure, late, not_ready, note_cut};
use crate::dialect::answer::Answer;
use crate::dialect::uci::{self, Heard, Offer};
use crate::failure::Failure;
use crate::process::{Process, Silence};
use crate::program::Program;
use crate::query::Query;
use crate::said::{Note, Said};

/// How long a total is waited for behind the last move, where the engine may be one that prints none.
const QUIET: Duration = Duration::from_secs(1);

/// A running engine.
#[derive(Debug)]
pub(super) struct Engine {
    process: Process,
    offers: Vec<Offer>,
    is_chess960: bool,
}

impl Engine {
    /// Starts an engine and waits until it is ready.
    pub(super) async fn start(program: &Program, settings: &Settings) -> Result<Engine, Failure> {
        let process = Process::start(program, &settings.limits, settings.confinement).await?;
        let mut engine = Engine { process, offers: Vec::new(), is_chess960: false };
        let ready = engine.handshake(settings).await;
        ready.map_err(|(step, silence)| not_ready(program, silence, step, settings))?;
        Ok(engine)
    }

    pub(super) fn process(&self) -> &Process {
        &self.process
    }

    pub(super) fn process_mut(&mut self) -> &mut Process {
        &mut self.process
    }

    async fn handshake(&mut self, settings: &Settings) -> Result<(), (&'static str, Silence)> {
        let step = "`uci`";
        let at = |silence| (step, silence);
        let until = Instant::now() + settings.start_limit;
        self.process.allow(settings.limits.answer_bytes);
        self.process.say(&["uci"], until).await.map_err(at)?;
        loop {
            let line = self.process.line(until).await.map_err(at)?.text;
            let line = line.trim();
            if line == "uciok" {
                break;
            }
            match uci::offer(line) {
                Some(offer) => self.offers.push(offer),
                None if line.starts_with("option") => tracing::warn!(line, "an option cannot be read"),
                None => tracing::debug!(line, "before uciok"),
            }
        }
        let step = "`isready` after its start";
        let at = |silence| (step, silence);
        let until = Instant::now() + settings.start_limit;
        let mut lines = uci::settings(&self.offers, settings.hash_mib);
        lines.push("isready".to_owned());
        self.process.say(&lines, until).await.map_err(at)?;
        while self.process.line(until).await.map_err(at)?.text.trim() != "readyok" {}
        Ok(())
    }

    /// Asks, and reads until the answer is complete and the engine ready for more.
    pub(super) async fn ask(&mut self, query: &Query, settings: &Settings) -> Result<Said, Failure> {
        let until = Instant::now() + settings.query_limit;
        self.process.allow(settings.limits.answer_bytes);
        let mut answer = Answer::default();
        let mut lines: Vec<String> = self.variant(query, &mut answer).into_iter().collect();
        lines.extend(uci::question(query));
        let step = format!("`{}`", lines[lines.len() - 1]);
        lines.push("isready".to_owned());
        let said = self.process.say(&lines, until).await;
        said.map_err(|silence| failure(silence, &step, settings.query_limit, &settings.limits))?;
        self.hear(answer, query, &step, until, settings).await
    }

    /// Reads an answer. Many engines count in a thread beside the one that says `readyok`, which may therefore
    /// come before the answer, in it or behind it: an answer is complete with its total.
    async fn hear(
        &mut self,
        mut answer: Answer,
        query: &Query,
        step: &str,
        until: Instant,
        settings: &Settings,
    ) -> Result<Said, Failure> {
        let all = query.position().count_moves().max(1) as usize;
        let (mut is_ready, mut is_in_turn) = (false, false);
        loop {
            // Every move is there: the total comes at once or never.
            let is_last = is_ready && answer.moves_heard() >= all;
            let patience = if is_last { until.min(Instant::now() + QUIET) } else { until };
            let line = match self.process.line(patience).await {
                Ok(line) => line,
                Err(Silence::Hung) if is_last || is_in_turn => return answer.finish(query),
                Err(silence) => return Err(late(&answer, silence, step, settings)),
            };
            note_cut(&mut answer, &line);
            match uci::hear(&mut answer, &line.text) {
                Heard::Searched => return answer.finish(query),
                // Ready behind what it said, and nothing more: that was its answer, all moves there or not.
                Heard::Ready => (is_ready, is_in_turn) = (true, answer.has_begun()),
                Heard::Part => is_in_turn &= line.text.trim().is_empty(),
            }
            if is_ready && answer.has_total() {
                return answer.finish(query);
            }
        }
    }

    /// The line that tells the variant, where it changes.
    fn variant(&mut self, query: &Query, answer: &mut Answer) -> Option<String> {
        let wanted = query.needs_chess960();
        if !uci::knows_chess960(&self.offers) {
            if wanted {
                answer.note(Note::NoChess960);
            }
            return None;
        }
        if wanted == self.is_chess960 {
            return None;
        }
        self.is_chess960 = wanted;
        Some(format!("setoption name {} value {wanted}", uci::CHESS960))
    }
}
