//! Calls of clients: which they are, in which lane they come, and how they end.

use std::time::Instant;

use vezir_telemetry::{Counters, Gauges, Histograms, Labels, Registry, RegistryError, label};

use super::Metrics;

/// Bounds of the time that a call takes, in seconds. A lease may wait for work for a while.
const CALL_SECONDS: [f64; 15] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

label! {
    /// Which calls share their limits, so that one kind never starves another.
    pub enum Lane as "lane" {
        /// Without these leases would expire.
        Liveness = "liveness",
        /// These bring work to workers.
        Work = "work",
        /// These come from users and operators.
        Users = "users",
        /// Health, reflection, and what does not exist.
        Other = "other",
    }
}

label! {
    /// What is called, as its service and its name.
    pub enum Method as "method" {
        /// A worker becomes known.
        Register = "Workers/Register",
        /// A worker is told what to drop.
        Orders = "Workers/Orders",
        /// A worker asks for work.
        Lease = "Workers/Lease",
        /// A worker fetches positions.
        Page = "Workers/Page",
        /// A worker brings results.
        Report = "Workers/Report",
        /// A lease goes on.
        Renew = "Workers/Renew",
        /// A lease is given back.
        Release = "Workers/Release",
        /// A run is begun.
        Submit = "Runs/Submit",
        /// A run is watched.
        Watch = "Runs/Watch",
        /// A run is cancelled.
        Cancel = "Runs/Cancel",
        /// A run is worked on again.
        ResumeRun = "Runs/Resume",
        /// Runs are listed.
        List = "Runs/List",
        /// A run is shown.
        Show = "Runs/Show",
        /// Everything about a run is read.
        Export = "Runs/Export",
        /// Workers are listed.
        ListWorkers = "Fleet/List",
        /// A worker is given nothing new.
        Pause = "Fleet/Pause",
        /// A worker is given work again.
        Resume = "Fleet/Resume",
        /// A worker is trusted no longer.
        Quarantine = "Fleet/Quarantine",
        /// A worker is to end its work.
        Drain = "Fleet/Drain",
        /// Anything else.
        Other = "other",
    }
}

impl Method {
    /// The method of a request's path, such as `/vezir.workers.v1.Workers/Lease`.
    pub fn of(path: &str) -> Method {
        // The package may hold dots, the service and the method may not.
        let name = path.rsplit_once('.').map_or("", |(_, name)| name);
        let ours = path.starts_with("/vezir.");
        Method::named(name).filter(|_| ours).unwrap_or(Method::Other)
    }

    /// The lane in which it comes.
    pub const fn lane(self) -> Lane {
        match self {
            Method::Register | Method::Orders | Method::Report | Method::Renew | Method::Release => {
                Lane::Liveness
            }
            Method::Lease | Method::Page => Lane::Work,
            Method::Submit
            | Method::Watch
            | Method::Cancel
            | Method::ResumeRun
            | Method::List
            | Method::Show
            | Method::Export
            | Method::ListWorkers
            | Method::Pause
            | Method::Resume
            | Method::Quarantine
            | Method::Drain => Lane::Users,
            Method::Other => Lane::Other,
        }
    }
}

label! {
    /// How a call ended.
    pub enum Code as "code" {
        /// Well.
        Ok = "ok",
        /// The caller hung up.
        Cancelled = "cancelled",
        /// Nobody knows.
        Unknown = "unknown",
        /// The caller asked for what means nothing.
        InvalidArgument = "invalid_argument",
        /// It took too long.
        DeadlineExceeded = "deadline_exceeded",
        /// There is no such thing.
        NotFound = "not_found",
        /// It exists already.
        AlreadyExists = "already_exists",
        /// The caller may not.
        PermissionDenied = "permission_denied",
        /// A limit was reached.
        ResourceExhausted = "resource_exhausted",
        /// It cannot be done now, and trying again does not help.
        FailedPrecondition = "failed_precondition",
        /// Somebody else was faster.
        Aborted = "aborted",
        /// It lies beyond the end.
        OutOfRange = "out_of_range",
        /// There is no such call.
        Unimplemented = "unimplemented",
        /// Our fault.
        Internal = "internal",
        /// It cannot be done now, and trying again helps.
        Unavailable = "unavailable",
        /// Something is lost.
        DataLoss = "data_loss",
        /// Nobody knows who calls.
        Unauthenticated = "unauthenticated",
    }
}

