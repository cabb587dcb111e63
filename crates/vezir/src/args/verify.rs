//! The command line of `vezir verify`.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use vezir_verify::Starts;

use super::{ConfigArgs, DialArgs, NamedPosition, StoreArgs, depth, number, seed, threads};
use crate::size;

/// Check somebody else's move generator, down to the first wrong move
///
/// Asks ENGINE for perft and compares every answer with Vezir's own. Where they differ, goes down to the move
/// that is to blame and says which rule it breaks. Without --depth, --suite or --fuzz it checks the built-in
/// positions, each of which shows one kind of fault within three plies.
///
/// ENGINE is a UCI engine that knows `go perft N`, unless a dialect says otherwise. It runs in a sandbox: without
/// network, and without any file but its own.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// The program to check: a path, or a name in PATH
    pub(crate) engine: PathBuf,

    /// Its arguments, behind `--`
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) arguments: Vec<String>,

    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    /// Tell one example of every kind of fault, not only the first
    #[arg(long, help_heading = "Report")]
    pub(crate) all: bool,

    /// Look for the smallest position that still shows each fault
    #[arg(long, help_heading = "Report")]
    pub(crate) shrink: bool,

    /// Print the result as one JSON object
    #[arg(long, help_heading = "Report")]
    pub(crate) json: bool,

    /// Write the result as JUnit XML, for a build server, to this file as well
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub(crate) junit: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) care: CareArgs,

    /// Engines that run side by side [default: one for each core that may be used]
    #[arg(long, value_name = "N", value_parser = threads, env = "VEZIR_THREADS", help_heading = "Means")]
    pub(crate) threads: Option<NonZero<usize>>,

    #[command(flatten)]
    pub(crate) dial: DialArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) settings: ConfigArgs,
}

const EXAMPLES: &str = "\
Examples:
  vezir verify ./my-engine                                     The built-in positions
  vezir verify ./my-engine --depth 6 --position kiwipete       A whole tree, all plies of it
  vezir verify ./my-engine --suite standard.epd --all --shrink
  vezir verify ./my-engine --fuzz --variant chess960           Random games
  vezir verify ./perft.sh --dialect perftree                   perftree's script: DEPTH FEN MOVES
  vezir verify sjeng --dialect sjeng --unsandboxed
  vezir verify ./perft --template '{depth} {fen}' --depth 5

Exit codes: 0 all answers are right, 1 some differ, 6 some were not given.";

/// What the engine is asked about.
#[derive(Args, Debug)]
#[command(next_help_heading = "What it is asked about")]
pub(crate) struct SubjectArgs {
    /// The tree below one position, this deep: totals, and the moves of every position above the split
    #[arg(long, value_name = "DEPTH", value_parser = depth, conflicts_with_all = ["suite", "fuzz"])]
    pub(crate) depth: Option<u32>,

    /// The position, as a FEN in quotes
    #[arg(
        long,
        value_name = "FEN",
        conflicts_with = "position",
        requires = "depth",
        allow_hyphen_values = true
    )]
    pub(crate) fen: Option<String>,

    /// The position, by name
    #[arg(long, value_name = "NAME", ignore_case = true, requires = "depth")]
    pub(crate) position: Option<NamedPosition>,

    /// The ply at which the tree is split into units of work [default: four plies above the leaves]
    #[arg(long, value_name = "PLY", value_parser = depth, requires = "depth")]
    pub(crate) split: Option<u32>,

    /// The positions of this file, as `vezir suite` reads it, each to the deepest count within the limits
    #[arg(long, value_name = "FILE", conflicts_with = "fuzz")]
    pub(crate) suite: Vec<PathBuf>,

    /// Of a suite's counts, leave out those larger than this
    #[arg(long, value_name = "N", value_parser = size::nodes, default_value = "20M")]
    pub(crate) max_nodes: u128,

    /// Of a suite's counts, leave out those deeper than this
    #[arg(long, value_name = "DEPTH", value_parser = depth, default_value = "5")]
    pub(crate) max_depth: u32,

    /// The positions of random games
    #[arg(long)]
    pub(crate) fuzz: bool,

    /// How many random games; one has about a hundred positions
    #[arg(long, value_name = "N", value_parser = number, default_value = "1000", requires = "fuzz")]
    pub(crate) games: u32,

    /// How deep each position of a random game is asked about
    #[arg(long, value_name = "DEPTH", value_parser = depth, default_value = "2", requires = "fuzz")]
    pub(crate) fuzz_depth: u32,

    /// Where random games begin
    #[arg(long, value_name = "VARIANT", default_value = "standard", requires = "fuzz")]
    pub(crate) variant: Variant,

    /// What random games grow from [default: another number each time, which is told]
    #[arg(long, value_name = "N", value_parser = seed, requires = "fuzz")]
    pub(crate) seed: Option<u64>,
}

