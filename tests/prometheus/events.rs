//! A coordinator and a worker to whom everything happens, over and over, and who show it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use vezir_coordinator::metrics::{
    ActiveRun, Cause, Code, CoreState, End, Failure, Method, Metrics as Coordinator, Place, Purpose, RunKind,
    RunState, Survey, UnitState, Verb, WorkerState,
};
use vezir_jobs::RunId;
use vezir_jobs::ledger::{Renewed, Reported, Told};
use vezir_telemetry::{Counters, Readiness, Registry, label, serve};
use vezir_worker::metrics::{Method as Asked, Metrics as Worker, Renewal, UnitEnd};

/// How often everything happens.
const TICK: Duration = Duration::from_millis(50);

/// Time that everything takes.
const TOOK: Duration = Duration::from_millis(1500);

label! {
    /// What becomes of a connection, as the listener of the executable shows it, which is no library's.
    enum Fate as "fate" {
        Accepted = "accepted",
        Opened = "opened",
        Failed = "failed",
        Slow = "slow",
        Crowded = "crowded",
    }
}

/// The metrics of both, with their registries.
pub(crate) struct Fleet {
    registries: [Registry; 2],
    coordinator: Coordinator,
    listener: Counters<Fate>,
    worker: Worker,
}

impl Default for Fleet {
    fn default() -> Fleet {
        Fleet::showing([registry(), registry()])
    }
}

fn registry() -> Registry {
    Registry::new("0").expect("a registry")
}

impl Fleet {
    /// Both in one process, as on a single machine.
    pub(crate) fn in_one_process() -> Fleet {
        let registry = registry();
        Fleet::showing([registry.clone(), registry])
    }

    fn showing(registries: [Registry; 2]) -> Fleet {
        let coordinator = Coordinator::new(&registries[0]).expect("new names");
        let listener = registries[0].counters("vezir_listener_connections_total", "Connections, by fate.");
        let listener = listener.expect("a new name");
        let worker = Worker::new(&registries[1]).expect("new names");
        Fleet { registries, coordinator, listener, worker }
    }

    /// What each shows.
    pub(crate) fn texts(&self) -> [String; 2] {
        self.registries.each_ref().map(|registry| registry.text().expect("a text"))
    }

    /// Everything happens once.
    pub(crate) fn tick(&self) {
        let it = &self.coordinator;
        it.planned(TOOK);
        Purpose::ALL.iter().for_each(|purpose| it.granted(*purpose));
        it.cut();
        End::ALL.iter().for_each(|end| it.lease_ended(*end, TOOK));
        it.reported(&Reported {
            told: vec![Told::Counted, Told::Vote, Told::Failed, Told::Aside, Told::Stale],
            lease: Renewed::Ended,
            conflicts: vec![1],
            suspects: Vec::new(),
        });
        it.counted(1 << 30);
        it.unit_took(TOOK);
        it.repeated();
        it.paused();
        it.quarantined();
        Verb::ALL.iter().for_each(|verb| it.transaction(*verb, TOOK));
        it.committed(3);
        Failure::ALL.iter().for_each(|failure| it.store_failed(*failure));
        Place::ALL.iter().for_each(|place| it.measured_disk(*place, 1 << 20, 1 << 30));
        for method in Method::ALL {
            Code::ALL.iter().for_each(|code| it.call(*method).ended(*code));
        }
        drop((it.watching(), it.connected()));
        Fate::ALL.iter().for_each(|fate| self.listener.of(*fate).inc());
        it.surveyed(&survey());
        let it = &self.worker;
        it.walked(1 << 20);
        it.probed(1 << 10, 1 << 9);
        it.table(1 << 30, 0.5);
        UnitEnd::ALL.iter().for_each(|end| it.unit_finished(*end, TOOK));
        it.threads(3, 4);
        it.holds(2);
        it.results_waiting(5);
        Renewal::ALL.iter().for_each(|renewal| it.renewed(*renewal));
        it.contacted();
        it.reconnected();
        Asked::ALL.iter().for_each(|method| it.retried(*method));
    }

    /// Lets everything happen over and over, and shows it, until what is returned is dropped.
    pub(crate) fn run(self) -> Running {
        let runtime = Runtime::new().expect("a runtime");
        let fleet = Arc::new(self);
        let addresses = fleet.registries.each_ref().map(|registry| show(&runtime, registry.clone()));
        runtime.spawn(async move {
            let mut ticks = tokio::time::interval(TICK);
            loop {
                ticks.tick().await;
                fleet.tick();
            }
        });
        Running { _runtime: runtime, addresses }
    }
}

/// One unit of everything that can be counted.
fn survey() -> Survey {
    let pairs = |state| RunKind::ALL.iter().map(move |kind| ((*kind, state), 1));
    Survey {
        units: UnitState::ALL.iter().flat_map(|state| pairs(*state)).collect(),
        runs: RunState::ALL
            .iter()
            .flat_map(|state| RunKind::ALL.iter().map(|it| ((*it, *state), 1)))
            .collect(),
        workers: WorkerState::ALL.iter().map(|state| (*state, 1)).collect(),
        cores: CoreState::ALL.iter().map(|state| (*state, 1)).collect(),
        doubts: Cause::ALL.iter().map(|cause| (*cause, 1)).collect(),
        leases: 2,
        active: vec![ActiveRun { run: RunId(7), progress: Some(0.5), leaves: 1 << 70 }],
    }
}

fn show(runtime: &Runtime, registry: Registry) -> SocketAddr {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a free port");
    let address = listener.local_addr().expect("an address");
    runtime.spawn(serve(listener, registry, Readiness::default(), std::future::pending()));
    address
}

/// A fleet to whom things happen.
pub(crate) struct Running {
    _runtime: Runtime,
    addresses: [SocketAddr; 2],
}

impl Running {
    /// Where the coordinator shows its metrics.
    pub(crate) fn coordinator(&self) -> String {
        self.addresses[0].to_string()
    }

    /// Where the worker shows its metrics.
    pub(crate) fn worker(&self) -> String {
        self.addresses[1].to_string()
    }
}
