//! The command line of what looks at runs, workers and stores.

use clap::{Args, Subcommand};

use super::{ConfigArgs, DialArgs, MeansArgs, StoreArgs, number, run, worker};

/// List, show, watch, cancel, resume and export runs
///
/// Asks the coordinator that --coordinator names; without it, the store on this machine.
#[derive(Args, Debug)]
pub(crate) struct RunsArgs {
    #[command(subcommand)]
    pub(crate) command: RunsCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum RunsCommand {
    List(ListArgs),
    /// Tell everything about a run
    Show(OneRunArgs),
    Watch(WatchArgs),
    /// End a run: nothing more of it is counted
    Cancel(OneRunArgs),
    Resume(ResumeArgs),
    /// Print all that a run can be recomputed from, as JSON lines
    Export(OneRunArgs),
}

impl RunsArgs {
    /// Whether the command waits for a run, and knows what an interrupt means for it.
    pub(crate) const fn waits(&self) -> bool {
        matches!(self.command, RunsCommand::Watch(_) | RunsCommand::Resume(_))
    }
}

/// Where runs are looked for.
#[derive(Args, Clone, Default, Debug)]
pub(crate) struct WhereArgs {
    #[command(flatten)]
    pub(crate) dial: DialArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) settings: ConfigArgs,
}

/// List runs, the newest first
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// How many at most
    #[arg(long, value_name = "N", default_value = "20", value_parser = number, allow_hyphen_values = true)]
    pub(crate) most: u32,

    /// Only runs that have not ended
    #[arg(long)]
    pub(crate) open: bool,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) place: WhereArgs,
}

/// One run
#[derive(Args, Debug)]
pub(crate) struct OneRunArgs {
    /// The number of the run
    #[arg(value_name = "RUN", value_parser = run, allow_negative_numbers = true)]
    pub(crate) run: u64,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) place: WhereArgs,
}

/// Wait for a run to end, and print its answer
#[derive(Args, Debug)]
pub(crate) struct WatchArgs {
    /// The number of the run
    #[arg(value_name = "RUN", value_parser = run, allow_negative_numbers = true)]
    pub(crate) run: u64,

    /// Print the part of each root move first, as Stockfish does, sorted by name
    #[arg(long)]
    pub(crate) divide: bool,

    /// Print the answer as one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) place: WhereArgs,
}

/// Go on with a run that was interrupted, and print its answer
///
/// Counts what is left of it with this machine's threads. Units that were counted before are not counted again.
#[derive(Args, Debug)]
pub(crate) struct ResumeArgs {
    /// The number of the run
    #[arg(value_name = "RUN", value_parser = run, allow_negative_numbers = true)]
    pub(crate) run: u64,

    /// Print the part of each root move first, as Stockfish does, sorted by name
    #[arg(long)]
    pub(crate) divide: bool,

    /// Print the answer as one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) means: MeansArgs,

    #[command(flatten)]
    pub(crate) dial: DialArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) settings: ConfigArgs,
}

/// List, pause, resume, quarantine and drain workers
#[derive(Args, Debug)]
pub(crate) struct WorkersArgs {
    #[command(subcommand)]
    pub(crate) command: WorkersCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum WorkersCommand {
    /// List the workers of a cluster
    List(ListWorkersArgs),
    /// Give a worker nothing new until it is resumed
    Pause(OneWorkerArgs),
    /// Give a paused worker work again
    Resume(OneWorkerArgs),
    /// Trust a worker no longer: everything that it ever reported is counted again
    Quarantine(OneWorkerArgs),
    /// Have a worker finish what it holds, and end
    Drain(OneWorkerArgs),
}

/// Which list.
#[derive(Args, Debug)]
pub(crate) struct ListWorkersArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) place: WhereArgs,
}

/// One worker.
#[derive(Args, Debug)]
pub(crate) struct OneWorkerArgs {
    /// The number of the worker, as `vezir workers list` shows it
    #[arg(value_name = "WORKER", value_parser = worker, allow_negative_numbers = true)]
    pub(crate) worker: u64,

    #[command(flatten)]
    pub(crate) place: WhereArgs,
}

/// Check a store: its file, its references, and every law of the ledger
///
/// Reads every row. Exits with 0 if all is well and with 1 if anything is broken.
#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    /// Print the findings as one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) settings: ConfigArgs,
}
