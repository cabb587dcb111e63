//! Every row as the values of its columns, there and back.

use std::time::Duration;

use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments, Decode, Row, Sqlite, Type};
use vezir_jobs::ledger::{
    Call, CallId, Doubt, Enrolment, Finding, Found, Incarnation, Lease, Run, Terms, Worker,
};
use vezir_jobs::{Attempt, Hash, Outline, RunId, Submission, Tally, WorkerId};
use vezir_perft::{Answer, Counted};

use super::asked;
use super::code::{self, Word};
use super::trouble::Trouble;

/// The values of one statement, in order.
#[derive(Default)]
pub(super) struct Values {
    pub(super) arguments: SqliteArguments,
    /// The first that could not be written.
    failed: Option<sqlx::Error>,
}

impl Values {
    pub(super) fn finish(self) -> Result<SqliteArguments, Trouble> {
        self.failed.map_or(Ok(self.arguments), |error| Err(error.into()))
    }

    fn add<'t, T: sqlx::Encode<'t, Sqlite> + Type<Sqlite>>(&mut self, value: T) {
        if let Err(error) = self.arguments.add(value) {
            self.failed.get_or_insert(sqlx::Error::Encode(error));
        }
    }

    /// A number that is kept as one: below 2^63.
    pub(super) fn number(&mut self, number: impl Into<u64>) {
        match i64::try_from(number.into()) {
            Ok(number) => self.add(number),
            Err(error) => drop(self.failed.get_or_insert(sqlx::Error::Encode(error.into()))),
        }
    }

    pub(super) fn bytes(&mut self, bytes: impl Into<Vec<u8>>) {
        self.add(bytes.into());
    }

    fn text(&mut self, text: &str) {
        self.add(text.to_owned());
    }

    fn json(&mut self, text: Result<String, serde_json::Error>) {
        match text {
            Ok(text) => self.add(text),
            Err(error) => drop(self.failed.get_or_insert(sqlx::Error::Encode(error.into()))),
        }
    }

    fn maybe<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Values, T)) {
        match value {
            Some(value) => write(self, value),
            None => self.add(None::<i64>),
        }
    }

    fn tally(&mut self, tally: Option<&Tally>) {
        let counted = tally.map(|it| &it.counted);
        self.maybe(counted, |to, it| to.bytes(it.answer.nodes.to_be_bytes()));
        self.maybe(counted, |to, it| to.bytes(code::divide(&it.answer.divide)));
        let breakdown = counted.and_then(|it| it.answer.breakdown.as_ref());
        self.maybe(breakdown, |to, it| to.bytes(code::breakdown(it)));
        self.maybe(counted, |to, it| to.bytes(code::figures(it.figures)));
        let survey = tally.and_then(|it| it.survey.as_deref());
        self.maybe(survey, |to, it| to.json(serde_json::to_string(it)));
    }
}

/// The columns of one row, read from left to right.
pub(super) struct Columns<'row> {
    row: &'row SqliteRow,
    table: &'static str,
    next: usize,
}

