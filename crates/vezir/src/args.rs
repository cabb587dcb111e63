//! The command line: what may be written on it, and what its help says.

mod access;
mod bench;
mod cluster;
mod instructions;
mod runs;
mod verify;

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use vezir_perft::{Isa, MAX_DEPTH};

use crate::size;
pub(crate) use access::*;
pub(crate) use bench::*;
pub(crate) use cluster::*;
use instructions::Instructions;
pub(crate) use runs::*;
pub(crate) use verify::*;

/// The most threads that may be asked for.
const MAX_THREADS: usize = 1024;

/// How many words a FEN without quotes is taken for.
const FEN_FIELDS: usize = 6;

/// Counts move trees of chess and checks move generators, on one machine or on many.
///
/// Without --coordinator a command does its work in this process; nothing needs to be started before.
#[derive(Parser, Debug)]
#[command(version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// How lines on standard error look; VEZIR_LOG says which are logged, as `info` or `vezir_worker=debug`
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "text",
        hide_default_value = true,
        env = "VEZIR_LOG_FORMAT",
        help_heading = "Log"
    )]
    pub(crate) log_format: LogFormat,
}

/// How lines on standard error look.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum LogFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

impl Command {
    /// What is logged where nobody says: what a service does, and of other commands what goes wrong.
    pub(crate) const fn usual_log(&self) -> &'static str {
        match self {
            Command::Standalone(_) | Command::Coordinator(_) | Command::Worker(_) => "info",
            _ => "warn",
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  vezir perft 6                               Count the start position to depth 6
  vezir perft 5 --position kiwipete --divide  Print what `go perft 5` prints in Stockfish
  vezir suite standard.epd --max-nodes 50M    Check a file's counts, up to 50 million nodes each
  vezir verify ./my-engine                    Check your own move generator
  vezir bench --quick                         Measure how fast this machine counts
  vezir standalone                            Run a cluster that others on this machine may use
  vezir runs list                             List what was counted, and what was interrupted

Exit codes: 0 done, 1 a count differs, 2 usage, 3 bad input, 4 something needed cannot be had,
5 interrupted, 6 no answer.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Perft(PerftArgs),
    Suite(SuiteArgs),
    Verify(Box<VerifyArgs>),
    Uci(UciArgs),
    Bench(BenchArgs),
    Standalone(StandaloneArgs),
    Coordinator(CoordinatorArgs),
    Worker(WorkerArgs),
    Runs(RunsArgs),
    Workers(WorkersArgs),
    Doctor(DoctorArgs),
    Certs(CertsArgs),
    Tokens(TokensArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Count the legal move sequences of a position
///
/// Prints the number of sequences of DEPTH legal moves (its leaves) as `Nodes searched: N`. Time, speed and
/// whether the count agrees with a published one are told on standard error.
#[derive(Args, Debug)]
#[command(after_help = PERFT_EXAMPLES)]
pub(crate) struct PerftArgs {
    /// Plies to count, 0 to 64
    #[arg(value_parser = depth, allow_negative_numbers = true)]
    pub(crate) depth: u32,

    #[command(flatten)]
    pub(crate) root: RootArgs,

    /// Print the part of each root move first, as Stockfish does, sorted by name
    #[arg(long)]
    pub(crate) divide: bool,

    /// Count captures, checks, mates and so on among the moves of the last ply
    ///
    /// Published tables differ in one column. `wiki` counts mates among the checks, as the Chess Programming
    /// Wiki does; `without-mates` leaves them out, as Labelle and the Grand Chess Tree do. A breakdown looks
    /// at every last move, so it takes many times as long as a bare count.
    #[arg(long, value_name = "CONVENTION", num_args = 0..=1, require_equals = true, default_missing_value = "wiki")]
    pub(crate) breakdown: Option<Convention>,

    /// Moves from the position, in UCI and with blanks between them, that are made before anything is counted
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub(crate) moves: String,

    /// Print the answer as this program would
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["json", "breakdown"])]
    pub(crate) like: Option<Like>,

    /// Print the answer as one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) means: MeansArgs,

    #[command(flatten)]
    pub(crate) dial: DialArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    /// Have results counted again by another worker: a sample of them, or all
    ///
    /// A worker that lies in one result of fifty is found by a sample with near certainty once it has brought
    /// some hundreds; the sample never has less than one result in ten. It takes two workers at least.
    #[arg(
        long,
        value_name = "HOW",
        default_value = "no",
        hide_default_value = true,
        env = "VEZIR_VERIFY",
        help_heading = "Means"
    )]
    pub(crate) verify: VerifyArg,

    /// The ply at which the tree is split into units of work [default: by the size of the tree]
    #[arg(long, allow_hyphen_values = true, value_name = "PLY", value_parser = depth, help_heading = "Means")]
    pub(crate) split: Option<u32>,

    /// How many units of work are made [default: by the size of the tree]
    #[arg(long, allow_hyphen_values = true, value_name = "N", value_parser = units, help_heading = "Means")]
    pub(crate) units: Option<NonZero<u32>>,

    #[command(flatten)]
    pub(crate) settings: ConfigArgs,
}

