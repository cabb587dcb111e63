//! The second stage for verifications: asks engines about places, an engine for each thread.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::interval;
use vezir_engine::{self as engine, Foreign};
use vezir_jobs::{Engine, Examination, Tally};
use vezir_perft::{Answer, CountError, Counted, Figures, Isa, Overflow, Solo};
use vezir_verify::{
    Alone, Care, Failure, Oracle, Place, Query, Said, Survey, Told, Trouble, Visit, Way, visit,
};

use crate::engines::Ready;
use crate::movement::Movement;

/// How often one who waits for an engine looks whether its answer is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// Places of one unit whose difference is followed down; beyond that differing ones are only counted.
const DESCENTS: u64 = 4;

/// The same where every kind of fault is wanted.
const DESCENTS_FOR_ALL: u64 = 256;

/// Questions of one descent.
const DESCENT_QUERIES: u32 = 4_000;

/// After so many questions for which an engine took all its time and gave no answer, or could not be started, it is
/// asked no more: it would take hours to be told the same of each place.
const PATIENCE: u32 = 12;

/// The same where it never gave any.
const PATIENCE_AT_FIRST: u32 = 3;

/// The threads' engines, kept from one job to the next.
pub(crate) struct Examining {
    seats: Vec<Mutex<Option<Seat>>>,
    isa: Isa,
    movement: Movement,
}

/// A running engine, and what it takes to wait for it.
struct Seat {
    engine: Engine,
    foreign: Foreign,
    runtime: Runtime,
    /// Questions that it answered.
    answers: u64,
    /// Questions that took it all its time, or for which it could not be started.
    silences: u32,
}

impl Seat {
    /// Whether there is no use in asking it again.
    fn is_given_up(&self) -> bool {
        self.silences >= if self.answers == 0 { PATIENCE_AT_FIRST } else { PATIENCE }
    }
}

impl Examining {
    pub(crate) fn new(threads: usize, isa: Isa, movement: Movement) -> Examining {
        Examining { seats: (0..threads).map(|_| Mutex::default()).collect(), isa, movement }
    }

    /// Examines several units side by side. They are begun in their order; `begin` and `done` are asked as
    /// [`vezir_perft::Counter::count_units`] asks them.
    pub(crate) fn examine_units<B>(
        &self,
        units: &[Vec<Place>],
        (examination, ready): (&Examination, &Result<Ready, String>),
        stop: &AtomicBool,
        begin: impl Fn(usize) -> Option<B> + Sync,
        done: impl Fn(usize, B, Result<Tally, CountError>) + Sync,
    ) {
        let next = AtomicUsize::new(0);
        let work = |seat: &Mutex<Option<Seat>>| {
            let mut seat = taken(seat);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(places) = units.get(index) else { break };
                if let Some(begun) = begin(index) {
                    done(index, begun, self.unit(&mut seat, places, (examination, ready), stop));
                }
            }
        };
        thread::scope(|scope| {
            for seat in self.seats.iter().take(units.len()) {
                scope.spawn(|| work(seat));
            }
        });
    }

    /// Tells all engines to quit.
    pub(crate) fn dismiss(&self) {
        self.seats.iter().for_each(|seat| drop(taken(seat).take()));
    }

    fn unit(
        &self,
        seat: &mut Option<Seat>,
        places: &[Place],
        (examination, ready): (&Examination, &Result<Ready, String>),
        stop: &AtomicBool,
    ) -> Result<Tally, CountError> {
        let survey = match ready.clone().and_then(|ready| sit(seat, &examination.engine, ready)) {
            Ok(seat) => self.ask_all(seat, places, examination, stop)?,
            Err(why) => troubled(places.len(), Trouble::CannotStart, &why)?,
        };
        let answer = Answer { nodes: survey.ours, ..Answer::default() };
        let figures =
            Figures { walked: u64::try_from(survey.ours).unwrap_or(u64::MAX), ..Figures::default() };
        Ok(Tally { counted: Counted { answer, figures }, survey: Some(Box::new(survey)) })
    }

    fn ask_all(
        &self,
        seat: &mut Seat,
        places: &[Place],
        examination: &Examination,
        stop: &AtomicBool,
    ) -> Result<Survey, CountError> {
        let solo = match Solo::new(self.isa) {
            Ok(solo) => solo,
            Err(error) => return Ok(troubled(places.len(), Trouble::OwnCount, &error.to_string())?),
        };
        let mut counts = Alone { solo, stop };
        let mut survey = Survey::default();
        let most = if examination.all { DESCENTS_FOR_ALL } else { DESCENTS };
        for (at, place) in places.iter().enumerate() {
            if seat.is_given_up() {
                return Ok(survey.plus(unasked(places.len() - at))?);
            }
            let care = Care {
                all: examination.all,
                shrink: examination.shrink,
                queries: DESCENT_QUERIES,
                descend: survey.differing < most,
            };
            let mut asked = Asked { seat, stop, movement: &self.movement, notes: BTreeSet::new() };
            let visited = visit(&mut asked, &mut counts, place, care);
            let notes = asked.notes;
            match &visited.failure {
                Some(Failure::Count(error)) => return Err(*error),
                Some(Failure::Oracle(_)) if stop.load(Ordering::Relaxed) => return Err(CountError::Stopped),
                _ => {}
            }
            survey = survey.plus(told(visited, notes)?)?;
        }
        Ok(survey)
    }
}

