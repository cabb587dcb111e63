//! A network that loses a fifth of what is sent: TCP makes waits of that and, at worst, broken connections.

use std::sync::Arc;

use vezir_tests::cluster::until;

use crate::cable::Cable;
use crate::dice::Dice;
use crate::lane::Figures;
use crate::round::{Case, LONG_START, LONGEST_KIWIPETE, Round, SHORT_LEASES, STEP, UNIT, play};
use crate::weather::{Way, Weather};

/// How likely a segment is lost, or a connection reset within a second.
const LOSS: f64 = 0.2;

/// Segments that are lost at least, and connections that are reset.
const LOST: u64 = 50;
const RESET: u64 = 5;

/// A cluster behind a cable that gets wet when the work is in its midst.
fn start(case: &'static Case) -> (Round, Cable) {
    let dice = Arc::new(Dice::new());
    let mut round = Round::open(&SHORT_LEASES);
    let cable = Cable::to(round.coordinator.address(), &dice);
    (0..3).for_each(|_| round.hire(cable.address(), UNIT));
    round.ask(cable.address(), case);
    round.await_everybody();
    (round, cable)
}

/// Each direction loses a fifth of its segments, which come later.
fn lost_segments(what: &str) {
    let (mut round, cable) = start(&LONG_START);
    cable.set(Weather::both(Way { loss: LOSS, ..Way::FREE }));
    let lost = || Figures::read(&cable.figures().lost);
    round.await_in_the_midst("segments to be lost", || lost() >= LOST);
    let expired = round.await_answer().ended("expired").count();
    let told = format!("{} segments lost, {expired} leases expired", lost());
    cable.set(Weather::default());
    round.close(what, &told);
}

/// In each second a fifth of the connections is reset.
fn reset_connections(what: &str) {
    let (mut round, cable) = start(&LONGEST_KIWIPETE);
    cable.set(Weather { resets: LOSS, ..Weather::default() });
    let resets = || Figures::read(&cable.figures().resets);
    round.await_in_the_midst("connections to be reset", || resets() >= RESET);
    let expired = round.await_answer().ended("expired").count();
    let told = format!("{} connections reset, {expired} leases expired", resets());
    cable.set(Weather::default());
    until("workers to say that they connected again", STEP, || {
        (round.figure("vezir_worker_reconnects_total", "") > 0).then_some(())
    });
    round.close(what, &told);
}

#[test]
fn a_fifth_is_lost() {
    play(&[
        ("a fifth of the segments lost", lost_segments),
        ("a fifth of the connections reset", reset_connections),
    ]);
}