const PERFT_EXAMPLES: &str = "\
Examples:
  vezir perft 6
  vezir perft 5 --position kiwipete --divide
  vezir perft 4 --fen 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'
  vezir perft 6 --breakdown=both --json
  vezir perft 3 --moves 'e2e4 e7e5' --like perftree
  vezir perft 9 --hash 8GiB --threads 16";

/// A program whose output others read.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Like {
    /// `move: count` lines, a blank line, `Nodes searched: total`
    Stockfish,
    /// `move count` lines, a blank line, the total: what perftree's scripts print
    Perftree,
}

/// The position below which is counted.
#[derive(Args, Debug)]
pub(crate) struct RootArgs {
    /// The position to count from, as a FEN in quotes
    #[arg(long, value_name = "FEN", conflicts_with = "position", allow_hyphen_values = true)]
    pub(crate) fen: Option<String>,

    /// A position with a name to count from
    #[arg(
        long,
        value_name = "NAME",
        default_value = "startpos",
        hide_default_value = true,
        ignore_case = true
    )]
    pub(crate) position: NamedPosition,

    /// Write castling as Chess960 does, the king taking its rook: e1h1 for e1g1
    ///
    /// Chess960 positions are recognized from their FEN; this is only needed for others.
    #[arg(long)]
    pub(crate) chess960: bool,
}

/// With what is counted.
#[derive(Args, Debug)]
#[command(next_help_heading = "Means")]
pub(crate) struct MeansArgs {
    /// Memory for the table of counts, as 2GiB; 0 for none [default: a quarter of the memory, at most 4GiB]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = size::memory, env = "VEZIR_HASH")]
    pub(crate) hash: Option<u64>,

    /// Threads that count [default: the cores that may be used]
    #[arg(long, allow_hyphen_values = true, value_name = "N", value_parser = threads, env = "VEZIR_THREADS")]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Instructions to count with, for comparisons and for tests [default: the best that this machine has]
    #[arg(long, value_name = "SET", value_parser = Instructions, ignore_case = true, env = "VEZIR_ISA")]
    pub(crate) isa: Option<Isa>,

    /// What the keys of the table grow from; counts are the same with any [default: 0]
    #[arg(long, allow_hyphen_values = true, value_name = "N", value_parser = seed, env = "VEZIR_SEED")]
    pub(crate) seed: Option<u64>,
}

/// Check the counts that files of positions state
///
/// Counts every position of each FILE to every depth that it states and prints those that differ. Reads
/// `FEN ;D1 n ;D2 n` and `id / epd / perft d n` lines. Without FILE, checks Vezir's own suite; `-` is
/// standard input.
#[derive(Args, Debug)]
#[command(after_help = SUITE_EXAMPLES)]
pub(crate) struct SuiteArgs {
    /// Files of positions with counts
    pub(crate) files: Vec<PathBuf>,

    /// Leave out counts larger than this, as 50M
    #[arg(long, allow_hyphen_values = true, value_name = "N", value_parser = size::nodes)]
    pub(crate) max_nodes: Option<u128>,

    /// Leave out counts deeper than this
    #[arg(long, allow_hyphen_values = true, value_name = "DEPTH", value_parser = depth)]
    pub(crate) max_depth: Option<u32>,

    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) means: MeansArgs,

    #[command(flatten)]
    pub(crate) settings: ConfigArgs,
}

const SUITE_EXAMPLES: &str = "\
Examples:
  vezir suite
  vezir suite standard.epd tricky.perft --max-nodes 50M
  vezir suite --max-depth 4 --json";

/// Count as a UCI engine: `position` and `go perft N`, in Stockfish's format
///
/// For tools that compare a generator with Stockfish's and let you name another engine.
#[derive(Args, Debug)]
#[command(after_help = UCI_EXAMPLES)]
pub(crate) struct UciArgs {
    /// Memory for the table of counts, as 2GiB; 0 for none [default: a quarter of the memory, at most 4GiB]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = size::memory, env = "VEZIR_HASH")]
    pub(crate) hash: Option<u64>,

    /// Threads that count [default: the cores that may be used]
    #[arg(long, allow_hyphen_values = true, value_name = "N", value_parser = threads, env = "VEZIR_THREADS")]
    pub(crate) threads: Option<NonZero<usize>>,

    #[command(flatten)]
    pub(crate) settings: ConfigArgs,
}

const UCI_EXAMPLES: &str = "\
Examples:
  printf 'position startpos moves e2e4\\ngo perft 5\\nquit\\n' | vezir uci
  vezir verify vezir -- uci                             Vezir against itself";

