//! `vezir worker`: counts what a coordinator gives it, until it is told to stop.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;
use vezir_perft::{Counter, Isa};
use vezir_worker::metrics::Metrics;
use vezir_worker::{EngineSettings, Rehearsal, Settings, Worker};

use crate::args::{MeansArgs, RehearsalArgs, WorkerArgs};
use crate::dial::Dial;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::machine;
use crate::shown::{Shown, broken};
use crate::size;
use crate::talk::say;

/// What a worker in the process of its coordinator is called.
const EMBEDDED: &str = "embedded";

/// The longest name that is made from a host's.
const MAX_HOST_CHARS: usize = 40;

/// Works until it is drained or stopped.
pub(crate) async fn run(args: WorkerArgs) -> Result<Exit, Failure> {
    let Some(dial) = Dial::from_args(&args.dial)? else {
        let sentence = "a worker needs a coordinator; --coordinator http://127.0.0.1:6464 would be right";
        return Err(Failure::new(Exit::Usage, sentence));
    };
    let mut interrupt = Interrupt::catch()?;
    let shown = Shown::open(&args.metrics).await?;
    let metrics = Metrics::new(&shown.registry).map_err(broken)?;
    let spoken = metrics.clone();
    shown.readiness.judge("worker", move || heard_lately(spoken.since_contact()));
    let name = args.name.clone().unwrap_or_else(made_up_name);
    let settings = settings(name, &args.means, args.engines.settings()?, &args.rehearsal);
    let worker = Worker::new(settings.clone(), metrics);
    let worker = worker.map_err(|error| Failure::new(Exit::Unserved, error.to_string()))?;
    // The first call says at once what is wrong with address, certificate or token.
    let line = tokio::select! {
        line = dial.await_there() => line?,
        () = interrupt.wait() => return Ok(Exit::Done),
    };
    let mut known = worker.known();
    let told = async {
        if known.wait_for(|known| *known).await.is_ok() {
            let threads = show_threads(settings.threads.get());
            say(&format!("worker {} works for {} on {threads}", settings.name, dial.address()));
        }
    };
    let (drain, stop) = signals(interrupt);
    let (ended, ()) = tokio::join!(worker.run(line, raised(drain), raised(stop)), told);
    ended.map_err(|error| Failure::new(Exit::Unserved, error.to_string()))?;
    say("every unit that was begun is reported or given back");
    Ok(Exit::Done)
}

fn show_threads(threads: usize) -> String {
    if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") }
}

/// Whether the coordinator answered within a term. One that has no work for a worker says so more often.
fn heard_lately(since: Option<Duration>) -> Result<(), String> {
    let term = vezir_coordinator::Settings::LEASE;
    match since {
        None => Err("has not reached its coordinator yet".to_owned()),
        Some(since) if since > term => {
            Err(format!("has not heard of its coordinator for {} s", since.as_secs()))
        }
        Some(_) => Ok(()),
    }
}

/// The worker of a cluster in this process, which starts such engines.
pub(crate) fn embedded(means: &MeansArgs, engines: EngineSettings) -> Settings {
    settings(EMBEDDED.to_owned(), means, engines, &RehearsalArgs::default())
}

fn settings(name: String, means: &MeansArgs, engines: EngineSettings, rehearsal: &RehearsalArgs) -> Settings {
    warn_of_much(means);
    Settings {
        name,
        incarnation: incarnation(),
        threads: means.threads.unwrap_or_else(machine::cores),
        hash_bytes: means.hash.unwrap_or_else(machine::default_hash),
        isa: means.isa.unwrap_or_else(Isa::detect),
        seed: means.seed.unwrap_or(Counter::SEED),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engines,
        rehearsal: Rehearsal {
            unit_at_least: rehearsal.rehearse_unit_at_least.unwrap_or_default(),
            lies_every: rehearsal.rehearse_lies_every,
            lies_seed: None,
        },
    }
}

/// Warns of a table that this machine has no room for.
pub(crate) fn warn_of_much(means: &MeansArgs) {
    let memory = machine::memory();
    if let Some(hash) = means.hash.filter(|hash| *hash > memory) {
        let [hash, memory] = [hash, memory >> 20 << 20].map(size::show_memory);
        say(&format!("warning: --hash {hash} is more than the {memory} that may be used here"));
    }
}

/// A number that is larger each time that a process starts: microseconds since 1970.
fn incarnation() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

/// The host's name, and chance, so that several workers of one host have several names.
fn made_up_name() -> String {
    let host = machine::host_name();
    let plain = host.chars().filter(|it| it.is_ascii_alphanumeric() || "-_.".contains(*it));
    let host: String = plain.take(MAX_HOST_CHARS).collect();
    let host = if host.is_empty() { "worker".to_owned() } else { host };
    format!("{host}-{:06x}", fastrand::u32(..1 << 24))
}

/// The first signal drains, the second one stops.
fn signals(mut interrupt: Interrupt) -> (watch::Receiver<bool>, watch::Receiver<bool>) {
    let (drain, draining) = watch::channel(false);
    let (stop, stopping) = watch::channel(false);
    tokio::spawn(async move {
        interrupt.wait().await;
        say("finishing what was begun; another signal ends it at once");
        drain.send_replace(true);
        interrupt.wait().await;
        stop.send_replace(true);
        // Kept until the end: a sender that is gone would be taken for a signal.
        std::future::pending::<()>().await;
    });
    (draining, stopping)
}

async fn raised(mut flag: watch::Receiver<bool>) {
    let _ = flag.wait_for(|raised| *raised).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_ready_while_it_hears_of_its_coordinator() {
        assert!(heard_lately(None).is_err_and(|why| why.contains("yet")));
        assert_eq!(heard_lately(Some(Duration::from_secs(29))), Ok(()));
        assert!(heard_lately(Some(Duration::from_secs(95))).is_err_and(|why| why.contains("95 s")));
    }

    #[test]
    fn made_up_names_are_names_and_differ() {
        let [one, other] = [made_up_name(), made_up_name()];
        assert!(one.len() <= 64 && one.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it)));
        assert_ne!(one, other);
    }
}
