//! Workers and a user are cut off for twice the lease, in one direction or both, and go on afterwards.

use std::sync::Arc;
use std::time::Instant;

use vezir_tests::cluster::{Export, until};

use crate::cable::Cable;
use crate::dice::Dice;
use crate::lane::Figures;
use crate::round::{KIWIPETE, LEASE, NAMES, Round, SHORT_LEASES, START, STEP, UNIT, play};
use crate::weather::{Way, Weather};

/// How a network is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    /// Nothing arrives on either side.
    Both,
    /// Nothing arrives at the coordinator.
    Up,
    /// Nothing arrives at the workers.
    Down,
    /// All connections are reset, and there are no others.
    Gone,
}

impl Cut {
    fn weather(self) -> Weather {
        let fine = Weather::default();
        match self {
            Cut::Both => Weather::both(Way::HELD),
            Cut::Up => Weather { up: Way::HELD, ..fine },
            Cut::Down => Weather { down: Way::HELD, ..fine },
            Cut::Gone => Weather { refuses: true, ..fine },
        }
    }
}

/// Two workers and the user are cut off; the third worker is not.
fn partition(cut: Cut, what: &str) {
    let dice = Arc::new(Dice::new());
    let mut round = Round::open(&[&SHORT_LEASES[..], &["--no-second-leases"]].concat());
    let cable = Cable::to(round.coordinator.address(), &dice);
    let direct = round.coordinator.address().to_owned();
    [cable.address(), cable.address(), &direct].iter().for_each(|address| round.hire(address, UNIT));
    let case = if matches!(cut, Cut::Both | Cut::Gone) { &KIWIPETE } else { &START };
    round.ask(cable.address(), case);
    round.await_everybody();
    let cut_off = [NAMES[0], NAMES[1]].map(|name| round.number(name));
    let failed = round.figure("vezir_worker_renewals_total", "failed");

    let begun = Instant::now();
    cable.set(cut.weather());
    if cut == Cut::Gone {
        cable.reset_all();
    }
    if cut != Cut::Down {
        until("leases to expire", STEP, || {
            let export = round.export();
            let expired = |worker: &u64| export.ended("expired").any(|lease| lease.worker == *worker);
            cut_off.iter().all(expired).then_some(())
        });
    }
    until("twice the lease to pass", STEP, || (begun.elapsed() >= LEASE * 2).then_some(()));
    round.assert_midst();
    let before = round.export();
    cable.set(Weather::default());

    // They go on by themselves.
    until("those who were cut off to count", STEP, || {
        let now = round.export();
        let more = |worker: &u64| counted(&now, *worker) > counted(&before, *worker);
        cut_off.iter().all(more).then_some(())
    });
    let failed = round.figure("vezir_worker_renewals_total", "failed") - failed;
    let export = round.await_answer();
    let reconnects = || round.figure("vezir_worker_reconnects_total", "");
    if cut == Cut::Gone {
        until("both to say that they connected again", STEP, || (reconnects() >= 2).then_some(()));
    }
    let reconnects = reconnects();
    let late: usize = cut_off.iter().map(|worker| export.late(*worker).count()).sum();
    let expired = export.ended("expired").count();
    let held = Figures::read(&cable.figures().held);
    match cut {
        Cut::Both | Cut::Up => assert!(held > 0 && late > 0, "{cut:?}: {late} late, {held} held"),
        Cut::Down => assert!(held > 0 && failed > 0, "{failed} renewals failed, {held} held"),
        Cut::Gone => assert!(late > 0, "{late} late"),
    }
    round.close(
        what,
        &format!("{expired} expired, {late} late, {failed} renewals failed, {reconnects} reconnects"),
    );
}

/// How many units count that a worker found.
fn counted(export: &Export, worker: u64) -> usize {
    export.counted().filter(|found| found.worker == worker).count()
}

#[test]
fn cut_off_for_twice_the_lease() {
    play(&[
        ("cut off both ways", |what| partition(Cut::Both, what)),
        ("cut off towards the coordinator", |what| partition(Cut::Up, what)),
        ("cut off towards the workers", |what| partition(Cut::Down, what)),
        ("every connection gone", |what| partition(Cut::Gone, what)),
    ]);
}