/// Print a script that completes commands in a shell
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Write a page of the manual for each command
///
/// `man --local-file` shows one; a folder `man1` of MANPATH makes them known to `man vezir`.
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder that they are written to, which is made if it is not there
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// How many results are counted again by another worker.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum VerifyArg {
    /// None
    #[default]
    No,
    /// Some, fewer the longer others agree with a worker
    Sample,
    /// All
    All,
}

/// Positions that may be named instead of spelled out.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NamedPosition {
    Startpos,
    Kiwipete,
    Position3,
    Position4,
    Position5,
    Position6,
}

/// What a breakdown's checks mean.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Convention {
    /// Mates are counted among the checks
    Wiki,
    /// Mates are not counted among the checks
    WithoutMates,
    /// Both, one after the other
    Both,
}

fn depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|depth| *depth <= MAX_DEPTH);
    depth.ok_or_else(|| match Convention::from_str(text, true) {
        Ok(_) => format!("the depth is a whole number; for a breakdown write --breakdown={text}"),
        Err(_) => format!("a whole number from 0 to {MAX_DEPTH} would be right"),
    })
}

fn units(text: &str) -> Result<NonZero<u32>, String> {
    text.parse().map_err(|_| format!("a whole number from 1 to {} would be right", u32::MAX))
}

fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let threads = text.parse().ok().filter(|threads: &NonZero<usize>| threads.get() <= MAX_THREADS);
    threads.ok_or_else(|| format!("a whole number from 1 to {MAX_THREADS} would be right"))
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a whole number from 0 to {} would be right", u64::MAX))
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "a whole number would be right".to_owned())
}

fn run(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a whole number, as `vezir runs list` shows it, would be right".to_owned())
}

fn worker(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a whole number, as `vezir workers list` shows it, would be right".to_owned())
}

/// What to say of words that clap could not place, where it is plain what was meant.
pub(crate) fn hint(words: &[String]) -> Option<String> {
    unquoted_fen(words).or_else(|| unflagged_name(words))
}

/// A FEN without quotes around it, or without its flag before it.
fn unquoted_fen(words: &[String]) -> Option<String> {
    let is_board = |word: &str| word.matches('/').count() == 7;
    let place = words.iter().position(|word| is_board(word.split(' ').next().unwrap_or_default()))?;
    let flagged = place > 0 && words[place - 1] == "--fen";
    let whole = words[place].contains(' ');
    let rest = words[place..].iter().map(String::as_str).take_while(|word| !word.starts_with("--"));
    let rest: Vec<&str> = rest.take(FEN_FIELDS).collect();
    match (flagged, whole) {
        (true, true) => None,
        (true, false) if rest.len() < 2 => None,
        (false, true) => Some(format!("a FEN follows its flag: --fen '{}' would be right", words[place])),
        _ => Some(format!("a FEN needs quotes around it: --fen '{}' would be right", rest.join(" "))),
    }
}

/// The name of a position without its flag, or a convention that is not joined to its flag, after `perft`.
fn unflagged_name(words: &[String]) -> Option<String> {
    if words.first().is_none_or(|command| command != "perft") {
        return None;
    }
    let mut pairs = words.windows(2).filter_map(|pair| <&[String; 2]>::try_from(pair).ok());
    pairs.find_map(|[before, word]| {
        if before == "--breakdown" && Convention::from_str(word, true).is_ok() {
            Some(format!("a convention is joined to its flag: --breakdown={word} would be right"))
        } else if !before.starts_with("--") && NamedPosition::from_str(word, true).is_ok() {
            Some(format!("the name of a position follows its flag: --position {word} would be right"))
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split('|').map(str::to_owned).collect()
    }

    #[test]
    fn the_command_line_makes_sense() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn a_name_without_its_flag_is_recognized() {
        let sentence = hint(&words("perft|5|kiwipete")).expect("it is recognized");
        assert!(sentence.contains("--position kiwipete"), "{sentence}");
        let sentence = hint(&words("perft|5|--breakdown|wiki")).expect("it is recognized");
        assert!(sentence.contains("--breakdown=wiki"), "{sentence}");
        assert!(hint(&words("perft|x|--position|kiwipete")).is_none());
        assert!(hint(&words("bench|kiwipete|--isa|foo")).is_none());
    }

    #[test]
    fn a_fen_without_quotes_is_recognized() {
        let bare = "perft|5|--fen|8/8/8/8/8/8/8/K1k5|w|-|-|0|1";
        let sentence = hint(&words(bare)).expect("it is recognized");
        assert!(sentence.contains("--fen '8/8/8/8/8/8/8/K1k5 w - - 0 1'"), "{sentence}");
        assert!(hint(&words("perft|5|8/8/8/8/8/8/8/K1k5 w - - 0 1")).is_some());
        assert!(hint(&words("perft|--fen|8/8/8/8/8/8/8/K1k5 w - - 0 1")).is_none());
        assert!(hint(&words("perft|five")).is_none());
    }
}
