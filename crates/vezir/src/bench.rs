//! `vezir bench`: measures how fast this machine counts, and whether it counts right.

mod case;
mod measure;
mod report;

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::interval;
use vezir_perft::{CountError, Counter, Isa};

use crate::args::BenchArgs;
use crate::bench::case::tasks;
use crate::bench::measure::{Bench, BenchError, Measured};
use crate::exit::{Exit, Failure};
use crate::follow::Part;
use crate::interrupt::Interrupt;
use crate::machine;
use crate::progress::Progress;
use crate::talk::{print, say};
use crate::worker;

pub(crate) use case::CASES;

/// How often is shown how far it is.
const SHOW_EVERY: Duration = Duration::from_millis(200);

/// Measures and tells; exits with no where a count is not the published one.
pub(crate) async fn run(args: BenchArgs) -> Result<Exit, Failure> {
    let mut interrupt = Interrupt::catch_at_terminal()?;
    let bench = Arc::new(planned(&args));
    let stop = Arc::new(AtomicBool::new(false));
    let (count, counted) = watch::channel(0_u128);
    let measuring = spawn_blocking({
        let (bench, stop) = (bench.clone(), stop.clone());
        move || bench.run(&stop, |nodes| count.send_modify(|sum| *sum += nodes))
    });
    let ended = tokio::select! {
        ended = measuring => ended,
        never = show(&bench, counted) => match never {},
        () = interrupt.wait() => {
            stop.store(true, Ordering::Relaxed);
            let sentence = "interrupted; nothing was saved, so the same command starts from the beginning";
            return Err(Failure::new(Exit::Interrupted, sentence));
        }
    };
    let ended =
        ended.map_err(|error| Failure::new(Exit::Unserved, format!("counting broke down: {error}")))?;
    let outcome = ended?;
    if args.json {
        print(&format!("{}\n", report::json(&bench, &outcome)))?;
    } else {
        print(&report::text(&outcome))?;
        say(&report::means(&bench));
    }
    Ok(if outcome.measured.iter().all(Measured::is_right) { Exit::Done } else { Exit::No })
}

/// What the command line asks for.
fn planned(args: &BenchArgs) -> Bench {
    let means = &args.means;
    worker::warn_of_much(means);
    let hash_bytes = means.hash.unwrap_or_else(machine::default_hash);
    let threads = means.threads.unwrap_or_else(machine::cores);
    Bench {
        tasks: tasks(&args.positions, hash_bytes, threads, args.quick),
        rounds: args.rounds,
        isa: means.isa.unwrap_or_else(Isa::detect),
        seed: means.seed.unwrap_or(Counter::SEED),
    }
}

/// Shows how far the measurement is, until it is dropped.
async fn show(bench: &Bench, counted: watch::Receiver<u128>) -> Infallible {
    let each: u128 = bench.tasks.iter().filter_map(|task| task.published()).sum();
    let total = each as f64 * f64::from(bench.rounds.get());
    let (mut progress, mut tick) = (Progress::new(), interval(SHOW_EVERY));
    loop {
        tick.tick().await;
        let nodes = *counted.borrow();
        progress.update(Part {
            fraction: Some(nodes as f64 / total.max(1.0)),
            nodes,
            doubted: 0,
            checks: None,
        });
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Failure {
        let exit = match error {
            BenchError::Start(_) => Exit::Unserved,
            BenchError::Count(CountError::Stopped) => Exit::Interrupted,
            BenchError::Count(_) => Exit::NoAnswer,
        };
        Failure::new(exit, error.to_string())
    }
}