impl<'row> Columns<'row> {
    pub(super) const fn new(table: &'static str, row: &'row SqliteRow) -> Columns<'row> {
        Columns { row, table, next: 0 }
    }

    fn take<T: Decode<'row, Sqlite> + Type<Sqlite>>(&mut self) -> Result<T, Trouble> {
        let value = self.row.try_get(self.next).map_err(|error| self.damaged(error.to_string()))?;
        self.next += 1;
        Ok(value)
    }

    fn damaged(&self, what: String) -> Trouble {
        Trouble::Damaged { table: self.table, column: self.next, what }
    }

    /// What was just read, or that it is damaged.
    fn sound<T>(&self, value: Option<T>, what: &str) -> Result<T, Trouble> {
        let wrong = Trouble::Damaged { table: self.table, column: self.next - 1, what: what.to_owned() };
        value.ok_or(wrong)
    }

    fn number<T: TryFrom<i64>>(&mut self) -> Result<T, Trouble> {
        let number: i64 = self.take()?;
        self.sound(T::try_from(number).ok(), "a number of another size would be right")
    }

    fn maybe_number<T: TryFrom<i64>>(&mut self) -> Result<Option<T>, Trouble> {
        let Some(number) = self.take::<Option<i64>>()? else { return Ok(None) };
        self.sound(T::try_from(number).ok(), "a number of another size would be right").map(Some)
    }

    fn run(&mut self) -> Result<RunId, Trouble> {
        self.number().map(RunId)
    }

    fn worker(&mut self) -> Result<WorkerId, Trouble> {
        self.number().map(WorkerId)
    }

    fn attempt(&mut self) -> Result<Attempt, Trouble> {
        self.number().map(Attempt)
    }

    fn time(&mut self) -> Result<Duration, Trouble> {
        self.number().map(Duration::from_nanos)
    }

    fn flag(&mut self) -> Result<bool, Trouble> {
        Ok(self.number::<u8>()? != 0)
    }

    fn text(&mut self) -> Result<String, Trouble> {
        self.take()
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Trouble> {
        let bytes: &[u8] = self.take()?;
        self.sound(bytes.try_into().ok(), "other bytes would be right")
    }

    fn word<T: Word>(&mut self) -> Result<T, Trouble> {
        let word: &str = self.take()?;
        self.sound(T::of(word), "another word would be right")
    }

    /// The words of a column that may be empty.
    fn maybe_word<T: Word>(&mut self) -> Result<Option<T>, Trouble> {
        let Some(word) = self.take::<Option<&str>>()? else { return Ok(None) };
        self.sound(T::of(word), "another word would be right").map(Some)
    }

    fn tally(&mut self) -> Result<Option<Tally>, Trouble> {
        let Some(nodes) = self.take::<Option<&[u8]>>()? else {
            self.next += 4;
            return Ok(None);
        };
        let nodes = self.sound(nodes.try_into().ok(), "16 bytes would be right")?;
        let divide: &[u8] = self.take()?;
        let divide = self.sound(code::read_divide(divide), "legal moves would be right")?;
        let breakdown = match self.take::<Option<&[u8]>>()? {
            Some(bytes) => Some(self.sound(code::read_breakdown(bytes), "eight counts would be right")?),
            None => None,
        };
        let figures = code::read_figures(&self.bytes()?);
        let answer = Answer { nodes: u128::from_be_bytes(nodes), divide, breakdown };
        let survey = match self.take::<Option<&str>>()? {
            Some(text) => Some(serde_json::from_str(text).map_err(|error| self.damaged(error.to_string()))?),
            None => None,
        };
        Ok(Some(Tally { counted: Counted { answer, figures }, survey }))
    }
}

pub(super) fn write_submission(to: &mut Values, (id, row): (RunId, &Submission)) {
    to.number(id.0);
    to.json(asked::write(&row.request));
    to.text(&row.owner);
    to.text(row.verify.word());
    to.bytes(row.seed.to_be_bytes());
}

pub(super) fn read_submission(from: &mut Columns<'_>) -> Result<(RunId, Submission), Trouble> {
    let id = from.run()?;
    let request = asked::read(from.take()?).map_err(|what| from.damaged(what))?;
    let (owner, verify, seed) = (from.text()?, from.word()?, u64::from_be_bytes(from.bytes()?));
    Ok((id, Submission { request, owner, verify, seed }))
}

