//! A line of 64 kbit/s on which everything takes two seconds, with the settings that clusters really have.

use std::sync::Arc;
use std::time::{Duration, Instant};

use vezir_tests::cluster::vezir;

use crate::cable::Cable;
use crate::dice::Dice;
use crate::round::{KIWIPETE, Round, play};
use crate::weather::{Way, Weather};

/// The line, which each connection has for itself.
const LINE: Way = Way { bits_per_second: Some(64_000), delay: Duration::from_secs(2), ..Way::FREE };

/// How long a unit takes at least: a job is so long that its lease has to be renewed.
const LONG_UNIT: &str = "3s";

/// The way of a question and its answer.
const THERE_AND_BACK: Duration = Duration::from_secs(4);

fn slow_line(what: &str) {
    let dice = Arc::new(Dice::new());
    // A lease that is shorter than the way there and back could never be renewed: this takes the usual one.
    let mut round = Round::open(&[]);
    let cable = Cable::to(round.coordinator.address(), &dice);
    cable.set(Weather::both(LINE));
    (0..3).for_each(|_| round.hire(cable.address(), LONG_UNIT));
    round.ask(cable.address(), &KIWIPETE);
    round.await_everybody();
    let begun = Instant::now();
    vezir(&["runs", "show", "1", "--coordinator", cable.address()]).code(0);
    let took = begun.elapsed();
    assert!(took >= THERE_AND_BACK, "the line is not slow: an answer took {took:?}");
    let renewed = || round.figure("vezir_worker_renewals_total", "live");
    round.await_in_the_midst("leases to be renewed", || renewed() > 0);
    let renewed = renewed();
    let export = round.await_answer();
    let expired = export.ended("expired").count();
    assert_eq!(expired, 0, "a slow line costs no lease: {:?}", export.leases);
    round.close(
        what,
        &format!("{} leases, {renewed} renewals, an answer takes {took:.1?}", export.leases.len()),
    );
}

#[test]
fn a_slow_line() {
    play(&[("64 kbit/s and two seconds", slow_line)]);
}