impl From<tonic::Code> for Code {
    fn from(code: tonic::Code) -> Code {
        match code {
            tonic::Code::Ok => Code::Ok,
            tonic::Code::Cancelled => Code::Cancelled,
            tonic::Code::Unknown => Code::Unknown,
            tonic::Code::InvalidArgument => Code::InvalidArgument,
            tonic::Code::DeadlineExceeded => Code::DeadlineExceeded,
            tonic::Code::NotFound => Code::NotFound,
            tonic::Code::AlreadyExists => Code::AlreadyExists,
            tonic::Code::PermissionDenied => Code::PermissionDenied,
            tonic::Code::ResourceExhausted => Code::ResourceExhausted,
            tonic::Code::FailedPrecondition => Code::FailedPrecondition,
            tonic::Code::Aborted => Code::Aborted,
            tonic::Code::OutOfRange => Code::OutOfRange,
            tonic::Code::Unimplemented => Code::Unimplemented,
            tonic::Code::Internal => Code::Internal,
            tonic::Code::Unavailable => Code::Unavailable,
            tonic::Code::DataLoss => Code::DataLoss,
            tonic::Code::Unauthenticated => Code::Unauthenticated,
        }
    }
}

/// A method with its lane.
#[derive(Clone, Copy, Debug)]
struct Laned(Method);

impl Labels for Laned {
    fn names() -> Vec<&'static str> {
        <(Lane, Method)>::names()
    }

    fn values(self) -> Vec<&'static str> {
        (self.0.lane(), self.0).values()
    }

    fn at_start() -> Vec<Laned> {
        Method::ALL.iter().copied().map(Laned).collect()
    }
}

/// A method with its lane and how it ended.
#[derive(Clone, Copy, Debug)]
struct Answered(Method, Code);

impl Labels for Answered {
    fn names() -> Vec<&'static str> {
        <(Laned, Code)>::names()
    }

    fn values(self) -> Vec<&'static str> {
        (Laned(self.0), self.1).values()
    }

    fn at_start() -> Vec<Answered> {
        Method::ALL.iter().map(|method| Answered(*method, Code::Ok)).collect()
    }
}

/// What is shown of calls.
#[derive(Debug)]
pub(super) struct Calls {
    in_flight: Gauges<Laned>,
    answered: Counters<Answered>,
    seconds: Histograms<Method>,
}

impl Calls {
    pub(super) fn new(registry: &Registry) -> Result<Calls, RegistryError> {
        Ok(Calls {
            in_flight: registry
                .gauges("vezir_rpc_in_flight", "Calls that have not been answered to their end.")?,
            answered: registry.counters("vezir_rpc_requests_total", "Calls that have ended, by how.")?,
            seconds: registry.histograms(
                "vezir_rpc_duration_seconds",
                "Time from a call to the end of its answer; a lease waits for work, a stream ends with its reader.",
                &CALL_SECONDS,
            )?,
        })
    }
}

/// A call that goes on. One that is dropped without having ended was cancelled.
#[derive(Debug)]
pub struct Call {
    metrics: Metrics,
    method: Method,
    begin: Instant,
    ended: Option<Code>,
}

impl Call {
    pub(super) fn new(metrics: Metrics, method: Method) -> Call {
        metrics.families.calls.in_flight.of(Laned(method)).inc();
        Call { metrics, method, begin: Instant::now(), ended: None }
    }

    /// It has been answered to its end.
    pub fn ended(mut self, code: impl Into<Code>) {
        self.ended = Some(code.into());
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let calls = &self.metrics.families.calls;
        calls.in_flight.of(Laned(self.method)).dec();
        calls.answered.of(Answered(self.method, self.ended.unwrap_or(Code::Cancelled))).inc();
        calls.seconds.of(self.method).observe(self.begin.elapsed().as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Lane, Method};
    use crate::access::METHODS;

    #[test]
    fn methods_are_known_by_their_paths() {
        let known = [
            ("/vezir.workers.v1.Workers/Lease", Method::Lease),
            ("/vezir.runs.v1.Runs/Watch", Method::Watch),
            ("/vezir.runs.v2.Runs/Watch", Method::Watch),
            ("/vezir.runs.v1.Runs/watch", Method::Other),
            ("/vezir.runs.v1.Runs/", Method::Other),
            ("/grpc.health.v1.Health/Check", Method::Other),
            ("/elsewhere.v1.Runs/Watch", Method::Other),
            ("", Method::Other),
        ];
        for (path, method) in known {
            assert_eq!(Method::of(path), method, "{path}");
        }
    }

    #[test]
    fn every_method_of_ours_is_known() {
        let ours = METHODS.iter().filter(|(path, _)| path.starts_with("/vezir."));
        let known: BTreeSet<Method> = ours.map(|(path, _)| Method::of(path)).collect();
        let all: BTreeSet<Method> = Method::ALL.iter().copied().filter(|it| *it != Method::Other).collect();
        assert_eq!(known, all);
    }

    #[test]
    fn what_keeps_leases_alive_has_its_lane() {
        for method in [Method::Renew, Method::Report, Method::Register] {
            assert_eq!(method.lane(), Lane::Liveness);
        }
        assert_eq!((Method::Page.lane(), Method::Submit.lane()), (Lane::Work, Lane::Users));
    }
}