/// Where random games begin.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Variant {
    /// The start position of standard chess
    Standard,
    /// The start positions of Chess960
    Chess960,
    /// Those of double Fischer random: another row for each side
    Double,
    /// All of these in turn
    Mixed,
}

impl From<Variant> for Starts {
    fn from(variant: Variant) -> Starts {
        match variant {
            Variant::Standard => Starts::Standard,
            Variant::Chess960 => Starts::Chess960,
            Variant::Double => Starts::Double,
            Variant::Mixed => Starts::Mixed,
        }
    }
}

/// How the engine is spoken to.
#[derive(Args, Debug)]
#[command(next_help_heading = "How it is asked")]
pub(crate) struct DialectArgs {
    /// A way of asking that is known
    #[arg(long, value_name = "DIALECT", conflicts_with_all = ["position_command", "template"])]
    pub(crate) dialect: Option<KnownDialect>,

    /// The command that tells a position, for a program that prints only totals, as 'setboard {fen}'
    #[arg(long, value_name = "COMMAND", requires_all = ["perft_command", "total_regex"], conflicts_with = "template")]
    pub(crate) position_command: Option<String>,

    /// The command that asks, as 'perft {depth}'
    #[arg(long, value_name = "COMMAND", requires = "position_command")]
    pub(crate) perft_command: Option<String>,

    /// What finds the total in a line, with a group around the number, as 'nodes: (\\d+)'
    #[arg(long, value_name = "REGEX", requires = "position_command")]
    pub(crate) total_regex: Option<String>,

    /// A command that is sent once, at the start; may be given several times
    #[arg(long, value_name = "COMMAND", requires = "position_command")]
    pub(crate) init_command: Vec<String>,

    /// The arguments of a program that is started for each question, with {fen}, {depth} and {moves} in them
    #[arg(long, value_name = "ARGUMENTS")]
    pub(crate) template: Option<String>,
}

/// A way of asking that is known.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownDialect {
    /// `go perft N`, as Stockfish and many others answer it
    Uci,
    /// A program started for each question, as perftree's scripts are: DEPTH FEN "MOVES"
    Perftree,
    /// Ethereal, whose `perft N` prints a total
    EtherealChess,
    /// Sjeng, whose `perft N` prints a total
    Sjeng,
}

/// How the engine is treated.
#[derive(Args, Debug)]
#[command(next_help_heading = "How it is treated")]
pub(crate) struct CareArgs {
    /// What the report calls it [default: the name of its file]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// How long it may take for one answer
    #[arg(long, value_name = "TIME", value_parser = size::time, default_value = "60s")]
    pub(crate) query_limit: Duration,

    /// The address space of its process
    #[arg(long, value_name = "SIZE", value_parser = size::memory, default_value = "4GiB")]
    pub(crate) memory: u64,

    /// A file or folder that it may read besides itself and the system's libraries, such as a net; may be given
    /// several times
    #[arg(long, value_name = "PATH")]
    pub(crate) readable: Vec<PathBuf>,

    /// Run it without a sandbox
    #[arg(long)]
    pub(crate) unsandboxed: bool,
}
