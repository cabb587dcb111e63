//! What is asked of the bench on its command line.

use std::path::PathBuf;
use std::time::Duration;

/// What is to be measured.
pub(crate) struct Asked {
    /// How many workers count.
    pub(crate) workers: u32,
    /// For how long, at the least.
    pub(crate) lasts: Duration,
    /// What a unit takes on average.
    pub(crate) unit: Duration,
    /// The term of a lease, as the coordinator reads it.
    pub(crate) lease: String,
    /// How many units are to wait, one measurement each; `None` for the workers' load.
    pub(crate) queued: Option<Vec<u32>>,
    /// Over how many runs they are spread.
    pub(crate) runs: u32,
    /// How many leases are to have ended before anything is measured.
    pub(crate) ended: u64,
    /// Another executable than this tree's, to compare.
    pub(crate) program: Option<PathBuf>,
}

impl Asked {
    /// Reads the words behind `--`.
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Result<Asked, String> {
        let mut asked = Asked {
            workers: 500,
            lasts: Duration::from_secs(300),
            unit: Duration::from_millis(1_500),
            lease: "30s".to_owned(),
            queued: None,
            runs: 1,
            ended: 0,
            program: None,
        };
        while let Some(word) = words.next() {
            // Cargo says this to every bench.
            if word == "--bench" {
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{word} has no value; {USAGE}"))?;
            asked.take(&word, &value)?;
        }
        Ok(asked)
    }

    fn take(&mut self, word: &str, value: &str) -> Result<(), String> {
        match word {
            "--workers" => self.workers = number(word, value)?,
            "--minutes" => {
                let minutes: f64 = number(word, value)?;
                self.lasts = Duration::try_from_secs_f64(minutes * 60.0)
                    .map_err(|error| format!("{word} {value}: {error}"))?;
            }
            "--unit-millis" => self.unit = Duration::from_millis(number(word, value)?),
            "--lease" => value.clone_into(&mut self.lease),
            "--queued" => {
                let sizes = value.split(',').map(|size| number(word, size));
                self.queued = Some(sizes.collect::<Result<_, _>>()?);
            }
            "--runs" => self.runs = number(word, value)?,
            "--ended" => self.ended = number(word, value)?,
            "--program" => self.program = Some(value.into()),
            _ => return Err(format!("{word} is no option; {USAGE}")),
        }
        Ok(())
    }
}

/// What would be right.
const USAGE: &str = "--workers, --minutes, --unit-millis, --lease, --queued, --runs, --ended and --program, each with its value, \
                     would be right";

fn number<T: std::str::FromStr>(word: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{word} {value}: a number would be right"))
}
