//! What the labels of a worker's metrics may say.

use vezir_jobs::ledger;
use vezir_telemetry::label;

label! {
    /// How a unit's work ended.
    pub enum UnitEnd as "result" {
        /// It has its result.
        Counted = "counted",
        /// It has none, for a reason that is reported.
        Failed = "failed",
        /// Nobody wanted it any longer.
        Stopped = "stopped",
    }
}

label! {
    /// What the coordinator made of a unit's report.
    pub enum Worth as "result" {
        /// It stands.
        Counted = "counted",
        /// It is compared with what counts.
        Vote = "vote",
        /// The failure is noted, and the unit will be tried again.
        Failed = "failed",
        /// The failure is noted, and the unit is set aside.
        Aside = "aside",
        /// It came too late, or its worker is not trusted.
        Stale = "stale",
    }
}

impl From<ledger::Told> for Worth {
    fn from(told: ledger::Told) -> Worth {
        match told {
            ledger::Told::Counted => Worth::Counted,
            ledger::Told::Vote => Worth::Vote,
            ledger::Told::Failed => Worth::Failed,
            ledger::Told::Aside => Worth::Aside,
            ledger::Told::Stale => Worth::Stale,
        }
    }
}

label! {
    /// What a thread does.
    pub enum ThreadState as "state" {
        /// It works on a unit.
        Busy = "busy",
        /// It waits for work.
        Idle = "idle",
    }
}

label! {
    /// What came of renewing a lease.
    pub enum Renewal as "result" {
        /// It goes on.
        Live = "live",
        /// It has ended.
        Ended = "ended",
        /// The coordinator was not reached, or refused.
        Failed = "failed",
    }
}

impl From<ledger::Renewed> for Renewal {
    fn from(renewed: ledger::Renewed) -> Renewal {
        match renewed {
            ledger::Renewed::Live { .. } => Renewal::Live,
            ledger::Renewed::Ended => Renewal::Ended,
        }
    }
}

label! {
    /// What a worker asks of its coordinator.
    pub enum Method as "method" {
        /// To be known.
        Register = "Workers/Register",
        /// To be told what to drop.
        Orders = "Workers/Orders",
        /// Work.
        Lease = "Workers/Lease",
        /// Positions.
        Page = "Workers/Page",
        /// To take in results.
        Report = "Workers/Report",
        /// To let a lease go on.
        Renew = "Workers/Renew",
        /// To take a lease back.
        Release = "Workers/Release",
    }
}
