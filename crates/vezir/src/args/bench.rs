//! The command line of what measures how fast this machine counts.

use std::num::NonZero;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::{ConfigArgs, MeansArgs};
use crate::bench::CASES;

/// Measure how fast this machine counts
///
/// Counts some positions without a table and, most of them a ply deeper, with one, on one thread and on all.
/// Every count is held against the published one. The signature at the end is one number for what was done on
/// the way. It is the same on every machine and whatever the options, and changes only where the way of
/// counting does.
#[derive(Args, Debug)]
#[command(after_help = BENCH_EXAMPLES)]
pub(crate) struct BenchArgs {
    /// Only these positions [default: all]
    #[arg(
        value_name = "POSITION",
        value_parser = PossibleValuesParser::new(CASES.map(|case| case.named.name)),
        ignore_case = true
    )]
    pub(crate) positions: Vec<String>,

    /// Count one ply less: an answer in a few seconds
    #[arg(long)]
    pub(crate) quick: bool,

    /// How often each is counted; medians are told
    #[arg(long, allow_hyphen_values = true, value_name = "N", default_value = "3", value_parser = rounds)]
    pub(crate) rounds: NonZero<u32>,

    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) means: MeansArgs,

    #[command(flatten)]
    pub(crate) settings: ConfigArgs,
}

const BENCH_EXAMPLES: &str = "\
Examples:
  vezir bench --quick
  vezir bench --threads 1 --hash 1GiB --rounds 7 --json
  vezir bench kiwipete --hash 0 --isa baseline";

/// The most rounds: more would tell nothing new.
const MAX_ROUNDS: u32 = 1000;

fn rounds(text: &str) -> Result<NonZero<u32>, String> {
    let rounds = text.parse().ok().filter(|rounds: &NonZero<u32>| rounds.get() <= MAX_ROUNDS);
    rounds.ok_or_else(|| format!("a whole number from 1 to {MAX_ROUNDS} would be right"))
}
