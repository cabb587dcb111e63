//! Calls whose answers are swallowed or late, and calls that come twice: each does what it does once.

use std::sync::Arc;

use vezir_tests::cluster::{Process, Said, until, vezir};
use vezir_tests::executable;

use crate::dice::Dice;
use crate::mischief::Trick;
use crate::relay::Relay;
use crate::round::{Case, LONG_KIWIPETE, LONG_START, Round, SHORT_LEASES, STEP, UNIT, play};

/// How often something is done to a call in the midst of the work, at least.
const TRICKS: u64 = 20;

/// What is done to calls whose answers are swallowed: who is never answered waits for as long as calls may take,
/// so that most only break.
const SWALLOWED: [Trick; 4] = [Trick::Swallowed, Trick::Broken, Trick::Broken, Trick::Broken];

/// Three workers and two users behind a relay that plays these tricks from the beginning.
fn mischief(tricks: &[Trick], case: &'static Case, what: &str) {
    let dice = Arc::new(Dice::new());
    let mut round = Round::open(&SHORT_LEASES);
    let relay = Relay::to(round.coordinator.address(), tricks, &dice);
    (0..3).for_each(|_| round.hire(relay.address(), UNIT));
    round.ask(relay.address(), case);
    round.await_midst();
    let before = relay.mischief.all();
    round.await_in_the_midst("mischief", || relay.mischief.all() >= before + TRICKS);
    submit_and_cancel(&round, relay.address());
    let export = round.await_answer();
    for method in ["Lease", "Report", "Renew"] {
        assert!(relay.mischief.times(method) > 0, "nothing was done to {method}: {}", relay.mischief.told());
    }
    let repeated = round.coordinator.figure("vezir_calls_repeated_total", "");
    let late = ["one", "two", "three"].map(|name| export.late(round.number(name)).count());
    let late: usize = late.iter().sum();
    let expired = export.ended("expired").count();
    if tricks.contains(&Trick::Late) {
        assert!(expired > 0 && late > 0, "{expired} expired, {late} late");
    } else {
        assert!(repeated > 0, "no call was answered as the first time: {}", relay.mischief.told());
    }
    relay.mischief.stop();
    let told =
        format!("{repeated} repeated calls, {expired} expired, {late} late; {}", relay.mischief.told());
    round.close(what, &told);
}

/// Another user submits a run, leaves it and cancels it: there is one such run, however often that was said.
fn submit_and_cancel(round: &Round, address: &str) {
    let mut command = executable::vezir();
    command.args(["perft", "8", "--split", "4", "--units", "2000", "--coordinator", address]);
    let user = Process::start("another user", command);
    round.coordinator.await_run(2);
    user.kill();
    let words = ["runs", "cancel", "2", "--coordinator", address];
    let mut command = executable::vezir();
    command.args(words);
    // It makes two calls, and each may have to be made again and again.
    Said::of(&words, Process::start("another user", command), STEP * 2).code(0);
    until("the run to be cancelled", STEP, || {
        (round.coordinator.progress(2).state == "cancelled").then_some(())
    });
    let listed =
        vezir(&["runs", "list", "--json", "--coordinator", round.coordinator.address()]).code(0).json();
    assert_eq!(listed["runs"].as_array().map(Vec::len), Some(2), "a run was submitted twice: {listed}");
}

#[test]
fn calls_that_are_not_what_they_should_be() {
    play(&[
        ("swallowed answers", |what| mischief(&SWALLOWED, &LONG_KIWIPETE, what)),
        ("calls that come twice", |what| {
            mischief(&[Trick::TwiceInTurn, Trick::TwiceAtOnce, Trick::Again], &LONG_START, what);
        }),
        ("late answers", |what| mischief(&[Trick::Late], &LONG_KIWIPETE, what)),
    ]);
}
