//! The command line of the processes that make a cluster: standalone, coordinator, worker.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use vezir_proto::check_worker_name;

use super::{DialArgs, ListenArgs, MeansArgs};
use crate::size;

/// How long a lease may last. Signs of life come several times in each, over a network and from a busy machine;
/// and work that is lost with a worker should not be lost for longer than a day.
const LEASES: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(86_400);

/// Where runs are remembered.
#[derive(Args, Clone, Default, Debug)]
pub(crate) struct StoreArgs {
    /// The file that runs are kept in [default: vezir.sqlite in the user's state folder]
    #[arg(long, value_name = "FILE", env = "VEZIR_STORE", help_heading = "Store")]
    pub(crate) store: Option<PathBuf>,
}

/// Where metrics are shown.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Metrics")]
pub(crate) struct MetricsArgs {
    /// Where /metrics, /healthz and /readyz are answered, as 127.0.0.1:6465 [default: nowhere]
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address, env = "VEZIR_METRICS")]
    pub(crate) metrics: Option<SocketAddr>,

    /// Let other machines see the metrics: everybody who reaches the address, without TLS or a token
    #[arg(long, env = "VEZIR_METRICS_EXPOSED")]
    pub(crate) metrics_exposed: bool,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "ADDRESS:PORT, as 127.0.0.1:6465, would be right".to_owned())
}

/// Where settings are read from, and shown.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Settings")]
pub(crate) struct SettingsArgs {
    #[command(flatten)]
    pub(crate) file: ConfigArgs,

    /// Print the settings as TOML, each with where it comes from, and do nothing else
    #[arg(long)]
    pub(crate) print_settings: bool,
}

/// Where settings are read from.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Settings")]
pub(crate) struct ConfigArgs {
    /// A TOML file with a table for each command and a key for each option; environment and command line go
    /// before it
    #[arg(long, value_name = "FILE", env = "VEZIR_CONFIG")]
    pub(crate) config: Option<PathBuf>,
}

/// How leases are given.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Leases")]
pub(crate) struct LeaseArgs {
    /// How long a worker may be silent before its work is given to others
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = lease, allow_hyphen_values = true, env = "VEZIR_LEASE")]
    pub(crate) lease: Duration,

    /// Never lease the last units of a run a second time; for tests
    #[arg(long, hide = true, env = "VEZIR_NO_SECOND_LEASES")]
    pub(crate) no_second_leases: bool,
}

/// Run a coordinator: plan runs, give work to workers, add up what they report
///
/// Keeps everything in its store before it answers. Killed at any moment and started again on the same store,
/// it goes on where it was.
#[derive(Args, Debug)]
#[command(after_help = COORDINATOR_EXAMPLES)]
pub(crate) struct CoordinatorArgs {
    #[command(flatten)]
    pub(crate) listen: ListenArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) lease: LeaseArgs,

    #[command(flatten)]
    pub(crate) metrics: MetricsArgs,

    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}

const COORDINATOR_EXAMPLES: &str = "\
Examples:
  vezir coordinator                                  On loopback, for workers on this machine
  vezir coordinator --listen 0.0.0.0:6464 --tls-cert certs/coordinator.pem \\
      --tls-key certs/coordinator-key.pem --tokens tokens --metrics 127.0.0.1:6465";

/// Run a worker: count what a coordinator gives it
///
/// Works until it is told to stop. SIGTERM or Ctrl-C lets it finish the units that it has begun, give the
/// rest back and end; a second one ends it at once. Nothing is lost either way.
#[derive(Args, Debug)]
#[command(after_help = WORKER_EXAMPLES)]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    pub(crate) dial: DialArgs,

    /// Its name; a second worker of its name and owner takes the first one's place [default: from the host's name]
    #[arg(long, value_name = "NAME", value_parser = worker_name, env = "VEZIR_NAME")]
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) means: MeansArgs,

    #[command(flatten)]
    pub(crate) engines: EnginesArgs,

    #[command(flatten)]
    pub(crate) metrics: MetricsArgs,

    #[command(flatten)]
    pub(crate) rehearsal: RehearsalArgs,

    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}

fn lease(text: &str) -> Result<Duration, String> {
    let term = size::time(text)?;
    if LEASES.contains(&term) {
        return Ok(term);
    }
    let [least, most] = [LEASES.start(), LEASES.end()].map(|term| humantime::format_duration(*term));
    Err(format!("from {least} to {most} would be right"))
}

fn worker_name(text: &str) -> Result<String, String> {
    check_worker_name(text).map(|()| text.to_owned()).map_err(|wrong| wrong.to_string())
}

const WORKER_EXAMPLES: &str = "\
Examples:
  vezir worker --coordinator http://127.0.0.1:6464
  vezir worker --coordinator https://chess.example.org:6464 --ca ca.pem --token-file worker.token \\
      --name rack7 --threads 30 --hash 16GiB";

/// Which engines a worker starts.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Engines")]
pub(crate) struct EnginesArgs {
    /// A folder whose programs may be started where they lie, if a run names them; may be given several times
    #[arg(long, value_name = "DIR", env = "VEZIR_ALLOW_ENGINES", value_delimiter = ':')]
    pub(crate) allow_engines: Vec<PathBuf>,

    /// Let runs ask for engines without a sandbox
    #[arg(long, env = "VEZIR_ALLOW_UNSANDBOXED")]
    pub(crate) allow_unsandboxed: bool,
}

/// What a worker does wrong on purpose, for tests.
#[derive(Args, Clone, Copy, Default, Debug)]
pub(crate) struct RehearsalArgs {
    /// Each unit takes at least so long
    #[arg(long, hide = true, value_parser = size::time, env = "VEZIR_REHEARSE_UNIT_AT_LEAST")]
    pub(crate) rehearse_unit_at_least: Option<Duration>,

    /// Every so many units one is reported wrong
    #[arg(long, hide = true, env = "VEZIR_REHEARSE_LIES_EVERY")]
    pub(crate) rehearse_lies_every: Option<u32>,
}

/// Run a whole cluster on this machine: a coordinator and a worker in one process
///
/// Other processes on this machine may join it as workers, submit to it and watch it.
#[derive(Args, Debug)]
#[command(after_help = STANDALONE_EXAMPLES)]
pub(crate) struct StandaloneArgs {
    /// Where to listen, as HOST:PORT on loopback
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:6464", env = "VEZIR_LISTEN")]
    pub(crate) listen: String,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) lease: LeaseArgs,

    #[command(flatten)]
    pub(crate) means: MeansArgs,

    #[command(flatten)]
    pub(crate) engines: EnginesArgs,

    #[command(flatten)]
    pub(crate) metrics: MetricsArgs,

    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}

const STANDALONE_EXAMPLES: &str = "\
Examples:
  vezir standalone --metrics 127.0.0.1:6465
  vezir perft 9 --coordinator http://127.0.0.1:6464      In another terminal";
