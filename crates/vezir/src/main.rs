//! The executable `vezir`: reads the command line, runs one command, exits with what the answer means.
//!
//! **Owns** the command line and its help, settings and their defaults, what is printed and in which form, exit
//! codes, and the wiring of a cluster inside this process.
//!
//! **Never** counts, splits, leases or adds up by itself: a command asks the cluster, embedded or not. Only
//! [`mod@bench`] counts, because it measures just that.
//!
//! **Start reading at** [`run`], then [`perft`], the first command.

mod args;
mod bench;
mod certs;
mod client;
mod cluster;
mod coordinator;
mod credentials;
mod desk;
mod dial;
mod disk;
mod doctor;
mod door;
mod engines;
mod exit;
mod export;
mod exposure;
mod follow;
mod home;
mod interrupt;
mod junit;
mod listener;
mod listening;
mod listing;
mod machine;
mod manual;
mod office;
mod open_files;
mod perft;
mod pipe;
mod progress;
mod reload;
mod report;
mod root;
mod runs;
mod settings;
mod shown;
mod size;
#[cfg(test)]
mod staged;
mod standalone;
mod suite;
mod talk;
mod tls;
mod tokens;
mod uci;
mod verdict;
mod verify;
mod why;
mod worker;
mod workers;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use vezir_telemetry::Format;

use crate::args::{Command, CommandLine, LogFormat};
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::settings::{Asked, LOG_FILTER, Unclear};
use crate::talk::{print, say, unwritten};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What the system sends where a file would become larger than it may: SIGXFSZ.
#[cfg(unix)]
const FILE_TOO_LARGE: tokio::signal::unix::SignalKind = tokio::signal::unix::SignalKind::from_raw(25);

fn main() -> ExitCode {
    let ended = match settings::read(env::args_os()) {
        Ok(Asked::Run { line, vain }) => run(*line, &vain),
        Ok(Asked::Print(text)) => print(&text).map(|()| Exit::Done),
        Err(Unclear::Words(sentence)) => Err(Failure::new(Exit::Usage, sentence)),
        Err(Unclear::Help(help)) => give(&help),
        Err(Unclear::File(faults)) => {
            faults.iter().for_each(|fault| say(&format!("vezir: {fault}")));
            return Exit::BadInput.into();
        }
    };
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => {
            if !failure.is_silent() {
                say(&format!("vezir: {failure}"));
            }
            failure.exit.into()
        }
    }
}

fn run(line: CommandLine, vain: &[String]) -> Result<Exit, Failure> {
    start_log(line.command.usual_log(), line.log_format)?;
    vain.iter().for_each(|sentence| say(sentence));
    match line.command {
        Command::Perft(args) => block_on(perft::run(args)),
        Command::Suite(args) => block_on(suite::run(args)),
        Command::Verify(args) => block_on(verify::run(*args)),
        Command::Uci(args) => uci::run(&args),
        Command::Bench(args) => block_on(bench::run(args)),
        Command::Standalone(args) => block_on(standalone::run(args)),
        Command::Coordinator(args) => block_on(coordinator::run(args)),
        Command::Worker(args) => block_on(worker::run(args)),
        Command::Runs(args) if args.waits() => block_on(runs::run(args)),
        Command::Runs(args) => block_on(until_interrupted(runs::run(args))),
        Command::Workers(args) => block_on(until_interrupted(workers::run(args))),
        Command::Doctor(args) => block_on(until_interrupted(doctor::run(args))),
        Command::Certs(args) => certs::run(&args),
        Command::Tokens(args) => tokens::run(args),
        Command::Man(args) => manual::run(&args),
        Command::Completions(args) => {
            let mut script = Vec::new();
            clap_complete::generate(args.shell, &mut CommandLine::command(), "vezir", &mut script);
            print(&String::from_utf8_lossy(&script))?;
            Ok(Exit::Done)
        }
    }
}

/// Lets the rooms below say what goes on in them, as `VEZIR_LOG` asks, else as is `usual`.
fn start_log(usual: &str, format: LogFormat) -> Result<(), Failure> {
    let filter = env::var(LOG_FILTER).unwrap_or_else(|_| usual.to_owned());
    let format = match format {
        LogFormat::Text => Format::Text,
        LogFormat::Json => Format::Json,
    };
    talk::speak(format);
    let started = vezir_telemetry::start(&filter, format);
    started.map_err(|error| Failure::new(Exit::Usage, format!("{LOG_FILTER}: {error}")))
}

/// Runs a command to its end; threads that still count then are abandoned, not waited for.
fn block_on(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        Failure::new(
            Exit::Unserved,
            format!(
                "no threads can be started: {error}; a higher limit of memory or processes would be right"
            ),
        )
    })?;
    let ended = runtime.block_on(async {
        // A file that may not grow any further is told like a full disk, and does not end the process.
        #[cfg(unix)]
        let _caught = tokio::signal::unix::signal(FILE_TOO_LARGE);
        command.await
    });
    runtime.shutdown_background();
    ended
}

/// Runs a command that has nothing to give back when it is interrupted.
async fn until_interrupted(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    let mut interrupt = Interrupt::catch_at_terminal()?;
    tokio::select! {
        ended = command => ended,
        () = interrupt.wait() => Err(Failure::new(Exit::Interrupted, "interrupted")),
    }
}

/// Gives the help that was asked for; where nothing was asked, help is what was lacking.
fn give(help: &clap::Error) -> Result<Exit, Failure> {
    let given = help.print().and_then(|()| io::stdout().flush());
    if help.use_stderr() {
        return Ok(Exit::Usage);
    }
    given.map(|()| Exit::Done).map_err(unwritten)
}
