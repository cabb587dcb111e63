//! A world in which nothing is wrong but one worker of three, who lies in one unit of fifty.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use vezir_chess::Position;
use vezir_jobs::ledger::{Answer, Finding, Found, Run, Standing, State, Tables, WorkerState};
use vezir_jobs::{PerftRequest, Tally, Verify, WorkerId};
use vezir_tests::counting::plain;
use vezir_worker::Rehearsal;

use crate::disk::Disk;
use crate::judge::Judge;
use crate::map::{Map, USER, Weather};
use crate::user::{Errand, live as use_it};
use crate::world::{Hand, begin, run};

/// How many units the run has, and what it counts from the start.
const UNITS: u32 = 2_000;
const DEPTH: u32 = 4;
const SPLIT: u32 = 3;

/// In one unit of how many the liar lies, each with the same odds.
const LIES_EVERY: u32 = 50;

/// How long a unit takes, in milliseconds.
const PACE: Range<u64> = 5..80;

/// How many commits go by between two after which all laws are asked.
const UNSEEN: u64 = 99;

/// Who lies; the others are honest.
const LIAR: u32 = 0;
const HONEST: Range<u32> = 1..3;

/// How a liar was found.
pub(crate) struct Unmasked {
    /// How many results he had brought.
    brought: usize,
    /// How many of them were lies.
    lies: usize,
    /// About how many units another worker was asked as well, he not among them.
    twice: usize,
}

impl Unmasked {
    /// In which part of the units another worker was asked.
    pub(crate) fn share(&self) -> f64 {
        self.twice as f64 / f64::from(UNITS)
    }
}

impl fmt::Display for Unmasked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.share();
        write!(f, "{} lies among {} results; {share:.1} % counted twice", self.lies, self.brought)
    }
}

/// Lets the world of a seed run to its end; tells how its liar was found, or what was wrong.
pub(crate) fn live(seed: u64, verify: Verify) -> Result<Unmasked, String> {
    let map = Map { weather: Weather::default(), judge: Judge::looking_past(UNSEEN) };
    map.weather.calm_down();
    let disk = Disk::new(seed, map.clone(), None);
    let mut sim = begin(seed, &disk);
    let (split, units) = (Some(SPLIT), Some(UNITS));
    let asked = PerftRequest { split, units, ..PerftRequest::new(Position::startpos(), DEPTH) };
    sim.client(USER, use_it(map.clone(), vec![Errand::plain(asked, verify)], None));
    let mut hands = hands(seed, &map);
    run(&mut sim, &map, |sim| {
        // No seed decides how long planning takes; until there is a plan nothing else happens.
        if !hands.is_empty() && disk.tables().runs.values().any(|run| run.outline.is_some()) {
            hands.drain(..).for_each(|hand| hand.employ(sim));
        }
    })?;
    let tables = disk.tables();
    map.judge.look(tables.clone());
    map.judge.complaint().map_or_else(|| judge(&tables), Err)
}

/// Three workers, the liar among them.
fn hands(seed: u64, map: &Map) -> Vec<Hand> {
    let (lies_every, lies_seed) = (Some(LIES_EVERY), Some(seed));
    let liar = Rehearsal { lies_every, lies_seed, ..Rehearsal::default() };
    let honest = HONEST.map(|number| (number, Rehearsal::default()));
    let all = [(LIAR, liar)].into_iter().chain(honest);
    all.map(|(number, rehearsal)| Hand::new(number, rehearsal, PACE, map)).collect()
}

/// Whether the liar, and nobody else, is trusted no longer, and everything is right without him.
fn judge(tables: &Tables<Tally>) -> Result<Unmasked, String> {
    let liar = worker(tables, LIAR)?;
    let brought: Vec<&Finding<Tally>> = tables.findings.values().filter(|it| it.worker == liar).collect();
    if tables.workers[&liar].state != WorkerState::Quarantined {
        return Err(format!("the liar is trusted, and brought {} results", brought.len()));
    }
    if brought.iter().any(|it| it.standing != Standing::Void) {
        return Err("a result of the liar stands".to_owned());
    }
    for number in HONEST {
        let state = tables.workers[&worker(tables, number)?].state;
        if state != WorkerState::Active {
            return Err(format!("worker {number} is honest, and {state:?}"));
        }
    }
    let run = tables.runs.values().next().ok_or("there is no run")?;
    is_right(run)?;
    let (mut counted, mut twice) = (vec![None; UNITS as usize], BTreeSet::new());
    for finding in tables.findings.values() {
        match finding.standing {
            Standing::Counted => counted[finding.unit as usize] = answer(finding),
            Standing::Vote => drop(twice.insert(finding.unit)),
            _ => {}
        }
    }
    let is_lie = |it: &&&Finding<Tally>| match (answer(it), counted[it.unit as usize]) {
        (Some(said), Some(right)) => !said.agrees(right),
        _ => false,
    };
    let lies = brought.iter().filter(is_lie).count();
    if lies == 0 {
        return Err("the liar did not lie, and is trusted no longer".to_owned());
    }
    Ok(Unmasked { brought: brought.len(), lies, twice: twice.len() })
}

/// Whether every unit counts, and the sum is exact, in all and below each move.
fn is_right(run: &Run<Tally>) -> Result<(), String> {
    let (root, answer) = (Position::startpos(), &run.tally.counted.answer);
    if run.state != State::Done || (run.units, run.done) != (UNITS, UNITS) {
        return Err(format!("the run is {:?}, {} of {} units done", run.state, run.done, run.units));
    }
    let moves = root.legal_moves().into_iter();
    let divide: BTreeMap<_, _> = moves.map(|it| (it, plain(&root.after(it), DEPTH - 1))).collect();
    if answer.divide != divide || answer.nodes != divide.values().sum::<u128>() {
        return Err(format!("{answer:?} was counted; {divide:?} is right"));
    }
    Ok(())
}

fn worker(tables: &Tables<Tally>, number: u32) -> Result<WorkerId, String> {
    let name = format!("worker-{number}");
    let found = tables.enrolments.iter().find(|(_, enrolment)| enrolment.name == name);
    found.map(|(id, _)| *id).ok_or_else(|| format!("{name} never came"))
}

fn answer(finding: &Finding<Tally>) -> Option<&Tally> {
    match &finding.found {
        Found::Answer(answer) => Some(answer),
        Found::Failed(_) => None,
    }
}