/// The engine of a seat, started anew at its next question where it was another one.
fn sit<'s>(seat: &'s mut Option<Seat>, engine: &Engine, ready: Ready) -> Result<&'s mut Seat, String> {
    if seat.as_ref().is_none_or(|seat| seat.engine != *engine) {
        *seat = None;
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("nothing can wait for engines here: {error}"))?;
        let Ready { program, dialect, settings } = ready;
        let foreign = Foreign::new(program, dialect, settings);
        *seat = Some(Seat { engine: engine.clone(), foreign, runtime, answers: 0, silences: 0 });
    }
    seat.as_mut().ok_or_else(|| "there is no seat".to_owned())
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.runtime.block_on(self.foreign.quit());
    }
}

fn taken(seat: &Mutex<Option<Seat>>) -> MutexGuard<'_, Option<Seat>> {
    // An engine in the middle of an answer is never asked again: it is started anew.
    seat.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An engine that is asked while somebody may lose interest.
struct Asked<'a> {
    seat: &'a mut Seat,
    stop: &'a AtomicBool,
    movement: &'a Movement,
    /// What is to be known of its answers.
    notes: BTreeSet<String>,
}

impl Oracle for Asked<'_> {
    type Error = engine::Failure;

    fn ask(&mut self, query: &Query) -> Result<Said, engine::Failure> {
        let depth = u8::try_from(query.depth).unwrap_or(u8::MAX);
        let question = match query.way {
            Way::Position => engine::Query::at(query.position(), depth),
            Way::Moves => engine::Query::along(query.root, &query.moves, depth),
        };
        let question = question.map_err(|error| engine::Failure::Broken(error.to_string()))?;
        let Seat { foreign, runtime, answers, silences, .. } = &mut *self.seat;
        let (asking, stop) = (foreign.ask(&question), self.stop);
        let said = runtime.block_on(async {
            tokio::select! {
                biased;
                said = asking => said,
                () = raised(stop) => Err(engine::Failure::Broken("its answer was no longer wanted".to_owned())),
            }
        });
        self.movement.step();
        match &said {
            Ok(_) => *answers += 1,
            Err(failure) => *silences += u32::from(is_silence(failure)),
        }
        let said = said?;
        // What compares answers says itself where a sum is wrong.
        let notes = said.notes.iter().filter(|note| !matches!(note, engine::Note::SumDiffers { .. }));
        self.notes.extend(notes.map(ToString::to_string));
        Ok(Said { total: said.total, moves: said.moves })
    }
}

/// Ready soon after a flag was raised.
async fn raised(flag: &AtomicBool) {
    let mut looks = interval(LOOK);
    while !flag.load(Ordering::Relaxed) {
        looks.tick().await;
    }
}

/// The kind of a failure.
const fn trouble(failure: &engine::Failure) -> Trouble {
    match failure {
        engine::Failure::CannotStart(_) => Trouble::CannotStart,
        engine::Failure::Crashed(_) => Trouble::Crashed,
        engine::Failure::Exited(_) => Trouble::Exited,
        engine::Failure::Hung { .. } => Trouble::Hung,
        engine::Failure::Garbage { .. } => Trouble::Garbage,
        engine::Failure::Flood { .. } => Trouble::Flood,
        engine::Failure::WrongLines { .. } => Trouble::WrongLines,
        engine::Failure::Broken(_) => Trouble::Broken,
    }
}

/// Whether a failure took its whole time, or says that there will hardly ever be an answer.
const fn is_silence(failure: &engine::Failure) -> bool {
    use engine::Failure::{CannotStart, Garbage, Hung};
    // What cannot be read is only given up at the end of its time: more might have come.
    matches!(failure, Hung { .. } | CannotStart(_) | Garbage { .. })
}

/// What came of a visit, with the engine's failure in it.
fn told(visited: Visit<engine::Failure>, notes: BTreeSet<String>) -> Result<Survey, Overflow> {
    let Visit { mut survey, failure, unanswered } = visited;
    notes.iter().for_each(|note| survey.note(note));
    if let Some(Failure::Oracle(failure)) = &failure {
        let asked =
            unanswered.map(|query| format!("asked for depth {} of {}: ", query.depth, query.position()));
        let example = format!("{}{failure}", asked.unwrap_or_default());
        survey.meet(trouble(failure), Told::once(&example))?;
    }
    Ok(survey)
}

/// So many places that nobody asked about.
fn unasked(places: usize) -> Survey {
    Survey { places: places as u64, unanswered: places as u64, ..Survey::default() }
}

/// The same for one reason.
fn troubled(places: usize, trouble: Trouble, why: &str) -> Result<Survey, Overflow> {
    let mut survey = unasked(places);
    survey.meet(trouble, Told { times: places as u64, ..Told::once(why) })?;
    Ok(survey)
}