pub(super) fn write_run(to: &mut Values, run: &Run<Tally>) {
    to.number(run.id.0);
    to.text(run.kind.word());
    to.text(run.verify.word());
    to.bytes(run.seed.to_be_bytes());
    to.number(code::nanos(run.submitted));
    to.maybe(run.ended, |to, ended| to.number(code::nanos(ended)));
    to.maybe(run.outline, |to, it| to.number(it.units));
    to.maybe(run.outline, |to, it| to.number(it.split));
    to.maybe(run.outline, |to, it| to.number(it.remaining));
    to.maybe(run.outline, |to, it| to.number(it.positions));
    to.maybe(run.outline, |to, it| to.bytes(it.hash_bytes.to_be_bytes()));
    to.maybe(run.outline.and_then(|it| it.frontier), |to, Hash(bytes)| to.bytes(bytes));
    to.number(run.again);
    to.maybe(run.failure.as_deref(), Values::text);
    to.number(run.units);
    to.text(run.state.word());
    to.number(run.attempt.0);
    for number in [run.done, run.aside, run.doubts, run.conflicts, run.prefix] {
        to.number(number);
    }
    to.tally(Some(&run.tally));
    for term in [run.terms.lease, run.terms.progress, run.terms.unit] {
        to.number(code::nanos(term));
    }
}

pub(super) fn read_run(from: &mut Columns<'_>) -> Result<Run<Tally>, Trouble> {
    let (id, kind, verify) = (from.run()?, from.word()?, from.word()?);
    let (seed, submitted) = (u64::from_be_bytes(from.bytes()?), from.time()?);
    let ended = from.maybe_number()?.map(Duration::from_nanos);
    let outline = read_outline(from)?;
    let (again, failure, units, state) = (from.flag()?, from.take()?, from.number()?, from.word()?);
    let attempt = from.attempt()?;
    let (done, aside) = (from.number()?, from.number()?);
    let (doubts, conflicts, prefix) = (from.number()?, from.number()?, from.number()?);
    let tally = from.tally()?;
    let tally = from.sound(tally, "a tally would be right")?;
    let terms = Terms { lease: from.time()?, progress: from.time()?, unit: from.time()? };
    Ok(Run {
        id,
        kind,
        verify,
        seed,
        submitted,
        ended,
        outline,
        failure,
        units,
        again,
        state,
        attempt,
        done,
        aside,
        doubts,
        conflicts,
        prefix,
        tally,
        terms,
    })
}

fn read_outline(from: &mut Columns<'_>) -> Result<Option<Outline>, Trouble> {
    let Some(units) = from.maybe_number()? else {
        from.next += 5;
        return Ok(None);
    };
    let (split, remaining) = (from.number()?, from.number()?);
    let (positions, hash_bytes) = (from.number()?, u64::from_be_bytes(from.bytes()?));
    let frontier = match from.take::<Option<&[u8]>>()? {
        Some(bytes) => Some(Hash(from.sound(bytes.try_into().ok(), "32 bytes would be right")?)),
        None => None,
    };
    Ok(Some(Outline { units, split, remaining, positions, hash_bytes, frontier }))
}

pub(super) fn write_enrolment(to: &mut Values, (id, row): (WorkerId, &Enrolment)) {
    to.number(id.0);
    to.text(&row.owner);
    to.text(&row.name);
}

pub(super) fn read_enrolment(from: &mut Columns<'_>) -> Result<(WorkerId, Enrolment), Trouble> {
    Ok((from.worker()?, Enrolment { owner: from.text()?, name: from.text()? }))
}

pub(super) fn write_worker(to: &mut Values, worker: &Worker) {
    to.number(worker.id.0);
    to.bytes(worker.incarnation.0.to_be_bytes());
    to.number(worker.cores);
    to.number(worker.busy);
    to.text(worker.state.word());
    to.number(worker.failed);
    to.maybe(worker.near, |to, (run, _)| to.number(run.0));
    to.maybe(worker.near, |to, (_, unit)| to.number(unit));
}

pub(super) fn read_worker(from: &mut Columns<'_>) -> Result<Worker, Trouble> {
    let (id, incarnation) = (from.worker()?, Incarnation(u64::from_be_bytes(from.bytes()?)));
    let (cores, busy, state, failed) = (from.number()?, from.number()?, from.word()?, from.number()?);
    let near = match from.maybe_number()? {
        Some(run) => Some((RunId(run), from.number()?)),
        None => None,
    };
    Ok(Worker { id, incarnation, cores, busy, state, failed, near })
}

