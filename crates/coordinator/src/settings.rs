//! What a coordinator may be told about how it works.

use std::num::NonZero;
use std::time::Duration;

use vezir_jobs::ledger::Terms;
use vezir_store::Artifacts;

use crate::Limits;

/// How a coordinator works.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The times that leases of a perft are given.
    pub terms: Terms,
    /// Whether the last units of a run may be leased a second time.
    pub again: bool,
    /// Whether every run that the store has is worked on; else only those that are submitted or resumed here.
    pub takes_up: bool,
    /// On how many threads frontiers grow; `None` for as many as the machine has cores.
    pub threads: Option<NonZero<usize>>,
    /// How large a frontier may become: one too large for the machine would be planned, and end the process, at
    /// each start anew.
    pub frontier: vezir_perft::Limits,
    /// Where frontiers are kept; `None` where nothing is, and they grow again after a restart.
    pub artifacts: Option<Artifacts>,
    /// What peers may take.
    pub limits: Limits,
}

impl Settings {
    /// From one sign of life of a worker to the next.
    pub const LEASE: Duration = Duration::from_secs(30);

    /// From one movement of the work to the next.
    const PROGRESS: Duration = Duration::from_secs(120);

    /// The planned length of a unit: on one slow core, several times the one or two seconds aimed at.
    const UNIT: Duration = Duration::from_secs(60);

    /// Leases of this length, and everything else as usual.
    pub fn with_lease(lease: Duration) -> Settings {
        // A worker that renews as it should moves within each of several leases.
        let progress = lease.saturating_mul(4);
        let longer = progress.as_millis() > Settings::PROGRESS.as_millis();
        let progress = if longer { progress } else { Settings::PROGRESS };
        let terms = Terms { lease, progress, unit: Settings::UNIT };
        Settings {
            terms,
            again: true,
            takes_up: true,
            threads: None,
            frontier: vezir_perft::Limits::CHOSEN,
            artifacts: None,
            limits: Limits::default(),
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::with_lease(Settings::LEASE)
    }
}
