//! What goes wrong between and in the hosts of a world, and when it is well again.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;

use fastrand::Rng;
use turmoil::Sim;

use crate::disk::Disk;
use crate::map::{COORDINATOR, Map, TERMS, USER};
use crate::world::Hand;

/// How long messages take where nothing is wrong, and how often that changes, in milliseconds.
const LATENCY: Range<u64> = 1..60;
const LATENCY_LASTS: Range<u64> = 100..600;

/// What makes a trouble end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cure {
    /// The host's link is as fast as it was.
    Speed,
    /// The host's link carries messages again; those sent meanwhile are lost.
    Repair,
    /// The host's link carries messages again, also those sent meanwhile.
    Release,
    /// The host's process starts.
    Start,
}

/// All that goes wrong in a world.
pub(crate) struct Troubles {
    rng: Rng,
    hands: Vec<Hand>,
    disk: Disk,
    map: Map,
    /// When the next one comes.
    next: Duration,
    /// When links become faster or slower.
    jitter: Duration,
    /// What will be well again, by host, and when. A link has one trouble at a time.
    cures: BTreeMap<(String, Cure), Duration>,
}

impl Troubles {
    pub(crate) fn new(rng: Rng, hands: Vec<Hand>, disk: Disk, map: Map) -> Troubles {
        Troubles {
            rng,
            hands,
            disk,
            map,
            next: Duration::from_secs(1),
            jitter: Duration::ZERO,
            cures: BTreeMap::new(),
        }
    }

    /// Lets begin and end what is to begin and end now.
    pub(crate) fn go_on(&mut self, sim: &mut Sim<'_>) {
        let now = sim.elapsed();
        self.cure(sim, |at| at <= now);
        self.restart_who_ended(sim);
        if now >= self.jitter {
            self.jitter = now + Duration::from_millis(self.rng.u64(LATENCY_LASTS));
            self.change_latencies(sim);
        }
        if now >= self.next && !self.map.weather.is_calm() {
            self.next = now + Duration::from_millis(self.rng.u64(200..2_500));
            self.begin(sim);
        }
    }

    /// Every link gets another latency, which all its messages have: were it drawn for each, it would depend
    /// on their order within an instant, which no seed decides.
    fn change_latencies(&mut self, sim: &Sim<'_>) {
        let hosts: Vec<String> =
            self.hands.iter().map(|hand| hand.name.clone()).chain([USER.to_owned()]).collect();
        for host in hosts {
            let latency = Duration::from_millis(self.rng.u64(LATENCY));
            if !self.cures.contains_key(&(host.clone(), Cure::Speed)) {
                sim.set_link_latency(host.as_str(), COORDINATOR, latency);
            }
        }
    }

    /// Everything is well again.
    pub(crate) fn end(&mut self, sim: &mut Sim<'_>) {
        self.cure(sim, |_| true);
    }

    fn cure(&mut self, sim: &mut Sim<'_>, is_due: impl Fn(Duration) -> bool) {
        let due: BTreeSet<(String, Cure)> =
            self.cures.iter().filter(|(_, at)| is_due(**at)).map(|(cure, _)| cure.clone()).collect();
        for cure in due {
            self.cures.remove(&cure);
            let (host, cure) = cure;
            match cure {
                // It is, as soon as latencies change.
                Cure::Speed => {}
                Cure::Repair => sim.repair(host.as_str(), COORDINATOR),
                Cure::Release => sim.release(host.as_str(), COORDINATOR),
                Cure::Start => sim.bounce(host.as_str()),
            }
        }
    }

    /// Whoever ended well is started again after a while, as a machine's service manager would.
    fn restart_who_ended(&mut self, sim: &mut Sim<'_>) {
        for hand in self.hands.iter().filter(|hand| !hand.is_retired()) {
            let start = (hand.name.clone(), Cure::Start);
            if !sim.is_host_running(hand.name.as_str()) && !self.cures.contains_key(&start) {
                let after = Duration::from_millis(self.rng.u64(500..4_000));
                self.cures.insert(start, sim.elapsed() + after);
            }
        }
    }

    fn begin(&mut self, sim: &mut Sim<'_>) {
        let worker = self.rng.usize(0..self.hands.len());
        let name = self.hands[worker].name.clone();
        match self.rng.u32(0..30) {
            0..3 => self.slow(sim, name),
            3..6 => self.cut(sim, name, "lost messages"),
            6..9 => self.cut(sim, name, "worker to coordinator cut"),
            9..12 => self.cut(sim, name, "coordinator to worker cut"),
            12..15 => self.cut(sim, name, "partitions"),
            15..19 => self.hold(sim, name),
            19..21 => self.cut(sim, USER.to_owned(), "user cut off"),
            21..24 => self.crash(sim, name, "worker crashes"),
            24..27 => self.crash(sim, COORDINATOR.to_owned(), "coordinator crashes"),
            27 => {
                self.map.judge.count("drains");
                self.hands[worker].drain();
            }
            _ => {
                self.map.judge.count("wall clock set");
                self.disk.set_clock(Duration::from_millis(self.rng.u64(4_500..12_000)));
            }
        }
    }

    /// A while that is longer than a lease lasts.
    fn long(&mut self) -> Duration {
        TERMS.lease.mul_f64(1.1 + 1.5 * self.rng.f64())
    }

    /// Notes that the host's link has a trouble for so long, unless it has one.
    fn links(&mut self, sim: &Sim<'_>, host: &str, cure: Cure, lasts: Duration) -> bool {
        let has = |cure| self.cures.contains_key(&(host.to_owned(), cure));
        let free = !has(Cure::Speed) && !has(Cure::Repair) && !has(Cure::Release);
        if free {
            self.cures.insert((host.to_owned(), cure), sim.elapsed() + lasts);
        }
        free
    }

    fn slow(&mut self, sim: &Sim<'_>, host: String) {
        let lasts = self.long();
        if self.links(sim, &host, Cure::Speed, lasts) {
            self.map.judge.count("slow links");
            let latency = Duration::from_millis(self.rng.u64(200..1_500));
            sim.set_link_latency(host.as_str(), COORDINATOR, latency);
        }
    }

    fn hold(&mut self, sim: &Sim<'_>, host: String) {
        let lasts = self.long();
        if self.links(sim, &host, Cure::Release, lasts) {
            self.map.judge.count("pauses");
            sim.hold(host.as_str(), COORDINATOR);
        }
    }

    fn cut(&mut self, sim: &Sim<'_>, host: String, what: &'static str) {
        let lasts = match what {
            // What is under way is lost, and the connection with it.
            "lost messages" => Duration::from_millis(self.rng.u64(20..200)),
            "partitions" => self.long(),
            _ => Duration::from_millis(self.rng.u64(500..10_000)),
        };
        if self.links(sim, &host, Cure::Repair, lasts) {
            self.map.judge.count(what);
            match what {
                "worker to coordinator cut" => sim.partition_oneway(host.as_str(), COORDINATOR),
                "coordinator to worker cut" => sim.partition_oneway(COORDINATOR, host.as_str()),
                _ => sim.partition(host.as_str(), COORDINATOR),
            }
        }
    }

    fn crash(&mut self, sim: &mut Sim<'_>, host: String, what: &'static str) {
        if sim.is_host_running(host.as_str()) {
            self.map.judge.count(what);
            sim.crash(host.as_str());
            let down = Duration::from_millis(self.rng.u64(50..5_000));
            self.cures.insert((host, Cure::Start), sim.elapsed() + down);
        }
    }
}