pub(super) fn write_lease(to: &mut Values, lease: &Lease) {
    to.number(lease.run.0);
    to.number(lease.attempt.0);
    to.number(lease.worker.0);
    to.number(lease.first);
    to.number(lease.end);
    to.number(lease.granted);
    to.text(lease.purpose.word());
    to.number(lease.cores);
    to.maybe(lease.ended, |to, end| to.text(end.word()));
}

pub(super) fn read_lease(from: &mut Columns<'_>) -> Result<Lease, Trouble> {
    Ok(Lease {
        run: from.run()?,
        attempt: from.attempt()?,
        worker: from.worker()?,
        first: from.number()?,
        end: from.number()?,
        granted: from.number()?,
        purpose: from.word()?,
        cores: from.number()?,
        ended: from.maybe_word()?,
    })
}

pub(super) fn write_slice(to: &mut Values, ((run, first), end): ((RunId, u32), u32)) {
    to.number(run.0);
    to.number(first);
    to.number(end);
}

pub(super) fn read_slice(from: &mut Columns<'_>) -> Result<((RunId, u32), u32), Trouble> {
    Ok(((from.run()?, from.number()?), from.number()?))
}

pub(super) fn write_finding(to: &mut Values, finding: &Finding<Tally>) {
    to.number(finding.run.0);
    to.number(finding.unit);
    to.number(finding.attempt.0);
    to.number(finding.worker.0);
    to.text(finding.standing.word());
    let (evidence, answer) = match &finding.found {
        Found::Failed(evidence) => (Some(evidence.as_str()), None),
        Found::Answer(answer) => (None, Some(answer)),
    };
    to.maybe(evidence, Values::text);
    to.tally(answer);
}

pub(super) fn read_finding(from: &mut Columns<'_>) -> Result<Finding<Tally>, Trouble> {
    let (run, unit, attempt) = (from.run()?, from.number()?, from.attempt()?);
    let (worker, standing) = (from.worker()?, from.word()?);
    let evidence: Option<String> = from.take()?;
    let found = match (evidence, from.tally()?) {
        (Some(evidence), None) => Found::Failed(evidence),
        (None, Some(answer)) => Found::Answer(answer),
        _ => return Err(from.damaged("an answer or evidence, and not both, would be right".to_owned())),
    };
    Ok(Finding { run, unit, attempt, worker, found, standing })
}

pub(super) fn write_doubt(to: &mut Values, doubt: &Doubt) {
    to.number(doubt.run.0);
    to.number(doubt.unit);
    to.text(doubt.cause.word());
    to.number(doubt.settled);
}

pub(super) fn read_doubt(from: &mut Columns<'_>) -> Result<Doubt, Trouble> {
    Ok(Doubt { run: from.run()?, unit: from.number()?, cause: from.word()?, settled: from.flag()? })
}

pub(super) fn write_trust(to: &mut Values, ((run, worker), agreed): ((RunId, WorkerId), u32)) {
    to.number(run.0);
    to.number(worker.0);
    to.number(agreed);
}

pub(super) fn read_trust(from: &mut Columns<'_>) -> Result<((RunId, WorkerId), u32), Trouble> {
    Ok(((from.run()?, from.worker()?), from.number()?))
}

pub(super) fn write_call(to: &mut Values, call: &Call) {
    to.bytes(call.id.0.to_be_bytes());
    to.text(&call.verb);
    to.json(code::reply(&call.reply));
    to.number(code::nanos(call.at));
}

pub(super) fn read_call(from: &mut Columns<'_>) -> Result<Call, Trouble> {
    let (id, verb) = (CallId(u128::from_be_bytes(from.bytes()?)), from.text()?);
    let reply = code::read_reply(from.take()?).map_err(|what| from.damaged(what))?;
    Ok(Call { id, verb, reply, at: from.time()? })
}

pub(super) fn read_number_of_run(from: &mut Columns<'_>) -> Result<RunId, Trouble> {
    from.run()
}
