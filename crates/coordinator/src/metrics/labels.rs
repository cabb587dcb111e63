//! What the labels of a coordinator's metrics may say.

use vezir_jobs::ledger;
use vezir_telemetry::label;

label! {
    /// What a run is for.
    pub enum RunKind as "kind" {
        /// A count.
        Perft = "perft",
        /// A comparison of an engine's counts with ours.
        Verification = "verification",
        /// Games between engines.
        Match = "match",
    }
}

label! {
    /// How a run stands.
    pub enum RunState as "state" {
        /// It is being split into units.
        Planning = "planning",
        /// Its units are being worked on.
        Running = "running",
        /// Something counted is in doubt, and is being worked on again.
        Disputed = "disputed",
        /// It has its answer.
        Done = "done",
        /// Somebody cancelled it.
        Cancelled = "cancelled",
        /// Its tally does not fit into its numbers.
        Overflowed = "overflowed",
        /// It cannot be answered.
        Failed = "failed",
    }
}

label! {
    /// Where a unit is.
    pub enum UnitState as "state" {
        /// It waits for a worker.
        Queued = "queued",
        /// Workers hold it.
        Leased = "leased",
        /// Its result counts.
        Done = "done",
        /// It failed on several workers and is tried no more.
        Aside = "aside",
    }
}

label! {
    /// How a worker stands.
    pub enum WorkerState as "state" {
        /// It was heard of within a lease term, and is given work.
        Active = "active",
        /// It was heard of, but is given no work until somebody lets it resume.
        Paused = "paused",
        /// None of its results stands.
        Quarantined = "quarantined",
        /// It was not heard of for a lease term.
        Gone = "gone",
    }
}

label! {
    /// Whether a core has work.
    pub enum CoreState as "state" {
        /// A live lease takes it.
        Busy = "busy",
        /// None does.
        Free = "free",
    }
}

label! {
    /// Why another worker is to be asked about a counted unit.
    pub enum Cause as "cause" {
        /// The run has its results counted again, and this one was chosen.
        Check = "check",
        /// Its answers differ.
        Conflict = "conflict",
    }
}

label! {
    /// Where the frontier of a run came from.
    pub enum Source as "source" {
        /// It grew.
        Grown = "grown",
        /// It was read back.
        Read = "read",
    }
}

label! {
    /// What a lease was granted for.
    pub enum Purpose as "purpose" {
        /// To have the units counted.
        Count = "count",
        /// The same, while another lease holds them too: a second lease.
        Again = "again",
        /// To hear another worker's opinion.
        Opinion = "opinion",
    }
}

impl From<ledger::Purpose> for Purpose {
    fn from(purpose: ledger::Purpose) -> Purpose {
        match purpose {
            ledger::Purpose::Count => Purpose::Count,
            ledger::Purpose::Again => Purpose::Again,
            ledger::Purpose::Opinion => Purpose::Opinion,
        }
    }
}

label! {
    /// How a lease ended.
    pub enum End as "end" {
        /// Nothing was left to do under it.
        Finished = "finished",
        /// Its holder gave it back.
        Released = "released",
        /// Its holder was not heard of for the lease term.
        Expired = "expired",
        /// Its work did not move for the progress term.
        Stuck = "stuck",
        /// It took many times its planned length.
        Overdue = "overdue",
        /// Its holder began a new life.
        Replaced = "replaced",
        /// Its holder was quarantined.
        Quarantined = "quarantined",
        /// The run ended.
        RunEnded = "run_ended",
    }
}

impl From<ledger::End> for End {
    fn from(end: ledger::End) -> End {
        match end {
            ledger::End::Finished => End::Finished,
            ledger::End::Released => End::Released,
            ledger::End::Expired => End::Expired,
            ledger::End::Stuck => End::Stuck,
            ledger::End::Overdue => End::Overdue,
            ledger::End::Replaced => End::Replaced,
            ledger::End::Quarantined => End::Quarantined,
            ledger::End::RunEnded => End::RunEnded,
        }
    }
}

label! {
    /// What became of one unit of a report.
    pub enum Standing as "standing" {
        /// It is part of the tally.
        Counted = "counted",
        /// It is compared with what counts.
        Vote = "vote",
        /// A failure; the unit will be tried again.
        Failed = "failed",
        /// A failure that set the unit aside.
        Aside = "aside",
        /// It came too late, or its worker is not trusted.
        Stale = "stale",
    }
}

impl From<ledger::Told> for Standing {
    fn from(told: ledger::Told) -> Standing {
        match told {
            ledger::Told::Counted => Standing::Counted,
            ledger::Told::Vote => Standing::Vote,
            ledger::Told::Failed => Standing::Failed,
            ledger::Told::Aside => Standing::Aside,
            ledger::Told::Stale => Standing::Stale,
        }
    }
}

label! {
    /// What a transaction of the store was for. `named` finds one by the name of a ledger's verb.
    pub enum Verb as "verb" {
        /// A run is begun.
        Submit = "submit",
        /// A run is opened to workers.
        Plan = "plan",
        /// A run that cannot be planned is ended.
        Fail = "fail",
        /// A run is cancelled.
        Cancel = "cancel",
        /// An open-ended run is ended.
        Conclude = "conclude",
        /// A worker becomes known.
        Register = "register",
        /// A worker asks for work.
        Lease = "lease",
        /// A worker brings results.
        Report = "report",
        /// A lease goes on.
        Renew = "renew",
        /// A lease is given back.
        Release = "release",
        /// A worker is given nothing new.
        Pause = "pause",
        /// A paused worker is given work again.
        Resume = "resume",
        /// A worker is trusted no longer.
        Quarantine = "quarantine",
        /// A lease whose deadline has passed is ended.
        Expire = "expire",
        /// Something is read.
        Read = "read",
        /// Anything else.
        Other = "other",
    }
}

label! {
    /// Why the store failed.
    pub enum Failure as "cause" {
        /// There is no space left.
        Full = "full",
        /// It may not be written.
        ReadOnly = "read_only",
        /// Somebody else held it for too long.
        Busy = "busy",
        /// It cannot be reached.
        Unreachable = "unreachable",
        /// What it holds is damaged.
        Damaged = "damaged",
        /// Anything else.
        Other = "other",
    }
}

label! {
    /// Whose file system is looked at.
    pub enum Place as "place" {
        /// The store's.
        Store = "store",
        /// The artifacts'.
        Artifacts = "artifacts",
    }
}
